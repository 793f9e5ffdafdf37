#include "mujoco/passive/passive_step.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <variant>

#include "mujoco/passive/sliding_rates.h"
#include "volcontact/math/matrix6.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

// A patch in its own axes: n, t1, t2, and the same of torques.
struct Row {
  const StepPatch* source;
  Matrix3d axes;  // columns n, t1, t2
  Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor> columns;
  Vector6 velocity;                       // now
  double stiffness = 0.0, damping = 0.0;  // [N/m], [N s/m]
  Matrix2d spread = Matrix2d::Zero();     // of the foundation, about t1 and t2 [m²]
  SlidingRates rates;
  double limit = 0.0;    // of friction over the normal force
  double turning = 0.0;  // of spin what the slope is of sliding [m s]
};

// What friction over the normal force is limited to at these velocities.
double LimitOf(const FrictionLaw& law, const MujocoPatch& patch, const Vector6& v,
               const SlidingRates& rates) {
  const double speed = v.segment<2>(1).norm();
  const double average = std::hypot(speed, patch.geometry.gyration_radius * std::abs(v[3]));
  const double share = average > 0.0 ? speed / average : 1.0;
  if (const auto* p = std::get_if<BristleFriction>(&law)) {
    const double ratio = average / p->v_stribeck, s = std::exp(-ratio * ratio);
    const double held = p->tau_dwell > 0.0 ? std::clamp(patch.state.friction.dwell, 0.0, 1.0) : s;
    return (p->mu_c + (p->mu_s - p->mu_c) * held) * (s + (1.0 - s) * share);
  }
  if (const auto* q = std::get_if<PatchCoulombFriction>(&law)) return q->mu * share;
  return rates.limit;
}

Row RowOf(const StepPatch* source, double step) {
  const MujocoPatch& patch = *source->patch;
  const ContactParameters& parameters = source->model->parameters();
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
  const Vector3d sliding = source->model->SlidingVelocity(geometry, patch.motion);
  const auto across = row.axes.rightCols<2>();
  row.velocity << patch.motion.normal_speed, across.transpose() * sliding, patch.motion.spin,
      across.transpose() * patch.motion.rolling_velocity_W;
  const NormalForce normal = source->track->NormalOf(patch);
  row.damping = -normal.damping_factor * normal.elastic;
  row.stiffness = std::get<VolumetricNormal>(parameters.normal).Stiffness() * geometry.contact_area;
  if (parameters.rolling != RollingInertia::kNone && geometry.volume > 0.0) {
    const Matrix3d second =
        0.5 * geometry.inertia_W.trace() * Matrix3d::Identity() - geometry.inertia_W;
    const Matrix2d S = across.transpose() * second * across;
    row.spread = (S.trace() * Matrix2d::Identity() - S) / geometry.volume;
  }
  row.rates = RatesOf(parameters.friction, step);
  row.limit = LimitOf(parameters.friction, patch, row.velocity, row.rates);
  const double r = geometry.gyration_radius;
  if (row.rates.turns) row.turning = r * r * row.rates.slope;
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
      if (!row.source->response.axes.empty())
        size = std::max(size, row.source->response.axes[0] + 1);
    }
    sums_.setZero(size);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::vector<int>& dofs = rows[k].source->response.axes;
      for (std::size_t i = 0; i < dofs.size(); ++i) {
        sums_[dofs[i]] +=
            strengths[k] * std::abs(rows[k].columns(static_cast<Eigen::Index>(i), way));
      }
    }
  }

  double Of(const Row& row) const {
    const std::vector<int>& dofs = row.source->response.axes;
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
  const double turned = load * row.limit * row.columns.middleCols<2>(1).squaredNorm();
  if (row.velocity.segment<2>(1).norm() > std::max(row.rates.slow, 2.0 * turned)) return false;
  return rubbing > 1.0 || turned > row.rates.slow || row.rates.gains;
}

}  // namespace

bool AreTooFast(const std::vector<StepPatch>& patches, double step) {
  std::vector<Row> rows;
  rows.reserve(patches.size());
  std::vector<double> push, rub, spin, rock;
  for (const StepPatch& patch : patches) {
    rows.push_back(RowOf(&patch, step));
    const Row& row = rows.back();
    const double d = step * (row.damping + step * row.stiffness);
    const double load = step * patch.patch->force.normal_W.norm();
    // The other patches only add to this.
    if (d * row.columns.col(0).squaredNorm() > 1.0 || RubsTooFast(row, 0.0, step)) return true;
    push.push_back(d);
    rub.push_back(load * row.rates.slope);
    spin.push_back(load * row.turning);
    rock.push_back(d * Trace(row.spread));
  }
  const Changes pushed(rows, 0, push), first(rows, 1, rub), second(rows, 2, rub),
      spun(rows, 3, spin), rocked(rows, 4, rock), tilted(rows, 5, rock);
  return std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
    const double rubbing = std::max({first.Of(row), second.Of(row), spun.Of(row)});
    return std::max({pushed.Of(row), rocked.Of(row), tilted.Of(row)}) > 1.0 ||
           RubsTooFast(row, rubbing, step);
  });
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
