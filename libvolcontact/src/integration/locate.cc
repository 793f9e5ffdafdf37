#include "integration/locate.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace volcontact {
namespace {

constexpr int kDepth = 2;       // octree levels of one step: up to 64 leaves
constexpr int kMaxSteps = 120;
// A box thinner than this part of the first one, in any direction, holds no volume worth the name:
// it is the rounding of double-double poses.
constexpr double kThinnest = 1e-26;
// The hull is inflated by this much, far more than the rounding of its own computation.
constexpr double kInflation = 1e-6;

// Axes (columns) with z along the given direction and x along the widest spread across it.
Eigen::Matrix3d AlignedAxes(const Eigen::Vector3d& z, const Eigen::Matrix3d& spread) {
  const Eigen::Vector3d u = z.unitOrthogonal(), w = z.cross(u);
  const double uu = u.dot(spread * u), uw = u.dot(spread * w), ww = w.dot(spread * w);
  const double angle = 0.5 * std::atan2(2.0 * uw, uu - ww);
  Eigen::Matrix3d axes;
  axes.col(0) = std::cos(angle) * u + std::sin(angle) * w;
  axes.col(2) = z;
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

}  // namespace

// The sign of every surface's literal, and which literals are operands of the outermost And.
void Locator::ReadLiterals(const Expression& expression) {
  const auto& nodes = expression.nodes();
  for (const Expression::Node& node : nodes) {
    if (node.kind == Expression::Kind::kLiteral) sign_[node.value] = node.flag ? -1 : 1;
  }
  const int root = static_cast<int>(nodes.size()) - 1;
  if (nodes[root].kind == Expression::Kind::kLiteral) conjunct_[nodes[root].value] = true;
  if (nodes[root].kind != Expression::Kind::kAnd) return;
  for (int child = root - 1; child >= 0;) {
    const Expression::Node& node = nodes[child];
    const bool literal = node.kind == Expression::Kind::kLiteral;
    if (literal) conjunct_[node.value] = true;
    child -= literal || node.kind == Expression::Kind::kConstant ? 1 : node.value + 1;
  }
}

// Cuts the cell down by every conjunct's linear model: where even the most favourable values of the
// other coordinates leave psi > 0, nothing of the region is lost. Returns false when nothing is left.
bool Locator::Contract(Cell* cell, const LinearModel* models, const Truth* states) const {
  const Eigen::Vector3d half = cell->half;
  Eigen::Vector3d low = -half, high = half;
  for (std::size_t s = 0; s < sign_.size(); ++s) {
    if (!conjunct_[s] || states[s] != Truth::kUnknown) continue;
    const LinearModel& model = models[s];
    const Eigen::Vector3d g = sign_[s] * model.gradient;
    const double value = sign_[s] > 0 ? model.value + model.remainder_low
                                      : -(model.value + model.remainder_high);
    const double reach = g.cwiseAbs().dot(half);
    for (int i = 0; i < 3; ++i) {
      if (g[i] == 0.0) continue;
      // value + g_i d_i − (reach of the others) <= 0
      const double others = reach - std::abs(g[i]) * half[i];
      const double bound = (others - value) / g[i];
      const double slack = kInflation * half[i] + 0x1p-50 * (others + std::abs(value)) / std::abs(g[i]);
      if (g[i] > 0.0) {
        high[i] = std::min(high[i], bound + slack);
      } else {
        low[i] = std::max(low[i], bound - slack);
      }
    }
  }
  if ((low.array() > high.array()).any()) return false;
  cell->center += 0.5 * (low + high);
  cell->half = 0.5 * (high - low);
  return true;
}

void Locator::AddSurvivor(const Cell& cell, const LinearModel* models, const Truth* states) {
  Eigen::Vector3d push = Eigen::Vector3d::Zero();
  const Eigen::Vector3d& h = problem_->frame.half;
  const double size = std::cbrt(cell.half.cwiseProduct(h).prod());
  for (std::size_t s = 0; s < sign_.size(); ++s) {
    if (states[s] != Truth::kUnknown || sign_[s] == 0) continue;
    const std::uint8_t owner = problem_->surfaces[s].owner;
    if (owner != kOwnerA && owner != kOwnerB) continue;
    const Eigen::Vector3d normal = (sign_[s] * models[s].gradient.cwiseQuotient(h)).normalized();
    push += (owner == kOwnerB ? size * size : -size * size) * normal;
  }
  survivors_.push_back({cell, push});
}

void Locator::Collect(const Cell& parent, int depth) {
  ++cells_;
  Cell cell = parent;
  const std::size_t n = sign_.size();
  const Truth* inherited = &states_[static_cast<std::size_t>(depth) * n];
  Truth* states = &states_[static_cast<std::size_t>(depth + 1) * n];
  LinearModel* models = &models_[static_cast<std::size_t>(depth) * n];
  for (std::size_t s = 0; s < n; ++s) {
    states[s] = inherited[s];
    if (states[s] != Truth::kUnknown) continue;
    models[s] = Linearize(problem_->surfaces[s], cell);
    states[s] = Classify(models[s], cell.half);
  }
  const Truth truth = problem_->expression.Evaluate(states);
  if (truth == Truth::kFalse || !Contract(&cell, models, states)) return;
  if (truth == Truth::kTrue || depth == kDepth) {
    AddSurvivor(cell, models, states);
    return;
  }
  for (int child = 0; child < 8; ++child) {
    const Eigen::Vector3d side((child & 1) ? 0.5 : -0.5, (child & 2) ? 0.5 : -0.5,
                               (child & 4) ? 0.5 : -0.5);
    Collect({cell.center + side.cwiseProduct(cell.half), 0.5 * cell.half}, depth + 1);
  }
}

// The hull of the survivors in the next frame; `shrinkage`: its volume against the present box;
// `tilt`: by how much of the box's thickness the present axes miss the new ones.
LocalFrame Locator::NextFrame(bool rotate, double* shrinkage, double* tilt) const {
  const Eigen::Vector3d& h = problem_->frame.half;
  Eigen::Vector3d push = Eigen::Vector3d::Zero(), mean = Eigen::Vector3d::Zero();
  double push_scale = 0.0, weight = 0.0;
  for (const Survivor& survivor : survivors_) {
    push += survivor.push;
    push_scale += survivor.push.norm();
    const double volume = survivor.cell.half.prod();
    mean += volume * survivor.cell.center.cwiseProduct(h);
    weight += volume;
  }
  if (weight > 0.0) mean /= weight;
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Survivor& survivor : survivors_) {
    const Eigen::Vector3d r = survivor.cell.center.cwiseProduct(h) - mean;
    spread += survivor.cell.half.prod() * r * r.transpose();
  }
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  *tilt = 0.0;
  if (rotate && push.norm() > 0.1 * push_scale && push_scale > 0.0) {
    axes = AlignedAxes(push.normalized(), spread);
  }
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector3d high = -low;
  for (const Survivor& survivor : survivors_) {
    const Eigen::Vector3d center = axes.transpose() * survivor.cell.center.cwiseProduct(h);
    const Eigen::Vector3d extent =
        axes.transpose().cwiseAbs() * survivor.cell.half.cwiseProduct(h);
    low = low.cwiseMin(center - extent);
    high = high.cwiseMax(center + extent);
  }
  LocalFrame next;
  next.half = (0.5 + kInflation) * (high - low);
  *shrinkage = next.half.prod() / h.prod();
  const Eigen::Vector3d across = axes.col(2).cwiseProduct(h);
  *tilt = (std::abs(across.x()) + std::abs(across.y())) / next.half.z();
  const Eigen::Vector3d center = axes * (0.5 * (low + high));
  next.X_AC = problem_->frame.X_AC * Rigid(MakePose(axes, center));
  return next;
}

void Locator::Prepare(const SurfaceSet& set, LocalProblem* problem) {
  problem_ = problem;
  cells_ = 0;
  const std::size_t n = set.surfaces.size();
  sign_.assign(n, 0);
  conjunct_.assign(n, 0);
  ReadLiterals(set.expression);
  states_.assign((kDepth + 2) * n, Truth::kUnknown);
  models_.resize((kDepth + 1) * n);
}

// Boxes in turn, from `start`, until they shrink no more; with `rotate` their axes follow the contact.
Locator::Result Locator::Shrink(const SurfaceSet& set, const LocalFrame& start, bool rotate,
                                double thinnest) {
  Result result;
  result.frame = start;
  int stalled = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    Localize(set, result.frame, problem_);
    survivors_.clear();
    Collect(Cell(), 0);
    if (survivors_.empty()) {
      result.empty = true;
      break;
    }
    double shrinkage, tilt;
    LocalFrame next = NextFrame(rotate, &shrinkage, &tilt);
    const bool aligned = tilt < 0.3;
    if (shrinkage > 2.0 && aligned) next = NextFrame(false, &shrinkage, &tilt);
    result.empty = next.half.minCoeff() <= thinnest;
    stalled = shrinkage > 0.7 ? stalled + 1 : 0;
    if (result.empty || stalled > (aligned ? 0 : 2)) break;
    result.frame = next;
  }
  if (!result.empty) Localize(set, result.frame, problem_);
  result.cells = cells_;
  return result;
}

Locator::Result Locator::Run(const SurfaceSet& set, const Aabb& box, LocalProblem* problem) {
  Prepare(set, problem);
  LocalFrame start;
  start.X_AC.t = ToDoubleDouble(box.Center());
  start.half = box.HalfExtents();
  if (!(start.half.minCoeff() > kThinnest * start.half.maxCoeff())) {
    Result result;
    result.empty = true;
    result.frame = start;
    return result;
  }
  return Shrink(set, start, true, kThinnest * start.half.maxCoeff());
}

Locator::Result Locator::Align(const SurfaceSet& set, const LocalFrame& frame,
                               const Eigen::Vector3d& z_C, const Eigen::Matrix3d& second_C,
                               LocalProblem* problem) {
  Prepare(set, problem);
  const Eigen::Matrix3d axes = AlignedAxes(z_C, second_C);
  LocalFrame start;
  start.X_AC = frame.X_AC * Rigid(MakePose(axes, Eigen::Vector3d::Zero()));
  start.half = (1.0 + kInflation) * (axes.transpose().cwiseAbs() * frame.half);
  return Shrink(set, start, false, 0.0);
}

}  // namespace volcontact
