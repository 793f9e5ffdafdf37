#include "scenario/simulation/external_forces.h"

#include <cmath>
#include <stdexcept>

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using WrenchList = SimTK::Vector_<SimTK::SpatialVec>;

}  // namespace

void ExternalForces::Begin(const SimTK::State& state) {
  for (const auto& element : elements_) element->Begin(state);
}

void ExternalForces::realizeTopology(SimTK::State& state) const {
  z_ = forces_->allocateZ(state, SimTK::Vector(2, 0.0));
  const WrenchList none(static_cast<int>(bodies_.size()),
                        SimTK::SpatialVec(SimTK::Vec3(0), SimTK::Vec3(0)));
  wrenches_ = forces_->allocateDiscreteVariable(state, SimTK::Stage::Dynamics,
                                                new SimTK::Value<WrenchList>(none));
  targets_ = forces_->allocateDiscreteVariable(
      state, SimTK::Stage::Dynamics,
      new SimTK::Value<SimTK::Vector>(SimTK::Vector(num_motors_, 0.0)));
}

const SimTK::Vector& ExternalForces::Targets(const SimTK::State& state) const {
  return SimTK::Value<SimTK::Vector>::downcast(forces_->getDiscreteVariable(state, targets_)).get();
}

void ExternalForces::SetTargets(const SimTK::Vector& added, SimTK::State* state) const {
  SimTK::Value<SimTK::Vector>::updDowncast(forces_->updDiscreteVariable(*state, targets_)) = added;
}

const WrenchList& ExternalForces::Wrenches(const SimTK::State& state) const {
  return SimTK::Value<WrenchList>::downcast(forces_->getDiscreteVariable(state, wrenches_)).get();
}

void ExternalForces::SetWrenches(const WrenchList& wrenches, SimTK::State* state) const {
  SimTK::Value<WrenchList>::updDowncast(forces_->updDiscreteVariable(*state, wrenches_)) = wrenches;
}

void ExternalForces::calcForce(const SimTK::State& state, WrenchList& body_forces,
                               SimTK::Vector_<SimTK::Vec3>&, SimTK::Vector& mobility_forces) const {
  const WrenchList& wrenches = Wrenches(state);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    body_forces[bodies_[i].getMobilizedBodyIndex()] += wrenches[static_cast<int>(i)];
  }
  for (const auto& element : elements_) element->Apply(state, &body_forces, &mobility_forces);
}

double ExternalForces::calcPotentialEnergy(const SimTK::State& state) const {
  double energy = 0.0;
  for (const auto& element : elements_) energy += element->Potential(state);
  return energy;
}

void ExternalForces::realizeAcceleration(const SimTK::State& state) const {
  if (refuses_infinity_ && !std::isfinite(matter_->getUDot(state).normInf())) {
    throw std::runtime_error(
        "accelerations are infinite; check that every joint has a mass or an inertia to move, and "
        "that no force is too large");
  }
  double work = matter_->calcMotionPower(state), loss = 0.0;
  const WrenchList& wrenches = Wrenches(state);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const SimTK::SpatialVec& F = wrenches[static_cast<int>(i)];
    const SimTK::SpatialVec& V = bodies_[i].getBodyVelocity(state);
    work += dot(F[0], V[0]) + dot(F[1], V[1]);
  }
  for (const auto& element : elements_) {
    const ForceElement::Powers powers = element->PowersIn(state);
    work += powers.work;
    loss += powers.loss;
  }
  SimTK::Vector& z_dot = forces_->updZDot(state);
  z_dot[z_] = work;
  z_dot[z_ + 1] = loss;
}

void ExternalForces::Continue(const ExternalForces& before, const SimTK::State& from,
                              SimTK::State* state) const {
  SimTK::Vector& z = forces_->updZ(*state);
  z[z_] = before.Work(from);
  z[z_ + 1] = before.JointLoss(from);
  SetWrenches(before.Wrenches(from), state);
  SetTargets(before.Targets(from), state);
}

void ExternalForces::SetErrorWeights(SimTK::State* state, double energy_scale) const {
  SimTK::Vector& weights = state->updZWeights(forces_->getMySubsystemIndex());
  weights[z_] = weights[z_ + 1] = 1.0 / energy_scale;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
