// The room `mujoco`: contacts for MuJoCo. Here: one contact from one evaluation to the next, which
// knows poses, twists and times, and nothing of MuJoCo. `data_track` keeps those of a data, and
// finds out which steps were accepted; `model_shapes` reads a model; `callbacks` are what MuJoCo
// calls.
#pragma once

#include <optional>

#include "volcontact/motion/moving_bodies.h"
#include "volcontact/mujoco/mujoco_contacts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// Where a body is, and how it moves.
struct BodyMotion {
  Pose X_WB;
  Twist V_W;
};

/// What the velocities of an evaluation are to its positions.
enum class Velocities {
  kOfTheInstant,
  /// Those with which the positions came here, as Euler's method leaves them: half a step behind.
  kOfTheStepBehind,
};

/// A contact at a time, but for its books, what the query found there, and the powers of the last
/// forces up to then.
struct TrackStep {
  MujocoContactMoment moment;
  std::vector<Metrics> overlaps;
  std::vector<ContactPowers> before;
  bool rests = false;  ///< it is as it was at the last step, and was not queried
};

/// Two solids and their laws, made ready. Immutable: any number of threads may evaluate one.
class ContactTrack {
 public:
  /// Throws InvalidInput for solids, laws and options that do not go together.
  ContactTrack(const Solid& A, const Solid& B, const MujocoContactSpec& spec,
               const ContactDivision& division);

  /// The contact at a time, with these motions of its bodies, that was `last` at the last accepted
  /// step (null: it begins now), of which the states are those of its beginning or, `is_at_end`, of
  /// its end. It is divided as before, or from now on (DivisionFinder::Follow). Throws InvalidInput
  /// for more patches than are allowed for, and as PreparedPair::Query and FollowContact.
  TrackStep Follow(double time, const BodyMotion& A, const BodyMotion& B, Velocities velocities,
                   const MujocoContactMoment* last, bool is_at_end) const;
  /// The contact as it was at the last accepted step, since which its bodies have rested.
  TrackStep Rest(double time, const BodyMotion& A, const BodyMotion& B, Velocities velocities,
                 const MujocoContactMoment& last) const;
  /// The contact as if it began with these motions, divided as given.
  TrackStep Coming(const BodyMotion& A, const BodyMotion& B, const DivisionState& division) const;

  const SteppedPair& stepped() const { return *pair_; }
  const ContactModel& ModelOf(const DivisionState& division) const {
    return pair_->Divided(division.number).laws().model();
  }
  /// What the normal law says of a patch.
  NormalForce NormalOf(const MujocoPatch& patch) const;

 private:
  TrackStep Evaluate(double time, const BodyMotion& A, const BodyMotion& B,
                     const MujocoContactMoment* last, bool is_at_end,
                     const DivisionState& division) const;
  void TakePatches(const SteppedPair& pair, const std::vector<Metrics>& overlaps,
                   const BodyMotion& A, const BodyMotion& B, const MujocoContactMoment* last,
                   MujocoContactMoment* now) const;
  void SetStates(const SteppedPair& pair, const MujocoContactMoment* last, bool is_at_end,
                 MujocoContactMoment* now) const;
  ContactState Continued(const ContactModel& model, const MujocoPatch& before, double from,
                         const MujocoPatch& now, double to) const;

  std::vector<ContactPowers> PowersOf(const std::vector<MujocoPatch>& last, const BodyMotion& A,
                                      const BodyMotion& B, Velocities velocities) const;

  std::optional<SteppedPair> pair_;  // made when the laws are known to go together
  NormalForceModel normal_;
  QueryOptions options_;
  int most_patches_;
  bool has_rates_;
};

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
