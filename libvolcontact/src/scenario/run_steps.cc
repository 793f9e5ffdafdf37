#include "scenario/run_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/energy_columns.h"
#include "volcontact/scenario/measures.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

// A run whose ledger misses by more, over the energy put in, has failed.
constexpr double kLedgerLimit = 1e-2;

// Times the tolerance: bodies that never are faster have energies that errors of steps reach.
constexpr double kSlow = 100.0;

// What may remain of the end time after the last output, but for roundings, as a part of an output
// interval.
constexpr double kIntervalSlack = 1e-9;

// Smaller energies are within the errors of the integrator.
double EnergyWithinTolerance(const Scenario& scenario) {
  if (!scenario.integrator.has_error_control()) return 0.0;
  double mass = 0.0;
  for (const BodySpec& body : scenario.bodies) mass += body.fixed ? 0.0 : body.mass;
  const double speed = kSlow * scenario.integrator.tolerance;
  return 0.5 * mass * speed * speed;
}

}  // namespace

long NumIntervals(const Scenario& scenario) {
  return static_cast<long>(
      std::ceil(scenario.end_time / scenario.output_interval - kIntervalSlack));
}

double OutputTime(const Scenario& scenario, long output) {
  return output == NumIntervals(scenario) ? scenario.end_time
                                          : static_cast<double>(output) * scenario.output_interval;
}

std::vector<double> FiniteRow(Simulator* simulator) {
  std::vector<double> row = simulator->Row();
  if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) {
    throw SimulationError(fmt::format(
        "the motion is no longer finite at t = {} s; take a smaller step, or error control",
        simulator->time()));
  }
  return row;
}

EnergySummary EnergyOf(const TimeSeries& series) {
  EnergySummary energy;
  for (const char* name : kEnergyColumns) {
    energy.at_end.emplace_back(name, series.Column(std::string("energy.") + name).back());
  }
  const auto measure = [&](const char* expression) { return EvaluateMeasure(expression, series); };
  energy.put_in = measure(
      "first(energy.kinetic) + first(energy.elastic) + first(energy.potential) - "
      "min(energy.potential) + max(energy.work)");
  energy.residual_max = measure("max(abs(energy.residual))");
  energy.residual_relative =
      energy.put_in > 0.0 ? energy.residual_max / energy.put_in : energy.residual_max;
  return energy;
}

std::string LedgerFailure(const EnergySummary& energy, const Scenario& scenario) {
  if (energy.residual_relative <= kLedgerLimit) return "";
  if (energy.residual_max <= kLedgerLimit * EnergyWithinTolerance(scenario)) return "";
  return fmt::format(
      "the energy ledger does not close: it misses by {:.2g} of the energy put in, and {:g} is "
      "allowed; the steps are too large, or the tolerance too loose",
      energy.residual_relative, kLedgerLimit);
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
