#include "overlap/cells/bound_region.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/conjunction.h"

namespace volcontact {
namespace {

// Cells that may be bounded in each of the six pyramids at infinity.
constexpr long kMaxCells = 6000;
// Tightening looks at cells down to this half extent of the box: at most 585 a round.
constexpr double kSmallestCell = 0.125;
constexpr int kTighteningRounds = 8;
// A round of tightening that keeps more than this part of the volume is the last.
constexpr double kWorthwhile = 0.5;
// Outward rounding of a box computed with a few operations.
constexpr double kBoxMargin = 0x1p-40;
// Halvings of a cell after which double coordinates tell its parts apart no more.
constexpr int kMaxDepth = 52;

// Depth-first search of the unit cube for cells where the expression is not certified false. Calls
// accept(cell, truth) for each cell left over; it returns whether to split the cell.
class CellSearch {
 public:
  CellSearch(const std::vector<LocalSurface>& surfaces, long max_cells)
      : surfaces_(surfaces),
        models_(surfaces.size()),
        states_(surfaces.size(), Truth::kUnknown),
        budget_(max_cells) {}

  /// False when the budget ran out, or cells became too small to tell anything.
  template <class Accept>
  bool Run(const Expression& expression, const Cell& cell, const Accept& accept, int depth = 0) {
    if (budget_-- <= 0 || depth > kMaxDepth) return false;
    Expression reduced;
    Bound(expression, cell, &reduced);
    Truth truth = Truth::kUnknown;
    if (reduced.IsConstant())
      truth = reduced.ConstantValue() ? Truth::kTrue : Truth::kFalse;
    else if (Refute(reduced, models_.data()))
      truth = Truth::kFalse;
    if (truth == Truth::kFalse || !accept(cell, truth)) return true;
    for (int k = 0; k < 8; ++k) {
      if (!Run(reduced, ChildOf(cell, k), accept, depth + 1)) return false;
    }
    return true;
  }

 private:
  void Bound(const Expression& expression, const Cell& cell, Expression* reduced) {
    for (const Expression::Node& node : expression.nodes()) {
      if (node.kind != Expression::Kind::kLiteral) continue;
      models_[node.value] = Quadratize(surfaces_[node.value], cell);
      states_[node.value] = Classify(models_[node.value]);
    }
    expression.Reduce(states_.data(), reduced);
    std::fill(states_.begin(), states_.end(), Truth::kUnknown);
  }

  const std::vector<LocalSurface>& surfaces_;
  std::vector<QuadraticModel> models_;
  std::vector<Truth> states_;
  long budget_;
};

// The set and the finite sides of the hint as one conjunction.
SurfaceSet WithHint(const SurfaceSet& set, const Aabb& hint) {
  SurfaceSet result = set;
  std::vector<Expression> parts = {set.expression};
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool upper : {false, true}) {
      const double bound = upper ? hint.max[axis] : hint.min[axis];
      if (!std::isfinite(bound)) continue;
      SurfacePolynomial plane;
      plane.degree = 1;
      plane.c[kOne] = upper ? -bound : bound;
      plane.c[kX + axis] = upper ? 1.0 : -1.0;
      parts.push_back(Expression::Below(result.Add(plane, Owner::kA)));
    }
  }
  result.expression = Expression::And(parts);
  return result;
}

// A length that the coefficients suggest: ψ's terms of degree e balance those of the top degree d
// at |x| ~ (|c_e| / |c_d|)^(1/(d−e)). Any value is sound; a good one saves cells.
double SuggestedSize(const SurfaceSet& set) {
  double size = 0.0;
  for (const SurfacePolynomial& psi : set.surfaces) {
    std::array<double, kMaxDegree + 1> largest{};
    for (int m = 0; m < psi.size(); ++m) {
      const auto& e = kMonomialExponents[m];
      double& entry = largest[e[0] + e[1] + e[2]];
      entry = std::max(entry, std::abs(psi.c[m].hi));
    }
    if (largest[psi.degree] == 0.0) continue;
    for (int e = 0; e < psi.degree; ++e) {
      size = std::max(size, std::pow(largest[e] / largest[psi.degree], 1.0 / (psi.degree - e)));
    }
  }
  return size > 0.0 && std::isfinite(size) ? size : 1.0;
}

// psi in the pyramid about the positive or negative half of an axis, times s^d: a polynomial in
// (s, a, b) where x_axis = ±L/s and the next two axes are L a/s and L b/s. Exact for L a power of
// two.
SurfacePolynomial Homogenised(const SurfacePolynomial& psi, int axis, double sign, double L) {
  SurfacePolynomial result;
  result.degree = psi.degree;
  for (int m = 0; m < psi.size(); ++m) {
    const auto& e = kMonomialExponents[m];
    const int degree = e[0] + e[1] + e[2];
    const double factor = std::pow(L, degree) * (e[axis] % 2 == 0 ? 1.0 : sign);
    result.c[MonomialIndex(psi.degree - degree, e[(axis + 1) % 3], e[(axis + 2) % 3])] =
        psi.c[m] * factor;
  }
  return result;
}

// The sign of a polynomial all of whose terms have the same sign for s > 0: it may vanish at s = 0,
// where no cell can be certified, as a paraboloid does in the direction opposite to its opening.
Truth SignOfTerms(const SurfacePolynomial& psi) {
  bool positive = false, negative = false;
  for (int m = 0; m < psi.size(); ++m) {
    if (psi.c[m] == DoubleDouble(0.0)) continue;
    const auto& e = kMonomialExponents[m];
    if (e[1] % 2 != 0 || e[2] % 2 != 0) return Truth::kUnknown;
    (psi.c[m].hi > 0.0 ? positive : negative) = true;
  }
  if (positive == negative) return Truth::kUnknown;
  return positive ? Truth::kFalse : Truth::kTrue;
}

// The problem within one pyramid over the unit cube, s = (1 + y_0)/2.
struct Pyramid {
  std::vector<LocalSurface> surfaces;
  Expression expression;
};

Pyramid AtInfinity(const SurfaceSet& set, int axis, double sign, double L) {
  Pyramid result;
  result.surfaces.resize(set.surfaces.size());
  std::vector<Truth> states(set.surfaces.size());
  for (std::size_t k = 0; k < set.surfaces.size(); ++k) {
    const SurfacePolynomial psi = Homogenised(set.surfaces[k], axis, sign, L);
    states[k] = SignOfTerms(psi);
    const SurfacePolynomial local = Substitute<DoubleDouble>(
        psi, {Vector3dd{0.5, 0.0, 0.0}, Vector3dd{0.0, 1.0, 0.0}, Vector3dd{0.0, 0.0, 1.0}},
        {0.5, 0.0, 0.0});
    LocalSurface& surface = result.surfaces[k];
    surface.psi.degree = local.degree;
    for (int m = 0; m < local.size(); ++m) {
      surface.psi.c[m] = local.c[m].hi;
      surface.rounding += 0x1p-52 * std::abs(local.c[m].hi);
    }
  }
  set.expression.Reduce(states.data(), &result.expression);
  return result;
}

// Points of the pyramid with (s, a, b) in the cell, s > 0 there.
Aabb PyramidBox(const Cell& cell, int axis, double sign, double L) {
  const double s_low = 0.5 * (1.0 + cell.center[0] - cell.half[0]);
  const double s_high = 0.5 * (1.0 + cell.center[0] + cell.half[0]);
  Aabb box;
  const double near = L / s_high, far = L / s_low;
  box.min[axis] = sign > 0.0 ? near : -far;
  box.max[axis] = sign > 0.0 ? far : -near;
  for (int k = 1; k < 3; ++k) {
    const int other = (axis + k) % 3;
    const double low = cell.center[k] - cell.half[k], high = cell.center[k] + cell.half[k];
    box.min[other] = low * (low < 0.0 ? far : near);
    box.max[other] = high * (high > 0.0 ? far : near);
  }
  return box;
}

// A box that holds the region outside [-L, L]^3 as well; false when none can be certified.
bool BoundAtInfinity(const SurfaceSet& set, double L, Aabb* box) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {1.0, -1.0}) {
      const Pyramid pyramid = AtInfinity(set, axis, sign, L);
      bool unbounded = false;
      const auto accept = [&](const Cell& cell, Truth truth) {
        if (cell.center[0] - cell.half[0] > -1.0) {
          *box = Hull(*box, PyramidBox(cell, axis, sign, L));
          return false;
        }
        unbounded |= truth == Truth::kTrue;
        return !unbounded;
      };
      CellSearch search(pyramid.surfaces, kMaxCells);
      if (!search.Run(pyramid.expression, Cell(), accept) || unbounded) return false;
    }
  }
  return true;
}

Aabb Widened(const Aabb& box) {
  const Eigen::Vector3d margin =
      kBoxMargin * (box.max - box.min).cwiseMax(box.min.cwiseAbs()).cwiseMax(box.max.cwiseAbs());
  return {box.min - margin, box.max + margin};
}

// The hull of the box's cells, on a uniform grid, where the expression is not certified false.
Aabb Tightened(const SurfaceSet& set, const Aabb& box) {
  const LocalFrame frame = FrameOf(box);
  LocalProblem problem;
  Localize(set, frame, &problem);
  Aabb hull = Aabb::Nothing();
  const auto accept = [&](const Cell& cell, Truth truth) {
    const Aabb scaled = {cell.center - cell.half, cell.center + cell.half};
    const bool inside_hull = !hull.IsEmpty() && (scaled.min.array() >= hull.min.array()).all() &&
                             (scaled.max.array() <= hull.max.array()).all();
    if (inside_hull) return false;
    if (truth == Truth::kUnknown && cell.half[0] > kSmallestCell) return true;
    hull = Hull(hull, scaled);
    return false;
  };
  CellSearch(problem.surfaces, kMaxCells).Run(set.expression, Cell(), accept);
  if (hull.IsEmpty()) return Aabb::Nothing();
  const Eigen::Vector3d center = box.Center();
  return Widened(
      {center + frame.half.cwiseProduct(hull.min), center + frame.half.cwiseProduct(hull.max)});
}

}  // namespace

std::optional<Aabb> BoundRegion(const SurfaceSet& set, const Aabb& hint) {
  if (hint.IsEmpty()) return Aabb::Nothing();
  if (hint.IsBounded()) return hint;
  if (set.expression.IsConstant()) {
    if (set.expression.ConstantValue()) return std::nullopt;
    return Aabb::Nothing();
  }
  const SurfaceSet bounded = WithHint(set, hint);
  const double L = std::exp2(std::ceil(std::log2(SuggestedSize(bounded))));
  Aabb box = {Eigen::Vector3d::Constant(-L), Eigen::Vector3d::Constant(L)};
  if (!BoundAtInfinity(bounded, L, &box)) return std::nullopt;
  box = Intersect(Widened(box), hint);
  for (int round = 0; round < kTighteningRounds && !box.IsEmpty(); ++round) {
    const double before = box.HalfExtents().prod();
    if (before == 0.0) return Aabb::Nothing();
    const Aabb tighter = Tightened(bounded, box);
    const Aabb next = Intersect(tighter, hint);
    box = next.IsEmpty() ? Aabb::Nothing() : Intersect(next, box);
    if (!box.IsEmpty() && box.HalfExtents().prod() > kWorthwhile * before) break;
  }
  return box.IsEmpty() ? Aabb::Nothing() : box;
}

}  // namespace volcontact
