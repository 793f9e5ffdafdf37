// Strict parsing of JSON text, and documents to be read with cursors.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "io/json/json_cursor.h"
#include "io/json/json_place.h"
#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Parses JSON text to a tree. Beyond the syntax it rejects what a plain parser lets pass: a key
/// that stands twice in one object, numbers beyond the range of doubles, nesting deeper than
/// kMaxNesting. Throws InvalidInput, beginning with `origin` and the line and column or the place
/// in the document. Exported for the components of the library.
VOLCONTACT_EXPORT nlohmann::json ParseJson(const std::string& text, const std::string& origin,
                                           JsonDialect dialect);

/// A document of settings. Its cursors refer to it: keep it as long as they are used.
class VOLCONTACT_EXPORT JsonDocument {
 public:
  /// Throws InvalidInput that names the file when it cannot be read, and as ParseJson does.
  static JsonDocument Read(const std::filesystem::path& file);
  /// `origin` stands for the file in messages; files that the text names are looked for in
  /// `folder`.
  static JsonDocument Parse(const std::string& text, const std::string& origin,
                            const std::filesystem::path& folder = {});
  /// A document that has been parsed.
  JsonDocument(nlohmann::json root, const std::string& origin,
               const std::filesystem::path& folder = {});

  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  JsonCursor Root() const { return {root_, source_}; }

 private:
  nlohmann::json root_;
  JsonSource source_;
};

VOLCONTACT_NAMESPACE_END
