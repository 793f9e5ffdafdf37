#include "overlap/cells/locate.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/time_limit.h"
#include "overlap/cells/interior_point.h"
#include "overlap/frame/axes.h"

namespace volcontact {
namespace {

// Octree levels of one step of the search: up to 64 leaves; and where a box may hold little of the
// region, up to 512.
constexpr int kDepth = 2, kMiddleDepth = 3;
// Where quartics left more than this part of the first box, more cells are asked.
constexpr double kWideBox = 0.2;
constexpr int kMaxSteps = 120;
constexpr int kContractionSweeps = 2;
constexpr int kMaxSearches = 8;
// A normal is followed when it is off z by more than this part of the box's thickness across the
// box.
constexpr double kAlignedTilt = 0.3;
// A box thinner than this part of the first one, in any direction, holds no volume worth the name:
// it is the rounding of double-double poses.
constexpr double kThinnest = 1e-26;
// A step that leaves more than this part of the box's volume gains too little; after so many of
// them the search ends, at once where the axes follow the contact already.
constexpr double kStalled = 0.7;
constexpr int kMaxStalls = 2;
// A box in new axes that is larger than the present one by more than this is not taken.
constexpr double kWorseBox = 2.0;
// Pushes of the survivors that cancel down to this part of their sum tell no direction.
constexpr double kNoDirection = 0.1;
// Children with x running fastest: sums over the survivors are taken in this order.
constexpr std::array<int, 8> kXFastest = {0, 4, 2, 6, 1, 5, 3, 7};
// Relative rounding of the bound that a linear model gives: a dozen operations, and room to spare.
constexpr double kContractionSlack = 0x1p-48;
// The hull is inflated by this much, far more than the rounding of its own computation.
constexpr double kInflation = 1e-6;

// How far columns along n cross the box's thickness askew; n and −n are the same.
double Tilt(const Eigen::Vector3d& n, const Eigen::Vector3d& half) {
  return (std::abs(n.x()) * half.x() + std::abs(n.y()) * half.y()) / half.z();
}

// Whether the search for the deepest point of an overlap is exact for all surfaces.
bool IsExactFor(const SurfaceSet& set) {
  return std::all_of(set.surfaces.begin(), set.surfaces.end(),
                     [](const SurfacePolynomial& f) { return f.degree <= 2; });
}

}  // namespace

// Cuts a range of the cell down to what psi·sign <= 0 leaves of it by the surface's linear model:
// where even the most favourable values of the other coordinates leave psi positive, nothing is
// lost.
bool Locator::ContractByLiteral(const Expression::Node& literal, const CellState& state,
                                Range* range) {
  if (state.states[literal.value] != Truth::kUnknown) {
    return (state.states[literal.value] == Truth::kTrue) != literal.flag;
  }
  const LinearModel& model = state.models[literal.value];
  const Eigen::Vector3d g = literal.flag ? Eigen::Vector3d(-model.gradient) : model.gradient;
  const double value =
      literal.flag ? -(model.value + model.remainder_high) : model.value + model.remainder_low;
  Eigen::Vector3d least;  // of g_i d_i
  for (int i = 0; i < 3; ++i) least[i] = g[i] * (g[i] > 0.0 ? range->low[i] : range->high[i]);
  const double sum = least.sum();
  const double slack = kContractionSlack * (least.cwiseAbs().sum() + std::abs(value));
  for (int i = 0; i < 3; ++i) {
    if (g[i] == 0.0) continue;
    // value + g_i d_i + (least of the others) <= 0
    const double bound = -(value + sum - least[i]) / g[i];
    const double margin = slack / std::abs(g[i]) + kInflation * (range->high[i] - range->low[i]);
    if (g[i] > 0.0) {
      range->high[i] = std::min(range->high[i], bound + margin);
    } else {
      range->low[i] = std::max(range->low[i], bound - margin);
    }
  }
  return (range->low.array() <= range->high.array()).all();
}

// The same for the subtree of the expression at `root`: an And cuts by its operands in turn, each
// cut sharpening the next (two faces that close a wedge drive each other back), an Or leaves the
// hull of what its operands leave. Returns false when nothing is left.
bool Locator::ContractBy(const Expression& expression, int root, const CellState& state,
                         Range* range) {
  const auto& nodes = expression.nodes();
  const Expression::Node& node = nodes[root];
  if (node.kind == Expression::Kind::kConstant) return node.flag;
  if (node.kind == Expression::Kind::kLiteral) return ContractByLiteral(node, state, range);
  const bool is_and = node.kind == Expression::Kind::kAnd;
  const Range whole = *range;
  Range hull;
  bool any = false;
  for (int sweep = 0; sweep < (is_and ? kContractionSweeps : 1); ++sweep) {
    for (const int child : Expression::ChildrenOf(nodes.data(), root)) {
      if (is_and) {
        if (!ContractBy(expression, child, state, range)) return false;
        continue;
      }
      Range alone = whole;
      if (!ContractBy(expression, child, state, &alone)) continue;
      hull.low = any ? hull.low.cwiseMin(alone.low).eval() : alone.low;
      hull.high = any ? hull.high.cwiseMax(alone.high).eval() : alone.high;
      any = true;
    }
  }
  if (!is_and) *range = hull;
  return is_and || any;
}

bool Locator::Contract(const Expression& expression, const CellState& state, Cell* cell) {
  Range range{-cell->half, cell->half};
  if (!ContractBy(expression, expression.Root(), state, &range)) return false;
  cell->center += 0.5 * (range.low + range.high);
  cell->half = 0.5 * (range.high - range.low);
  return true;
}

void Locator::AddSurvivor(const LocalProblem& problem, const Cell& cell, const CellState& state) {
  Eigen::Vector3d push = Eigen::Vector3d::Zero();
  const Eigen::Vector3d& h = problem.frame.half;
  const double size = std::cbrt(cell.half.cwiseProduct(h).prod());
  for (std::size_t s = 0; s < sign_.size(); ++s) {
    if (state.states[s] != Truth::kUnknown || sign_[s] == 0) continue;
    const Owner owner = problem.surfaces[s].owner;
    if (owner != Owner::kA && owner != Owner::kB) continue;
    const Eigen::Vector3d normal =
        (sign_[s] * state.models[s].gradient.cwiseQuotient(h)).normalized();
    push += (owner == Owner::kB ? size * size : -size * size) * normal;
  }
  survivors_.push_back({cell, push});
}

// Adds the survivors among the cells of the octree below one of them.
void Locator::Collect(const Cell& parent, int depth, Search* search) {
  TimeLimit::Enforce();
  const LocalProblem& problem = *search->problem;
  ++search->cells;
  Cell cell = parent;
  const std::size_t n = sign_.size();
  const Truth* inherited = &states_[static_cast<std::size_t>(depth) * n];
  Truth* states = &states_[static_cast<std::size_t>(depth + 1) * n];
  LinearModel* models = &models_[static_cast<std::size_t>(depth) * n];
  for (std::size_t s = 0; s < n; ++s) {
    states[s] = inherited[s];
    if (states[s] != Truth::kUnknown) continue;
    models[s] = Linearize(problem.surfaces[s], cell);
    states[s] = Classify(models[s]);
  }
  const Truth truth = problem.expression.Evaluate(states);
  const CellState state = {models, states};
  if (truth == Truth::kFalse || !Contract(problem.expression, state, &cell)) return;
  if (truth == Truth::kTrue || depth == search->depth) {
    AddSurvivor(problem, cell, state);
    return;
  }
  for (const int child : kXFastest) Collect(ChildOf(cell, child), depth + 1, search);
}

// From the frame of the present box to the hull of its survivors in the next one.
Locator::Step Locator::NextStep(const LocalFrame& frame, Rotation rotation) const {
  const Eigen::Vector3d& h = frame.half;
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
  if (rotation == Rotation::kFree && push.norm() > kNoDirection * push_scale && push_scale > 0.0) {
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
  const Eigen::Vector3d half = (0.5 + kInflation) * (high - low);
  const Eigen::Vector3d center = axes * (0.5 * (low + high));
  return {FrameIn(frame.X_AC, center, axes, half), half.prod() / h.prod(),
          Tilt(axes.col(2), {h.x(), h.y(), half.z()})};
}

Locator::Search Locator::Begin(const SurfaceSet& set, int depth, double thinnest,
                               LocalProblem* problem) {
  const std::size_t n = set.surfaces.size();
  sign_.assign(n, 0);
  for (const Expression::Node& node : set.expression.nodes()) {
    if (node.kind == Expression::Kind::kLiteral) sign_[node.value] = node.flag ? -1 : 1;
  }
  states_.assign((depth + 2) * n, Truth::kUnknown);
  models_.resize((depth + 1) * n);
  return {set, problem, depth, thinnest};
}

// Boxes in turn, from `start`, until they shrink no more.
Locator::Result Locator::Shrink(const LocalFrame& start, Rotation rotation, Search* search) {
  Result result;
  result.frame = start;
  int stalled = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    Localize(search->set, result.frame, search->problem);
    survivors_.clear();
    Collect(Cell(), 0, search);
    if (survivors_.empty()) {
      result.empty = true;
      break;
    }
    Step next = NextStep(result.frame, rotation);
    const bool aligned = next.tilt < kAlignedTilt;
    if (next.shrinkage > kWorseBox && aligned) next = NextStep(result.frame, Rotation::kNone);
    result.empty = next.frame.half.minCoeff() <= search->thinnest;
    stalled = next.shrinkage > kStalled ? stalled + 1 : 0;
    if (result.empty || stalled > (aligned ? 0 : kMaxStalls)) break;
    result.frame = next.frame;
  }
  if (!result.empty) Localize(search->set, result.frame, search->problem);
  result.cells = search->cells;
  return result;
}

// The direction from B toward A in which the bodies touch, if a search for the deepest point of the
// overlap tells: there the outward normals of A and B are opposite. In the present frame, zero if
// there is none; `empty` when the search proves that there is no overlap.
Eigen::Vector3d Locator::SearchNormal(const LocalProblem& problem, bool* empty) {
  quadratics_.resize(problem.surfaces.size());
  for (std::size_t s = 0; s < sign_.size(); ++s) {
    if (sign_[s] != 0) quadratics_[s] = Quadratize(problem.surfaces[s], Cell());
  }
  MostPromising(problem.expression, quadratics_.data(), &conjunction_);
  Eigen::Vector3d t = Eigen::Vector3d::Zero();
  const Descent descent = FindInterior(conjunction_, quadratics_.data(), &t);
  *empty = descent == Descent::kRefuted && problem.expression.IsConjunction();
  // The surface of each body that is nearest to the point, and its outward normal.
  Eigen::Vector3d normal[2] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  double nearest[2] = {-std::numeric_limits<double>::infinity(),
                       -std::numeric_limits<double>::infinity()};
  for (const Constraint& constraint : conjunction_) {
    const LocalSurface& surface = problem.surfaces[constraint.surface];
    const LinearModel model = Linearize(surface, {t, Eigen::Vector3d::Zero()});
    const Eigen::Vector3d gradient =
        constraint.sign * model.gradient.cwiseQuotient(problem.frame.half);
    const double height = constraint.sign * model.value / gradient.norm();
    for (int body = 0; body < 2; ++body) {
      const bool belongs = body == 0 ? BelongsToA(surface.owner) : BelongsToB(surface.owner);
      if (!belongs || !(height > nearest[body])) continue;
      nearest[body] = height;
      normal[body] = gradient.normalized();
    }
  }
  const Eigen::Vector3d difference = normal[1] - normal[0];
  return difference.norm() > 1.0 ? difference.normalized() : Eigen::Vector3d::Zero().eval();
}

// Turns and shrinks boxes in turn, from one in which the problem is localized.
Locator::Result Locator::FollowContact(const LocalFrame& start, Search* search) {
  Result result;
  result.frame = start;
  Eigen::Vector3d normal = SearchNormal(*search->problem, &result.empty);
  if (result.empty) return result;
  // The search is exact for quadrics; elsewhere it needs a box that has shrunk already, and
  // sharpens as the box shrinks on.
  bool refuted = false;
  if (!IsExactFor(search->set)) {
    result = Shrink(result.frame, Rotation::kFree, search);
    if (result.empty) return result;
    normal = SearchNormal(*search->problem, &refuted);
  }
  LocalFrame smallest = result.frame;
  const auto volume_of = [](const LocalFrame& frame) { return frame.half.prod(); };
  bool is_aligned = false;
  for (int k = 0; k < kMaxSearches && normal.squaredNorm() > 0.5 && !is_aligned; ++k) {
    result = AlignAndShrink(result.frame, normal, Eigen::Matrix3d::Identity(), Rotation::kAboutZ,
                            search);
    if (result.empty) return result;
    if (volume_of(result.frame) < volume_of(smallest)) smallest = result.frame;
    normal = SearchNormal(*search->problem, &refuted);
    is_aligned = Tilt(normal, result.frame.half) < kAlignedTilt;
  }
  // Where the normal turns again and again, or is not the contact's, boxes grow.
  const bool has_grown =
      !IsExactFor(search->set) && volume_of(result.frame) > kWorseBox * volume_of(smallest);
  if (is_aligned && !has_grown) return result;
  if (has_grown) return Shrink(smallest, Rotation::kNone, search);
  return Shrink(result.frame, Rotation::kFree, search);
}

Locator::Result Locator::AlignAndShrink(const LocalFrame& frame, const Eigen::Vector3d& z_C,
                                        const Eigen::Matrix3d& second_C, Rotation rotation,
                                        Search* search) {
  const Eigen::Matrix3d axes = AlignedAxes(z_C, second_C);
  const Eigen::Vector3d half = (1.0 + kInflation) * (axes.transpose().cwiseAbs() * frame.half);
  return Shrink(FrameIn(frame.X_AC, Eigen::Vector3d::Zero(), axes, half), rotation, search);
}

Locator::Result Locator::Run(const SurfaceSet& set, const Aabb& box, LocalProblem* problem) {
  Result result;
  result.frame = FrameOf(box);
  const double thinnest = kThinnest * result.frame.half.maxCoeff();
  result.empty = !(result.frame.half.minCoeff() > thinnest);
  if (result.empty) return result;
  Search search = Begin(set, kMiddleDepth, thinnest, problem);
  search.depth = kDepth;
  Localize(set, result.frame, problem);
  const double volume = result.frame.half.prod();
  result = FollowContact(result.frame, &search);
  if (result.empty || IsExactFor(set) || result.frame.half.prod() < kWideBox * volume) {
    return result;
  }
  // Bounds of quartics in large cells may have left a box that holds little.
  search.depth = kMiddleDepth;
  const double wide = result.frame.half.prod();
  result = Shrink(result.frame, Rotation::kNone, &search);
  if (result.empty || result.frame.half.prod() > kStalled * wide) return result;
  search.depth = kDepth;
  const Result followed = FollowContact(result.frame, &search);
  if (followed.empty || followed.frame.half.prod() <= result.frame.half.prod()) return followed;
  Localize(set, result.frame, problem);
  result.cells = search.cells;
  return result;
}

Locator::Result Locator::RunDeeper(const SurfaceSet& set, const LocalFrame& frame,
                                   LocalProblem* problem) {
  Search search = Begin(set, kMiddleDepth, kThinnest * frame.half.maxCoeff(), problem);
  Result deep = Shrink(frame, Rotation::kNone, &search);
  if (deep.empty) return deep;
  search.depth = kDepth;
  return FollowContact(deep.frame, &search);
}

Locator::Result Locator::Fit(const SurfaceSet& set, const LocalFrame& frame,
                             LocalProblem* problem) {
  Search search = Begin(set, kDepth, 0.0, problem);
  return Shrink(frame, Rotation::kNone, &search);
}

Locator::Result Locator::Align(const SurfaceSet& set, const LocalFrame& frame,
                               const Eigen::Vector3d& z_C, const Eigen::Matrix3d& second_C,
                               LocalProblem* problem) {
  Search search = Begin(set, kDepth, 0.0, problem);
  return AlignAndShrink(frame, z_C, second_C, Rotation::kNone, &search);
}

}  // namespace volcontact
