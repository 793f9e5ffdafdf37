#include "volcontact/forces/damping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr int kMaxSteps = 50;
// A step of Newton's method below it is the last.
constexpr double kLastStep = 1e-16;
// Up to this |x| LogRest sums its series, whose terms up to this power leave less than a rounding.
constexpr double kSeriesRange = 0.25;
constexpr int kSeriesEnd = 40;
// Below this e the equation is solved for the logarithm of 1 − d.
constexpr double kSmallRestitution = 0.3;

// (log(1 + x) − x + x²/2)/x³, which is 1/3 at 0, without cancellation.
double LogRest(double x) {
  if (std::abs(x) > kSeriesRange) return (std::log1p(x) - x + 0.5 * x * x) / (x * x * x);
  double sum = 0.0, power = 1.0;
  for (int n = 3; n < kSeriesEnd; ++n, power *= -x) sum += power / n;
  return sum;
}

// For e not small: the logarithm of the equation over d²,
//   d (M(d/e)/e³ + M(−d)) = (1 − e²)/(2 e²),  M = LogRest,
// which has lost its trivial root d = 0 and keeps its digits where d vanishes with 1 − e. By
// bisection; the left side rises from 0 without bound.
double SolveForD(double e) {
  const double target = 0.5 * (1.0 - e) * (1.0 + e) / (e * e);
  double low = 0.0, high = 1.0;
  for (;;) {
    const double d = 0.5 * (low + high);
    if (d == low || d == high) return d;
    (d * (LogRest(d / e) / (e * e * e) + LogRest(-d)) < target ? low : high) = d;
  }
}

// For small e, with m = 1 + 1/e and u = 1 − d: log(m − u/e) − log u = m (1 − u), by Newton's method
// in y = log u from the limit u = m exp(−m).
double SolveForLogOfRest(double e) {
  const double m = 1.0 + 1.0 / e;
  if (std::isinf(m)) return -m;
  double y = std::log(m) - m;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double u = std::exp(y), rest = m - u / e;
    const double value = std::log(rest) - y - m * (1.0 - u);
    const double slope = -u / (e * rest) - 1.0 + m * u;
    const double move = value / slope;
    y -= move;
    if (std::abs(move) <= kLastStep * std::abs(y)) break;
  }
  return y;
}

void RequireRestitutionAboveZero(double e) {
  if (e > 0.0 && e <= 1.0) return;
  throw InvalidInput(
      fmt::format("restitution is {}; it must be in (0, 1] (e = 0 needs an infinite "
                  "damping force: take a small value such as 0.01)",
                  e));
}

void RequireRestitution(double e) {
  if (e >= 0.0 && e <= 1.0) return;
  throw InvalidInput(fmt::format("restitution is {}; it must be in [0, 1]", e));
}

}  // namespace

DimensionlessDamping SolveDamping(double restitution) {
  RequireRestitutionAboveZero(restitution);
  if (restitution == 1.0) return {0.0, 1.0};
  if (restitution < kSmallRestitution) {
    const double rest = std::exp(SolveForLogOfRest(restitution));
    return {1.0 - rest, rest};
  }
  const double d = SolveForD(restitution);
  return {d, 1.0 - d};
}

double DampingAtImpact(RestitutionLaw law, double restitution) {
  if (law == RestitutionLaw::kExact) return SolveDamping(restitution).d / restitution;
  RequireRestitution(restitution);
  if (law == RestitutionLaw::kHuntCrossley) return 1.5 * (1.0 - restitution);
  return 0.75 * (1.0 - restitution) * (1.0 + restitution);
}

double DampingFactor(double damping_at_impact, double impact_speed, double v_small) {
  return -damping_at_impact / std::max(std::abs(impact_speed), v_small);
}

VOLCONTACT_NAMESPACE_END
