#include "overlap/distance/faces/chart_separation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "overlap/distance/faces/chart_solid.h"
#include "overlap/distance/faces/face_search.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Cells of one search; and before, of one in which mostly one of two solids needs few. Where edges
// of a solid stand out the search over the faces of the other has no end.
constexpr long kFaceCells = 3000, kFewFaceCells = 300;
// The same for a proof, where others are tried if it fails.
constexpr long kProofCells = 1000;
// Surfaces of one solid beyond which functions on charts are too many.
constexpr std::size_t kMostSurfaces = 48;
// Boxes that are looked at one by one; of more it is the box around all.
constexpr std::size_t kMostBoxes = 32;
// A point is off a solid beyond roundings of psi.
constexpr double kOffSolid = 1e-12;

bool Serves(const ImplicitSolid& solid) {
  return !solid.expression.IsConstant() && solid.surfaces.size() <= kMostSurfaces;
}

std::vector<Cell> Merged(const std::vector<Cell>& boxes) {
  if (boxes.size() <= kMostBoxes) return boxes;
  Cell all = boxes.front();
  for (const Cell& box : boxes) all = Hull(all, box);
  return {all};
}

// Whether T, which does not meet the surface of S, is known to be outside of S: a point of each of
// its connected parts is.
bool IsOutside(const ChartSolid& T, const NearestPair& found, const ChartSolid& S) {
  const auto is_outside = [&S](const Vector3d& p) {
    return !S.MayHold(S.problem.expression, p, kOffSolid);
  };
  if (!T.parts.empty()) return std::all_of(T.parts.begin(), T.parts.end(), is_outside);
  return T.is_convex && found.HasPoints() && is_outside(found.y);
}

// Faces of S, then, near what is left of these, faces of T. Goes on from what was found before.
NearestPair SearchCells(const ChartSolid& S, const ChartSolid& T, double resolution, long cells,
                        const NearestPair& before) {
  NearestPair found = before;
  FaceSearch of_S(S, T);
  of_S.Run(nullptr, resolution, cells, &found);
  found.lower = std::max(before.lower, std::min(of_S.lower_bound(), of_S.left_bound()));
  found.is_apart |= found.lower > 0.0 && IsOutside(T, found, S);
  if (found.IsNarrow() || found.upper <= resolution) return found;
  const std::vector<Cell> boxes = Merged(of_S.left());
  NearestPair back = found.Swapped();
  FaceSearch of_T(T, S);
  of_T.Run(&boxes, resolution, cells, &back);
  back.lower =
      std::max(found.lower, std::min({of_S.lower_bound(), of_T.lower_bound(), of_T.left_bound()}));
  return back.Swapped();
}

NearestPair Search(const ChartSolid& S, const ChartSolid& T, double resolution) {
  const NearestPair soon = SearchCells(S, T, resolution, kFewFaceCells, {});
  if (soon.IsNarrow() || soon.upper <= resolution) return soon;
  return SearchCells(S, T, resolution, kFaceCells, soon);
}

}  // namespace

namespace {

// Two solids in one cube.
struct SolidsInCube {
  Vector3d center;  // of the cube, in A's frame
  double size;      // half of it [m]
  ChartSolid a, b;

  bool HasTorus() const { return a.HasTorus() || b.HasTorus(); }
  bool HasFewerFacesInA() const { return a.gaps.size() <= b.gaps.size(); }
  // The one search that proves that they are apart is over the faces of A: so if the parts of B
  // are known.
  bool IsProvedOverA() const {
    const bool a_known = a.HasKnownParts(), b_known = b.HasKnownParts();
    return a_known != b_known ? b_known : HasFewerFacesInA();
  }
};

std::optional<SolidsInCube> InOneCube(const ImplicitSolid& A, const Aabb& bounds_a,
                                      const ImplicitSolid& B, const Aabb& bounds_b,
                                      const Rigid& X_AB) {
  if (!Serves(A) || !Serves(B)) return std::nullopt;
  const Aabb box_b = Transformed(bounds_b, X_AB);
  const Aabb hull = {bounds_a.min.cwiseMin(box_b.min), bounds_a.max.cwiseMax(box_b.max)};
  const double size = hull.HalfExtents().maxCoeff();
  if (!(size > 0.0)) return std::nullopt;
  LocalFrame of_a;
  of_a.X_AC.t = ToDoubleDouble(hull.Center());
  of_a.half = Vector3d::Constant(size);
  LocalFrame of_b = of_a;
  of_b.X_AC = X_AB.Inverse() * of_a.X_AC;
  SolidsInCube pair = {hull.Center(), size, ChartSolid(A, bounds_a, of_a),
                       ChartSolid(B, bounds_b, of_b)};
  return pair;
}

}  // namespace

NearestPair SeparateByCharts(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                             const Aabb& bounds_b, const Rigid& X_AB, double resolution) {
  const std::optional<SolidsInCube> pair = InOneCube(A, bounds_a, B, bounds_b, X_AB);
  if (!pair) return {};
  const double least = resolution / pair->size;
  // Other proofs take long between tori.
  const bool a_first = pair->HasTorus() ? pair->IsProvedOverA() : pair->HasFewerFacesInA();
  NearestPair found =
      a_first ? Search(pair->a, pair->b, least) : Search(pair->b, pair->a, least).Swapped();
  found.lower *= pair->size;
  found.upper *= pair->size;
  found.x = pair->center + pair->size * found.x;
  found.y = pair->center + pair->size * found.y;
  return found;
}

bool AreApartByCharts(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                      const Aabb& bounds_b, const Rigid& X_AB, double resolution) {
  const std::optional<SolidsInCube> pair = InOneCube(A, bounds_a, B, bounds_b, X_AB);
  if (!pair) return false;
  const bool a_first = pair->IsProvedOverA();
  const ChartSolid &S = a_first ? pair->a : pair->b, &T = a_first ? pair->b : pair->a;
  if (!T.HasKnownParts()) return false;
  NearestPair found;
  FaceSearch of_S(S, T);
  of_S.Run(nullptr, resolution / pair->size, kProofCells, &found, true);
  found.lower = std::min(of_S.lower_bound(), of_S.left_bound());
  return found.lower * pair->size > resolution && IsOutside(T, found, S);
}

}  // namespace volcontact
