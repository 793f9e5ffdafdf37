#include "overlap/distance/separation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "overlap/distance/faces/chart_separation.h"
#include "overlap/distance/inflation.h"
#include "overlap/distance/meshes/mesh_cells.h"
#include "overlap/distance/pair_search.h"
#include "overlap/distance/support_tree.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A gap of this part of the size is none.
constexpr double kNoGap = 1e-12;
// Pairs of cells looked at before other ways are tried, and at most.
constexpr long kFewPairs = 1500, kMostPairs = 30'000;
// Coordinates and directions are rounded to double: a few ulps of the largest coordinate.
constexpr double kMargin = 0x1p-46;
// The domain of an unbounded solid grows by this factor up to this multiple of the other's size.
constexpr double kDomainGrowth = 16.0, kDomainLimit = 1e7;
// A solid of no size counts as one of this.
constexpr double kLeastSize = 1e-300;

double Largest(const Aabb& box) {
  return std::max(box.min.cwiseAbs().maxCoeff(), box.max.cwiseAbs().maxCoeff());
}

Aabb Widened(const Aabb& box, double margin) {
  const Vector3d reach = Vector3d::Constant(margin);
  return {box.min - reach, box.max + reach};
}

bool Holds(const Aabb& outer, const Aabb& inner) {
  return (outer.min.array() <= inner.min.array()).all() &&
         (outer.max.array() >= inner.max.array()).all();
}

double LargestHalf(const Aabb& box) { return box.HalfExtents().maxCoeff(); }

// Within roundings of coordinates as large as `scale`.
NearestPair Shrunk(NearestPair pair, double scale) {
  pair.lower = std::max(0.0, pair.lower - kMargin * scale);
  return pair;
}

double ScaleOf(const Aabb& bounds_a, const Aabb& bounds_b, const Rigid& X_AB) {
  return Largest(bounds_a) + Largest(bounds_b) + Largest(Transformed(bounds_b, X_AB));
}

// By pairs of cells, first few, then many; if they do not decide, by prove(upper bound).
template <class Search, class Prove>
NearestPair SearchAndProve(Search* search, double no_gap, const Prove& prove) {
  NearestPair found;
  for (const long pairs : {kFewPairs, kMostPairs}) {
    const NearestPair seen = search->Run(pairs);
    found.Improve(seen);
    if (found.IsNarrow() || found.upper <= no_gap) break;
    if (!found.HasPoints()) continue;
    found.lower = std::max(found.lower, prove(found.upper));
    if (found.IsNarrow()) break;
  }
  return found;
}

// Both boxes finite; `size` is the length beside which gaps are none. Charts mostly decide.
NearestPair BoundedSeparation(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                              const Aabb& bounds_b, const Rigid& X_AB, double size) {
  const double scale = ScaleOf(bounds_a, bounds_b, X_AB);
  NearestPair found = SeparateByCharts(A, bounds_a, B, bounds_b, X_AB, kNoGap * size);
  if (found.IsNarrow() || found.upper <= kNoGap * size) return Shrunk(found, scale);
  SupportTree a(SingleSolid(A), bounds_a, Eigen::Matrix3d::Identity(), Vector3d::Zero());
  SupportTree b(SingleSolid(B), bounds_b, X_AB.RotationDouble(), Round(X_AB.t));
  PairSearch search(&a, &b, kNoGap * size);
  const NearestPair others = SearchAndProve(&search, kNoGap * size, [&](double most) {
    return ProvenDistance(most, A, bounds_a, B, bounds_b, X_AB);
  });
  found.Improve(others);
  return Shrunk(found, scale);
}

NearestPair BoundedSeparation(const ImplicitSolid& A, const Aabb& bounds_a, const MeshTree& mesh,
                              const Rigid& X_AM, double size) {
  SupportTree a(SingleSolid(A), bounds_a, Eigen::Matrix3d::Identity(), Vector3d::Zero());
  MeshCells b(mesh, X_AM);
  const Aabb& bounds = mesh.bounds();
  const double scale = Largest(bounds_a) + Largest(bounds) + Largest(Transformed(bounds, X_AM));
  PairSearch search(&a, &b, kNoGap * size);
  const NearestPair found = SearchAndProve(&search, kNoGap * size, [&](double most) {
    return ProvenDistance(most, A, bounds_a, mesh, X_AM);
  });
  return Shrunk(found, scale);
}

// The distance between a set A within bounds_a, possibly unbounded or large, and a set in a box in
// A's frame. search(domain) looks at A within larger and larger domains: A's points outside a
// domain are no nearer than its margin.
template <class Search>
NearestPair SeparationByDomains(const Aabb& bounds_a, const Aabb& box, double margin,
                                const Search& search) {
  const double limit = kDomainLimit * margin;
  NearestPair result;
  for (; margin <= limit; margin *= kDomainGrowth) {
    const Aabb domain = Intersect(bounds_a, Widened(box, margin));
    NearestPair inside;
    inside.lower = kInfinity;
    if (!domain.IsEmpty()) inside = search(domain);
    if (Holds(domain, bounds_a)) return inside;
    result = inside;
    result.lower = std::min(inside.lower, (1.0 - kMargin) * margin);
    if (inside.lower <= margin) return result;
  }
  return result;
}

// The half-spaces of a solid's own frame that contain it: literals of degree one that must hold.
std::vector<SupportPlane> PlaneFaces(const ImplicitSolid& solid) {
  std::vector<SupportPlane> result;
  const auto& nodes = solid.expression.nodes();
  if (!solid.expression.IsConjunction()) return result;
  for (const Expression::Node& node : nodes) {
    if (node.kind != Expression::Kind::kLiteral) continue;
    const SurfacePolynomial& psi = solid.surfaces[node.value];
    if (psi.degree != 1) continue;
    const double sign = node.flag ? -1.0 : 1.0;
    const Vector3d gradient(psi.c[kX].hi, psi.c[kY].hi, psi.c[kZ].hi);
    const double norm = gradient.norm();
    if (norm > 0.0) result.push_back({sign * gradient / norm, -sign * psi.c[kOne].hi / norm});
  }
  return result;
}

// Both unbounded: the widest gap between two half-spaces that face each other.
double UnboundedSeparation(const ImplicitSolid& A, const ImplicitSolid& B, const Rigid& X_AB) {
  double gap = 0.0;
  const Eigen::Matrix3d R = X_AB.RotationDouble();
  const Vector3d t = Round(X_AB.t);
  for (const SupportPlane& a : PlaneFaces(A)) {
    for (const SupportPlane& b : PlaneFaces(B)) {
      const Vector3d normal = R * b.normal;
      // Planes that are not exactly parallel meet somewhere; to double-double is exact enough.
      DoubleDouble cross = 0.0;
      for (int i = 0; i < 3; ++i) {
        DoubleDouble turned = 0.0;
        for (int j = 0; j < 3; ++j) turned += X_AB.R[i][j] * b.normal[j];
        cross += Abs(turned + DoubleDouble(a.normal[i]));
      }
      if (cross.hi > 0.0) continue;
      const double offset = b.offset + normal.dot(t);
      const double margin = kMargin * (std::abs(a.offset) + std::abs(b.offset) + t.norm());
      gap = std::max(gap, -offset - a.offset - margin);
    }
  }
  return gap;
}

}  // namespace

NearestPair SeparationBound(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                            const Aabb& bounds_b, const Rigid& X_AB) {
  NearestPair result;
  result.lower = kInfinity;
  if (bounds_a.IsEmpty() || bounds_b.IsEmpty()) return result;
  if (bounds_a.IsBounded() && bounds_b.IsBounded()) {
    const double size = std::max(LargestHalf(bounds_a), LargestHalf(bounds_b));
    return BoundedSeparation(A, bounds_a, B, bounds_b, X_AB, size);
  }
  if (bounds_b.IsBounded()) {
    const double size = std::max(LargestHalf(bounds_b), kLeastSize);
    return SeparationByDomains(
        bounds_a, Transformed(bounds_b, X_AB), 2.0 * size,
        [&](const Aabb& domain) { return BoundedSeparation(A, domain, B, bounds_b, X_AB, size); });
  }
  if (bounds_a.IsBounded()) {
    return SeparationBound(B, bounds_b, A, bounds_a, X_AB.Inverse())
        .Swapped()
        .Moved(X_AB.RotationDouble(), Round(X_AB.t));
  }
  result.lower = UnboundedSeparation(A, B, X_AB);
  return result;
}

NearestPair SeparationBound(const IndexedSolid& A, const IndexedSolid& B, const Rigid& X_AB) {
  const Aabb &bounds_a = A.bounds(), &bounds_b = B.bounds();
  const bool bounded = bounds_a.IsBounded() && bounds_b.IsBounded();
  if (!bounded || !(A.IsIndexed() || B.IsIndexed())) {
    return SeparationBound(A.whole(), bounds_a, B.whole(), bounds_b, X_AB);
  }
  const double size = std::max(LargestHalf(bounds_a), LargestHalf(bounds_b));
  const Rigid X_BA = X_AB.Inverse();
  const Aabb box_b = Transformed(bounds_b, X_AB);
  IndexedSolid::Part part_a, part_b;
  double margin = std::min(LargestHalf(bounds_a), LargestHalf(bounds_b));
  if (!(margin > 0.0)) margin = size;
  // What lies farther from the other solid's box than the margin is no nearer than that.
  while (true) {
    const Aabb near_a = Intersect(bounds_a, Widened(box_b, margin));
    const Aabb near_b = Intersect(bounds_b, Widened(Transformed(near_a, X_BA), margin));
    NearestPair inside;
    inside.lower = kInfinity;
    if (!near_a.IsEmpty() && !near_b.IsEmpty()) {
      A.Fetch(near_a, std::numeric_limits<int>::max(), &part_a);
      B.Fetch(near_b, std::numeric_limits<int>::max(), &part_b);
      inside = BoundedSeparation(*part_a.solid, near_a, *part_b.solid, near_b, X_AB, size);
    }
    if (Holds(near_a, bounds_a) && Holds(near_b, bounds_b)) return inside;
    if (inside.lower <= margin) return inside;
    margin *= kDomainGrowth;
  }
}

bool AreProvenApart(const IndexedSolid& A, const IndexedSolid& B, const Rigid& X_AB) {
  const Aabb &bounds_a = A.bounds(), &bounds_b = B.bounds();
  if (A.IsIndexed() || B.IsIndexed() || !bounds_a.IsBounded() || !bounds_b.IsBounded())
    return false;
  if (bounds_a.IsEmpty() || bounds_b.IsEmpty()) return true;
  const double size = std::max(LargestHalf(bounds_a), LargestHalf(bounds_b));
  const double least = std::max(kNoGap * size, kMargin * ScaleOf(bounds_a, bounds_b, X_AB));
  return AreApartByCharts(A.whole(), bounds_a, B.whole(), bounds_b, X_AB, least);
}

NearestPair SurfaceSeparation(const IndexedSolid& A, const MeshTree& mesh, const Rigid& X_AM) {
  if (A.bounds().IsEmpty()) {
    NearestPair nothing;
    nothing.lower = kInfinity;
    return nothing;
  }
  const double size = std::max(LargestHalf(mesh.bounds()), kLeastSize);
  IndexedSolid::Part part;
  return SeparationByDomains(A.bounds(), Transformed(mesh.bounds(), X_AM), 2.0 * size,
                             [&](const Aabb& domain) {
                               A.Fetch(domain, std::numeric_limits<int>::max(), &part);
                               return BoundedSeparation(*part.solid, domain, mesh, X_AM, size);
                             });
}

}  // namespace volcontact
