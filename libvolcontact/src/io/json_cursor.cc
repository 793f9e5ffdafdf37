#include "io/json_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/messages.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

const char* TypeName(const nlohmann::json& value) {
  switch (value.type()) {
    case nlohmann::json::value_t::object:
      return "an object";
    case nlohmann::json::value_t::array:
      return "an array";
    case nlohmann::json::value_t::string:
      return "a string";
    case nlohmann::json::value_t::boolean:
      return "true or false";
    case nlohmann::json::value_t::null:
      return "null";
    default:
      return "a number";
  }
}

}  // namespace

std::string PointerToken(std::string_view key) {
  constexpr std::size_t kLongest = 60;
  std::string token;
  for (const char c : Printable(key.substr(0, kLongest))) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::string JsonCursor::Place() const {
  return fmt::format("{}: at {}", source_->origin, pointer_.empty() ? "/" : pointer_);
}

void JsonCursor::Fail(const std::string& what) const { throw InvalidInput(Place() + ": " + what); }

void JsonCursor::FailType(const std::string& expected) const {
  Fail(fmt::format("must be {}, not {}", expected, TypeName(*value_)));
}

double JsonCursor::Number() const {
  if (!value_->is_number()) FailType("a number");
  return value_->get<double>();
}

int JsonCursor::Integer() const {
  constexpr double kLargest = 1e9;
  const double number = Number();
  if (number != std::round(number) || std::abs(number) > kLargest) {
    Fail(fmt::format("must be an integer, not {}", number));
  }
  return static_cast<int>(number);
}

std::string JsonCursor::String() const {
  if (!value_->is_string()) FailType("a string");
  return value_->get<std::string>();
}

Eigen::Vector3d JsonCursor::Numbers3() const {
  ExpectArray(3, "numbers");
  return {Item(0).Number(), Item(1).Number(), Item(2).Number()};
}

Eigen::Vector3d JsonCursor::Lengths3() const {
  return Numbers3().unaryExpr([this](double x) { return unit().ToMetres(x); });
}

void JsonCursor::ExpectObject(std::span<const std::string_view> known) const {
  if (!value_->is_object()) FailType("an object");
  for (const auto& [key, member] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    Fail(fmt::format("unknown key {}{}; {}", Quoted(key), Suggestion(key, known),
                     known.empty() ? "no keys are known here" : "known keys: " + Listed(known)));
  }
}

std::size_t JsonCursor::ExpectArray(std::size_t size, const std::string& what) const {
  const std::string expected = fmt::format("an array of {} {}", size, what);
  if (!value_->is_array()) FailType(expected);
  if (value_->size() != size) Fail(fmt::format("must be {}, but has {}", expected, value_->size()));
  return size;
}

std::size_t JsonCursor::ExpectNonEmptyArray(const std::string& what) const {
  const std::string expected = fmt::format("an array of one or more {}", what);
  if (!value_->is_array()) FailType(expected);
  if (value_->empty()) Fail(fmt::format("must be {}, but is empty", expected));
  return value_->size();
}

JsonCursor JsonCursor::Member(std::string_view key) const {
  if (auto member = Find(key)) return *std::move(member);
  Fail(fmt::format("key \"{}\" is missing", key));
}

std::optional<JsonCursor> JsonCursor::Find(std::string_view key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return JsonCursor(*found, *source_, pointer_ + '/' + PointerToken(key));
}

JsonCursor JsonCursor::Item(std::size_t index) const {
  return {(*value_)[index], *source_, pointer_ + '/' + std::to_string(index)};
}

}  // namespace volcontact
