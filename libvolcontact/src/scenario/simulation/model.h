// The Simbody model of a scenario. C++17, as Simbody's headers are.
#pragma once

#include <SimTKsimbody.h>

#include <string>
#include <vector>

#include "scenario/simulation/constraints.h"
#include "scenario/simulation/external_forces.h"
#include "scenario/simulation/simbody_values.h"
#include "volcontact/scenario/scenario.h"
#include "volcontact/simbody/simbody_contact.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// One contact of the scenario: one element, or one for every pair of cells.
struct ModelContact {
  std::string name;
  std::vector<SimbodyContact> elements;
};

/// A contact that is not divided, and may be later (DivisionFinder::Follow).
struct OpenContact {
  std::size_t contact = 0;
  DivisionFinder finder;
  DivisionState division;
  bool touches = false;  ///< at the last step
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
  std::vector<Motor*> motors;  ///< owned by `forces`
  Constraints constraints;
  std::vector<std::string> notes;  ///< of contacts that were divided on their own account
  std::vector<OpenContact> open;

  /// A frame given in a body of the scenario (-1: the ground), in the one that moves it.
  PlacedFrame Placed(const Scenario& scenario, int body, const Pose& frame) const;

 private:
  void AddBody(const Scenario& scenario, const BodySpec& body);
  void AddMechanism(const Scenario& scenario);
  void AddContact(const Scenario& scenario, const ContactSpec& contact);
  void AddElement(const Scenario& scenario, const ContactSpec& contact, const ContactPair& pair,
                  ModelContact* result);
  void AddSolids(const Scenario& scenario, const ContactSpec& contact, ModelContact* result);
  ContactDivision DivisionOf(const Scenario& scenario, const ContactSpec& contact, const Solid& A,
                             const Solid& B);
  std::vector<Pose> starts_;  // of the bodies, found when they are first asked for
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
