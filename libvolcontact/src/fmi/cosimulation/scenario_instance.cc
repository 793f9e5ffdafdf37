#include "fmi/cosimulation/scenario_instance.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// Importers add up their steps: how far the time may be off by rounding, relative to its size.
constexpr double kTimeRounding = 1e-9;

// An integrator whose steps have become so short that it would take ten million of them gives up:
// looked at every so many steps, of which each has to bring its share of the step asked for.
constexpr long kStepsBetweenLooks = 500;
constexpr double kLeastShare = 5e-5;

std::size_t At(int i) { return static_cast<std::size_t>(i); }

bool IsFinite(const std::vector<double>& list) {
  return std::all_of(list.begin(), list.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

ScenarioInstance::ScenarioInstance(const std::filesystem::path& resources, const std::string& token)
    : scenario_(ReadFmuScenario(resources)) {
  RequireToken(token, scenario_.token);
  for (const FmuVariable& variable : scenario_.variables) {
    if (variable.role == FmuRole::kInput) start_.inputs.push_back(variable.start);
    if (variable.role == FmuRole::kParameter) start_.parameters.push_back(variable.start);
  }
  now_ = start_;
}

void ScenarioInstance::SetExperiment(double start, std::optional<double> stop) {
  if (!std::isfinite(start)) throw WrongCall(fmt::format("the time is {}", start));
  if (stop && !(*stop >= start)) {
    throw WrongCall(fmt::format("the experiment is to end at {} s, before it begins", *stop));
  }
  now_.start = now_.time = start;
  now_.stop = stop;
}

void ScenarioInstance::FinishInitialization() {
  ReadRow();
  now_.mode = kStepMode;
}

void ScenarioInstance::Reset() {
  now_ = start_;
  simulator_.reset();
  row_.clear();
}

scenario::Simulator& ScenarioInstance::Simulator() {
  if (!simulator_) {
    try {
      simulator_ = std::make_unique<scenario::Simulator>(ScenarioWith(scenario_, now_.parameters));
    } catch (const InvalidInput& error) {
      throw WrongCall(error.what());
    }
    unconverged_ = 0;
    warnings_ = 0;
  }
  return *simulator_;
}

void ScenarioInstance::ReadRow() {
  if (!row_.empty()) return;
  std::vector<double> row = Simulator().Row();
  if (!IsFinite(row)) {
    throw scenario::SimulationError(
        fmt::format("the motion is no longer finite at {} s; take a smaller step of the "
                    "scenario's integrator, or error control",
                    now_.time));
  }
  row_ = std::move(row);
}

double ScenarioInstance::Real(std::uint32_t reference) {
  const FmuVariable& variable = VariableAt(reference, FmuType::kReal);
  switch (variable.role) {
    case FmuRole::kTime:
      return now_.time;
    case FmuRole::kInput:
      return now_.inputs[At(variable.index)];
    case FmuRole::kParameter:
      return now_.parameters[At(variable.index)];
    default:
      ReadRow();
      return row_[At(variable.index) + 1];  // after the time
  }
}

// There are none.
int ScenarioInstance::Integer(std::uint32_t reference) {
  VariableAt(reference, FmuType::kInteger);
  return 0;
}

bool ScenarioInstance::Boolean(std::uint32_t reference) {
  VariableAt(reference, FmuType::kBoolean);
  return false;
}

void ScenarioInstance::SetReal(std::uint32_t reference, double value) {
  const FmuVariable& variable = VariableAt(reference, FmuType::kReal);
  if (!std::isfinite(value)) {
    throw WrongCall(fmt::format("{} is to be {}; give a finite number", variable.name, value));
  }
  if (variable.role == FmuRole::kInput) {
    now_.inputs[At(variable.index)] = value;
  } else if (variable.role == FmuRole::kParameter && (now_.mode & kBeforeRun) != 0) {
    double& parameter = now_.parameters[At(variable.index)];
    if (parameter == value) return;
    parameter = value;
    simulator_.reset();
    row_.clear();
  } else {
    RefuseToSet(reference, FmuType::kReal);
  }
}

void ScenarioInstance::ApplyInputs() {
  for (std::size_t i = 0; i < scenario_.bodies.size(); ++i) {
    const double* wrench = now_.inputs.data() + i * kNumWrench;
    Simulator().SetWrench(scenario_.bodies[i], Eigen::Vector3d(wrench[0], wrench[1], wrench[2]),
                          Eigen::Vector3d(wrench[3], wrench[4], wrench[5]));
  }
  const double* targets = now_.inputs.data() + scenario_.bodies.size() * kNumWrench;
  for (int i = 0; i < scenario_.num_motors; ++i) Simulator().SetTarget(i, targets[i]);
}

void ScenarioInstance::Advance(double t, double size) {
  scenario::Simulator& simulator = Simulator();
  long steps = 0;
  double last = simulator.time();
  simulator.AdvanceTo(t, [&] {
    if (++steps % kStepsBetweenLooks != 0) return false;
    const bool crawls = simulator.time() - last < kLeastShare * size;
    last = simulator.time();
    return crawls;
  });
  if (simulator.time() < t) {
    throw scenario::SimulationError(fmt::format(
        "the integrator would need more than ten million steps from {} s; take shorter steps of "
        "co-simulation, a looser tolerance or softer contacts, and look for forces that are too "
        "large",
        now_.start + simulator.time()));
  }
}

void ScenarioInstance::DoStep(double current, double size) {
  if (!(size > 0.0) || !std::isfinite(size)) {
    throw WrongCall(fmt::format("the step is {} s long; it must be longer than 0", size));
  }
  const double rounding = kTimeRounding * std::max({1.0, std::abs(now_.time), std::abs(size)});
  if (!(std::abs(current - now_.time) <= rounding)) {
    throw WrongCall(fmt::format("the step is to begin at {} s; the last one ended at {} s", current,
                                now_.time));
  }
  const double next = current + size;
  if (now_.stop && next > *now_.stop + rounding) {
    throw WrongCall(fmt::format("the step is to end at {} s, and the experiment ends at {} s", next,
                                *now_.stop));
  }
  try {
    ApplyInputs();
    Advance(next - now_.start, size);
    now_.time = next;
    row_.clear();
    ReadRow();
  } catch (const std::exception& error) {
    now_.mode = kFailed;
    throw scenario::SimulationError(error.what());
  }
}

std::string ScenarioInstance::TakeWarning() {
  if (!simulator_) return "";
  std::string warning;
  const std::vector<std::string> all = simulator_->Warnings();
  for (; warnings_ < all.size(); ++warnings_) {
    warning += (warning.empty() ? "" : "; ") + all[warnings_];
  }
  const long unconverged = simulator_->statistics().unconverged;
  if (unconverged > unconverged_) {
    warning +=
        std::string(warning.empty() ? "" : "; ") + "an overlap was not computed to its tolerance";
  }
  unconverged_ = unconverged;
  return warning;
}

const char* KindName() { return "co-simulation"; }

std::unique_ptr<FmuInstance> MakeInstance(const std::filesystem::path& resources,
                                          const std::string& token) {
  return std::make_unique<ScenarioInstance>(resources, token);
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
