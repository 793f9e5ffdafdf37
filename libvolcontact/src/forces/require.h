// Checks of parameters: a clear error that names the parameter, its value and the allowed range.
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "volcontact/math/error.h"

namespace volcontact {

inline void RequirePositive(const char* name, double value, const char* unit) {
  if (std::isfinite(value) && value > 0.0) return;
  throw InvalidInput(fmt::format("{} is {} {}; it must be positive and finite", name, value, unit));
}

inline void RequireNotNegative(const char* name, double value, const char* unit) {
  if (std::isfinite(value) && value >= 0.0) return;
  throw InvalidInput(
      fmt::format("{} is {} {}; it must be finite and not negative", name, value, unit));
}

inline void RequirePositiveOrInfinite(const char* name, double value, const char* unit) {
  if (value > 0.0) return;  // not a number fails, too
  throw InvalidInput(fmt::format("{} is {} {}; it must be positive, infinite for a rigid body",
                                 name, value, unit));
}

}  // namespace volcontact
