// Functions of time that drive a mechanism: set-points of motors, driven joints, scales of loads.
//
// Component volcontact::scenario. Plain values, which any number of threads may read. Times in
// seconds; values in the unit of what is driven.
#pragma once

#include <variant>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// A piecewise linear function of time, constant before its first and after its last point.
struct VOLCONTACT_EXPORT PiecewiseLinear {
  std::vector<double> times, values;  ///< times [s] ascend; not empty

  double operator()(double t) const;
};

struct ConstantProfile {
  double value = 0.0;
};

/// From one value to another between two times, constant outside.
struct RampProfile {
  double from = 0.0, to = 0.0;
  double start = 0.0, end = 1.0;  ///< [s], start < end
  /// Along 10 s³ − 15 s⁴ + 6 s⁵, which begins and ends without rate and acceleration, instead of a
  /// straight line.
  bool smooth = false;
};

/// offset + amplitude sin(2π frequency t + phase).
struct SineProfile {
  double amplitude = 0.0, frequency = 0.0;  ///< frequency [Hz]
  double phase = 0.0;                       ///< [rad]
  double offset = 0.0;
};

using TimeProfile = std::variant<ConstantProfile, RampProfile, PiecewiseLinear, SineProfile>;

/// A value and its first two derivatives by time; at a corner, those of what follows.
struct ProfilePoint {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};

VOLCONTACT_EXPORT ProfilePoint Evaluate(const TimeProfile& profile, double t);

/// The times [s] at which the profile or one of its first two derivatives jumps, ascending.
VOLCONTACT_EXPORT std::vector<double> CornersOf(const TimeProfile& profile);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
