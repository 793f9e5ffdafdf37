#include "volcontact/io/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

struct Unit {
  Quantity quantity;
  const char* name;
  double factor;
};

constexpr double kDegree = std::numbers::pi / 180.0;

// The first of each quantity is the SI unit.
constexpr Unit kUnits[] = {
    {Quantity::kRatio, "", 1.0},
    {Quantity::kRatio, "1", 1.0},
    {Quantity::kRatio, "-", 1.0},
    {Quantity::kRatio, "%", 0.01},
    {Quantity::kLength, "m", 1.0},
    {Quantity::kLength, "cm", 1e-2},
    {Quantity::kLength, "mm", 1e-3},
    {Quantity::kLength, "um", 1e-6},
    {Quantity::kLength, "nm", 1e-9},
    {Quantity::kLength, "in", 0.0254},
    {Quantity::kTime, "s", 1.0},
    {Quantity::kTime, "ms", 1e-3},
    {Quantity::kTime, "us", 1e-6},
    {Quantity::kSpeed, "m/s", 1.0},
    {Quantity::kSpeed, "cm/s", 1e-2},
    {Quantity::kSpeed, "mm/s", 1e-3},
    {Quantity::kSpeed, "um/s", 1e-6},
    {Quantity::kForce, "N", 1.0},
    {Quantity::kForce, "kN", 1e3},
    {Quantity::kForce, "mN", 1e-3},
    {Quantity::kAngle, "rad", 1.0},
    {Quantity::kAngle, "mrad", 1e-3},
    {Quantity::kAngle, "deg", kDegree},
    {Quantity::kAngularVelocity, "rad/s", 1.0},
    {Quantity::kAngularVelocity, "mrad/s", 1e-3},
    {Quantity::kAngularVelocity, "deg/s", kDegree},
    {Quantity::kAngularVelocity, "rpm", std::numbers::pi / 30.0},
    {Quantity::kTorque, "N m", 1.0},
    {Quantity::kTorque, "Nm", 1.0},
    {Quantity::kTorque, "N mm", 1e-3},
    {Quantity::kTorque, "Nmm", 1e-3},
    {Quantity::kTorque, "mN m", 1e-3},
    {Quantity::kTorque, "mNm", 1e-3},
};

constexpr std::pair<std::string_view, char> kSpellings[] = {
    {"\xc2\xb5", 'u'}, {"\xce\xbc", 'u'}, {"\xc2\xb7", ' '}, {"*", ' '}};

// The Greek mu and the micro sign as u, a product's dot or star as a blank.
std::string Plain(std::string_view unit) {
  std::string plain;
  while (!unit.empty()) {
    char next = unit.front();
    std::size_t length = 1;
    for (const auto& [spelling, letter] : kSpellings) {
      if (!unit.starts_with(spelling)) continue;
      next = letter;
      length = spelling.size();
    }
    plain.push_back(next);
    unit.remove_prefix(length);
  }
  return plain;
}

}  // namespace

std::string SiUnit(Quantity quantity) {
  return std::find_if(std::begin(kUnits), std::end(kUnits),
                      [&](const Unit& unit) { return unit.quantity == quantity; })
      ->name;
}

double UnitFactor(std::string_view unit, Quantity quantity, const std::string& where) {
  const std::string plain = Plain(unit);
  std::string known;
  for (const Unit& candidate : kUnits) {
    if (candidate.quantity != quantity) continue;
    if (candidate.name == plain) return candidate.factor;
    if (*candidate.name == '\0') continue;
    if (!known.empty()) known += ", ";
    known += candidate.name;
  }
  throw InvalidInput(
      fmt::format("{}: \"{}\" is not a unit known here; use one of {}", where, unit, known));
}

VOLCONTACT_NAMESPACE_END
