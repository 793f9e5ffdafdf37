// Reading XML as a sequence of elements, with places for messages.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volcontact {

/// The attributes of an element; the names of those of a namespace are "namespace|name". A view,
/// which lasts as long as the call that has it: models have millions of elements.
class XmlAttributes {
 public:
  /// Names and values in turn, and a null pointer at their end.
  explicit XmlAttributes(const char* const* pairs) : pairs_(pairs) {}

  std::optional<std::string_view> Find(std::string_view name) const;
  std::string ValueOr(std::string_view name, std::string_view otherwise) const;
  /// Throws InvalidInput that says what is missing.
  std::string_view Value(std::string_view name) const;

 private:
  const char* const* pairs_;
};

/// What is done with the elements of a document. Names are "namespace|name", or "name" without a
/// namespace. Throw InvalidInput without a place: the reader adds file and line.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual void Begin(std::string_view name, const XmlAttributes& attributes) = 0;
  /// `text` is what stands in the element itself, without that of its children.
  virtual void End(std::string_view name, std::string_view text) = 0;
  /// A prefix is bound to a namespace, before the element that says so begins.
  virtual void BindPrefix(const std::string& /*prefix*/, const std::string& /*space*/) {}
};

/// A document that is read as its pieces come. Refuses document types, and with them entities,
/// which can name other files and grow without limit, and nesting deeper than kMaxNesting.
class XmlReader {
 public:
  /// `origin` names the document in messages. The handler must outlive the reader.
  XmlReader(std::string origin, XmlHandler* handler);
  ~XmlReader();

  /// Throws InvalidInput with the line, also for what the handler throws.
  void Add(std::string_view piece) { Parse(piece, false); }
  void Finish() { Parse({}, true); }

 private:
  struct State;

  void Parse(std::string_view piece, bool is_last);

  std::unique_ptr<State> state_;
};

/// A text without the blanks around it.
std::string_view XmlTrimmed(std::string_view text);

/// Such a text as a finite number, and as an index from 0. Throw
/// InvalidInput that says what is wrong.
double XmlNumber(std::string_view text, std::string_view what);
int XmlIndex(std::string_view text, std::string_view what);

/// The words of a text, between blanks.
std::vector<std::string_view> XmlWords(std::string_view text);

}  // namespace volcontact
