#include "io/length_unit.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "io/messages.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

constexpr std::array<std::string_view, 4> kUnitNames = {"m", "mm", "cm", "in"};
constexpr std::array<LengthUnit, 4> kUnitValues = {
    {{1.0, 1.0}, {1.0, 1000.0}, {1.0, 100.0}, {127.0, 5000.0}}};

}  // namespace

std::optional<LengthUnit> LengthUnit::Named(std::string_view name) {
  for (std::size_t i = 0; i < kUnitNames.size(); ++i) {
    if (kUnitNames[i] == name) return kUnitValues[i];
  }
  return std::nullopt;
}

std::string UnknownUnit(std::string_view name) {
  return fmt::format("unknown unit {}; known units: {}", Quoted(name), Listed(kUnitNames));
}

LengthUnit UnitOr(const std::string& units, LengthUnit otherwise) {
  if (units.empty()) return otherwise;
  if (const auto unit = LengthUnit::Named(units)) return *unit;
  throw InvalidInput(UnknownUnit(units));
}

}  // namespace volcontact

VOLCONTACT_NAMESPACE_BEGIN

double MetresPerUnit(const std::string& units) { return UnitOr(units, {}).ToMetres(1.0); }

VOLCONTACT_NAMESPACE_END
