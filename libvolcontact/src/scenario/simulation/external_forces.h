// What acts on the bodies of a model beside gravity and contacts. C++17, as Simbody's headers are.
#pragma once

#include <SimTKsimbody.h>

#include <memory>
#include <utility>
#include <vector>

#include "scenario/simulation/force_elements.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The forces of a mechanism, wrenches from outside, and the ledger of what they, driven joints and
/// dampers do.
class ExternalForces : public SimTK::Force::Custom::Implementation {
 public:
  /// With `refuses_infinity` a state with infinite accelerations throws std::runtime_error, which
  /// an integrator with error control takes for a step that was too long: of errors that are not
  /// finite it would try steps without end.
  ExternalForces(const SimTK::SimbodyMatterSubsystem* matter, SimTK::GeneralForceSubsystem* forces,
                 bool refuses_infinity)
      : matter_(matter), forces_(forces), refuses_infinity_(refuses_infinity) {}

  /// Whom wrenches may be applied to, in the order of their list.
  void AddBody(const SimTK::MobilizedBody& body) { bodies_.push_back(body); }
  /// Makes an element, which lives as long as this.
  template <typename Element, typename... Arguments>
  Element* Add(Arguments&&... arguments) {
    auto element = std::make_unique<Element>(std::forward<Arguments>(arguments)...);
    Element* added = element.get();
    elements_.push_back(std::move(element));
    return added;
  }
  /// Makes the motor that is next in the list.
  Motor* AddMotor(const PlacedCoordinate& at, const MotorSpec& spec) {
    return Add<Motor>(at, spec, this, num_motors_++);
  }
  /// Takes what elements have of the start from that state, realized to Stage::Position.
  void Begin(const SimTK::State& state);

  void realizeTopology(SimTK::State& state) const override;
  void calcForce(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>& body_forces,
                 SimTK::Vector_<SimTK::Vec3>&, SimTK::Vector& mobility_forces) const override;
  double calcPotentialEnergy(const SimTK::State& state) const override;
  void realizeAcceleration(const SimTK::State& state) const override;

  /// Integrals since the start [J]: work of loads, motors and driven joints, and loss in joints,
  /// springs and bushings.
  double Work(const SimTK::State& state) const { return forces_->getZ(state)[z_]; }
  double JointLoss(const SimTK::State& state) const { return forces_->getZ(state)[z_ + 1]; }
  void SetErrorWeights(SimTK::State* state, double energy_scale) const;
  /// Takes the integrals, and what is set from outside, from those of another model in its state.
  void Continue(const ExternalForces& before, const SimTK::State& from, SimTK::State* state) const;

  /// What is added from outside to the targets of motors, in the order of their list. Part of the
  /// state; setting it takes it back before Stage::Dynamics.
  const SimTK::Vector& Targets(const SimTK::State& state) const;
  void SetTargets(const SimTK::Vector& added, SimTK::State* state) const;

  /// Wrenches from outside on the bodies: torque about the origin of the body's frame, and force,
  /// along the world's axes. Part of the state; setting them takes it back before Stage::Dynamics.
  const SimTK::Vector_<SimTK::SpatialVec>& Wrenches(const SimTK::State& state) const;
  void SetWrenches(const SimTK::Vector_<SimTK::SpatialVec>& wrenches, SimTK::State* state) const;

 private:
  const SimTK::SimbodyMatterSubsystem* matter_;
  SimTK::GeneralForceSubsystem* forces_;
  bool refuses_infinity_;
  int num_motors_ = 0;
  std::vector<SimTK::MobilizedBody> bodies_;
  std::vector<std::unique_ptr<ForceElement>> elements_;
  // Set through Simbody's const realizeTopology.
  mutable SimTK::ZIndex z_;
  mutable SimTK::DiscreteVariableIndex wrenches_, targets_;
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
