// Many contacts between the bodies of a Simbody model, in one force element.
//
// Component volcontact::simbody. C++17, as simbody_contact.h. What that header says about states,
// events and integrators holds here.
//
//   const std::vector<volcontact::ContactSetBody> bodies = {{floor, HalfSpace()}, {ball_1,
//   Sphere(0.1)}, …}; volcontact::SimbodyContactSet contacts(&system, &forces, bodies,
//                                          volcontact::AllPairs(bodies.size(), 1), {law}, 300);
//
// A pair whose bounding boxes do not meet costs some nanoseconds. A contact takes one of a given
// number of slots when it is made, and returns it when it ends. So the state has variables for the
// current contacts, not for all pairs.
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

/// A body with a shape, in the body's frame. A body may occur several times.
struct ContactSetBody {
  SimTK::MobilizedBody body;
  Solid solid;
};

/// The law between two bodies of a set that touch.
struct ContactSetLaw {
  ContactParameters parameters;  ///< with a volumetric law
  double tolerance = 1e-6;       ///< as SolidPair::tolerance
  int most_patches = 0;          ///< as SolidPair::most_patches
};

/// Two bodies of a set that may touch, by their indices in its list, and the index of their law.
struct ContactSetPair {
  int a = 0, b = 0;
  int law = 0;
};

/// All pairs of the bodies from `first_moving` on, with each other and with those before it. The
/// bodies before it, usually parts of the ground, are not paired with each other. All pairs have
/// law 0. Throws InvalidInput for invalid numbers.
VOLCONTACT_EXPORT std::vector<ContactSetPair> AllPairs(int num_bodies, int first_moving);

/// One contact of a set in one state.
struct PairEvaluation {
  int pair = 0;  ///< its index in the set's list
  ContactEvaluation contact;
};

/// Its linearization.
struct PairLinearization {
  int pair = 0;
  ContactLinearization contact;
};

/// A force element for many pairs. A handle: cheap to copy, valid as long as the system is.
class VOLCONTACT_EXPORT SimbodyContactSet {
 public:
  using Events = SimbodyContact::Events;

  /// Adds the contacts to a system under construction, before realizeTopology(). Throws
  /// InvalidInput that names the pair for bodies and laws that are not in the lists, a body paired
  /// with itself, and two unbounded solids, and as SimbodyContact does. A simulation fails if more
  /// than `most_contacts` > 0 touch at a time; a slot is 15 variables of the state. Pairs of the
  /// same solids (copies of one Solid) with the same law are prepared once.
  SimbodyContactSet(SimTK::MultibodySystem* system, SimTK::GeneralForceSubsystem* forces,
                    const std::vector<ContactSetBody>& bodies,
                    const std::vector<ContactSetPair>& pairs,
                    const std::vector<ContactSetLaw>& laws, int most_contacts,
                    Events events = Events::kLocated);

  /// The current contacts, in the order of pairs. Needs a state realized to Stage::Dynamics, and
  /// copies its results.
  std::vector<PairEvaluation> Evaluate(const SimTK::State& state) const;

  /// As SimbodyContact::Linearize, by pairs.
  std::vector<PairLinearization> Linearize(const SimTK::State& state) const;

  /// Whether all queries reached their tolerance. Stage::Dynamics.
  bool Converged(const SimTK::State& state) const;

  /// The energy ledger of all contacts together since the start. Stage::Time.
  ContactEnergies Energies(const SimTK::State& state) const;

  /// As SimbodyContact::StoredEnergy, for each pair separately; returns the sum.
  double StoredEnergy(const SimTK::State& state) const;

  /// How often contacts have been made, at the last accepted step. Stage::Time.
  int TouchCount(const SimTK::State& state) const;

  /// As SimbodyContact's: for every slot the stiffest bristles of all laws count.
  void SetErrorWeights(SimTK::State* state, double energy_scale) const;

  /// As SimbodyContact::Begin, for all pairs that touch. False if none does.
  bool Begin(SimTK::State* state, const std::optional<FrictionState>& friction = {}) const;

  /// As SimbodyContact's, for the same bodies, pairs and slots.
  std::vector<double> Save(const SimTK::State& state) const;
  void Load(const std::vector<double>& saved, SimTK::State* state) const;

 private:
  friend class ContactStepper;
  const simbody::ContactElement* element_;  // owned by the force subsystem
};

VOLCONTACT_NAMESPACE_END
