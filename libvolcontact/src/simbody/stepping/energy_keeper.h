// Keeps an integrator's contacts from making energy: what a step has made is taken back at its end.
#pragma once

#include <SimTKsimbody.h>

#include <functional>
#include <vector>

#include "simbody/contact_element.h"
#include "simbody/stepping/motion_rates.h"
#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// Looks at the energy of a model from step to step: kinetic and potential energy and what contacts
/// hold, less the work that is done on it. While bodies touch it may only fall.
class EnergyKeeper {
 public:
  /// The work on a model since its start, less losses beside contacts' [J]; Stage::Velocity.
  /// Without a function nothing is kept.
  using Work = std::function<double(const SimTK::State&)>;

  /// Refers to the rates of the system.
  EnergyKeeper(const SimTK::MultibodySystem& system, std::vector<const ContactElement*> elements,
               const MotionRates* rates, Work work)
      : system_(&system), elements_(std::move(elements)), rates_(rates), work_(std::move(work)) {}

  /// Of a run that begins with this state. All states are realized to Stage::Acceleration.
  void Begin(const SimTK::State& state);
  /// At the start of a step.
  void BeginStep(const SimTK::State& state);
  /// At the end of the step, before contacts are brought up to date there. Takes back what contacts
  /// have made, by impulses along their own forces.
  void EndStep(SimTK::State* state);

 private:
  double EnergyOf(const SimTK::State& state) const;
  // Takes an energy from the bodies of a contact [J], or as much as changes speeds by no more than
  // is left of what errors may be; returns how much.
  double Take(const TouchingPair& pair, double energy, double* left, SimTK::State* state) const;
  void RepayOverdrafts(SimTK::State* state) const;
  void TakeSurplus(SimTK::State* state) const;
  bool AnyTouches(const SimTK::State& state) const;
  double RoundingOf(const SimTK::State& state) const;  // of EnergyOf [J]

  const SimTK::MultibodySystem* system_;
  std::vector<const ContactElement*> elements_;
  const MotionRates* rates_;
  Work work_;
  double ceiling_ = 0.0;  // what there was least since bodies touch [J]
  double start_ = 0.0;    // of the step [J]
};

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
