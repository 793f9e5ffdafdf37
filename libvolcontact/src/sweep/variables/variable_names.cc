#include "sweep/variables/variable_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr std::array<std::string_view, 25> kSiUnits = {
    "",      "1",      "m",      "m^2",     "m^3", "m^4", "m^5",    "s",   "m/s",
    "m/s^2", "rad",    "rad/s",  "rad/s^2", "N",   "N m", "N/m",    "N s", "N/m^3",
    "kg",    "kg m^2", "kg/m^3", "Pa",      "J",   "s/m", "N/(m/s)"};

// Beside the names of functions, which come before a parenthesis.
constexpr std::array<std::string_view, 4> kReserved = {kRowName, "status", "pi", "reason"};

}  // namespace

bool IsVariableName(const std::string& name) {
  const auto is_letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || c == '.' || std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

void CheckVariableName(const JsonCursor& at, const std::string& name) {
  if (!IsVariableName(name)) {
    at.Fail("the name of a variable is letters, digits, _ and points, and begins with a letter");
  }
  if (std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end()) return;
  at.Fail(fmt::format("\"{}\" is reserved; take another name", name));
}

bool IsSiUnit(const std::string& unit) {
  return std::find(kSiUnits.begin(), kSiUnits.end(), unit) != kSiUnits.end();
}

std::string ReadUnit(const JsonCursor& variable) {
  const std::string unit = variable.String("unit", "");
  if (!IsSiUnit(unit)) {
    variable.Member("unit").Fail(
        fmt::format("numbers are not converted, and \"{}\" is none of the units that are taken: {}",
                    unit, fmt::join(kSiUnits.begin() + 1, kSiUnits.end(), ", ")));
  }
  return unit;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
