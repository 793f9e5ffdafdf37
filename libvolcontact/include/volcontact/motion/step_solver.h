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

/// What the axes of a model give to the six velocities of something: v = v_free + columnsᵀ y.
///
/// The axes are those in which the mass matrix is one. With M = RᵀR and a Jacobian J of the model's
/// velocities the columns are R^-T Jᵀ: of MuJoCo L^-T Jᵀ over the root of D, of Simbody what
/// multiplyBySqrtMInv gives, of a free body those of BodyResponse (moving_bodies.h).
struct AxisResponse {
  std::vector<int> axes;                                              ///< that move it at all
  Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor> columns;  ///< one row an axis
};

/// A contact in the step: refers to what it was made of.
struct PushedContact {
  const ContactInStep* contact = nullptr;
  AxisResponse response;           ///< of the twist of A against B at the contact point
  Vector6 free = Vector6::Zero();  ///< that twist at the end of the step without contacts
  /// Where lagged quantities begin, which tells sticking from sliding where both could go on: the
  /// twist before, or of a contact that begins, the free one.
  Vector6 guess = Vector6::Zero();
};

/// A motion that another soft constraint acts on in the step: its velocity is to be `wanted` less
/// `softness` times the impulse, which for one-way constraints is never negative.
struct SoftMotion {
  std::vector<int> axes;
  Eigen::VectorXd column;  ///< one entry an axis
  double free = 0.0;       ///< its velocity at the end of the step without contacts
  double wanted = 0.0, softness = 0.0;
  bool is_one_way = false;
};

/// How a step of all contacts ended.
struct StepOutcome {
  /// All lagged quantities are those of the velocities found, to 1e-7.
  bool converged = true;
  /// The velocities could not be found: the forces of contacts are those of the last attempt, all
  /// of one share, with which they take from the motion and give nothing.
  bool gave_up = false;
  double share = 1.0;         ///< of the contacts' forces that is applied
  int iterations = 0;         ///< of Newton's method
  int lags = 0;               ///< times that lagged quantities were found
  int cautious_contacts = 0;  ///< whose geometry turned so that they would have made energy
};

/// What a step found for one contact.
struct PushedTwist {
  Vector6 twist = Vector6::Zero();  ///< at the end
  StepLag lag;
};

/// Finds v⁺ = argmin ½ |v − v_free|²_M + h Σ potentials by Newton's method with line search on the
/// slope, then lagged quantities anew. Holds scratch memory: a step no larger than one before
/// allocates nothing. For one thread at a time.
class VOLCONTACT_EXPORT StepSolver {
 public:
  StepSolver();
  ~StepSolver();
  StepSolver(StepSolver&&) noexcept;
  StepSolver& operator=(StepSolver&&) noexcept;

  /// Of `axis_count` axes and a step of `step` [s]. Throws InvalidInput for numbers that are not
  /// finite. The answer does not depend on anything before.
  StepOutcome Solve(int axis_count, const std::vector<PushedContact>& contacts,
                    const std::vector<SoftMotion>& motions, double step);

  /// Of the last Solve: what the axes got, and each contact's twist with what was lagged in it.
  const Eigen::VectorXd& axes() const;
  const std::vector<PushedTwist>& twists() const;

 private:
  struct VOLCONTACT_LOCAL Impl;
  std::unique_ptr<Impl> impl_;
};

VOLCONTACT_NAMESPACE_END
