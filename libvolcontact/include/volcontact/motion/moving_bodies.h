// Bodies in contact from one step to the next, engine-free: looks at the geometry where the step
// ends, solves, and looks again where it ends elsewhere.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "volcontact/contact/contact_motion.h"
#include "volcontact/contact/division.h"
#include "volcontact/contact/patch_tracking.h"
#include "volcontact/export.h"
#include "volcontact/forces/contact_in_step.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"
#include "volcontact/motion/step_solver.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A body at the beginning of a step. Its twist at the end is `free` + responseᵀ y.
struct MovingBody {
  Pose X_WB;
  Twist start;            ///< now
  Twist free;             ///< at the end of the step, if there were no contacts
  AxisResponse response;  ///< of the twist of the body frame's origin; empty for a body that is led
};

/// The twist of a body at the end of a step, with these velocities of the axes.
VOLCONTACT_EXPORT Twist EndOf(const MovingBody& body, const Eigen::VectorXd& axes);

/// The response of a free body, from its mass [kg] and its inertia [kg·m²] in W about the frame's
/// origin, which is the centre of mass. It moves by the six axes from `first_axis`.
VOLCONTACT_EXPORT AxisResponse BodyResponse(double mass, const Eigen::Matrix3d& inertia_W,
                                            int first_axis);

/// The pose after a step with a twist: the origin moves along a line, and the body turns about the
/// angular velocity.
VOLCONTACT_EXPORT Pose MovedBy(const Pose& X_WB, const Twist& twist, double step);

/// Options for finding the contacts of a pair.
struct PairStepOptions {
  double tolerance = 1e-6;  ///< of queries
  int most_patches = 0;     ///< a contact for each patch; 0: one of all
  /// Division into pieces, each a contact; does not work with patches.
  ContactDivision division = {};
  /// kAuto: an undivided contact is divided where it begins to go around a body
  /// (DivisionFinder::Follow), if its laws allow it and it is not one for each patch.
  DivisionChoice later = {};
};

/// Two solids and their laws, prepared for steps. Immutable: any number of threads may read one.
class VOLCONTACT_EXPORT SteppedPair {
 public:
  /// Throws InvalidInput for solids and laws that do not match, and for laws that steps do not
  /// support.
  SteppedPair(const Solid& A, const Solid& B, const ContactParameters& parameters,
              const PairStepOptions& options = {});

  /// Whether a contact at these poses is divided from now on (DivisionFinder::Follow).
  bool FollowDivision(const Pose& X_WA, const Pose& X_WB, bool begins, DivisionState* state) const;
  /// This pair, divided as FollowDivision has found; itself for the number 0. It lives as long as
  /// this pair. Throws InvalidInput for a number that the solids do not have.
  const SteppedPair& Divided(int number) const;

  const DividedPair& pair() const { return *pair_; }
  const StepLaws& laws() const { return laws_; }
  /// The patches at these poses, with or without their Hessian. For a divided contact all pieces,
  /// by their numbers, whether they overlap or not. Empty if the bounding boxes do not meet.
  std::vector<Metrics> Find(const Pose& X_WA, const Pose& X_WB, bool with_hessian) const;
  bool BoxesMeet(const Pose& X_WA, const Pose& X_WB) const;
  /// Samples for PatchCoulombFriction; empty for other laws.
  std::vector<PressureSample> Pressure(const Pose& X_WA, const Pose& X_WB,
                                       const ContactGeometry& geometry, const Vector6& twist) const;
  /// A motion shorter than this cannot pass through either body [m].
  double Thickness() const { return thickness_; }
  double RadiusOfA() const { return radius_A_; }  ///< farthest from its origin [m]
  double RadiusOfB() const { return radius_B_; }
  /// Whether all patches are one contact.
  bool is_one() const { return most_patches_ == 0 && !pair_->is_divided(); }
  /// The mark of the result of Find at an index.
  PatchMark MarkAt(std::size_t place, const Metrics& metrics, const Pose& X_WA,
                   const Pose& X_WB) const;

 private:
  struct VOLCONTACT_LOCAL Later;

  SteppedPair(std::shared_ptr<const DividedPair> pair, const Aabb& bounds_A, const Aabb& bounds_B,
              const ContactParameters& parameters, const PairStepOptions& options);

  std::shared_ptr<const DividedPair> pair_;
  std::shared_ptr<Later> later_;  // null: it stays as it is
  StepLaws laws_;
  Aabb bounds_A_, bounds_B_;
  QueryOptions options_;
  int most_patches_;
  double thickness_, radius_A_, radius_B_;
};

/// One contact after a step.
struct SteppedPatch {
  PatchMark mark;
  ContactGeometry geometry;
  StepState state;
  ContactForce force;  ///< over the step
  /// Point of the force, from the bodies' origins at the pose of the query [m].
  Eigen::Vector3d arm_A = Eigen::Vector3d::Zero(), arm_B = Eigen::Vector3d::Zero();
};

/// Where two bodies stood still in a step that changed neither their contact's forces nor its
/// states, to 1e-10 of these. A plain value.
struct PairAtRest {
  Pose X_WA, X_WB;
  double lever_A = 0.0, lever_B = 0.0;  ///< greatest arms of the contact [m]
  double unmoved = 0.0;  ///< a motion that counts as none: 1e-10 of the contact's height [m]

  /// Whether the bodies are still there.
  VOLCONTACT_EXPORT bool IsAt(const Pose& X_WA_now, const Pose& X_WB_now) const;
  /// Whether these twists leave the bodies where they are in a step.
  VOLCONTACT_EXPORT bool Stands(const Twist& A, const Twist& B, double step) const;
};

/// The state of a pair between steps; a plain value, to be saved and restored.
struct SteppedPairState {
  std::vector<SteppedPatch> patches;
  /// While the bodies stay there, and none that they touch moves, steps keep the forces, and query
  /// nothing.
  std::optional<PairAtRest> rest;
  /// No step was made yet: an overlap at the first step has its energy from before.
  bool is_first = true;
  DivisionState division = {};

  /// Whether the bodies are where the pair rested, and these twists leave them there in a step.
  VOLCONTACT_EXPORT bool Rests(const Pose& X_WA, const Twist& A, const Pose& X_WB, const Twist& B,
                               double step) const;
};

/// A pair of two bodies of a list.
struct PairOfBodies {
  const SteppedPair* pair = nullptr;
  int body_A = 0, body_B = 0;
  /// What Find of the pair, divided as its state says, finds at the poses at the beginning of the
  /// step, if the caller has it: it saves the query of a contact at rest. Its Hessian is not read.
  const std::vector<Metrics>* present = nullptr;
};

/// The report of a step.
struct StepReport {
  StepOutcome outcome;
  int looks = 0;      ///< queries of contacts
  int at_rest = 0;    ///< pairs that kept their forces
  int untrusted = 0;  ///< contacts whose geometry model is not valid at the end
  bool all_queries_converged = true;
};

/// Makes steps. Holds scratch memory; for one thread at a time. The answer does not depend on
/// earlier calls.
class VOLCONTACT_EXPORT BodyStepper {
 public:
  BodyStepper();
  ~BodyStepper();
  BodyStepper(BodyStepper&&) noexcept;
  BodyStepper& operator=(BodyStepper&&) noexcept;

  /// Advances the contacts by a step of `step` [s] > 0. `states` has one entry for each pair.
  /// Throws InvalidInput for numbers that are not finite, and as queries do; states are then
  /// unchanged.
  StepReport Step(const std::vector<MovingBody>& bodies, const std::vector<PairOfBodies>& pairs,
                  const std::vector<SoftMotion>& motions, int axis_count, double step,
                  std::vector<SteppedPairState>* states);

  /// The velocities that contacts and soft motions give to the axes: see EndOf.
  const Eigen::VectorXd& axes() const;

 private:
  struct VOLCONTACT_LOCAL Impl;
  std::unique_ptr<Impl> impl_;
};

VOLCONTACT_NAMESPACE_END
