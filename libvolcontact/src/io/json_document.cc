#include "io/json_document.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "io/json_cursor.h"
#include "io/messages.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

using Json = nlohmann::json;

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
  TreeBuilder(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

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
      throw InvalidInput(fmt::format("{}: at {}: key {} stands twice; keep one of them", origin_,
                                     Pointer(), Quoted(value)));
    }
    level.key = value;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberOverflow = 406;
    const std::string what =
        error.id == kNumberOverflow
            ? fmt::format("the number {} is beyond the range of doubles", Quoted(token))
            : "not valid JSON: " + Diagnosis(error);
    throw InvalidInput(fmt::format("{}: {}: {}", origin_,
                                   LineAndColumn(text_, position == 0 ? 0 : position - 1), what));
  }

  Json TakeRoot() { return std::move(root_); }

 private:
  struct Level {
    Json* container;
    std::string key;  // the member being read, when the container is an object
  };

  // The place of the innermost open container.
  std::string Pointer() const {
    std::string pointer;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      const Json& container = *levels_[i].container;
      pointer += '/' + (container.is_object() ? PointerToken(levels_[i].key)
                                              : std::to_string(container.size() - 1));
    }
    return pointer.empty() ? "/" : pointer;
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
      throw InvalidInput(fmt::format("{}: nested deeper than {} levels; flatten the expression",
                                     origin_, kMaxNesting));
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
  Json root_;
  std::vector<Level> levels_;
};

}  // namespace

nlohmann::json ParseJson(const std::string& text, const std::string& origin) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InvalidInput(origin + ": the file is empty; it should hold one JSON object");
  }
  TreeBuilder builder(text, origin);
  nlohmann::json::sax_parse(text, &builder);
  return builder.TakeRoot();
}

}  // namespace volcontact
