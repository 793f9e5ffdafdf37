#include "mujoco/body_wrench.h"

#include <Eigen/Geometry>

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

using ConstVector = Eigen::Map<const Eigen::Vector3d>;

}  // namespace

BodyMotion MotionOf(const mjModel* model, const mjData* data, int body) {
  const mjtNum* const p = data->xpos + 3 * body;
  const mjtNum* const q = data->xquat + 4 * body;
  mjtNum velocity[6];
  mj_objectVelocity(model, data, mjOBJ_XBODY, body, velocity, 0);
  BodyMotion motion;
  motion.X_WB = {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
  motion.V_W = {ConstVector(velocity + 3), ConstVector(velocity)};
  return motion;
}

// cdof holds each joint's axis as a motion of the point of space at the tree's centre of mass.
void AddWrench(const mjModel* model, mjData* data, int body, const ContactForce& force,
               double sign) {
  while (body > 0 && model->body_dofnum[body] == 0) body = model->body_parentid[body];
  if (body == 0) return;
  const ConstVector center(data->subtree_com + 3 * model->body_rootid[body]);
  const Eigen::Vector3d torque = force.torque_W + (force.point_W - center).cross(force.force_W);
  int dof = model->body_dofadr[body] + model->body_dofnum[body] - 1;
  for (; dof >= 0; dof = model->dof_parentid[dof]) {
    const mjtNum* const axis = data->cdof + 6 * dof;
    data->qfrc_passive[dof] +=
        sign * (ConstVector(axis).dot(torque) + ConstVector(axis + 3).dot(force.force_W));
  }
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
