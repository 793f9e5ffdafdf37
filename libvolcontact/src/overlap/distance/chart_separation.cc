#include "overlap/distance/chart_separation.h"

#include <algorithm>
#include <utility>

#include "overlap/distance/chart_solid.h"
#include "overlap/distance/face_search.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Cells of one search.
constexpr long kFaceCells = 3000;
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

// Faces of S, then, near what is left of these, faces of T.
NearestPair Search(const ChartSolid& S, const ChartSolid& T, double resolution) {
  NearestPair found;
  FaceSearch of_S(S, T);
  of_S.Run(nullptr, resolution, kFaceCells, &found);
  found.lower = std::min(of_S.lower_bound(), of_S.left_bound());
  // No point of T is on the surface of S, and one, hence all of T, is outside.
  found.is_apart = found.lower > 0.0 && T.is_one_piece && found.HasPoints() &&
                   !S.MayHold(S.problem.expression, found.y, kOffSolid);
  if (found.IsNarrow() || found.upper <= resolution) return found;
  const std::vector<Cell> boxes = Merged(of_S.left());
  NearestPair back = found.Swapped();
  FaceSearch of_T(T, S);
  of_T.Run(&boxes, resolution, kFaceCells, &back);
  back.lower =
      std::max(found.lower, std::min({of_S.lower_bound(), of_T.lower_bound(), of_T.left_bound()}));
  return back.Swapped();
}

}  // namespace

NearestPair SeparateByCharts(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                             const Aabb& bounds_b, const Rigid& X_AB, double resolution) {
  if (!Serves(A) || !Serves(B)) return {};
  const Aabb box_b = Transformed(bounds_b, X_AB);
  const Aabb hull = {bounds_a.min.cwiseMin(box_b.min), bounds_a.max.cwiseMax(box_b.max)};
  const double size = hull.HalfExtents().maxCoeff();
  if (!(size > 0.0)) return {};
  LocalFrame of_a;
  of_a.X_AC.t = ToDoubleDouble(hull.Center());
  of_a.half = Vector3d::Constant(size);
  LocalFrame of_b = of_a;
  of_b.X_AC = X_AB.Inverse() * of_a.X_AC;
  const ChartSolid a(A, bounds_a, of_a), b(B, bounds_b, of_b);
  // One search over the other's faces proves that a connected solid is apart.
  const bool has_torus = a.HasTorus() || b.HasTorus();
  bool a_first = a.gaps.size() <= b.gaps.size();
  if (has_torus && a.is_one_piece != b.is_one_piece) a_first = b.is_one_piece;
  NearestPair found =
      a_first ? Search(a, b, resolution / size) : Search(b, a, resolution / size).Swapped();
  found.lower *= size;
  found.upper *= size;
  found.x = hull.Center() + size * found.x;
  found.y = hull.Center() + size * found.y;
  return found;
}

}  // namespace volcontact
