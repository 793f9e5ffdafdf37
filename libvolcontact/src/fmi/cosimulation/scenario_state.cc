// States of an instance as bytes: numbers, and after them the simulator's text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmi/cosimulation/scenario_instance.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// Before the numbers; changes with what follows.
constexpr double kStateMark = 19.5;
constexpr std::size_t kNumHead = 6;

WrongCall NoState() { return WrongCall("the serialized state is not one of this FMU"); }

}  // namespace

std::string ScenarioInstance::Save() const {
  std::vector<double> numbers = {
      kStateMark, static_cast<double>(now_.mode), now_.start,
      now_.time,  now_.stop ? 1.0 : 0.0,          now_.stop.value_or(0.0)};
  numbers.insert(numbers.end(), now_.inputs.begin(), now_.inputs.end());
  numbers.insert(numbers.end(), now_.parameters.begin(), now_.parameters.end());
  std::string saved(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
  return simulator_ ? saved + simulator_->Save() : saved;
}

ScenarioInstance::Values ScenarioInstance::ReadValues(const std::string& saved,
                                                      std::string* simulator) const {
  const std::size_t num_inputs = now_.inputs.size(), num_parameters = now_.parameters.size();
  std::vector<double> numbers(kNumHead + num_inputs + num_parameters);
  const std::size_t size = numbers.size() * sizeof(double);
  if (saved.size() < size) throw NoState();
  std::memcpy(numbers.data(), saved.data(), size);
  const auto finite = [](double x) { return std::isfinite(x); };
  if (numbers[0] != kStateMark || !std::all_of(numbers.begin(), numbers.end(), finite)) {
    throw NoState();
  }
  *simulator = saved.substr(size);
  Values values;
  bool is_mode = false;
  for (const FmuMode mode : {kInstantiated, kInitialization, kStepMode, kTerminated, kFailed}) {
    if (numbers[1] != static_cast<double>(mode)) continue;
    values.mode = mode;
    is_mode = true;
  }
  const bool has_run = (values.mode & kBeforeRun) == 0;
  if (!is_mode || (has_run && simulator->empty())) throw NoState();
  values.start = numbers[2];
  values.time = numbers[3];
  if (numbers[4] != 0.0) values.stop = numbers[5];
  const auto inputs = numbers.begin() + kNumHead;
  const auto parameters = inputs + static_cast<std::ptrdiff_t>(num_inputs);
  values.inputs.assign(inputs, parameters);
  values.parameters.assign(parameters, numbers.end());
  return values;
}

void ScenarioInstance::RequireSaved(const std::string& saved) const {
  std::string simulator;
  ReadValues(saved, &simulator);
  const bool is_object =
      simulator.size() > 1 && simulator.front() == '{' && simulator.back() == '}';
  if (!simulator.empty() && !is_object) throw NoState();
}

// Into the simulator that there is, where it has these parameters. A state that turns out to be
// none leaves what there was.
void ScenarioInstance::Load(const std::string& saved) {
  std::string text;
  Values values = ReadValues(saved, &text);
  const bool same = simulator_ && values.parameters == now_.parameters;
  const std::string before = same ? simulator_->Save() : "";
  std::unique_ptr<scenario::Simulator> made;
  try {
    if (!text.empty() && !same) {
      made = std::make_unique<scenario::Simulator>(ScenarioWith(scenario_, values.parameters));
    }
    if (!text.empty()) (same ? *simulator_ : *made).Load(text);
  } catch (const std::exception& error) {
    if (same) simulator_->Load(before);
    throw WrongCall(fmt::format("the state cannot be restored: {}", error.what()));
  }
  now_ = std::move(values);
  if (text.empty() || made) {
    simulator_ = std::move(made);
    unconverged_ = 0;
    warnings_ = 0;
  }
  row_.clear();
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
