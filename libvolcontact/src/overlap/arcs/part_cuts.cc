#include "overlap/arcs/part_cuts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "math/difference_simplex.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Of the gap to the nearest other part, what is added to a part's box; and of the box itself. What
// cuts the part out of the region then keeps off it.
constexpr double kShareOfGap = 0.25, kShareOfBox = 0.5;
// Steps towards a plane between two parts, and what counts as between: of their distance.
constexpr int kMostHullSteps = 40;
constexpr double kClear = 0.5;
// An ellipsoid around a flat part may be so many times as high, and needs that much room around.
constexpr double kHigh = 10.0, kRoomAround = 1.05;
// A box that holds the unit cube with room on all sides.
constexpr double kEverywhere = 2.0;

// A plane with one component below and the other above: across the shortest difference of points of
// their convex hulls (Gilbert, Johnson & Keerthi 1988). Nothing where none was found.
std::optional<PartingPlane> PlaneBetween(const Component& below, const Component& above) {
  Vector3d shortest = above.hull.center - below.hull.center;
  DifferenceSimplex simplex;
  for (int i = 0; i < kMostHullSteps && shortest.squaredNorm() > 0.0; ++i) {
    const Vector3d low = above.Farthest(-shortest), high = below.Farthest(shortest);
    if (shortest.dot(low - high) > kClear * shortest.squaredNorm()) {
      return PartingPlane{shortest, 0.5 * shortest.dot(low + high)};
    }
    simplex.Add(low, high);
    if (simplex.HoldsOrigin()) return std::nullopt;
    shortest = simplex.NearestX() - simplex.NearestY();
  }
  return std::nullopt;
}

// An ellipsoid, as the box around it, around one component that keeps off another; flat ones may
// be high. Nothing where there is none about the middle of its box.
std::optional<Cell> EllipsoidBetween(const Component& inside, const Component& outside) {
  const Vector3d center = inside.hull.center;
  Vector3d axes = inside.hull.half;
  const double widest = axes.maxCoeff();
  for (int i = 0; i < 3; ++i) axes[i] = std::max(axes[i], std::min(kHigh * axes[i], widest));
  double most = 0.0, least = std::numeric_limits<double>::infinity();
  for (const Cell& cell : inside.cells) {
    const Vector3d reach = (cell.center - center).cwiseAbs() + cell.half;
    most = std::max(most, reach.cwiseQuotient(axes).squaredNorm());
  }
  for (const Cell& cell : outside.cells) {
    const Vector3d off = ((cell.center - center).cwiseAbs() - cell.half).cwiseMax(0.0);
    least = std::min(least, off.cwiseQuotient(axes).squaredNorm());
  }
  if (!(least > kRoomAround * most)) return std::nullopt;
  return Cell{center, std::pow(least * most, 0.25) * axes};
}

// A box a little larger, which keeps off those components that it kept off before.
Cell Widened(const Cell& box, const Component* own, const std::vector<Component>& components) {
  double gap = std::numeric_limits<double>::infinity();
  for (const Component& other : components) {
    if (&other == own) continue;
    for (const Cell& cell : other.cells) {
      const double apart = GapBetween(box, cell);
      if (apart > 0.0) gap = std::min(gap, apart);
    }
  }
  const double room = std::min(kShareOfGap * gap, kShareOfBox * box.half.maxCoeff());
  return {box.center, box.half.array() + room};
}

// How to cut a component out; or the component that cannot be separated from it.
std::variant<PartCuts, std::size_t> CutsAround(std::size_t k, bool is_fenced,
                                               const std::vector<Component>& components) {
  const Component& component = components[k];
  PartCuts cuts;
  cuts.box = Widened(component.hull, &component, components);
  cuts.reach = is_fenced ? cuts.box : Cell{Vector3d::Zero(), Vector3d::Constant(kEverywhere)};
  for (std::size_t j = 0; j < components.size(); ++j) {
    const Component& other = components[j];
    if (j == k || !other.Meets(cuts.reach)) continue;
    const Cell hole = Widened(other.hull, &other, components);
    if (const std::optional<PartingPlane> plane = PlaneBetween(component, other)) {
      cuts.planes.push_back(*plane);
    } else if (const std::optional<Cell> ellipsoid = EllipsoidBetween(other, component)) {
      cuts.ellipsoids.push_back(*ellipsoid);
    } else if (!component.Meets(hole)) {
      cuts.holes.push_back(hole);
    } else {
      return j;
    }
  }
  return cuts;
}

}  // namespace

Component::Component(std::vector<Cell> given) : cells(std::move(given)) {
  Vector3d low = Vector3d::Ones(), high = -Vector3d::Ones();
  for (const Cell& cell : cells) {
    low = low.cwiseMin(cell.center - cell.half);
    high = high.cwiseMax(cell.center + cell.half);
  }
  hull = {0.5 * (low + high), 0.5 * (high - low)};
}

bool Component::Meets(const Cell& box) const {
  return std::any_of(cells.begin(), cells.end(),
                     [&](const Cell& cell) { return GapBetween(cell, box) <= 0.0; });
}

Vector3d Component::Farthest(const Vector3d& direction) const {
  double most = -std::numeric_limits<double>::infinity();
  Vector3d result = Vector3d::Zero();
  for (const Cell& cell : cells) {
    const Vector3d corner =
        cell.center +
        direction.unaryExpr([](double d) { return d < 0.0 ? -1.0 : 1.0; }).cwiseProduct(cell.half);
    if (direction.dot(corner) <= most) continue;
    most = direction.dot(corner);
    result = corner;
  }
  return result;
}

std::vector<PartCuts> CutsAroundAll(bool is_fenced, std::vector<Component>* components) {
  std::vector<PartCuts> all;
  for (std::size_t k = 0; k < components->size();) {
    const std::variant<PartCuts, std::size_t> found = CutsAround(k, is_fenced, *components);
    if (const PartCuts* cuts = std::get_if<PartCuts>(&found)) {
      all.push_back(*cuts);
      ++k;
      continue;
    }
    const std::size_t j = std::get<std::size_t>(found);
    std::vector<Cell> cells = (*components)[k].cells;
    cells.insert(cells.end(), (*components)[j].cells.begin(), (*components)[j].cells.end());
    (*components)[k] = Component(std::move(cells));
    components->erase(components->begin() + static_cast<std::ptrdiff_t>(j));
    all.clear();
    k = 0;
  }
  return all;
}

void AddCuts(const LocalFrame& frame, const PartCuts& cuts, SurfaceSet* set,
             std::vector<Expression>* conditions) {
  for (const PartingPlane& plane : cuts.planes) {
    conditions->push_back(Expression::Below(AddPlane(frame, plane.normal, plane.offset, set)));
  }
  for (const Cell& ellipsoid : cuts.ellipsoids) {
    const LocalFrame place = FrameIn(frame.X_AC, ellipsoid.center.cwiseProduct(frame.half),
                                     Matrix3d::Identity(), frame.half);
    const SurfacePolynomial psi = EllipsoidAbout(place, ellipsoid.half.cwiseProduct(frame.half));
    conditions->push_back(Expression::Above(set->Add(psi, Owner::kNone, SurfaceKind::kElliptic)));
  }
  for (const Cell& hole : cuts.holes) {
    std::vector<Expression> outside;
    for (int i = 0; i < 3; ++i) {
      // Sides that the cut's box does not reach beyond are of no use.
      const Vector3d axis = Vector3d::Unit(i);
      const double low = hole.center[i] - hole.half[i], high = hole.center[i] + hole.half[i];
      if (high < cuts.reach.center[i] + cuts.reach.half[i]) {
        outside.push_back(Expression::Above(AddPlane(frame, axis, high, set)));
      }
      if (low > cuts.reach.center[i] - cuts.reach.half[i]) {
        outside.push_back(Expression::Below(AddPlane(frame, axis, low, set)));
      }
    }
    conditions->push_back(Expression::Or(outside));
  }
}

}  // namespace volcontact
