#include "cli/json_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr int kMaxDepth = 32;

template <class Names>
std::string Listed(const Names& names) {
  std::string result;
  for (const auto& name : names) result += (result.empty() ? "" : ", ") + std::string(name);
  return result;
}

// Watches over parsing: refuses files that are nested too deep, or name a key twice.
nlohmann::json::parser_callback_t Guard(const std::string& file) {
  auto keys = std::make_shared<std::vector<std::set<std::string>>>();
  return
      [file, keys](int depth, nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
        if (depth > kMaxDepth) {
          throw InvalidInput(fmt::format("{}: is nested deeper than {} levels", file, kMaxDepth));
        }
        if (event == nlohmann::json::parse_event_t::object_start) {
          keys->resize(static_cast<std::size_t>(depth) + 1);
          keys->back().clear();
        }
        if (event == nlohmann::json::parse_event_t::key) {
          keys->resize(static_cast<std::size_t>(depth));
          const auto name = parsed.get<std::string>();
          if (!keys->back().insert(name).second) {
            throw InvalidInput(
                fmt::format("{}: the key \"{}\" stands twice in one object", file, name));
          }
        }
        return true;
      };
}

}  // namespace

std::string JsonInput::Message(const std::string& what) const {
  return fmt::format("{}: at {}: {}", file_, place_.empty() ? "the top" : place_, what);
}

void JsonInput::Fail(const std::string& what) const { throw InvalidInput(Message(what)); }

JsonInput JsonInput::ReadFile(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  if (!stream || std::filesystem::is_directory(file)) {
    throw InvalidInput(fmt::format("\"{}\": is no file that can be opened; check the name", file));
  }
  text.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  return Parse(text, file);
}

JsonInput JsonInput::Parse(const std::string& text, const std::string& origin) {
  if (text.empty()) throw InvalidInput(origin + ": is empty; it should hold one JSON object");
  try {
    auto document =
        std::make_shared<const nlohmann::json>(nlohmann::json::parse(text, Guard(origin)));
    const nlohmann::json* const value = document.get();
    return {origin, "", std::move(document), value};
  } catch (const nlohmann::json::exception& error) {
    throw InvalidInput(fmt::format("{}: is no valid JSON: {}", origin, error.what()));
  }
}

JsonInput::JsonInput(std::string name, nlohmann::json document)
    : file_(std::move(name)),
      document_(std::make_shared<const nlohmann::json>(std::move(document))),
      value_(document_.get()) {}

void JsonInput::RequireKeys(std::initializer_list<const char*> known) const {
  if (!value_->is_object()) Fail("an object in braces is expected");
  for (const auto& [key, value] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    Fail(fmt::format("unknown key \"{}\"; known here: {}", key, Listed(known)));
  }
}

bool JsonInput::Has(const char* key) const { return value_->is_object() && value_->contains(key); }

JsonInput JsonInput::At(const char* key) const {
  if (!Has(key)) Fail(fmt::format("\"{}\" is missing", key));
  return {file_, place_.empty() ? key : place_ + "." + key, document_, &value_->at(key)};
}

double JsonInput::Number() const {
  if (!value_->is_number()) Fail("a number is expected");
  const double value = value_->get<double>();
  if (!std::isfinite(value)) Fail("the number is not finite");
  return value;
}

double JsonInput::Number(const char* key, double otherwise) const {
  return Has(key) ? Number(key) : otherwise;
}

double JsonInput::PositiveNumber(const char* key) const {
  const double value = Number(key);
  if (!(value > 0.0)) At(key).Fail("it must be above zero");
  return value;
}

bool JsonInput::Flag(const char* key, bool otherwise) const {
  if (!Has(key)) return otherwise;
  const JsonInput at = At(key);
  if (!at.value_->is_boolean()) at.Fail("true or false is expected");
  return at.value_->get<bool>();
}

std::string JsonInput::Text() const {
  if (!value_->is_string()) Fail("a text in quotes is expected");
  return value_->get<std::string>();
}

std::string JsonInput::Text(const char* key, const std::string& otherwise) const {
  return Has(key) ? At(key).Text() : otherwise;
}

std::vector<JsonInput> JsonInput::Items() const {
  if (!value_->is_array()) Fail("a list in brackets is expected");
  std::vector<JsonInput> items;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    items.push_back({file_, fmt::format("{}[{}]", place_, i), document_, &value_->at(i)});
  }
  return items;
}

std::vector<JsonInput> JsonInput::Items(const char* key) const {
  return Has(key) ? At(key).Items() : std::vector<JsonInput>();
}

std::vector<double> JsonInput::Numbers() const {
  std::vector<double> numbers;
  for (const JsonInput& item : Items()) numbers.push_back(item.Number());
  return numbers;
}

Eigen::Vector3d JsonInput::Vector() const {
  if (!value_->is_array() || value_->size() != 3) Fail("three numbers in brackets are expected");
  return Eigen::Vector3d(Numbers().data());
}

Pose JsonInput::PoseAt(const char* key) const {
  Pose pose;
  if (!Has(key)) return pose;
  const JsonInput at = At(key);
  at.RequireKeys({"t", "q"});
  pose.t = at.Vector("t", pose.t);
  if (at.Has("q")) {
    const std::vector<double> q = at.Numbers("q");
    if (q.size() != 4) at.At("q").Fail("four numbers w, x, y, z in brackets are expected");
    std::copy(q.begin(), q.end(), pose.q.begin());
  }
  ValidatePose(pose, at.Message("the pose"));
  return pose;
}

Eigen::Vector3d JsonInput::Vector(const char* key, const Eigen::Vector3d& otherwise) const {
  return Has(key) ? At(key).Vector() : otherwise;
}

int JsonInput::Choice(const char* key, const std::vector<std::string>& choices,
                      int otherwise) const {
  if (!Has(key)) return otherwise;
  const JsonInput at = At(key);
  const auto found = std::find(choices.begin(), choices.end(), at.Text());
  if (found == choices.end()) {
    at.Fail(fmt::format("\"{}\" is not known; choose one of {}", at.Text(), Listed(choices)));
  }
  return static_cast<int>(found - choices.begin());
}

}  // namespace volcontact::tool
