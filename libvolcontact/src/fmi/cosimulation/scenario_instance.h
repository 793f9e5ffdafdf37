// The room `cosimulation`: the shared library inside an FMU of a scenario. Here: one instance, what
// the functions of both versions of the standard do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmi/runtime/fmu_instance.h"
#include "fmi/scenario/fmu_scenario.h"
#include "volcontact/scenario/simulator.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// A scenario that an importer steps through, with its own integrator. The scenario's time is 0
/// where the experiment begins. Its model is made where values are first asked for, or
/// initialization ends, and anew where parameters have changed.
class ScenarioInstance final : public FmuInstance {
 public:
  /// Reads the scenario from the folder of an FMU's resources, as MakeInstance does.
  ScenarioInstance(const std::filesystem::path& resources, const std::string& token);

  FmuMode mode() const override { return now_.mode; }
  void SetMode(FmuMode mode) override { now_.mode = mode; }
  void SetExperiment(double start, std::optional<double> stop) override;
  void FinishInitialization() override;  ///< Into step mode.
  void Reset() override;

  double Real(std::uint32_t reference) override;
  int Integer(std::uint32_t reference) override;
  bool Boolean(std::uint32_t reference) override;
  void SetReal(std::uint32_t reference, double value) override;

  std::string Save() const override;
  void RequireSaved(const std::string& saved) const override;
  void Load(const std::string& saved) override;
  std::string TakeWarning() override;

  double time() const { return now_.time; }
  /// From `current`, where the last step ended, over `size` seconds. Throws WrongCall where that is
  /// no step from here, and SimulationError where the integrator cannot: then the instance has
  /// failed.
  void DoStep(double current, double size);

 private:
  /// All that changes, but for the simulator.
  struct Values {
    FmuMode mode = kInstantiated;
    double start = 0.0, time = 0.0;  ///< of the experiment, and now [s]
    std::optional<double> stop;
    std::vector<double> inputs, parameters;
  };

  const std::vector<FmuVariable>& variables() const override { return scenario_.variables; }
  scenario::Simulator& Simulator();
  void ReadRow();
  void ApplyInputs();
  /// To a time of the scenario, as part of a step of this size.
  void Advance(double t, double size);
  /// The values at the head of a saved state, and the simulator's text after them.
  Values ReadValues(const std::string& saved, std::string* simulator) const;

  FmuScenario scenario_;
  Values start_, now_;
  std::unique_ptr<scenario::Simulator> simulator_;
  std::vector<double> row_;  ///< of the time series, at present; empty: not known
  long unconverged_ = 0;     ///< rows, and warnings, that the importer has been told of
  std::size_t warnings_ = 0;
};

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
