#include "json_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

template <class Names>
std::string Listed(const Names& names) {
  std::string result;
  for (const auto& name : names) result += (result.empty() ? "" : ", ") + std::string(name);
  return result;
}

}  // namespace

std::string JsonInput::Message(const std::string& what) const {
  return fmt::format("{}: at {}: {}", file_, place_.empty() ? "the top" : place_, what);
}

void JsonInput::Fail(const std::string& what) const { throw InvalidInput(Message(what)); }

JsonInput JsonInput::ReadFile(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InvalidInput(fmt::format("{}: cannot be opened; check the name", file));
  try {
    return {file, "", nlohmann::json::parse(stream)};
  } catch (const nlohmann::json::exception& error) {
    throw InvalidInput(fmt::format("{}: is no valid JSON: {}", file, error.what()));
  }
}

void JsonInput::RequireKeys(std::initializer_list<const char*> known) const {
  if (!value_.is_object()) Fail("an object in braces is expected");
  for (const auto& [key, value] : value_.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    Fail(fmt::format("unknown key \"{}\"; known here: {}", key, Listed(known)));
  }
}

bool JsonInput::Has(const char* key) const { return value_.is_object() && value_.contains(key); }

JsonInput JsonInput::At(const char* key) const {
  if (!Has(key)) Fail(fmt::format("\"{}\" is missing", key));
  return {file_, place_.empty() ? key : place_ + "." + key, value_.at(key)};
}

double JsonInput::Number() const {
  if (!value_.is_number()) Fail("a number is expected");
  const double value = value_.get<double>();
  if (!std::isfinite(value)) Fail("the number is not finite");
  return value;
}

double JsonInput::Number(const char* key, double otherwise) const {
  return Has(key) ? Number(key) : otherwise;
}

bool JsonInput::Flag(const char* key, bool otherwise) const {
  if (!Has(key)) return otherwise;
  const JsonInput at = At(key);
  if (!at.value_.is_boolean()) at.Fail("true or false is expected");
  return at.value_.get<bool>();
}

std::string JsonInput::Text() const {
  if (!value_.is_string()) Fail("a text in quotes is expected");
  return value_.get<std::string>();
}

std::string JsonInput::Text(const char* key, const std::string& otherwise) const {
  return Has(key) ? At(key).Text() : otherwise;
}

Eigen::Vector3d JsonInput::Vector() const {
  if (!value_.is_array() || value_.size() != 3) Fail("three numbers in brackets are expected");
  Eigen::Vector3d result;
  for (int i = 0; i < 3; ++i) {
    result[i] = JsonInput(file_, fmt::format("{}[{}]", place_, i), value_[i]).Number();
  }
  return result;
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
