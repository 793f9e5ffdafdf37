// A contact between two bodies of a Simbody model (https://simtk.org/projects/simbody).
//
// Component volcontact::simbody. C++17: Simbody's headers do not compile as C++20.
//
//   SimTK::MultibodySystem system; SimTK::SimbodyMatterSubsystem matter(system);
//   SimTK::GeneralForceSubsystem forces(system); …
//   volcontact::SimbodyContact contact(&system, &forces, ball, matter.Ground(),
//                                      volcontact::SolidPair{Sphere(0.1), HalfSpace()},
//                                      parameters);
//
// Bristles, dwell, relaxation and the energies are continuous (z) variables of Simbody's state.
// Values that are fixed from first contact to separation (the speed of impact, and the frame of
// deflections) are a discrete variable that Simbody updates with every accepted step. A contact
// that is made between two steps counts from the end of the step. With located events, such a step
// ends where contact is made or lost, to a nanosecond. A step in which bodies would pass through or
// graze each other ends where they meet, unless they move by less than 1/32 of the thinner one
// within it.
//
// So any integrator works. With error control, use events. With fixed steps Simbody cannot place
// events without breaking the step: use no events, and set ContactParameters::tau_relaxation.
#pragma once

#include <SimTKsimbody.h>

#include <optional>
#include <variant>
#include <vector>

#include "volcontact/contact/division.h"
#include "volcontact/contact/point_pairs.h"
#include "volcontact/export.h"
#include "volcontact/forces/contact_energies.h"
#include "volcontact/forces/contact_linearization.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

namespace simbody {
class ContactElement;
}

/// Two solids, each in the frame of its body.
struct SolidPair {
  Solid A, B;
  double tolerance = 1e-6;  ///< of a query, as QueryOptions::tolerance
  /// Not 0: every contact patch (PreparedPair::QueryPatches) is a contact of its own, at most this
  /// many at a time. If patches join or split, so do their states (ContactModel::Joined, PieceOf).
  /// Does not work with PatchCoulombFriction.
  int most_patches = 0;
  /// Division into pieces, each a contact of its own (ChooseDivision). Does not work with patches,
  /// nor with PatchCoulombFriction.
  ContactDivision division = {};
};

/// A point pair: frame P of its sphere in body A, frame Q of the other shape in body B.
struct PlacedPointPair {
  PointPair pair;
  Pose X_AP, X_BQ;
};

using ContactPair = std::variant<SolidPair, PlacedPointPair>;

/// A contact in one state of the system.
struct ContactEvaluation {
  ContactGeometry geometry;
  ContactMotion motion;
  ContactState state;
  ContactForce force;     ///< on body A; body B gets the opposite at the same point
  bool converged = true;  ///< the query reached its tolerance
  /// The solids overlap, but no direction to push is known: one lies inside the other, and has
  /// since the contact began. There is no force.
  bool without_direction = false;
};

/// A force element of Simbody. A handle: cheap to copy, valid as long as the system is.
class VOLCONTACT_EXPORT SimbodyContact {
 public:
  enum class Events { kLocated, kNone };

  /// Adds the contact to a system under construction, before realizeTopology(). A volumetric law
  /// needs a SolidPair, the others a PlacedPointPair. Throws InvalidInput for parameters that
  /// ContactModel or the pair refuse, and for a law that does not match the pair.
  SimbodyContact(SimTK::MultibodySystem* system, SimTK::GeneralForceSubsystem* forces,
                 const SimTK::MobilizedBody& A, const SimTK::MobilizedBody& B,
                 const ContactPair& pair, const ContactParameters& parameters,
                 Events events = Events::kLocated);

  /// Geometry, motion, state and force; for several patches those of the one with the greatest
  /// normal force. Needs a state realized to Stage::Dynamics, and copies its results.
  ContactEvaluation Evaluate(const SimTK::State& state) const;

  /// The same for all patches that touch: at most one, unless every patch is a contact of its own.
  std::vector<ContactEvaluation> EvaluatePatches(const SimTK::State& state) const;

  /// The derivatives of the wrenches of the contacts by the motion of A relative to B, one for each
  /// touching patch, as in EvaluatePatches: for implicit integrators and linear models. The states
  /// of friction and relaxation are constant. Stage::Dynamics. Throws InvalidInput for friction
  /// that is integrated over the patch. Cost: a query with the Hessian, or twelve queries.
  std::vector<ContactLinearization> Linearize(const SimTK::State& state) const;

  /// The energy ledger of the contact since the start. Stage::Time.
  ContactEnergies Energies(const SimTK::State& state) const;

  /// The energy of the normal springs in one state [J]: the work that they would give if A moved
  /// away from B along their force. If the elastic force has a potential, as along the area vector
  /// on a plane, it is the potential. Otherwise, `elastic` of the ledger minus this is the work
  /// that the force has kept so far; a negative value is work that it has made. Stage::Dynamics.
  /// Cost: about 40 queries, up to 130 for meshes.
  double StoredEnergy(const SimTK::State& state) const;

  /// How often contact has been made, by any patch, at the last accepted step. Stage::Time.
  int TouchCount(const SimTK::State& state) const;

  /// The greatest normal force at the end of any accepted step so far, summed over patches [N]: it
  /// shows impacts that lie between outputs. Stage::Time.
  double GreatestForce(const SimTK::State& state) const;

  /// Includes bristle deflections and energies in the integrator's error control: deflections by
  /// their share of friction, energies by `energy_scale` [J] > 0. Simbody's own weights take both
  /// in metres and joules, which is too coarse for deflections of microns. Stage::Model.
  void SetErrorWeights(SimTK::State* state, double energy_scale) const;

  /// Makes a state the start of a simulation. If the bodies touch in it, the ledger begins with the
  /// energy of the normal spring: the work that it would give if A moved away from B along the
  /// normal. With `friction` the contact was made before, at rest, and its friction has this state
  /// (deflection in W, made tangent). Without it the contact is made now. Returns false, and does
  /// nothing, if the bodies do not touch. Stage::Velocity. Cost: that of StoredEnergy.
  bool Begin(SimTK::State* state, const std::optional<FrictionState>& friction = {}) const;

  /// All values that the contact keeps in `state`, as numbers, to save and restore a simulation.
  /// Load throws InvalidInput for a list that Save did not write. Stage::Model.
  std::vector<double> Save(const SimTK::State& state) const;
  void Load(const std::vector<double>& saved, SimTK::State* state) const;

 private:
  friend class ContactStepper;
  const simbody::ContactElement* element_;  // owned by the force subsystem
};

VOLCONTACT_NAMESPACE_END
