#include "solids/tree/validation.h"

#include <fmt/format.h>

#include <cmath>

#include "volcontact/math/error.h"

namespace volcontact {
namespace {

bool IsLength(double value) { return value >= kMinLength && value <= kMaxLength; }

}  // namespace

void RequireLength(std::string_view function, std::string_view parameter, double value) {
  if (IsLength(value)) return;
  throw InvalidInput(fmt::format("{}: {} is {} m; it must be positive, from {} to {} m", function,
                                 parameter, value, kMinLength, kMaxLength));
}

void RequireLengthOrZero(std::string_view function, std::string_view parameter, double value) {
  if (value == 0.0 || IsLength(value)) return;
  throw InvalidInput(fmt::format("{}: {} is {} m; it must be 0 or positive, from {} to {} m",
                                 function, parameter, value, kMinLength, kMaxLength));
}

void RequireFinite(std::string_view function, std::string_view parameter, double value) {
  if (std::isfinite(value)) return;
  throw InvalidInput(
      fmt::format("{}: {} is {}; it must be a finite number", function, parameter, value));
}

void RequireTranslation(const Eigen::Vector3d& t) {
  for (int i = 0; i < 3; ++i) {
    if (std::abs(t[i]) <= kMaxLength) continue;
    throw InvalidInput(fmt::format("Posed: t[{}] is {} m; it must lie within {} m of the origin", i,
                                   t[i], kMaxLength));
  }
}

}  // namespace volcontact
