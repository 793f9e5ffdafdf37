#include "volcontact/scenario/memory_run.h"

#include "scenario/run_steps.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

std::optional<MemoryRun> RunInMemory(const ScenarioFile& file, const ScenarioVariant& variant,
                                     const std::function<bool()>& stop) {
  const Scenario scenario = ReadScenario(file, variant);
  Simulator simulator(scenario);
  TimeSeries series;
  series.names = simulator.column_names();
  series.columns.resize(series.names.size());
  const auto keep = [&] {
    const std::vector<double> row = FiniteRow(&simulator);
    for (std::size_t i = 0; i < row.size(); ++i) series.columns[i].push_back(row[i]);
  };
  keep();
  // Expressions that cannot be evaluated are found at the start rather than at the end of a run.
  TakeMeasures(file.measures, variant.name, series);
  for (long output = 1; output <= NumIntervals(scenario); ++output) {
    const double t = OutputTime(scenario, output);
    simulator.AdvanceTo(t, stop);
    if (simulator.time() < t) return std::nullopt;
    keep();
  }
  MemoryRun run;
  for (const MeasureResult& measure : TakeMeasures(file.measures, variant.name, series)) {
    run.measures.push_back(measure.value);
  }
  run.statistics = simulator.statistics();
  run.failure = LedgerFailure(EnergyOf(series), scenario);
  return run;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
