#include "overlap/query/region_parts.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "overlap/arcs/components.h"
#include "overlap/cells/near_box.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Parts of parts of parts, and so on.
constexpr int kDeepest = 6;
// Of the gap to the nearest other part, what is added to a part's box; and of the box itself. What
// cuts the part out of the region then keeps off it.
constexpr double kShareOfGap = 0.25, kShareOfBox = 0.5;
// Cells of a level in which gaps are looked for.
constexpr std::size_t kMostCells = 2000;
// Steps towards a plane between two parts, and what counts as between: of their distance.
constexpr int kMostSteps = 40;
constexpr double kClear = 0.5;
// An ellipsoid around a flat part may be so many times as high, and needs that much room around.
constexpr double kHigh = 10.0, kRoomAround = 1.05;
// Curvature, relative to the greatest, that is rounding.
constexpr double kFlat = 1e-12;

bool IsConvex(const LocalSurface& surface, bool above) {
  if (surface.psi.degree < 2) return true;
  if (surface.psi.degree > 2) return false;
  const Matrix3d hessian = (above ? -1.0 : 1.0) * Hessian(surface.psi);
  const Vector3d curvature =
      Eigen::SelfAdjointEigenSolver<Matrix3d>(hessian, Eigen::EigenvaluesOnly).eigenvalues();
  return curvature.minCoeff() >= -kFlat * curvature.maxCoeff();
}

// Whether the region in the cube is the intersection of convex ones, and so of one part.
bool IsConvex(const LocalProblem& problem) {
  if (!problem.expression.IsConjunction()) return false;
  const std::vector<Expression::Node>& nodes = problem.expression.nodes();
  return std::all_of(nodes.begin(), nodes.end(), [&](const Expression::Node& node) {
    return node.kind != Expression::Kind::kLiteral ||
           IsConvex(problem.surfaces[static_cast<std::size_t>(node.value)], node.flag);
  });
}

// Cells of the region that hang together, and a box around them.
struct Component {
  explicit Component(std::vector<Cell> given) : cells(std::move(given)) {
    Vector3d low = Vector3d::Ones(), high = -Vector3d::Ones();
    for (const Cell& cell : cells) {
      low = low.cwiseMin(cell.center - cell.half);
      high = high.cwiseMax(cell.center + cell.half);
    }
    hull = {0.5 * (low + high), 0.5 * (high - low)};
  }

  bool Meets(const Cell& box) const {
    return std::any_of(cells.begin(), cells.end(),
                       [&](const Cell& cell) { return GapBetween(cell, box) <= 0.0; });
  }
  // The point that lies farthest along a direction.
  Vector3d Farthest(const Vector3d& direction) const {
    double most = -std::numeric_limits<double>::infinity();
    Vector3d result = Vector3d::Zero();
    for (const Cell& cell : cells) {
      const Vector3d corner =
          cell.center + direction.unaryExpr([](double d) { return d < 0.0 ? -1.0 : 1.0; })
                            .cwiseProduct(cell.half);
      if (direction.dot(corner) <= most) continue;
      most = direction.dot(corner);
      result = corner;
    }
    return result;
  }

  std::vector<Cell> cells;
  Cell hull;
};

struct PartingPlane {
  Vector3d normal;
  double offset;
};

// The point nearest the origin of the convex hull of at most four points, of which those that do
// not carry it are dropped.
Vector3d NearestOfHull(std::vector<Vector3d>* points) {
  const int count = static_cast<int>(points->size());
  Vector3d nearest = Vector3d::Constant(std::numeric_limits<double>::max());
  std::vector<Vector3d> carrying, subset;
  for (int chosen = 1; chosen < 1 << count; ++chosen) {
    subset.clear();
    for (int i = 0; i < count; ++i) {
      if ((chosen >> i & 1) != 0) subset.push_back((*points)[i]);
    }
    const Vector3d& base = subset.back();
    const int edges = static_cast<int>(subset.size()) - 1;
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> E(3, edges);
    for (int i = 0; i < edges; ++i) E.col(i) = subset[i] - base;
    Vector3d point = base;
    if (edges > 0) {
      const Eigen::VectorXd shares = -E.colPivHouseholderQr().solve(base);
      if (!(shares.minCoeff() >= 0.0 && shares.sum() <= 1.0)) continue;
      point += E * shares;
    }
    if (!(point.squaredNorm() < nearest.squaredNorm())) continue;
    nearest = point;
    carrying = subset;
  }
  *points = carrying;
  return nearest;
}

// A plane with one component below and the other above: across the shortest difference of points of
// their convex hulls (Gilbert, Johnson & Keerthi 1988). Nothing where none was found.
std::optional<PartingPlane> PlaneBetween(const Component& below, const Component& above) {
  Vector3d shortest = above.hull.center - below.hull.center;
  std::vector<Vector3d> simplex;
  for (int i = 0; i < kMostSteps && shortest.squaredNorm() > 0.0; ++i) {
    const Vector3d low = above.Farthest(-shortest), high = below.Farthest(shortest);
    if (shortest.dot(low - high) > kClear * shortest.squaredNorm()) {
      return PartingPlane{shortest, 0.5 * shortest.dot(low + high)};
    }
    if (simplex.size() == 4) return std::nullopt;  // the origin lies inside of it
    simplex.push_back(low - high);
    shortest = NearestOfHull(&simplex);
  }
  return std::nullopt;
}

// What takes the others of several components away from one.
struct Cuts {
  Cell box;  // around the component: what lies outside of it is none of it
  std::vector<PartingPlane> planes;
  std::vector<Cell> ellipsoids, holes;  // around others; boxes where ellipsoids do not do
};

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

// How to cut a component out; or the one that it cannot be told apart from.
std::variant<Cuts, std::size_t> CutsAround(std::size_t k,
                                           const std::vector<Component>& components) {
  const Component& component = components[k];
  Cuts cuts;
  cuts.box = Widened(component.hull, &component, components);
  for (std::size_t j = 0; j < components.size(); ++j) {
    const Component& other = components[j];
    if (j == k || !other.Meets(cuts.box)) continue;
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

// The cuts around all components; those that cannot be told apart are made one.
std::vector<Cuts> CutsAroundAll(std::vector<Component>* components) {
  std::vector<Cuts> all;
  for (std::size_t k = 0; k < components->size();) {
    const std::variant<Cuts, std::size_t> found = CutsAround(k, *components);
    if (const Cuts* cuts = std::get_if<Cuts>(&found)) {
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

// The region within the cuts, given in a frame's scaled coordinates.
SurfaceSet CutOut(const SurfaceSet& set, const LocalFrame& frame, const Cuts& cuts,
                  const LocalFrame& around) {
  SurfaceSet near;
  TakeNearBox(set, around, &near);
  SurfaceSet part = CutTo(around, std::move(near));
  std::vector<Expression> operands = {part.expression};
  for (const PartingPlane& plane : cuts.planes) {
    operands.push_back(Expression::Below(AddPlane(frame, plane.normal, plane.offset, &part)));
  }
  for (const Cell& ellipsoid : cuts.ellipsoids) {
    const LocalFrame place = FrameIn(frame.X_AC, ellipsoid.center.cwiseProduct(frame.half),
                                     Matrix3d::Identity(), frame.half);
    const SurfacePolynomial psi = EllipsoidAbout(place, ellipsoid.half.cwiseProduct(frame.half));
    operands.push_back(Expression::Above(part.Add(psi, Owner::kNone, SurfaceKind::kElliptic)));
  }
  for (const Cell& hole : cuts.holes) {
    std::vector<Expression> outside;
    for (int i = 0; i < 3; ++i) {
      // Sides that the cut's box does not reach beyond are of no use.
      const Vector3d axis = Vector3d::Unit(i);
      const double low = hole.center[i] - hole.half[i], high = hole.center[i] + hole.half[i];
      if (high < cuts.box.center[i] + cuts.box.half[i]) {
        outside.push_back(Expression::Above(AddPlane(frame, axis, high, &part)));
      }
      if (low > cuts.box.center[i] - cuts.box.half[i]) {
        outside.push_back(Expression::Below(AddPlane(frame, axis, low, &part)));
      }
    }
    operands.push_back(Expression::Or(outside));
  }
  part.expression = Expression::And(operands);
  return part;
}

void Split(const SurfaceSet& set, const Aabb& box, int nesting, Workspace* workspace,
           std::vector<RegionPart>* parts) {
  const Locator::Result located = workspace->locator.Run(set, box, &workspace->problem);
  if (located.empty) return;
  const LocalFrame frame = located.frame;
  const auto take_whole = [&] { parts->push_back({set, Intersect(box, BoxAround(frame))}); };
  SimplifyInBox(&workspace->problem);
  if (nesting == kDeepest || IsConvex(workspace->problem)) return take_whole();
  std::vector<Component> components;
  for (std::vector<Cell>& cells : FindComponents(workspace->problem, kMostCells)) {
    components.emplace_back(std::move(cells));
  }
  const std::vector<Cuts> all = CutsAroundAll(&components);
  if (all.size() == 1) return take_whole();
  for (const Cuts& cuts : all) {
    const LocalFrame around = FrameIn(frame.X_AC, cuts.box.center.cwiseProduct(frame.half),
                                      Matrix3d::Identity(), cuts.box.half.cwiseProduct(frame.half));
    Split(CutOut(set, frame, cuts, around), BoxAround(around), nesting + 1, workspace, parts);
  }
}

}  // namespace

std::vector<RegionPart> FindParts(const SurfaceSet& set, const Aabb& box, Workspace* workspace) {
  std::vector<RegionPart> parts;
  if (!box.IsEmpty()) Split(set, box, 0, workspace, &parts);
  return parts;
}

}  // namespace volcontact
