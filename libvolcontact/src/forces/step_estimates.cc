#include "volcontact/forces/step_estimates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "forces/require.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using std::numbers::pi;

constexpr double kStepsPerPeriod = 20.0;

void AddBristles(const StepKnowns& known, StepEstimate* result) {
  if (known.sigma0 == 0.0) return;
  if (known.sigma1 > 0.0) result->bristle_time_constant = known.sigma1 / known.sigma0;
  if (known.normal_force == 0.0) return;
  const double load_per_mass = known.normal_force / known.mass;
  const double frequency = std::sqrt(known.sigma0 * load_per_mass);
  result->bristle_period = 2.0 * pi / frequency;
  const double ratio = 0.5 * known.sigma1 * load_per_mass / frequency;
  if (ratio > 1.0) {
    const double excess = std::sqrt((ratio - 1.0) * (ratio + 1.0));
    result->overdamped_time_constant = 1.0 / (frequency * (ratio + excess));
  }
}

}  // namespace

StepEstimate SuggestStep(const StepKnowns& known) {
  RequirePositive("mass", known.mass, "kg");
  RequirePositive("normal_stiffness", known.normal_stiffness, "N/m");
  RequireNotNegative("normal_force", known.normal_force, "N");
  RequireNotNegative("sigma0", known.sigma0, "1/m");
  RequireNotNegative("sigma1", known.sigma1, "s/m");
  StepEstimate result;
  result.normal_period = 2.0 * pi * std::sqrt(known.mass / known.normal_stiffness);
  AddBristles(known, &result);
  const double shortest = std::min({result.normal_period, result.bristle_period,
                                    2.0 * pi * result.bristle_time_constant,
                                    2.0 * pi * result.overdamped_time_constant});
  result.step = shortest / kStepsPerPeriod;
  return result;
}

double VoxelSize(double small_force, double stiffness) {
  RequirePositive("small_force", small_force, "N");
  RequirePositive("stiffness", stiffness, "N/m^3");
  return std::cbrt(small_force / stiffness);
}

VOLCONTACT_NAMESPACE_END
