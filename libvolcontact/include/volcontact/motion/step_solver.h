// The velocities at the end of a step of all bodies together, with the forces that contacts have
// there: engine-free. docs/stepping.md derives it.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/forces/contact_in_step.h"
#include "volcontact/math/matrix6.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The response of six velocities to the axes of a model: v = v_free + columnsᵀ y.
///
/// In these axes the mass matrix is one. With M = RᵀR and a Jacobian J of the model's velocities,
/// the columns are R^-T Jᵀ: for MuJoCo L^-T Jᵀ divided by the root of D, for Simbody the result of
/// multiplyBySqrtMInv, for a free body those of BodyResponse (moving_bodies.h).
struct AxisResponse {
  std::vector<int> axes;                                              ///< axes with a response
  Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor> columns;  ///< one row for each axis
};

/// A contact in the step. Refers to its parts.
struct PushedContact {
  const ContactInStep* contact = nullptr;
  AxisResponse response;           ///< of the twist of A against B at the contact point
  Vector6 free = Vector6::Zero();  ///< that twist at the end of the step without contacts
  /// Velocity for the first lagged quantities. It decides between sticking and sliding if both are
  /// possible. It is the previous twist; for a contact that begins, the free one.
  Vector6 guess = Vector6::Zero();
};

/// A motion with another soft constraint in the step: its velocity must be `wanted` minus
/// `softness` times the impulse. The impulse of one-way constraints is never negative.
struct SoftMotion {
  std::vector<int> axes;
  Eigen::VectorXd column;  ///< one entry for each axis
  double free = 0.0;       ///< its velocity at the end of the step without contacts
  double wanted = 0.0, softness = 0.0;
  bool is_one_way = false;
};

/// The result of a step of all contacts.
struct StepOutcome {
  /// All lagged quantities match the velocities, to 1e-7.
  bool converged = true;
  bool gave_up = false;  ///< the velocities of some contacts could not be found: see PushedTwist
  /// Bodies that touch are solved together, others apart. The most of these took so many iterations
  /// of Newton's method, and updates of the lagged quantities.
  int iterations = 0, lags = 0;
  int cautious_contacts =
      0;  ///< contacts that would have created energy, because their geometry turned
};

/// The result of a step for one contact.
struct PushedTwist {
  Vector6 twist = Vector6::Zero();  ///< at the end
  StepLag lag;
  /// The velocities could not be found. The forces of the contacts that are solved together are
  /// those of the free motion times one share, with which they take energy from the motion and give
  /// none.
  bool gave_up = false;
  double share = 1.0;  ///< of the contact's force that is applied
};

/// Finds v⁺ = argmin ½ |v − v_free|²_M + h Σ potentials by Newton's method with line search on the
/// slope, then updates the lagged quantities and repeats, for each group of bodies that touch.
/// Holds scratch memory: a step of the same bodies in contact as the last allocates nothing. For
/// one thread at a time.
class VOLCONTACT_EXPORT StepSolver {
 public:
  StepSolver();
  ~StepSolver();
  StepSolver(StepSolver&&) noexcept;
  StepSolver& operator=(StepSolver&&) noexcept;

  /// Solves a step of `step` [s] with `axis_count` axes. Throws InvalidInput for numbers that are
  /// not finite. The answer does not depend on earlier calls.
  StepOutcome Solve(int axis_count, const std::vector<PushedContact>& contacts,
                    const std::vector<SoftMotion>& motions, double step);

  /// Results of the last Solve: the velocities of the axes, and each contact's twist with its
  /// lagged quantities.
  const Eigen::VectorXd& axes() const;
  const std::vector<PushedTwist>& twists() const;

 private:
  struct VOLCONTACT_LOCAL Impl;
  std::unique_ptr<Impl> impl_;
};

VOLCONTACT_NAMESPACE_END
