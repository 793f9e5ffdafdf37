// Many contacts between the bodies of a Simbody model, in one force element.
//
// Component volcontact::simbody. C++17, as simbody_contact.h, of which all that is said of states,
// events and integrators holds here.
//
//   const std::vector<volcontact::ContactSetBody> bodies = {{floor, HalfSpace()}, {ball_1,
//   Sphere(0.1)}, …}; volcontact::SimbodyContactSet contacts(&system, &forces, bodies,
//                                          volcontact::AllPairs(bodies.size(), 1), {law}, 300);
//
// A pair whose boxes are apart costs some nanoseconds. Contacts take one of a given number of slots
// when they are made and give it back when they end, so that variables of the state are there for
// the contacts that there are at a time, and not for all pairs.
#pragma once

#include <SimTKsimbody.h>

#include <optional>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/forces/contact_energies.h"
#include "volcontact/forces/contact_linearization.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/simbody/simbody_contact.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A body with a shape, in the body's frame. A body may be there several times.
struct ContactSetBody {
  SimTK::MobilizedBody body;
  Solid solid;
};

/// What happens between two bodies of a set that touch.
struct ContactSetLaw {
  ContactParameters parameters;  ///< with a volumetric law
  double tolerance = 1e-6;       ///< as SolidPair::tolerance
  int most_patches = 0;          ///< as SolidPair::most_patches
};

/// Two bodies of a set that may touch, by their places in its list, and their law by its place.
struct ContactSetPair {
  int a = 0, b = 0;
  int law = 0;
};

/// All pairs of the bodies from `first_moving` on, with each other and with those before it, which
/// are not paired among themselves: parts of the ground, as a rule. All have law 0. Throws
/// InvalidInput for numbers that are none.
VOLCONTACT_EXPORT std::vector<ContactSetPair> AllPairs(int num_bodies, int first_moving);

/// What one contact of a set does in one state.
struct PairEvaluation {
  int pair = 0;  ///< its place in the set's list
  ContactEvaluation contact;
};

/// How it changes.
struct PairLinearization {
  int pair = 0;
  ContactLinearization contact;
};

/// A force element for many pairs. A handle: cheap to copy, valid as long as the system is.
class VOLCONTACT_EXPORT SimbodyContactSet {
 public:
  using Events = SimbodyContact::Events;

  /// Adds the contacts to a system under construction, before realizeTopology(). Throws
  /// InvalidInput that names the pair for bodies and laws that the lists do not have, a body paired
  /// with itself, two solids without bounds, and as SimbodyContact does. A simulation fails where
  /// more than `most_contacts` > 0 touch at a time; a slot is 15 variables of the state. Pairs of
  /// the same solids (copies of one Solid) and the same law are made ready once.
  SimbodyContactSet(SimTK::MultibodySystem* system, SimTK::GeneralForceSubsystem* forces,
                    const std::vector<ContactSetBody>& bodies,
                    const std::vector<ContactSetPair>& pairs,
                    const std::vector<ContactSetLaw>& laws, int most_contacts,
                    Events events = Events::kLocated);

  /// The contacts that there are, by pairs. Needs a state realized to Stage::Dynamics, and copies
  /// what was computed there.
  std::vector<PairEvaluation> Evaluate(const SimTK::State& state) const;

  /// As SimbodyContact::Linearize, by pairs.
  std::vector<PairLinearization> Linearize(const SimTK::State& state) const;

  /// Whether all queries reached their tolerance. Stage::Dynamics.
  bool Converged(const SimTK::State& state) const;

  /// The books of all contacts together since the start. Stage::Time.
  ContactEnergies Energies(const SimTK::State& state) const;

  /// As SimbodyContact::StoredEnergy, each pair drawn apart by itself; their sum.
  double StoredEnergy(const SimTK::State& state) const;

  /// How often contacts have been made, as of the last accepted step. Stage::Time.
  int TouchCount(const SimTK::State& state) const;

  /// As SimbodyContact's: for every slot the stiffest bristles of all laws count.
  void SetErrorWeights(SimTK::State* state, double energy_scale) const;

  /// As SimbodyContact::Begin, for all pairs that touch. False where none does.
  bool Begin(SimTK::State* state, const std::optional<FrictionState>& friction = {}) const;

  /// As SimbodyContact's, for the same bodies, pairs and slots.
  std::vector<double> Save(const SimTK::State& state) const;
  void Load(const std::vector<double>& saved, SimTK::State* state) const;

 private:
  friend class ContactStepper;
  const simbody::ContactElement* element_;  // owned by the force subsystem
};

VOLCONTACT_NAMESPACE_END
