#include "mujoco/passive/body_wrench.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

using ConstVector = Eigen::Map<const Eigen::Vector3d>;

// Of two free bodies.
constexpr std::size_t kUsualDofs = 12;

// The last of the joint axes that move a body; -1 for one that stays.
int LastDof(const mjModel* model, int body) {
  while (body > 0 && model->body_dofnum[body] == 0) body = model->body_parentid[body];
  return body == 0 ? -1 : model->body_dofadr[body] + model->body_dofnum[body] - 1;
}

// The origin of space in a joint axis's motion: its tree's centre of mass.
ConstVector CenterOf(const mjModel* model, const mjData* data, int dof) {
  return ConstVector(data->subtree_com + 3 * model->body_rootid[model->dof_bodyid[dof]]);
}

// What a force and a torque about that centre do along a joint's axis.
double Along(const mjData* data, int dof, const Eigen::Vector3d& force,
             const Eigen::Vector3d& torque) {
  const mjtNum* const axis = data->cdof + 6 * dof;
  return ConstVector(axis).dot(torque) + ConstVector(axis + 3).dot(force);
}

// Calls visit(ancestor, entry) for the entries of an axis's row of L beside the diagonal, from the
// parent upwards; M = LᵀDL, as of mj_factorM. A template, so that it compiles with the fields of
// the present version alone: MuJoCo 2 keeps a row from the diagonal upwards, 3 by columns.
template <class Model, class Visit>
void ForRowOfL(const Model* model, const mjData* data, int dof, const Visit& visit) {
  if constexpr (requires { model->M_rowadr; }) {
    const int begin = model->M_rowadr[dof], diagonal = begin + model->M_rownnz[dof] - 1;
    for (int k = diagonal - 1; k >= begin; --k) visit(model->M_colind[k], data->qLD[k]);
  } else {
    const mjtNum* entry = data->qLD + model->dof_Madr[dof];
    for (int above = model->dof_parentid[dof]; above >= 0; above = model->dof_parentid[above]) {
      visit(above, *++entry);
    }
  }
}

// D^(-1/2) L^(-T) y: as mj_solveM2, whose arguments differ between versions.
Eigen::VectorXd HalfSolved(const mjModel* model, const mjData* data, Eigen::VectorXd y) {
  for (int dof = model->nv - 1; dof >= 0; --dof) {
    if (y[dof] == 0.0) continue;
    ForRowOfL(model, data, dof, [&](int above, mjtNum entry) { y[above] -= entry * y[dof]; });
    y[dof] *= std::sqrt(data->qLDiagInv[dof]);
  }
  return y;
}

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
  int dof = LastDof(model, body);
  if (dof < 0) return;
  const Eigen::Vector3d arm = force.point_W - CenterOf(model, data, dof);
  const Eigen::Vector3d torque = force.torque_W + arm.cross(force.force_W);
  for (; dof >= 0; dof = model->dof_parentid[dof]) {
    data->qfrc_passive[dof] += sign * Along(data, dof, force.force_W, torque);
  }
}

PairInertia::PairInertia(const mjModel* model, const mjData* data, int body_A, int body_B)
    : model_(model),
      data_(data),
      last_dof_A_(LastDof(model, body_A)),
      last_dof_B_(LastDof(model, body_B)) {
  int a = last_dof_A_, b = last_dof_B_;
  dofs_.reserve(kUsualDofs);
  while (a >= 0 || b >= 0) {
    const int next = std::max(a, b);
    dofs_.push_back(next);
    if (a == next) a = model->dof_parentid[a];
    if (b == next) b = model->dof_parentid[b];
  }
}

AxisResponse PairInertia::Response(const Eigen::Vector3d& point_W) const {
  AxisResponse response{dofs_, {}};
  auto& x = response.columns;
  x.setZero(static_cast<Eigen::Index>(dofs_.size()), 6);
  for (const auto& [last, sign] : {std::pair{last_dof_A_, 1.0}, std::pair{last_dof_B_, -1.0}}) {
    if (last < 0) continue;
    const Eigen::Vector3d arm = point_W - CenterOf(model_, data_, last);
    std::size_t place = 0;
    for (int dof = last; dof >= 0; dof = model_->dof_parentid[dof]) {
      while (dofs_[place] != dof) ++place;
      const ConstVector turn(data_->cdof + 6 * dof), move(data_->cdof + 6 * dof + 3);
      const auto row = static_cast<Eigen::Index>(place);
      x.row(row).head<3>() += sign * (move + turn.cross(arm)).transpose();
      x.row(row).tail<3>() += sign * turn.transpose();
    }
  }
  // As HalfSolved, along the axes that are not zero.
  for (std::size_t i = 0; i < dofs_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    std::size_t place = i;
    ForRowOfL(model_, data_, dofs_[i], [&](int above, mjtNum entry) {
      while (dofs_[place] != above) ++place;
      x.row(static_cast<Eigen::Index>(place)) -= entry * x.row(row);
    });
    x.row(row) *= std::sqrt(data_->qLDiagInv[dofs_[i]]);
  }
  return response;
}

Eigen::VectorXd FreeMotion(const mjModel* model, mjData* data, double step) {
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  const Eigen::Index size = model->nv;
  mj_fwdActuation(model, data);
  Eigen::VectorXd bias(size);
  mj_rne(model, data, 0, bias.data());
  Eigen::VectorXd force = Vector(data->qfrc_passive, size) + Vector(data->qfrc_applied, size) +
                          Vector(data->qfrc_actuator, size) - bias;
  for (int body = 1; body < model->nbody; ++body) {
    const mjtNum* const wrench = data->xfrc_applied + 6 * body;
    if (std::all_of(wrench, wrench + 6, [](mjtNum x) { return x == 0.0; })) continue;
    mj_applyFT(model, data, wrench, wrench + 3, data->xipos + 3 * body, body, force.data());
  }
  return step * HalfSolved(model, data, force);
}

std::vector<SoftMotion> SoftMotions(const mjModel* model, mjData* data, const Eigen::VectorXd& free,
                                    double step) {
  mj_referenceConstraint(model, data);
  std::vector<SoftMotion> motions;
  std::vector<mjtNum> unit(static_cast<std::size_t>(data->nefc), 0.0);
  Eigen::VectorXd row(model->nv);
  for (int i = 0; i < data->nefc; ++i) {
    const int type = data->efc_type[i];
    const bool is_friction =
        type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON ||
        (type == mjCNSTR_CONTACT_ELLIPTIC && data->contact[data->efc_id[i]].efc_address != i);
    if (is_friction) continue;
    unit[static_cast<std::size_t>(i)] = 1.0;
    mj_mulJacTVec(model, data, row.data(), unit.data());
    unit[static_cast<std::size_t>(i)] = 0.0;
    const double velocity = row.dot(Eigen::Map<const Eigen::VectorXd>(data->qvel, model->nv));
    const Eigen::VectorXd column = HalfSolved(model, data, row);
    SoftMotion motion;
    motion.free = velocity + column.dot(free);
    motion.wanted = velocity + step * data->efc_aref[i];
    motion.softness = data->efc_R[i];
    motion.is_one_way = type != mjCNSTR_EQUALITY;
    for (int dof = 0; dof < model->nv; ++dof) {
      if (column[dof] != 0.0) motion.axes.push_back(dof);
    }
    motion.column = column(motion.axes);
    motions.push_back(std::move(motion));
  }
  return motions;
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
