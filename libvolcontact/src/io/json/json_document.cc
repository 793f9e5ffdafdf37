#include "io/json/json_document.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "io/messages.h"
#include "io/text_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Json = nlohmann::json;

// The parser's number of the error that a number has no double.
constexpr int kNumberOverflow = 406;

// What the parser says is wrong, less its own prefix with the error's number and place.
std::string Diagnosis(const nlohmann::detail::exception& error) {
  constexpr std::string_view kTokenMark = "; last read: '";
  std::string what = error.what();
  if (const auto column = what.find(", column "); column != std::string::npos) {
    if (const auto colon = what.find(": ", column); colon != std::string::npos) {
      what.erase(0, colon + 2);
    }
  }
  // The parser repeats the whole token, which may be as long as the file.
  const auto token = what.find(kTokenMark);
  constexpr std::size_t kLongest = 160;
  if (token != std::string::npos && what.size() > token + kLongest) what.erase(token);
  return Printable(std::string_view(what).substr(0, 2 * kLongest));
}

// Builds the tree from the parser's events. The parser keeps its own stack, so that text of any
// depth does no harm before the depth is checked here.
class TreeBuilder : public nlohmann::json_sax<Json> {
 public:
  TreeBuilder(std::string_view text, const std::string& origin, JsonDialect dialect)
      : text_(text), origin_(origin), dialect_(dialect) {}

  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(number_integer_t value) override { return Add(value); }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t&) override { return Add(value); }
  bool string(string_t& value) override { return Add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // does not occur in text

  bool start_object(std::size_t) override { return Open(Json::object()); }
  bool start_array(std::size_t) override { return Open(Json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(string_t& value) override {
    Level& level = levels_.back();
    if (level.container->contains(value)) {
      throw InvalidInput(fmt::format("{}: key {} stands twice; keep one of them",
                                     PlaceInFile(dialect_, origin_, Place()), Quoted(value)));
    }
    level.key = value;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    const std::string place = LineAndColumn(text_, position == 0 ? 0 : position - 1);
    const bool overflow = error.id == kNumberOverflow;
    if (!overflow && dialect_ == JsonDialect::kSettings) {
      throw InvalidInput(
          fmt::format("{}: is not valid JSON: {}: {}", origin_, place, Diagnosis(error)));
    }
    throw InvalidInput(fmt::format(
        "{}: {}: {}", origin_, place,
        overflow ? fmt::format("the number {} is beyond the range of doubles", Quoted(token))
                 : "not valid JSON: " + Diagnosis(error)));
  }

  Json TakeRoot() { return std::move(root_); }

 private:
  struct Level {
    Json* container;
    std::string key;  // the member being read, when the container is an object
  };

  // The place of the innermost open container.
  std::string Place() const {
    std::string place;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      const Json& container = *levels_[i].container;
      place = container.is_object() ? MemberPlace(dialect_, place, levels_[i].key)
                                    : ItemPlace(dialect_, place, container.size() - 1);
    }
    return place;
  }

  template <class Value>
  Json* Append(Value&& value) {
    if (levels_.empty()) {
      root_ = std::forward<Value>(value);
      return &root_;
    }
    Level& level = levels_.back();
    if (level.container->is_object()) {
      return &((*level.container)[level.key] = std::forward<Value>(value));
    }
    level.container->push_back(std::forward<Value>(value));
    return &level.container->back();
  }

  template <class Value>
  bool Add(Value&& value) {
    Append(Json(std::forward<Value>(value)));
    return true;
  }

  bool Open(Json container) {
    if (levels_.size() >= kMaxNesting) {
      throw InvalidInput(
          fmt::format("{}: nested deeper than {} levels; flatten it", origin_, kMaxNesting));
    }
    levels_.push_back({Append(std::move(container)), {}});
    return true;
  }

  bool Close() {
    levels_.pop_back();
    return true;
  }

  std::string_view text_;
  const std::string& origin_;
  JsonDialect dialect_;
  Json root_;
  std::vector<Level> levels_;
};

}  // namespace

nlohmann::json ParseJson(const std::string& text, const std::string& origin, JsonDialect dialect) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InvalidInput(fmt::format("{}: {}is empty; it should hold one JSON object", origin,
                                   dialect == JsonDialect::kSolid ? "the file " : ""));
  }
  TreeBuilder builder(text, origin, dialect);
  nlohmann::json::sax_parse(text, &builder);
  return builder.TakeRoot();
}

JsonDocument JsonDocument::Read(const std::filesystem::path& file) {
  return Parse(ReadTextFile(file, kMaxSolidFileSize), Printable(file.string()), file.parent_path());
}

JsonDocument JsonDocument::Parse(const std::string& text, const std::string& origin,
                                 const std::filesystem::path& folder) {
  return {ParseJson(text, origin, JsonDialect::kSettings), origin, folder};
}

JsonDocument::JsonDocument(nlohmann::json root, const std::string& origin,
                           const std::filesystem::path& folder)
    : root_(std::move(root)) {
  source_.origin = origin;
  source_.dialect = JsonDialect::kSettings;
  source_.folder = folder;
}

VOLCONTACT_NAMESPACE_END
