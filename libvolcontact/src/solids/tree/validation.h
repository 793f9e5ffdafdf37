// Checks of the numbers that solids are made from.
#pragma once

#include <Eigen/Core>
#include <string_view>

namespace volcontact {

/// The range of lengths [m]. Lengths outside have no use in contact problems, and within it the
/// fifth powers that second moments need stay far from the ends of the range of doubles.
inline constexpr double kMinLength = 1e-30;
inline constexpr double kMaxLength = 1e30;

/// Throws InvalidInput naming the function, the parameter, its value and its range unless the value
/// lies between kMinLength and kMaxLength.
void RequireLength(std::string_view function, std::string_view parameter, double value);

/// The same, but zero is accepted too.
void RequireLengthOrZero(std::string_view function, std::string_view parameter, double value);

/// Throws InvalidInput unless the value is finite.
void RequireFinite(std::string_view function, std::string_view parameter, double value);

/// Throws InvalidInput when a translation's component exceeds kMaxLength.
void RequireTranslation(const Eigen::Vector3d& t);

}  // namespace volcontact
