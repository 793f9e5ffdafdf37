// Units of measured quantities, as they stand in the headers of CSV files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace volcontact::tool {

enum class Quantity {
  kRatio,            ///< no unit
  kLength,           ///< [m]
  kTime,             ///< [s]
  kSpeed,            ///< [m/s]
  kForce,            ///< [N]
  kAngle,            ///< [rad]
  kAngularVelocity,  ///< [rad/s]
  kTorque,           ///< [N m]
};

/// The SI unit of a quantity; empty for a ratio.
std::string SiUnit(Quantity quantity);

/// What one of this unit is in SI units. The micro sign may be u. Throws InvalidInput, beginning
/// with `where`, that lists the units known for the quantity.
double UnitFactor(std::string_view unit, Quantity quantity, const std::string& where);

}  // namespace volcontact::tool
