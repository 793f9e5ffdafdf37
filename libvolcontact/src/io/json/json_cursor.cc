#include "io/json/json_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/malformed_input.h"
#include "io/messages.h"

VOLCONTACT_NAMESPACE_BEGIN
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

[[noreturn]] void FailForm(const JsonCursor& at, const std::string& what) {
  throw MalformedInput(at.Message(what));
}

}  // namespace

std::string JsonCursor::Place() const {
  return PlaceInFile(source_->dialect, source_->origin, place_);
}

void JsonCursor::Fail(const std::string& what) const { throw InvalidInput(Message(what)); }

void JsonCursor::FailType(const std::string& expected) const {
  if (source_->dialect == JsonDialect::kSolid) {
    FailForm(*this, fmt::format("must be {}, not {}", expected, TypeName(*value_)));
  }
  FailForm(*this, fmt::format("{} is expected, not {}", expected, TypeName(*value_)));
}

double JsonCursor::Number() const {
  if (!value_->is_number()) FailType("a number");
  return value_->get<double>();
}

double JsonCursor::PositiveNumber() const {
  const double number = Number();
  if (!(number > 0.0)) Fail(fmt::format("is {}; it must be above zero", number));
  return number;
}

double JsonCursor::NumberNotBelowZero() const {
  const double number = Number();
  if (number < 0.0) Fail(fmt::format("is {}; it must not be negative", number));
  return number;
}

int JsonCursor::Integer() const {
  constexpr double kLargest = 1e9;
  const double number = Number();
  if (number != std::round(number) || std::abs(number) > kLargest) {
    Fail(fmt::format("must be an integer, not {}", number));
  }
  return static_cast<int>(number);
}

bool JsonCursor::Flag() const {
  if (!value_->is_boolean()) FailType("true or false");
  return value_->get<bool>();
}

std::string JsonCursor::String() const {
  if (!value_->is_string()) FailType("a string");
  return value_->get<std::string>();
}

std::vector<double> JsonCursor::Numbers() const {
  std::vector<double> numbers;
  for (const JsonCursor& item : Items()) numbers.push_back(item.Number());
  return numbers;
}

Eigen::Vector3d JsonCursor::Numbers3() const {
  ExpectArray(3, "numbers");
  return {Item(0).Number(), Item(1).Number(), Item(2).Number()};
}

Eigen::Vector3d JsonCursor::Lengths3() const {
  return Numbers3().unaryExpr([this](double x) { return unit().ToMetres(x); });
}

Pose JsonCursor::PoseValue() const {
  ExpectObject({"t", "q"});
  Pose pose;
  if (const auto t = Find("t")) pose.t = t->Lengths3();
  if (const auto q = Find("q")) {
    q->ExpectArray(pose.q.size(), "numbers (w, x, y, z)");
    for (std::size_t i = 0; i < pose.q.size(); ++i) pose.q[i] = q->Item(i).Number();
  }
  ValidatePose(pose, Place());
  return pose;
}

std::vector<JsonCursor> JsonCursor::Items() const {
  if (!value_->is_array()) FailType("an array");
  std::vector<JsonCursor> items;
  for (std::size_t i = 0; i < value_->size(); ++i) items.push_back(Item(i));
  return items;
}

void JsonCursor::ExpectObject(std::span<const std::string_view> known) const {
  if (!value_->is_object()) {
    FailType(source_->dialect == JsonDialect::kSolid ? "an object" : "an object in braces");
  }
  for (const auto& [key, member] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    FailForm(*this, fmt::format(
                        "unknown key {}{}; {}", Quoted(key), Suggestion(key, known),
                        known.empty() ? "no keys are known here" : "known keys: " + Listed(known)));
  }
}

void JsonCursor::ExpectObject(std::initializer_list<std::string_view> known) const {
  ExpectObject(std::span(known.begin(), known.size()));
}

void JsonCursor::ExpectVersion() const {
  const auto version = Find("volcontact");
  if (!version || version->Number() == 1.0) return;
  version->Fail(fmt::format("format version {} is not known; this program reads version 1",
                            version->Number()));
}

std::size_t JsonCursor::ExpectArray(std::size_t size, const std::string& what) const {
  const std::string expected = fmt::format("an array of {} {}", size, what);
  if (!value_->is_array()) FailType(expected);
  if (value_->size() != size) {
    FailForm(*this, fmt::format("must be {}, but has {}", expected, value_->size()));
  }
  return size;
}

std::size_t JsonCursor::ExpectNonEmptyArray(const std::string& what) const {
  const std::string expected = fmt::format("an array of one or more {}", what);
  if (!value_->is_array()) FailType(expected);
  if (value_->empty()) FailForm(*this, fmt::format("must be {}, but is empty", expected));
  return value_->size();
}

bool JsonCursor::Has(std::string_view key) const {
  return value_->is_object() && value_->contains(key);
}

JsonCursor JsonCursor::Member(std::string_view key) const {
  if (auto member = Find(key)) return *std::move(member);
  FailForm(*this, fmt::format("key \"{}\" is missing", key));
}

std::optional<JsonCursor> JsonCursor::Find(std::string_view key) const {
  if (!Has(key)) return std::nullopt;
  return JsonCursor(*value_->find(key), *source_, MemberPlace(source_->dialect, place_, key));
}

JsonCursor JsonCursor::Item(std::size_t index) const {
  return {(*value_)[index], *source_, ItemPlace(source_->dialect, place_, index)};
}

double JsonCursor::Number(std::string_view key, double otherwise) const {
  const auto member = Find(key);
  return member ? member->Number() : otherwise;
}

bool JsonCursor::Flag(std::string_view key, bool otherwise) const {
  const auto member = Find(key);
  return member ? member->Flag() : otherwise;
}

std::string JsonCursor::String(std::string_view key, const std::string& otherwise) const {
  const auto member = Find(key);
  return member ? member->String() : otherwise;
}

Eigen::Vector3d JsonCursor::Numbers3(std::string_view key, const Eigen::Vector3d& otherwise) const {
  const auto member = Find(key);
  return member ? member->Numbers3() : otherwise;
}

Pose JsonCursor::PoseValue(std::string_view key, const Pose& otherwise) const {
  const auto member = Find(key);
  return member ? member->PoseValue() : otherwise;
}

std::vector<JsonCursor> JsonCursor::Items(std::string_view key) const {
  const auto member = Find(key);
  return member ? member->Items() : std::vector<JsonCursor>();
}

int JsonCursor::Choice(std::string_view key, std::span<const std::string_view> choices,
                       int otherwise) const {
  const auto member = Find(key);
  if (!member) return otherwise;
  const std::string text = member->String();
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found == choices.end()) {
    FailForm(*member, fmt::format("{} is not known{}; choose one of {}", Quoted(text),
                                  Suggestion(text, choices), Listed(choices)));
  }
  return static_cast<int>(found - choices.begin());
}

int JsonCursor::Choice(std::string_view key, std::initializer_list<std::string_view> choices,
                       int otherwise) const {
  return Choice(key, std::span(choices.begin(), choices.size()), otherwise);
}

VOLCONTACT_NAMESPACE_END
