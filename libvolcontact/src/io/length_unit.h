// Conversion of a file's length unit to metres.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace volcontact {

/// A length unit as the fraction numerator/denominator of a metre. A fraction, because 25 mm is
/// then one division and gives the same double as 0.025 m, which 25 · 0.001 need not.
struct LengthUnit {
  double numerator = 1.0;
  double denominator = 1.0;

  static LengthUnit FromMetres(double unit) {
    const double inverse = 1.0 / unit;
    if (inverse >= 1.0 && inverse == std::round(inverse)) return {1.0, inverse};
    return {unit, 1.0};
  }
  /// The unit of this name: m, mm, cm or in; nothing for another.
  static std::optional<LengthUnit> Named(std::string_view name);

  bool IsMetre() const { return numerator == denominator; }
  double ToMetres(double length) const {
    if (numerator == 1.0) return length / denominator;
    return static_cast<double>(static_cast<long double>(length) * numerator / denominator);
  }
};

/// "unknown unit "ft"; known units: m, mm, cm, in".
std::string UnknownUnit(std::string_view name);

/// The unit of a file that names none: that of these options if they name one. Throws InvalidInput
/// for an unknown one.
LengthUnit UnitOr(const std::string& units, LengthUnit otherwise);

}  // namespace volcontact
