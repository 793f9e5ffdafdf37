#include "overlap/distance/support_tree.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "overlap/cells/conjunction.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Planes a cell keeps at most; more meet only in cells that a vertex of higher order shares.
constexpr std::size_t kMaxPlanes = 4;
constexpr int kProjectionSweeps = 6, kPullSteps = 10;
// A box is no flatter than this part of its largest extent: it has to have coordinates across.
constexpr double kLeastFlatness = 1e-9;
// Two planes, and three, whose normals are closer to dependent than this say no more than fewer do.
constexpr double kDependentPair = 1e-12, kDependentTriple = 1e-9;
// A step towards a surface ends beyond it by this many widths of its bound, so that the next test
// is certain.
constexpr double kOvershoot = 4.0;

// The literals that hold wherever the expression does: itself, or the literal operands of an And.
std::vector<Expression::Node> NecessaryLiterals(const Expression& expression) {
  const auto& nodes = expression.nodes();
  std::vector<Expression::Node> result;
  const int root = expression.Root();
  if (nodes[root].kind == Expression::Kind::kLiteral) return {nodes[root]};
  if (nodes[root].kind != Expression::Kind::kAnd) return {};
  for (const int child : Expression::ChildrenOf(nodes.data(), root)) {
    if (nodes[child].kind == Expression::Kind::kLiteral) result.push_back(nodes[child]);
  }
  return result;
}

}  // namespace

SupportTree::SupportTree(const SurfaceSet& set, const Aabb& box, const Matrix3d& R,
                         const Vector3d& t)
    : R_(R),
      origin_(R * box.Center() + t),
      models_(set.surfaces.size()),
      states_(set.surfaces.size(), Truth::kUnknown) {
  LocalFrame frame;
  frame.X_AC.t = ToDoubleDouble(box.Center());
  const double size = box.HalfExtents().maxCoeff();
  frame.half = box.HalfExtents()
                   .cwiseMax(kLeastFlatness * size)
                   .cwiseMax(std::numeric_limits<double>::min());
  Localize(set, frame, &problem_);
  root_ = Grow(Cell(), problem_.expression);
}

std::optional<int> SupportTree::Grow(const Cell& cell, const Expression& expression) {
  auto reduced = std::make_shared<Expression>();
  for (const Expression::Node& node : expression.nodes()) {
    if (node.kind != Expression::Kind::kLiteral) continue;
    models_[node.value] = Quadratize(problem_.surfaces[node.value], cell);
    states_[node.value] = Classify(models_[node.value]);
  }
  expression.Reduce(states_.data(), reduced.get());
  std::fill(states_.begin(), states_.end(), Truth::kUnknown);
  if (reduced->IsConstant() || Refute(*reduced, models_.data())) return std::nullopt;
  SupportCell result;
  result.center = origin_ + R_ * cell.center.cwiseProduct(problem_.frame.half);
  result.half = cell.half.cwiseProduct(problem_.frame.half);
  result.cell = cell;
  AddPlanes(*reduced, &result);
  result.expression = std::move(reduced);
  cells_.push_back(std::move(result));
  return static_cast<int>(cells_.size()) - 1;
}

// A cell of nothing but a few literals is known by its planes, but for how far their surfaces bend;
// else where in the box something is remains to be seen.
void SupportTree::AddPlanes(const Expression& expression, SupportCell* cell) const {
  const std::vector<Expression::Node> literals = NecessaryLiterals(expression);
  bool known = expression.IsConjunction() && literals.size() <= kMaxPlanes;
  cell->bend.setZero();
  for (const Expression::Node& node : literals) {
    const QuadraticModel& m = models_[node.value];
    const double sign = node.flag ? -1.0 : 1.0;
    double rest = sign > 0.0 ? m.rest_low : -m.rest_high;
    for (int i = 0; i < 3; ++i) {
      rest += std::min(sign * m.square[i], 0.0) - std::abs(m.cross[i]);
    }
    const Vector3d gradient = sign * (R_ * m.linear.cwiseQuotient(cell->half));
    const double norm = gradient.norm();
    // A surface that curves as much as it slopes bounds nothing.
    if (!(norm * cell->half.norm() > 0.0)) known = false;
    if (!(norm * cell->half.norm() > 0.0) || cell->planes.size() >= kMaxPlanes) continue;
    cell->planes.push_back({gradient / norm, -(sign * m.value + rest) / norm});
    const Vector3d cross(std::abs(m.cross[0]) + std::abs(m.cross[1]),
                         std::abs(m.cross[0]) + std::abs(m.cross[2]),
                         std::abs(m.cross[1]) + std::abs(m.cross[2]));
    const Vector3d bend = (m.square.cwiseAbs() + 0.5 * cross + 0.5 * m.rest_slope) / norm;
    cell->bend = cell->bend.cwiseMax(bend);
  }
  if (!known) cell->bend = cell->half;
  cell->bend = cell->bend.cwiseMin(cell->half);
}

const std::vector<int>& SupportTree::Children(int index, double allowed) {
  if (cells_[index].children) return *cells_[index].children;
  std::vector<int> children;
  const Cell parent = cells_[index].cell;
  const auto expression = cells_[index].expression;
  int axis = 0;
  if (cells_[index].bend.maxCoeff(&axis) <= allowed) cells_[index].half.maxCoeff(&axis);
  for (const double side : {-0.5, 0.5}) {
    Cell half = parent;
    half.half[axis] *= 0.5;
    half.center[axis] += side * parent.half[axis];
    const auto child = Grow(half, *expression);
    if (child) children.push_back(*child);
  }
  cells_[index].children = std::move(children);
  return *cells_[index].children;
}

double SupportTree::BoxSupport(const SupportCell& cell, const Vector3d& u) const {
  return (R_.transpose() * u).cwiseAbs().dot(cell.half);
}

// Weak duality: for λ >= 0, u·d <= Σ λ_i offset_i + (u − Σ λ_i normal_i)·d, and the last term is
// bounded over the box. Good λ nearly cancel it: none, one, two or three planes.
double SupportTree::Support(int index, const Vector3d& u) const {
  const SupportCell& cell = cells_[index];
  const auto& planes = cell.planes;
  const int count = static_cast<int>(planes.size());
  double best = BoxSupport(cell, u);
  const auto attempt = [&](const Vector3d& lambda, int i, int j, int k) {
    if (!(lambda.minCoeff() >= 0.0)) return;
    Vector3d rest = u;
    double bound = 0.0;
    const int used[3] = {i, j, k};
    for (int n = 0; n < 3 && used[n] >= 0; ++n) {
      rest -= lambda[n] * planes[used[n]].normal;
      bound += lambda[n] * planes[used[n]].offset;
    }
    best = std::min(best, bound + BoxSupport(cell, rest));
  };
  for (int i = 0; i < count; ++i) {
    const Vector3d& a = planes[i].normal;
    const double ua = u.dot(a);
    attempt({ua, 0.0, 0.0}, i, -1, -1);
    for (int j = 0; j < i; ++j) {
      const Vector3d& b = planes[j].normal;
      const double ub = u.dot(b), ab = a.dot(b), determinant = 1.0 - ab * ab;
      if (determinant < kDependentPair) continue;
      attempt({(ua - ab * ub) / determinant, (ub - ab * ua) / determinant, 0.0}, i, j, -1);
      for (int k = 0; k < j; ++k) {
        Matrix3d normals;
        normals << a, b, planes[k].normal;
        const double volume = normals.determinant();
        if (std::abs(volume) > kDependentTriple) attempt(normals.inverse() * u, i, j, k);
      }
    }
  }
  return best;
}

Vector3d SupportTree::Nearest(int index, const Vector3d& p) const {
  const SupportCell& cell = cells_[index];
  Vector3d d = p - cell.center;
  for (int sweep = 0; sweep < kProjectionSweeps; ++sweep) {
    d = R_ * (R_.transpose() * d).cwiseMax(-cell.half).cwiseMin(cell.half);
    for (const SupportPlane& plane : cell.planes) {
      const double violation = plane.normal.dot(d) - plane.offset;
      if (violation > 0.0) d -= violation * plane.normal;
    }
  }
  return cell.center + d;
}

std::optional<Vector3d> SupportTree::Pull(int index, const Vector3d& p) {
  const SupportCell& cell = cells_[index];
  const Vector3d& h = problem_.frame.half;
  Vector3d y = (R_.transpose() * (p - origin_)).cwiseQuotient(h).cwiseMax(-1.0).cwiseMin(1.0);
  const std::vector<int> surfaces = problem_.expression.Surfaces();
  for (int step = 0; step < kPullSteps; ++step) {
    for (const int s : surfaces) {
      states_[s] = Classify(Quadratize(problem_.surfaces[s], {y, Vector3d::Zero()}));
    }
    const bool inside = problem_.expression.Evaluate(states_.data()) == Truth::kTrue;
    std::fill(states_.begin(), states_.end(), Truth::kUnknown);
    if (inside) return Vector3d(origin_ + R_ * y.cwiseProduct(h));
    for (const Expression::Node& node : NecessaryLiterals(*cell.expression)) {
      const LinearModel m = Linearize(problem_.surfaces[node.value], {y, Vector3d::Zero()});
      const double sign = node.flag ? -1.0 : 1.0;
      const double value = sign * m.value + kOvershoot * (m.remainder_high - m.remainder_low);
      const Vector3d gradient = sign * m.gradient.cwiseQuotient(h);
      if (value > 0.0) y -= (value / gradient.squaredNorm() * gradient).cwiseQuotient(h);
    }
    y = y.cwiseMax(-1.0).cwiseMin(1.0);
  }
  return std::nullopt;
}

}  // namespace volcontact
