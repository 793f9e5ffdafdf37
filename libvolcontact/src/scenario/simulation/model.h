// The Simbody model of a scenario. C++17, as Simbody's headers are.
#pragma once

#include <SimTKsimbody.h>

#include <memory>
#include <string>
#include <vector>

#include "volcontact/scenario/scenario.h"
#include "volcontact/simbody/simbody_contact.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// Loads on bodies, and the ledger of what loads, driven joints and dampers do.
class ExternalForces : public SimTK::Force::Custom::Implementation {
 public:
  struct Load {
    SimTK::MobilizedBody body;
    LoadSpec spec;
  };
  struct Damper {
    SimTK::MobilizedBody body;
    double damping = 0.0;
  };

  /// With `refuses_infinity` a state with infinite accelerations throws std::runtime_error, which
  /// an integrator with error control takes for a step that was too long: of errors that are not
  /// finite it would try steps without end.
  ExternalForces(const SimTK::SimbodyMatterSubsystem* matter, SimTK::GeneralForceSubsystem* forces,
                 bool refuses_infinity)
      : matter_(matter), forces_(forces), refuses_infinity_(refuses_infinity) {}

  /// Whom wrenches may be applied to, in the order of their list.
  void AddBody(const SimTK::MobilizedBody& body) { bodies_.push_back(body); }
  void AddLoad(const Load& load) { loads_.push_back(load); }
  void AddDamper(const Damper& damper) { dampers_.push_back(damper); }

  void realizeTopology(SimTK::State& state) const override;
  void calcForce(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>& body_forces,
                 SimTK::Vector_<SimTK::Vec3>&, SimTK::Vector& mobility_forces) const override;
  double calcPotentialEnergy(const SimTK::State&) const override { return 0.0; }
  void realizeAcceleration(const SimTK::State& state) const override;

  /// Integrals since the start [J]: work of loads and driven joints, and loss in dampers.
  double Work(const SimTK::State& state) const { return forces_->getZ(state)[z_]; }
  double JointLoss(const SimTK::State& state) const { return forces_->getZ(state)[z_ + 1]; }
  void SetErrorWeights(SimTK::State* state, double energy_scale) const;

  /// Wrenches from outside on the bodies: torque about the origin of the body's frame, and force,
  /// along the world's axes. Part of the state; setting them takes it back before Stage::Dynamics.
  const SimTK::Vector_<SimTK::SpatialVec>& Wrenches(const SimTK::State& state) const;
  void SetWrenches(const SimTK::Vector_<SimTK::SpatialVec>& wrenches, SimTK::State* state) const;

 private:
  SimTK::SpatialVec ForceOf(const Load& load, const SimTK::State& state) const;

  const SimTK::SimbodyMatterSubsystem* matter_;
  SimTK::GeneralForceSubsystem* forces_;
  bool refuses_infinity_;
  std::vector<SimTK::MobilizedBody> bodies_;
  std::vector<Load> loads_;
  std::vector<Damper> dampers_;
  // Set through Simbody's const realizeTopology.
  mutable SimTK::ZIndex z_;
  mutable SimTK::DiscreteVariableIndex wrenches_;
};

/// One contact of the scenario: one element, or one for every pair of cells.
struct ModelContact {
  std::string name;
  std::vector<SimbodyContact> elements;
};

/// The system with its bodies, forces and contacts, ready to realize its topology. Neither copied
/// nor moved: Simbody's handles point into it.
struct Model {
  explicit Model(const Scenario& scenario);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// The state at time zero. Throws InvalidInput for initial values that cannot be.
  SimTK::State InitialState(const Scenario& scenario);

  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::Force::Gravity gravity;
  ExternalForces* external;                  // owned by `forces`
  std::vector<SimTK::MobilizedBody> bodies;  ///< of all bodies; the ground for fixed ones
  std::vector<ModelContact> contacts;

 private:
  void AddBody(const Scenario& scenario, const BodySpec& body);
  void AddContact(const Scenario& scenario, const ContactSpec& contact);
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
