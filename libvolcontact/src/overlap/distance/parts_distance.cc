#include "overlap/distance/parts_distance.h"

#include <algorithm>
#include <limits>

#include "overlap/cells/overlap_proof.h"
#include "overlap/distance/combined_distance.h"
#include "overlap/distance/meshes/mesh_body_distance.h"
#include "overlap/distance/meshes/mesh_distance.h"
#include "overlap/distance/ring_cells.h"
#include "overlap/distance/separation.h"
#include "overlap/frame/surface_set.h"
#include "overlap/mixed/mixed_overlap.h"
#include "solids/mesh/mesh_membership.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;
using Parts = std::vector<DistancePart>;

// Cells of a proof that solids are apart.
constexpr long kApartCells = 20'000;
// A bound within this share of the distance needs no further search.
constexpr double kNarrowShare = 0.9;

NearestPair BetweenParts(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                         double enough);

// Whether the bracket is narrow, or its lower end is good enough.
bool IsNarrow(const NearestPair& pair, double enough) {
  return pair.lower >= kNarrowShare * std::min(enough, pair.upper);
}

NearestPair InFrame(const NearestPair& pair, const Rigid& X_AP) {
  return pair.Moved(X_AP.RotationDouble(), Round(X_AP.t));
}

NearestPair Exchanged(const NearestPair& pair, const Rigid& X_QP) {
  return InFrame(pair.Swapped(), X_QP);
}

// The distance of a union and one part: the least of all, in the frame of the first.
NearestPair BetweenUnionAndPart(const Parts& A, const DistancePart& Q, const Rigid& X_AQ,
                                double enough) {
  NearestPair all;
  all.lower = std::numeric_limits<double>::infinity();
  for (const DistancePart& P : A) {
    const Rigid X_PQ = P.X_SP.Inverse() * X_AQ;
    const NearestPair one = InFrame(BetweenParts(P, Q, X_PQ, std::min(enough, all.upper)), P.X_SP);
    all.Unite(one);
    if (!(all.lower > 0.0)) return all;
  }
  return all;
}

bool IsInMesh(const MeshTree& mesh, const Vector3d& p) {
  const Aabb& bounds = mesh.bounds();
  if ((p.array() < bounds.min.array()).any() || (p.array() > bounds.max.array()).any())
    return false;
  return LocateInMesh(mesh, p) != Truth::kFalse;
}

// If meshes are apart, any point of a shell decides whether the shell lies in the other mesh.
bool IsOneInOther(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ) {
  const auto any = [](const DistancePart& outer, const DistancePart& inner, const Rigid& X_OI) {
    return std::any_of(inner.shells.begin(), inner.shells.end(), [&](const Vector3d& v) {
      return IsInMesh(*outer.mesh, Round(X_OI * ToDoubleDouble(v)));
    });
  };
  return any(P, Q, X_PQ) || any(Q, P, X_PQ.Inverse());
}

NearestPair BetweenMeshes(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                          double enough) {
  NearestPair found = MeshDistance(*P.mesh, *Q.mesh, X_PQ, enough);
  if (found.lower > 0.0 && IsOneInOther(P, Q, X_PQ)) found.lower = 0.0;
  return found;
}

// A mesh P, and a body or torus. It reaches from the point that is nearest to the surface to all
// others without crossing it.
NearestPair BetweenMeshAndBody(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                               double enough) {
  const Rigid X_QP = X_PQ.Inverse();
  NearestPair found = Q.body ? MeshBodyDistance(*P.mesh, *Q.body, X_QP, enough)
                             : MeshTorusDistance(*P.mesh, *Q.torus, X_QP, enough);
  found = InFrame(found, X_PQ);
  if (found.lower > 0.0 && IsInMesh(*P.mesh, found.y)) found.lower = 0.0;
  return found;
}

// A mesh P and any other solid, of which a part may lie in P.
NearestPair BetweenMeshAndWhole(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ) {
  NearestPair found = Exchanged(SurfaceSeparation(*Q.whole, *P.mesh, X_PQ.Inverse()), X_PQ);
  const Aabb common = Intersect(P.mesh->bounds(), Transformed(Q.whole->bounds(), X_PQ));
  if (!(found.lower > 0.0) || common.IsEmpty()) return found;
  thread_local MixedWorkspace workspace;
  const MixedOverlap overlap(P.solid, Q.solid);
  if (!overlap.AreApart(X_PQ, common, &workspace)) found.lower = 0.0;
  return found;
}

// Solids without meshes, of which one, or a part of it, may lie in the other.
NearestPair BetweenWholes(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ) {
  NearestPair found =
      CoverDistance(*P.cover, *Q.cover, X_PQ, std::numeric_limits<double>::infinity());
  if (found.IsNarrow()) return found;
  found.Improve(SeparationBound(*P.whole, *Q.whole, X_PQ));
  const Aabb common = Intersect(P.whole->bounds(), Transformed(Q.whole->bounds(), X_PQ));
  if (!(found.lower > 0.0) || found.is_apart || common.IsEmpty() || !common.IsBounded())
    return found;
  const ImplicitSolid &p = P.whole->whole(), &q = Q.whole->whole();
  SurfaceSet set;
  OverlapSurfaces(p, q, OverlapExpression(p, q), X_PQ, &set);
  const bool is_apart =
      set.expression.IsConstant()
          ? !set.expression.ConstantValue()
          : TestOverlap(set, FrameOf(common), kApartCells) == OverlapProof::kSeparated;
  if (!is_apart) found.lower = 0.0;
  return found;
}

// If P is an intersection, it is as far as the farthest of its covers. Their nearest points count
// if they belong to P, too.
NearestPair BetweenCovers(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                          double enough) {
  NearestPair best;
  for (std::size_t i = 0; i < P.covers.size(); ++i) {
    if (P.covers[i].empty()) continue;
    NearestPair one = BetweenUnionAndPart(P.covers[i], Q, X_PQ, enough);
    if (!one.HasPoints() || !P.Holds(one.x, i)) {
      one.upper = std::numeric_limits<double>::infinity();
    }
    if (one.lower > best.lower) best = one;
    if (IsNarrow(best, enough)) break;
  }
  return best;
}

NearestPair BetweenParts(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                         double enough) {
  const Rigid X_QP = X_PQ.Inverse();
  if (!P.mesh && Q.mesh) return Exchanged(BetweenParts(Q, P, X_QP, enough), X_PQ);
  if (P.mesh && Q.mesh) return BetweenMeshes(P, Q, X_PQ, enough);
  if (P.mesh && (Q.body || Q.torus)) return BetweenMeshAndBody(P, Q, X_PQ, enough);
  if (P.whole && Q.whole) return BetweenWholes(P, Q, X_PQ);
  // Covers first: they mostly decide, and at once.
  const bool divide_P = !P.covers.empty() && !P.whole;
  NearestPair found = divide_P ? BetweenCovers(P, Q, X_PQ, enough)
                               : Exchanged(BetweenCovers(Q, P, X_QP, enough), X_PQ);
  if (IsNarrow(found, enough)) return found;
  if (P.mesh && Q.whole) found.Improve(BetweenMeshAndWhole(P, Q, X_PQ));
  const auto is_combination = [](const DistancePart& part) { return !part.mesh && !part.whole; };
  if (is_combination(P) && !is_combination(Q)) found.Improve(CombinedDistance(P, Q, X_PQ, enough));
  if (is_combination(Q) && !is_combination(P)) {
    found.Improve(Exchanged(CombinedDistance(Q, P, X_QP, enough), X_PQ));
  }
  return found;
}

}  // namespace

PartsDistance::PartsDistance(const Solid& A, const Solid& B) : A_(PartsOf(A)), B_(PartsOf(B)) {}

NearestPair PartsDistance::Run(const Rigid& X_AB) const {
  NearestPair all;
  all.lower = std::numeric_limits<double>::infinity();
  for (const DistancePart& Q : B_) {
    const NearestPair one = BetweenUnionAndPart(A_, Q, X_AB * Q.X_SP, all.upper);
    all.Unite(one);
    if (!(all.lower > 0.0)) return all;
  }
  return all;
}

}  // namespace volcontact
