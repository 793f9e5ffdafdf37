#include "overlap/cells/locate.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "overlap/cells/interior_point.h"

namespace volcontact {
namespace {

constexpr int kMaxSteps = 120;
constexpr int kContractionSweeps = 2;
constexpr int kMaxSearches = 8;
// A normal is followed when it is off z by more than this part of the box's thickness across the
// box.
constexpr double kAlignedTilt = 0.3;
// A box thinner than this part of the first one, in any direction, holds no volume worth the name:
// it is the rounding of double-double poses.
constexpr double kThinnest = 1e-26;
// The hull is inflated by this much, far more than the rounding of its own computation.
constexpr double kInflation = 1e-6;

// How far columns along n cross the box's thickness askew; n and −n are the same.
double Tilt(const Eigen::Vector3d& n, const Eigen::Vector3d& half) {
  return (std::abs(n.x()) * half.x() + std::abs(n.y()) * half.y()) / half.z();
}

}  // namespace

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

// Cuts a part of the cell down to what psi·sign <= 0 leaves of it by the surface's linear model:
// where even the most favourable values of the other coordinates leave psi positive, nothing is
// lost.
bool Locator::ContractByLiteral(const Expression::Node& literal, Part* part) const {
  if (states_now_[literal.value] != Truth::kUnknown) {
    return (states_now_[literal.value] == Truth::kTrue) != literal.flag;
  }
  const LinearModel& model = models_now_[literal.value];
  const Eigen::Vector3d g = literal.flag ? Eigen::Vector3d(-model.gradient) : model.gradient;
  const double value =
      literal.flag ? -(model.value + model.remainder_high) : model.value + model.remainder_low;
  Eigen::Vector3d least;  // of g_i d_i
  for (int i = 0; i < 3; ++i) least[i] = g[i] * (g[i] > 0.0 ? part->low[i] : part->high[i]);
  const double sum = least.sum();
  const double slack = 0x1p-48 * (least.cwiseAbs().sum() + std::abs(value));
  for (int i = 0; i < 3; ++i) {
    if (g[i] == 0.0) continue;
    // value + g_i d_i + (least of the others) <= 0
    const double bound = -(value + sum - least[i]) / g[i];
    const double margin = slack / std::abs(g[i]) + kInflation * (part->high[i] - part->low[i]);
    if (g[i] > 0.0) {
      part->high[i] = std::min(part->high[i], bound + margin);
    } else {
      part->low[i] = std::max(part->low[i], bound - margin);
    }
  }
  return (part->low.array() <= part->high.array()).all();
}

// The same for the subtree of the expression at `root`: an And cuts by its operands in turn, each
// cut sharpening the next (two faces that close a wedge drive each other back), an Or leaves the
// hull of what its operands leave. Returns false when nothing is left.
bool Locator::ContractBy(int root, Part* part) const {
  const auto& nodes = problem_->expression.nodes();
  const Expression::Node& node = nodes[root];
  if (node.kind == Expression::Kind::kConstant) return node.flag;
  if (node.kind == Expression::Kind::kLiteral) return ContractByLiteral(node, part);
  const bool is_and = node.kind == Expression::Kind::kAnd;
  const Part whole = *part;
  Part hull;
  bool any = false;
  for (int sweep = 0; sweep < (is_and ? kContractionSweeps : 1); ++sweep) {
    for (const int child : Expression::ChildrenOf(nodes.data(), root)) {
      if (is_and) {
        if (!ContractBy(child, part)) return false;
        continue;
      }
      Part alone = whole;
      if (!ContractBy(child, &alone)) continue;
      hull.low = any ? hull.low.cwiseMin(alone.low).eval() : alone.low;
      hull.high = any ? hull.high.cwiseMax(alone.high).eval() : alone.high;
      any = true;
    }
  }
  if (!is_and) *part = hull;
  return is_and || any;
}

bool Locator::Contract(Cell* cell) const {
  Part part{-cell->half, cell->half};
  if (!ContractBy(problem_->expression.Root(), &part)) return false;
  cell->center += 0.5 * (part.low + part.high);
  cell->half = 0.5 * (part.high - part.low);
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
  states_now_ = states;
  models_now_ = models;
  if (truth == Truth::kFalse || !Contract(&cell)) return;
  if (truth == Truth::kTrue || depth == depth_) {
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
LocalFrame Locator::NextFrame(Rotation rotation, double* shrinkage, double* tilt) const {
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
  if (rotation == Rotation::kAboutZ) axes = AlignedAxes(Eigen::Vector3d::UnitZ(), spread);
  if (rotation == Rotation::kFree && push.norm() > 0.1 * push_scale && push_scale > 0.0) {
    axes = AlignedAxes(push.normalized(), spread);
  }
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector3d high = -low;
  for (const Survivor& survivor : survivors_) {
    const Eigen::Vector3d center = axes.transpose() * survivor.cell.center.cwiseProduct(h);
    const Eigen::Vector3d extent = axes.transpose().cwiseAbs() * survivor.cell.half.cwiseProduct(h);
    low = low.cwiseMin(center - extent);
    high = high.cwiseMax(center + extent);
  }
  LocalFrame next;
  next.half = (0.5 + kInflation) * (high - low);
  *shrinkage = next.half.prod() / h.prod();
  *tilt = Tilt(axes.col(2), {h.x(), h.y(), next.half.z()});
  const Eigen::Vector3d center = axes * (0.5 * (low + high));
  next.X_AC = problem_->frame.X_AC * Rigid(MakePose(axes, center));
  return next;
}

void Locator::Prepare(const SurfaceSet& set, int depth, LocalProblem* problem) {
  problem_ = problem;
  depth_ = depth;
  cells_ = 0;
  const std::size_t n = set.surfaces.size();
  sign_.assign(n, 0);
  for (const Expression::Node& node : set.expression.nodes()) {
    if (node.kind == Expression::Kind::kLiteral) sign_[node.value] = node.flag ? -1 : 1;
  }
  states_.assign((depth + 2) * n, Truth::kUnknown);
  models_.resize((depth + 1) * n);
}

// Boxes in turn, from `start`, until they shrink no more.
Locator::Result Locator::Shrink(const SurfaceSet& set, const LocalFrame& start, Rotation rotation,
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
    LocalFrame next = NextFrame(rotation, &shrinkage, &tilt);
    const bool aligned = tilt < kAlignedTilt;
    if (shrinkage > 2.0 && aligned) next = NextFrame(Rotation::kNone, &shrinkage, &tilt);
    result.empty = next.half.minCoeff() <= thinnest;
    stalled = shrinkage > 0.7 ? stalled + 1 : 0;
    if (result.empty || stalled > (aligned ? 0 : 2)) break;
    result.frame = next;
  }
  if (!result.empty) Localize(set, result.frame, problem_);
  result.cells = cells_;
  return result;
}

// The direction from B toward A in which the bodies touch, if a search for the deepest point of the
// overlap tells: there the outward normals of A and B are opposite. In the present frame, zero if
// there is none; `empty` when the search proves that there is no overlap.
Eigen::Vector3d Locator::SearchNormal(bool* empty) {
  quadratics_.resize(problem_->surfaces.size());
  for (std::size_t s = 0; s < sign_.size(); ++s) {
    if (sign_[s] != 0) quadratics_[s] = Quadratize(problem_->surfaces[s], Cell());
  }
  MostPromising(problem_->expression, quadratics_.data(), &conjunction_);
  Eigen::Vector3d t = Eigen::Vector3d::Zero();
  const Descent descent = FindInterior(conjunction_, quadratics_.data(), &t);
  *empty = descent == Descent::kRefuted && problem_->expression.IsConjunction();
  // The surface of each body that is nearest to the point, and its outward normal.
  Eigen::Vector3d normal[2] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  double nearest[2] = {-std::numeric_limits<double>::infinity(),
                       -std::numeric_limits<double>::infinity()};
  for (const Constraint& constraint : conjunction_) {
    const LocalSurface& surface = problem_->surfaces[constraint.surface];
    const LinearModel model = Linearize(surface, {t, Eigen::Vector3d::Zero()});
    const Eigen::Vector3d gradient =
        constraint.sign * model.gradient.cwiseQuotient(problem_->frame.half);
    const double height = constraint.sign * model.value / gradient.norm();
    for (int body = 0; body < 2; ++body) {
      if ((surface.owner & (body == 0 ? kOwnerA : kOwnerB)) == 0 || !(height > nearest[body]))
        continue;
      nearest[body] = height;
      normal[body] = gradient.normalized();
    }
  }
  const Eigen::Vector3d difference = normal[1] - normal[0];
  return difference.norm() > 1.0 ? difference.normalized() : Eigen::Vector3d::Zero().eval();
}

// Turns and shrinks boxes in turn, from one in which the problem is localized.
Locator::Result Locator::FollowContact(const SurfaceSet& set, const LocalFrame& start,
                                       double thinnest) {
  Result result;
  result.frame = start;
  Eigen::Vector3d normal = SearchNormal(&result.empty);
  if (result.empty) return result;
  // The search is exact for quadrics; elsewhere it needs a box that has shrunk already, and
  // sharpens as the box shrinks on.
  const bool exact = std::all_of(set.surfaces.begin(), set.surfaces.end(),
                                 [](const SurfacePolynomial& f) { return f.degree <= 2; });
  if (!exact) {
    result = Shrink(set, result.frame, Rotation::kFree, thinnest);
    if (result.empty) return result;
    bool refuted = false;
    normal = SearchNormal(&refuted);
  }
  for (int search = 0; search < kMaxSearches && normal.squaredNorm() > 0.5; ++search) {
    result = Align(set, result.frame, normal, Eigen::Matrix3d::Identity(), problem_,
                   Rotation::kAboutZ, thinnest);
    if (result.empty) return result;
    bool refuted = false;
    normal = SearchNormal(&refuted);
    if (Tilt(normal, result.frame.half) < kAlignedTilt) return result;
  }
  return Shrink(set, result.frame, Rotation::kFree, thinnest);
}

Locator::Result Locator::Run(const SurfaceSet& set, const Aabb& box, LocalProblem* problem) {
  Prepare(set, kDepth, problem);
  Result result;
  LocalFrame& start = result.frame;
  start.X_AC.t = ToDoubleDouble(box.Center());
  start.half = box.HalfExtents();
  const double thinnest = kThinnest * start.half.maxCoeff();
  result.empty = !(start.half.minCoeff() > thinnest);
  if (result.empty) return result;
  Localize(set, start, problem_);
  return FollowContact(set, start, thinnest);
}

Locator::Result Locator::RunDeeper(const SurfaceSet& set, const LocalFrame& frame,
                                   LocalProblem* problem) {
  const double thinnest = kThinnest * frame.half.maxCoeff();
  Prepare(set, kGreatDepth, problem);
  const Result deep = Shrink(set, frame, Rotation::kNone, thinnest);
  if (deep.empty) return deep;
  depth_ = kDepth;
  return FollowContact(set, deep.frame, thinnest);
}

Locator::Result Locator::Fit(const SurfaceSet& set, const LocalFrame& frame,
                             LocalProblem* problem) {
  Prepare(set, kDepth, problem);
  return Shrink(set, frame, Rotation::kNone, 0.0);
}

Locator::Result Locator::Align(const SurfaceSet& set, const LocalFrame& frame,
                               const Eigen::Vector3d& z_C, const Eigen::Matrix3d& second_C,
                               LocalProblem* problem) {
  Prepare(set, kDepth, problem);
  return Align(set, frame, z_C, second_C, problem, Rotation::kNone, 0.0);
}

Locator::Result Locator::Align(const SurfaceSet& set, const LocalFrame& frame,
                               const Eigen::Vector3d& z_C, const Eigen::Matrix3d& second_C,
                               LocalProblem* problem, Rotation rotation, double thinnest) {
  problem_ = problem;
  const Eigen::Matrix3d axes = AlignedAxes(z_C, second_C);
  LocalFrame start;
  start.X_AC = frame.X_AC * Rigid(MakePose(axes, Eigen::Vector3d::Zero()));
  start.half = (1.0 + kInflation) * (axes.transpose().cwiseAbs() * frame.half);
  return Shrink(set, start, rotation, thinnest);
}

}  // namespace volcontact
