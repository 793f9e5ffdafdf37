#include "mujoco/passive_step.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <variant>

#include "mujoco/sliding_rates.h"
#include "volcontact/math/matrix6.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

// Sweeps over all patches, at most, and the change of impulses that is none.
constexpr int kMostSweeps = 400;
constexpr double kSettled = 1e-11;
// Radii of gyration at which a patch tips over its rim.
constexpr double kRim = 2.0;

// Friction over the normal force, of a velocity u along one way: −(bent + slope u), limited.
struct SlidingInStep {
  SlidingRates rates;
  Vector2d bent = Vector2d::Zero();
  double limit = 0.0;
  double twist = 0.0, turning = 0.0, most = 0.0;  // the same of spin [m], [m s], [m]
};

// A patch in its own axes: n, t1, t2, and the same of torques.
struct Row {
  StepPatch* source;
  Matrix3d axes;  // columns n, t1, t2
  Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor> columns;
  Matrix6 inverse_mass;    // where it is solved for
  Vector6 velocity, free;  // now, and at the end of the step without these contacts
  double elastic = 0.0, stiffness = 0.0, damping = 0.0;  // [N], [N/m], [N s/m]
  Matrix2d spread = Matrix2d::Zero();                    // of the foundation, about t1 and t2 [m²]
  SlidingInStep sliding;
  Vector6 impulse = Vector6::Zero();
};

SlidingInStep SlidingOf(const FrictionLaw& law, const MujocoPatch& patch, const Vector6& v,
                        const Eigen::Matrix<double, 3, 2>& across, double step) {
  SlidingInStep result;
  result.rates = RatesOf(law, step);
  result.limit = result.rates.limit;
  const double r = patch.geometry.gyration_radius;
  const double speed = v.segment<2>(1).norm(), rim = r * std::abs(v[3]);
  const double average = std::hypot(speed, rim);
  if (result.rates.turns) result.turning = r * r * result.rates.slope;
  if (const auto* p = std::get_if<BristleFriction>(&law)) {
    const FrictionState& state = patch.state.friction;
    const double half = 0.5 * step, ratio = average / p->v_stribeck;
    const double s = std::exp(-ratio * ratio);
    const double held = p->tau_dwell > 0.0 ? std::clamp(state.dwell, 0.0, 1.0) : s;
    const double mu = p->mu_c + (p->mu_s - p->mu_c) * held;
    result.bent = p->sigma0 * (across.transpose() * state.deflection_W + half * v.segment<2>(1));
    result.twist = r * r * p->sigma0 * (state.twist + half * v[3]);
    result.limit = mu * (average > 0.0 ? s + (1.0 - s) * speed / average : 1.0);
    result.most = mu * r * (average > 0.0 ? s + (1.0 - s) * rim / average : 1.0);
  } else if (const auto* q = std::get_if<PatchCoulombFriction>(&law)) {
    result.limit = q->mu * (average > 0.0 ? speed / average : 1.0);
    result.most = q->mu * r * (average > 0.0 ? rim / average : 1.0);
  }
  return result;
}

Row RowOf(StepPatch* source, double step) {
  const MujocoPatch& patch = *source->patch;
  const ContactParameters& parameters = source->track->model().parameters();
  const ContactGeometry& geometry = patch.geometry;
  Row row;
  row.source = source;
  const Vector3d& n = geometry.normal_W;
  const Vector3d t1 = n.unitOrthogonal();
  row.axes << n, t1, n.cross(t1);
  const Vector3d offset = patch.force.plate_W - geometry.point_W;
  const auto& given = source->response.columns;
  row.columns.resize(given.rows(), 6);
  for (Eigen::Index i = 0; i < given.rows(); ++i) {
    const Eigen::RowVector3d force = given.row(i).head<3>(), torque = given.row(i).tail<3>();
    row.columns.row(i).head<3>() = (force + torque.cross(offset)) * row.axes;
    row.columns(i, 0) = force * n;  // the normal force acts at the point
    row.columns.row(i).tail<3>() = torque * row.axes;
  }
  const Vector3d sliding = source->track->model().SlidingVelocity(geometry, patch.motion);
  const auto across = row.axes.rightCols<2>();
  row.velocity << patch.motion.normal_speed, across.transpose() * sliding, patch.motion.spin,
      across.transpose() * patch.motion.rolling_velocity_W;
  const NormalForce normal = source->track->NormalOf(patch);
  row.elastic = normal.elastic;
  row.damping = -normal.damping_factor * normal.elastic;
  row.stiffness = std::get<VolumetricNormal>(parameters.normal).Stiffness() * geometry.contact_area;
  if (parameters.rolling != RollingInertia::kNone && geometry.volume > 0.0) {
    const Matrix3d second =
        0.5 * geometry.inertia_W.trace() * Matrix3d::Identity() - geometry.inertia_W;
    const Matrix2d S = across.transpose() * second * across;
    row.spread = (S.trace() * Matrix2d::Identity() - S) / geometry.volume;
  }
  row.sliding = SlidingOf(parameters.friction, patch, row.velocity, across, step);
  return row;
}

double Trace(const Matrix2d& m) { return m.trace(); }

// What the impulse of a step along one way of a row changes there, over the motion that makes it,
// of all rows together: sums over the axes of joints, in which signs are left out.
class Changes {
 public:
  Changes(const std::vector<Row>& rows, int way, const std::vector<double>& strengths) : way_(way) {
    int size = 0;
    for (const Row& row : rows) {
      if (!row.source->response.dofs.empty())
        size = std::max(size, row.source->response.dofs[0] + 1);
    }
    sums_.setZero(size);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::vector<int>& dofs = rows[k].source->response.dofs;
      for (std::size_t i = 0; i < dofs.size(); ++i) {
        sums_[dofs[i]] +=
            strengths[k] * std::abs(rows[k].columns(static_cast<Eigen::Index>(i), way));
      }
    }
  }

  double Of(const Row& row) const {
    const std::vector<int>& dofs = row.source->response.dofs;
    double sum = 0.0;
    for (std::size_t i = 0; i < dofs.size(); ++i) {
      sum += std::abs(row.columns(static_cast<Eigen::Index>(i), way_)) * sums_[dofs[i]];
    }
    return sum;
  }

 private:
  int way_;
  Eigen::VectorXd sums_;
};

// Whether friction turns the sliding around in a step, where it may hold the bodies. `rubbing` is
// what it changes near rest, over the velocity.
bool RubsTooFast(const Row& row, double rubbing, double step) {
  const double load = step * row.source->patch->force.normal_W.norm();
  const double turned = load * row.sliding.limit * row.columns.middleCols<2>(1).squaredNorm();
  if (row.velocity.segment<2>(1).norm() > std::max(row.sliding.rates.slow, 2.0 * turned))
    return false;
  return rubbing > 1.0 || turned > row.sliding.rates.slow || row.sliding.rates.gains;
}

// Impulses that agree with the velocities that they make, found patch by patch.
class Solver {
 public:
  Solver(std::vector<Row>* rows, const std::vector<HeldMotion>& held, const Eigen::VectorXd& free,
         double step)
      : rows_(rows), held_(held), step_(step), given_(Eigen::VectorXd::Zero(free.size())) {
    for (const HeldMotion& motion : held) {
      held_free_.push_back(motion.velocity + motion.column.dot(free));
    }
    held_impulses_.resize(held.size(), 0.0);
  }

  void Run() {
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      double change = 0.0, greatest = 0.0;
      for (Row& row : *rows_) {
        const Vector6 before = row.impulse;
        Push(&row);
        Rub(&row);
        Rock(&row);
        change = std::max(change, (row.impulse - before).lpNorm<Eigen::Infinity>());
        greatest = std::max(greatest, row.impulse.lpNorm<Eigen::Infinity>());
      }
      for (std::size_t i = 0; i < held_.size(); ++i) change = std::max(change, Hold(i));
      if (!(change > kSettled * greatest)) return;
    }
  }

  // Velocities at the end of the step.
  Vector6 VelocityOf(const Row& row) const {
    Vector6 velocity = row.free;
    const std::vector<int>& dofs = row.source->response.dofs;
    for (std::size_t i = 0; i < dofs.size(); ++i) {
      velocity += given_[dofs[i]] * row.columns.row(static_cast<Eigen::Index>(i)).transpose();
    }
    return velocity;
  }

 private:
  double VelocityOf(const Row& row, int way) const {
    double velocity = row.free[way];
    const std::vector<int>& dofs = row.source->response.dofs;
    for (std::size_t i = 0; i < dofs.size(); ++i) {
      velocity += given_[dofs[i]] * row.columns(static_cast<Eigen::Index>(i), way);
    }
    return velocity;
  }

  void Set(Row* row, int way, double impulse) {
    const double change = impulse - row->impulse[way];
    if (change == 0.0) return;
    row->impulse[way] = impulse;
    const std::vector<int>& dofs = row->source->response.dofs;
    for (std::size_t i = 0; i < dofs.size(); ++i) {
      given_[dofs[i]] += change * row->columns(static_cast<Eigen::Index>(i), way);
    }
  }

  void Push(Row* row) {
    const double d = row->damping + step_ * row->stiffness;
    const double rest = row->impulse[0] - step_ * (row->elastic - d * VelocityOf(*row, 0));
    const double moved = 1.0 + step_ * d * row->inverse_mass(0, 0);
    Set(row, 0, std::max(row->impulse[0] - rest / moved, 0.0));
  }

  void Rub(Row* row) {
    const SlidingInStep& s = row->sliding;
    const double load = row->impulse[0];
    const double moved = 1.0 + load * s.rates.slope * row->inverse_mass.block<2, 2>(1, 1).trace();
    const Vector2d velocity(VelocityOf(*row, 1), VelocityOf(*row, 2));
    Vector2d impulse = row->impulse.segment<2>(1);
    impulse -= (impulse + load * (s.bent + s.rates.slope * velocity)) / moved;
    const double size = impulse.norm(), most = load * s.limit;
    if (size > most) impulse *= most / size;
    Set(row, 1, impulse[0]);
    Set(row, 2, impulse[1]);
    const double turned = 1.0 + load * s.turning * row->inverse_mass(3, 3);
    const double rest = row->impulse[3] + load * (s.twist + s.turning * VelocityOf(*row, 3));
    Set(row, 3, std::clamp(row->impulse[3] - rest / turned, -load * s.most, load * s.most));
  }

  void Rock(Row* row) {
    const Matrix2d mass = row->inverse_mass.block<2, 2>(4, 4);
    const double turns = step_ * step_ * row->stiffness * Trace(row->spread) * Trace(mass);
    // Where the foundation's turning is slow the law's own torques follow it.
    const double d = row->damping + (turns > 1.0 ? step_ * row->stiffness : 0.0);
    const double moved = 1.0 + step_ * d * Trace(row->spread) * Trace(mass);
    const Vector2d velocity(VelocityOf(*row, 4), VelocityOf(*row, 5));
    Vector2d impulse = row->impulse.segment<2>(4);
    impulse -= (impulse + step_ * d * row->spread * velocity) / moved;
    const double size = impulse.norm();
    const double most = row->impulse[0] * kRim * row->source->patch->geometry.gyration_radius;
    if (size > most) impulse *= most / size;
    Set(row, 4, impulse[0]);
    Set(row, 5, impulse[1]);
  }

  // Returns the change of the impulse.
  double Hold(std::size_t i) {
    const HeldMotion& motion = held_[i];
    double& impulse = held_impulses_[i];
    const double velocity = held_free_[i] + motion.column.dot(given_);
    const double moved = motion.column.squaredNorm() + motion.softness;
    if (!(moved > 0.0)) return 0.0;
    double next = impulse - (velocity + motion.softness * impulse - motion.wanted) / moved;
    if (motion.is_one_way) next = std::max(next, 0.0);
    const double change = next - impulse;
    given_ += change * motion.column;
    impulse = next;
    return std::abs(change);
  }

  std::vector<Row>* rows_;
  const std::vector<HeldMotion>& held_;
  std::vector<double> held_free_, held_impulses_;
  double step_;
  Eigen::VectorXd given_;  // to the axes of joints
};

// Powers are those of the velocities at the end, which move the bodies in the step.
void SetForce(const Row& row, const Vector6& velocity, double step) {
  ContactForce& force = row.source->patch->force;
  const Vector6 push = row.impulse / step;
  const auto across = row.axes.rightCols<2>();
  force.normal_W = push[0] * row.axes.col(0);
  force.tangential_W = across * push.segment<2>(1);
  force.spinning_W = push[3] * row.axes.col(0);
  force.rolling_W = across * push.segment<2>(4);
  force.force_W = force.normal_W + force.tangential_W;
  force.torque_W = force.rolling_W + force.spinning_W +
                   (force.plate_W - force.point_W).cross(force.tangential_W);
  ContactPowers& powers = force.powers;
  powers = {};
  powers.elastic = -row.elastic * velocity[0];
  powers.normal_damping = (row.elastic - push[0]) * velocity[0];
  powers.bristle = -push.segment<2>(1).dot(velocity.segment<2>(1));
  powers.spin = -push[3] * velocity[3];
  powers.rolling = -push.segment<2>(4).dot(velocity.segment<2>(4));
}

}  // namespace

std::vector<StepPatch*> TooFast(std::vector<StepPatch>* patches, double step) {
  std::vector<Row> rows;
  rows.reserve(patches->size());
  std::vector<double> push, rub, spin, rock;
  for (StepPatch& patch : *patches) {
    rows.push_back(RowOf(&patch, step));
    const Row& row = rows.back();
    const double d = step * (row.damping + step * row.stiffness);
    const double load = step * patch.patch->force.normal_W.norm();
    push.push_back(d);
    rub.push_back(load * row.sliding.rates.slope);
    spin.push_back(load * row.sliding.turning);
    rock.push_back(d * Trace(row.spread));
  }
  const Changes pushed(rows, 0, push), first(rows, 1, rub), second(rows, 2, rub),
      spun(rows, 3, spin), rocked(rows, 4, rock), tilted(rows, 5, rock);
  std::vector<StepPatch*> fast;
  for (const Row& row : rows) {
    const double rubbing = std::max({first.Of(row), second.Of(row), spun.Of(row)});
    if (std::max({pushed.Of(row), rocked.Of(row), tilted.Of(row)}) > 1.0 ||
        RubsTooFast(row, rubbing, step)) {
      fast.push_back(row.source);
    }
  }
  return fast;
}

void SolveForces(const std::vector<StepPatch*>& patches, const std::vector<HeldMotion>& held,
                 const Eigen::VectorXd& free, double step) {
  std::vector<Row> rows;
  for (StepPatch* const patch : patches) {
    rows.push_back(RowOf(patch, step));
    Row& row = rows.back();
    row.inverse_mass = row.columns.transpose() * row.columns;
    row.free = row.velocity;
    const std::vector<int>& dofs = patch->response.dofs;
    for (std::size_t i = 0; i < dofs.size(); ++i) {
      row.free += free[dofs[i]] * row.columns.row(static_cast<Eigen::Index>(i)).transpose();
    }
  }
  Solver solver(&rows, held, free, step);
  solver.Run();
  for (const Row& row : rows) {
    const Vector6 velocity = solver.VelocityOf(row);
    if (velocity.allFinite()) SetForce(row, velocity, step);
  }
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
