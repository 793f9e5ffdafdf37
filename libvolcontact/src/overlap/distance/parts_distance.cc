#include "overlap/distance/parts_distance.h"

#include <algorithm>
#include <limits>

#include "overlap/distance/mesh_body_distance.h"
#include "overlap/distance/mesh_distance.h"
#include "overlap/distance/ring_cells.h"
#include "overlap/distance/separation.h"
#include "solids/mesh/mesh_membership.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;
using Parts = std::vector<DistancePart>;
using Result = PartsDistance::Result;

// A bound that is as near to the distance needs no other.
constexpr double kToldShare = 0.9;

Result BetweenParts(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ, double enough);

Result InFrame(const Result& result, const Rigid& X_AP) {
  return {result.pair.Moved(X_AP.RotationDouble(), Round(X_AP.t)), result.is_of_surfaces};
}

Result Exchanged(const Result& result, const Rigid& X_QP) {
  return InFrame({result.pair.Swapped(), result.is_of_surfaces}, X_QP);
}

// Of a union and one part: the least of all, in the frame of the first.
Result BetweenUnionAndPart(const Parts& A, const DistancePart& Q, const Rigid& X_AQ,
                           double enough) {
  Result all;
  all.pair.lower = std::numeric_limits<double>::infinity();
  for (const DistancePart& P : A) {
    const Rigid X_PQ = P.X_SP.Inverse() * X_AQ;
    const Result one = InFrame(BetweenParts(P, Q, X_PQ, std::min(enough, all.pair.upper)), P.X_SP);
    all.is_of_surfaces |= one.is_of_surfaces;
    all.pair.Unite(one.pair);
    if (!(all.pair.lower > 0.0)) return all;
  }
  return all;
}

bool IsInMesh(const MeshTree& mesh, const Vector3d& p) {
  const Aabb& bounds = mesh.bounds();
  if ((p.array() < bounds.min.array()).any() || (p.array() > bounds.max.array()).any())
    return false;
  return LocateInMesh(mesh, p) != Truth::kFalse;
}

// Of meshes apart from each other each shell lies in the other mesh or out of it as any point of
// it.
bool IsOneInOther(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ) {
  const auto any = [](const DistancePart& outer, const DistancePart& inner, const Rigid& X_OI) {
    return std::any_of(inner.shells.begin(), inner.shells.end(), [&](const Vector3d& v) {
      return IsInMesh(*outer.mesh, Round(X_OI * ToDoubleDouble(v)));
    });
  };
  return any(P, Q, X_PQ) || any(Q, P, X_PQ.Inverse());
}

Result BetweenMeshes(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                     double enough) {
  Result result = {MeshDistance(*P.mesh, *Q.mesh, X_PQ, enough)};
  if (result.pair.lower > 0.0 && IsOneInOther(P, Q, X_PQ)) result.pair.lower = 0.0;
  return result;
}

// A mesh P, and a body or torus. It reaches from the point that is nearest to the surface to all
// others without crossing it.
Result BetweenMeshAndBody(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                          double enough) {
  const Rigid X_QP = X_PQ.Inverse();
  const NearestPair found = Q.body ? MeshBodyDistance(*P.mesh, *Q.body, X_QP, enough)
                                   : MeshTorusDistance(*P.mesh, *Q.torus, X_QP);
  Result result = InFrame({found}, X_PQ);
  if (found.lower > 0.0 && IsInMesh(*P.mesh, result.pair.y)) result.pair.lower = 0.0;
  return result;
}

// A mesh P and any other solid.
Result BetweenMeshAndWhole(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ) {
  const Rigid X_QP = X_PQ.Inverse();
  Result result = Exchanged({SurfaceSeparation(*Q.whole, *P.mesh, X_QP)}, X_PQ);
  const Aabb common = Intersect(Q.whole->bounds(), Transformed(P.mesh->bounds(), X_QP));
  result.is_of_surfaces = !common.IsEmpty();
  return result;
}

// Of a P that is the intersection of others: as far as the farthest of these; their nearest points
// where they belong to P, too.
Result BetweenCovers(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                     double enough) {
  Result best;
  for (std::size_t i = 0; i < P.covers.size(); ++i) {
    Result one = BetweenUnionAndPart(P.covers[i], Q, X_PQ, enough);
    const NearestPair found = one.pair;
    const bool is_point = found.HasPoints() && P.Holds(found.x, i);
    if (!is_point) one.pair.upper = std::numeric_limits<double>::infinity();
    if (one.is_of_surfaces || !(found.lower > best.pair.lower)) continue;
    best = one;
  }
  return best;
}

Result BetweenParts(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                    double enough) {
  if (!P.mesh && Q.mesh) {
    const Rigid X_QP = X_PQ.Inverse();
    return Exchanged(BetweenParts(Q, P, X_QP, enough), X_PQ);
  }
  if (P.mesh && Q.mesh) return BetweenMeshes(P, Q, X_PQ, enough);
  if (P.mesh && (Q.body || Q.torus)) return BetweenMeshAndBody(P, Q, X_PQ, enough);
  if (P.whole && Q.whole) {
    const Aabb common = Intersect(P.whole->bounds(), Transformed(Q.whole->bounds(), X_PQ));
    return {SeparationBound(*P.whole, *Q.whole, X_PQ), !common.IsEmpty()};
  }
  // Covers first: they mostly tell, and at once.
  const bool divide_P = !P.covers.empty() && !P.whole;
  const Rigid X_QP = X_PQ.Inverse();
  const Result by_covers = divide_P ? BetweenCovers(P, Q, X_PQ, enough)
                                    : Exchanged(BetweenCovers(Q, P, X_QP, enough), X_PQ);
  const bool is_told = by_covers.pair.lower >= kToldShare * std::min(enough, by_covers.pair.upper);
  if (is_told || !P.mesh || !Q.whole) return by_covers;
  Result by_cells = BetweenMeshAndWhole(P, Q, X_PQ);
  if (by_cells.pair.lower <= by_covers.pair.lower) {
    by_cells.pair.lower = by_covers.pair.lower;
    by_cells.is_of_surfaces = false;
  }
  return by_cells;
}

}  // namespace

PartsDistance::PartsDistance(const Solid& A, const Solid& B) : A_(PartsOf(A)), B_(PartsOf(B)) {}

PartsDistance::Result PartsDistance::Run(const Rigid& X_AB) const {
  Result all;
  all.pair.lower = std::numeric_limits<double>::infinity();
  for (const DistancePart& Q : B_) {
    const Result one = BetweenUnionAndPart(A_, Q, X_AB * Q.X_SP, all.pair.upper);
    all.is_of_surfaces |= one.is_of_surfaces;
    all.pair.Unite(one.pair);
    if (!(all.pair.lower > 0.0)) return all;
  }
  return all;
}

}  // namespace volcontact
