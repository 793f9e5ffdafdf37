// Units of measured quantities, as they stand in the headers of CSV files.
#pragma once

#include <string>
#include <string_view>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
/// The quantity that a column of numbers measures.
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

/// The SI unit of a quantity, such as "m/s"; empty for a ratio. Any thread.
VOLCONTACT_EXPORT std::string SiUnit(Quantity quantity);

/// One of this unit in SI units: 1e-6 for "um". The micro sign may be u, and the dot or star of a
/// product a blank. Throws InvalidInput, beginning with `where`, that lists the known units of the
/// quantity. Any thread.
VOLCONTACT_EXPORT double UnitFactor(std::string_view unit, Quantity quantity,
                                    const std::string& where);

VOLCONTACT_NAMESPACE_END
