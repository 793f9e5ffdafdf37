// Motions of bodies from a data of MuJoCo, and forces on them to it.
#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Core>
#include <vector>

#include "mujoco/passive/passive_step.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// Of the body's frame, as of mj_fwdPosition and mj_comVel.
BodyMotion MotionOf(const mjModel* model, const mjData* data, int body);

/// Adds the force of a contact, times `sign`, to qfrc_passive: as mj_applyFT, but along the
/// body's own joints, which costs nothing for those of others.
void AddWrench(const mjModel* model, mjData* data, int body, const ContactForce& force,
               double sign);

/// How two bodies answer to pushes against each other, by the mass matrix of the present pose, as
/// of mj_factorM. Refers to the model and the data.
class PairInertia {
 public:
  PairInertia(const mjModel* model, const mjData* data, int body_A, int body_B);

  /// Of forces at a point, and torques. Costs what the joints between the bodies and the world
  /// cost, some 100 ns for a free body.
  AxisResponse Response(const Eigen::Vector3d& point_W) const;

 private:
  const mjModel* model_;
  const mjData* data_;
  int last_dof_A_, last_dof_B_;  // -1: the body stays
  std::vector<int> dofs_;        // that move either body, descending
};

/// The velocities of joints' axes that a step would add without the contacts that are not yet in
/// qfrc_passive, by all other forces but those of constraints: times the root of D and L, as
/// AxisResponse has them. Of actuators the present controls are read, for which mj_fwdActuation is
/// called.
Eigen::VectorXd FreeMotion(const mjModel* model, mjData* data, double step);

/// What MuJoCo's constraints will do in the step, but for its friction in joints, tendons, and,
/// with elliptic cones, contacts. `free` is that of FreeMotion. Calls mj_referenceConstraint.
std::vector<SoftMotion> SoftMotions(const mjModel* model, mjData* data, const Eigen::VectorXd& free,
                                    double step);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
