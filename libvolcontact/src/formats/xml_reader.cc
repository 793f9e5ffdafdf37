#include "formats/xml_reader.h"

#include <expat.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <exception>
#include <new>
#include <utility>

#include "io/messages.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

constexpr char kBlanks[] = " \t\r\n";

template <class Number>
bool IsNumber(std::string_view text, Number* value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

struct XmlReader::State {
  std::string origin;
  XmlHandler* handler;
  XML_Parser parser;
  std::vector<std::string> texts;  // of the elements that are open
  std::exception_ptr failure;      // none may pass through the parser, which is C

  template <class Work>
  void Guarded(const Work& work) {
    if (failure) return;
    try {
      work();
    } catch (const InvalidInput& error) {
      failure = std::make_exception_ptr(
          InvalidInput(fmt::format("{}: line {}: {}", origin, Line(), error.what())));
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure) XML_StopParser(parser, XML_FALSE);
  }

  XML_Size Line() const { return XML_GetCurrentLineNumber(parser); }

  static State& Of(void* data) { return *static_cast<State*>(data); }
  static void XMLCALL Begin(void* data, const XML_Char* name, const XML_Char** pairs) {
    State& state = Of(data);
    state.Guarded([&] {
      if (state.texts.size() >= static_cast<std::size_t>(kMaxNesting)) {
        throw InvalidInput(
            fmt::format("nested deeper than {} levels; export the file again", kMaxNesting));
      }
      state.texts.emplace_back();
      state.handler->Begin(name, XmlAttributes(pairs));
    });
  }
  static void XMLCALL End(void* data, const XML_Char* name) {
    State& state = Of(data);
    state.Guarded([&] {
      state.handler->End(name, state.texts.back());
      state.texts.pop_back();
    });
  }
  static void XMLCALL Text(void* data, const XML_Char* text, int size) {
    State& state = Of(data);
    state.Guarded([&] {
      if (!state.texts.empty()) state.texts.back().append(text, static_cast<std::size_t>(size));
    });
  }
  static void XMLCALL Bind(void* data, const XML_Char* prefix, const XML_Char* space) {
    State& state = Of(data);
    state.Guarded([&] {
      state.handler->BindPrefix(prefix == nullptr ? "" : prefix, space == nullptr ? "" : space);
    });
  }
  static void XMLCALL RefuseType(void* data, const XML_Char*, const XML_Char*, const XML_Char*,
                                 int) {
    Of(data).Guarded([] {
      throw InvalidInput(
          "has a document type (DOCTYPE), which this format does not have; delete it");
    });
  }
};

std::optional<std::string_view> XmlAttributes::Find(std::string_view name) const {
  for (const char* const* pair = pairs_; *pair != nullptr; pair += 2) {
    if (name == pair[0]) return pair[1];
  }
  return std::nullopt;
}

std::string XmlAttributes::ValueOr(std::string_view name, std::string_view otherwise) const {
  return std::string(Find(name).value_or(otherwise));
}

std::string_view XmlAttributes::Value(std::string_view name) const {
  if (const auto value = Find(name)) return *value;
  throw InvalidInput(fmt::format("the attribute \"{}\" is missing; export the file again", name));
}

XmlReader::XmlReader(std::string origin, XmlHandler* handler)
    : state_(new State{std::move(origin), handler, XML_ParserCreateNS(nullptr, '|'), {}, nullptr}) {
  XML_Parser parser = state_->parser;
  if (parser == nullptr) throw std::bad_alloc();
  XML_SetUserData(parser, state_.get());
  XML_SetElementHandler(parser, State::Begin, State::End);
  XML_SetCharacterDataHandler(parser, State::Text);
  XML_SetStartNamespaceDeclHandler(parser, State::Bind);
  XML_SetStartDoctypeDeclHandler(parser, State::RefuseType);
}

XmlReader::~XmlReader() { XML_ParserFree(state_->parser); }

void XmlReader::Parse(std::string_view piece, bool is_last) {
  // What one call of the parser takes.
  constexpr std::size_t kMost = std::size_t{1} << 20;
  do {
    const std::string_view part = piece.substr(0, kMost);
    piece.remove_prefix(part.size());
    const XML_Status status = XML_Parse(state_->parser, part.data(), static_cast<int>(part.size()),
                                        is_last && piece.empty() ? 1 : 0);
    if (state_->failure) std::rethrow_exception(state_->failure);
    if (status == XML_STATUS_OK) continue;
    const XML_Error error = XML_GetErrorCode(state_->parser);
    if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    throw InvalidInput(fmt::format("{}: line {}: not valid XML: {}; export the file again",
                                   state_->origin, state_->Line(), XML_ErrorString(error)));
  } while (!piece.empty());
}

std::string_view XmlTrimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

double XmlNumber(std::string_view text, std::string_view what) {
  double value = 0.0;
  if (IsNumber(XmlTrimmed(text), &value) && std::isfinite(value)) return value;
  throw InvalidInput(fmt::format("{} is {}; it must be a finite number", what, Quoted(text)));
}

int XmlIndex(std::string_view text, std::string_view what) {
  int value = 0;
  if (IsNumber(XmlTrimmed(text), &value) && value >= 0) return value;
  throw InvalidInput(fmt::format("{} is {}; it must be an integer from 0", what, Quoted(text)));
}

std::vector<std::string_view> XmlWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = XmlTrimmed(text); !text.empty(); text = XmlTrimmed(text)) {
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    words.push_back(word);
    text.remove_prefix(word.size());
  }
  return words;
}

}  // namespace volcontact
