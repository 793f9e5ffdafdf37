// States of an instance as numbers, and derivatives by value references.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmi/exchange/contact_instance.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// Before the numbers of a snapshot; changes with what follows.
constexpr double kSnapshotMark = 19.03;
constexpr std::size_t kNumFixed = 4 + kNumInputs + kNumStateSlots + 15;

}  // namespace

std::vector<double> FmuSnapshot::Numbers() const {
  std::vector<double> numbers = {kSnapshotMark, static_cast<double>(mode), begun ? 1.0 : 0.0, time};
  numbers.insert(numbers.end(), inputs.begin(), inputs.end());
  numbers.insert(numbers.end(), states.begin(), states.end());
  numbers.insert(numbers.end(), {latch.touching ? 1.0 : 0.0, static_cast<double>(latch.touches),
                                 latch.impact_speed});
  numbers.insert(numbers.end(), latch.normal_W.data(), latch.normal_W.data() + 3);
  numbers.insert(numbers.end(), latch.R_WT.data(), latch.R_WT.data() + 9);
  numbers.insert(numbers.end(), parameters.begin(), parameters.end());
  return numbers;
}

FmuSnapshot FmuSnapshot::FromNumbers(const std::vector<double>& numbers,
                                     std::size_t num_parameters) {
  const auto finite = [](double x) { return std::isfinite(x); };
  if (numbers.size() != kNumFixed + num_parameters || numbers[0] != kSnapshotMark ||
      !std::all_of(numbers.begin(), numbers.end(), finite)) {
    throw WrongCall("the serialized state is not one of this FMU");
  }
  FmuSnapshot snapshot;
  const double* next = numbers.data() + 1;
  const double mode = *next++;
  for (const FmuMode known :
       {kInstantiated, kInitialization, kEventMode, kContinuousTime, kTerminated}) {
    if (mode == static_cast<double>(known)) snapshot.mode = known;
  }
  snapshot.begun = *next++ != 0.0;
  snapshot.time = *next++;
  for (double& x : snapshot.inputs) x = *next++;
  for (double& x : snapshot.states) x = *next++;
  snapshot.latch.touching = *next++ != 0.0;
  snapshot.latch.touches = static_cast<int>(std::clamp(*next++, 0.0, 2e9));
  snapshot.latch.impact_speed = *next++;
  for (int i = 0; i < 3; ++i) snapshot.latch.normal_W[i] = *next++;
  for (int i = 0; i < 9; ++i) snapshot.latch.R_WT.data()[i] = *next++;
  snapshot.parameters.assign(next, numbers.data() + numbers.size());
  return snapshot;
}

std::string ContactInstance::Save() const {
  const std::vector<double> numbers = now_.Numbers();
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

void ContactInstance::RequireSaved(const std::string& saved) const { ReadSnapshot(saved); }

void ContactInstance::Load(const std::string& saved) { Restore(ReadSnapshot(saved)); }

FmuSnapshot ContactInstance::ReadSnapshot(const std::string& saved) const {
  std::vector<double> numbers(saved.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), saved.data(), numbers.size() * sizeof(double));
  return FmuSnapshot::FromNumbers(numbers, now_.parameters.size());
}

std::vector<double> ContactInstance::Derivative(const std::vector<std::uint32_t>& unknowns,
                                                const std::vector<std::uint32_t>& knowns,
                                                const double* seed) {
  FmuInputs d_inputs{};
  FmuStates d_states{};
  for (std::size_t i = 0; i < knowns.size(); ++i) {
    const FmuVariable& variable = VariableAt(knowns[i], FmuType::kReal);
    const auto index = static_cast<std::size_t>(variable.index);
    if (!std::isfinite(seed[i])) throw WrongCall("a seed is not finite");
    if (variable.role == FmuRole::kInput) {
      d_inputs[index] += seed[i];
    } else if (variable.role == FmuRole::kState) {
      d_states[slots_[index]] += seed[i];
    } else if (variable.role != FmuRole::kTime) {  // of which nothing depends
      throw WrongCall(fmt::format("derivatives are by inputs and states, not {}", variable.name));
    }
  }
  for (const std::uint32_t unknown : unknowns) {
    const FmuVariable& variable = VariableAt(unknown, FmuType::kReal);
    if (variable.role != FmuRole::kOutput && variable.role != FmuRole::kDerivative) {
      throw WrongCall(
          fmt::format("derivatives are of outputs and rates of states, not {}", variable.name));
    }
  }
  FmuAnswer rate;
  if (!IsAsleep()) {
    const ContactModel& model = Model();
    rate = DerivativeOf(model, *shapes_, Shapes().geometry, contact_->contact.tolerance,
                        now_.inputs, now_.latch, now_.states, d_inputs, d_states);
  }
  std::vector<double> result;
  for (const std::uint32_t unknown : unknowns) {
    const FmuVariable& variable = variables_[unknown];
    const auto index = static_cast<std::size_t>(variable.index);
    result.push_back(variable.role == FmuRole::kOutput ? rate.outputs[index]
                                                       : rate.rates[slots_[index]]);
  }
  return result;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
