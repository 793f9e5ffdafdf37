// The part of a mesh below a plane in double-double arithmetic.

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "overlap/meshes/sums/mesh_half_space.h"
#include "overlap/meshes/sums/precise_sums.h"

namespace volcontact {
namespace {

struct PreciseCorner {
  Vector3dd p;
  DoubleDouble height;
};

Vector3dd PreciseCrossing(const PreciseCorner& below, const PreciseCorner& above) {
  const DoubleDouble t = below.height / (below.height - above.height);
  Vector3dd p;
  for (int i = 0; i < 3; ++i) p[i] = below.p[i] + t * (above.p[i] - below.p[i]);
  return p;
}

// Adds the part below the plane to the sums, and to the error its rounding and that of the segment
// on the plane, which tilts the section; returns the part's area vector.
Eigen::Vector3d AddBelowPrecisely(const std::array<PreciseCorner, 3>& corners, double point_error,
                                  PreciseSums* sums, double* error) {
  const auto add = [&](const Vector3dd& p, const Vector3dd& q, const Vector3dd& r) {
    *error += ConeError(Round(p), Round(q), Round(r), point_error, kPreciseTermRounding);
    return sums->AddTriangle(p, q, r);
  };
  int below = 0;
  for (const PreciseCorner& corner : corners) below += corner.height.hi < 0.0;
  if (below == 0) return Eigen::Vector3d::Zero();
  if (below == 3) return add(corners[0].p, corners[1].p, corners[2].p);
  int lone = 0;
  while ((corners[lone].height.hi < 0.0) != (below == 1)) ++lone;
  const PreciseCorner& a = corners[lone];
  const PreciseCorner& b = corners[(lone + 1) % 3];
  const PreciseCorner& c = corners[(lone + 2) % 3];
  const Vector3dd on_ab = below == 1 ? PreciseCrossing(a, b) : PreciseCrossing(b, a);
  const Vector3dd on_ac = below == 1 ? PreciseCrossing(a, c) : PreciseCrossing(c, a);
  const Eigen::Vector3d p = Round(on_ab), q = Round(on_ac);
  *error += point_error * (p - q).norm() * (p.norm() + q.norm());
  if (below == 1) return add(a.p, on_ab, on_ac);
  return add(on_ab, b.p, c.p) + add(on_ab, c.p, on_ac);
}

}  // namespace

// About a point of the plane amid the section, whose own flux is then zero.
void MeshCutter::SumPrecisely(const MeshTree& mesh, const MeshPlane& plane, MeshCut* cut) {
  const double point_error = 0x1p-96 * SizeOf(mesh, plane);
  PreciseSums sums;
  areas_.Clear();
  axes_.setIdentity();
  const auto add_faces_of = [&](std::uint32_t node, bool is_cut) {
    for (std::uint32_t f = mesh.nodes()[node].begin; f < mesh.nodes()[node].end; ++f) {
      std::array<PreciseCorner, 3> corners;
      double farthest = 0.0;
      for (int i = 0; i < 3; ++i) {
        const Vector3dd p_M = ToDoubleDouble(mesh.vertices()[mesh.faces()[f][i]]);
        corners[i] = {Minus(p_M, cut->origin), plane.HeightOf(p_M)};
        farthest = std::max(farthest, std::abs(corners[i].height.hi));
      }
      if (is_cut && farthest <= on_plane_ && TakeFlush(mesh, f, plane, farthest, cut)) continue;
      areas_.Add(AddBelowPrecisely(corners, point_error, &sums, &cut->error));
    }
  };
  for (const std::uint32_t i : cut_) add_faces_of(i, true);
  for (const std::uint32_t i : below_) add_faces_of(i, false);
  const SurfaceSums surface = sums.Rounded();
  SetMoments(surface, surface.flux_0 / 3.0, &cut->moments);
  // The planes' error, and the rounding of the volume.
  cut->error += point_error * surface.area.norm() + 0x1p-50 * std::max(0.0, cut->moments.volume);
  Finish(-surface.area, -surface.torque, cut);
}

}  // namespace volcontact
