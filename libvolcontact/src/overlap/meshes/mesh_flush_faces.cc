#include "overlap/meshes/mesh_flush_faces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "solids/exact/exact_number.h"
#include "solids/mesh/flush_tolerance.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Faces within the flush tolerance are on one plane if the cosine between them is more than this.
constexpr double kParallel = 0.5;
// A sheet between faces that touch is thinner than this many flush tolerances.
constexpr double kSheet = 1e3;
// A triangle clipped at the sides of another, and once more.
constexpr int kMostCorners = 7;

struct FlushPolygon {
  std::array<Vector3d, kMostCorners> corners;
  int count = 0;

  void Add(const Vector3d& p) { corners[count++] = p; }
};

// The part of a convex polygon where a linear function of its plane is not negative.
template <class Level>
FlushPolygon ClipPolygon(const FlushPolygon& polygon, const Level& level) {
  FlushPolygon result;
  for (int k = 0; k < polygon.count; ++k) {
    const Vector3d &p = polygon.corners[k], &q = polygon.corners[(k + 1) % polygon.count];
    const double at_p = level(p), at_q = level(q);
    if (at_p >= 0.0) result.Add(p);
    if ((at_p >= 0.0) != (at_q >= 0.0)) result.Add(p + at_p / (at_p - at_q) * (q - p));
  }
  return result;
}

// Its area vector, and the integral of p × n.
FlushSums SumsOf(const FlushPolygon& polygon, const Vector3d& normal) {
  FlushSums sums;
  for (int k = 2; k < polygon.count; ++k) {
    const Vector3d &p = polygon.corners[0], &q = polygon.corners[k - 1], &r = polygon.corners[k];
    const Vector3d area = 0.5 * (q - p).cross(r - p).norm() * normal;
    sums.area += area;
    sums.torque += ((p + q + r) / 3.0).cross(area);
  }
  return sums;
}

void AddTriangles(const FlushPolygon& polygon, std::vector<TouchingTriangle>* triangles) {
  for (int k = 2; k < polygon.count; ++k) {
    triangles->push_back({polygon.corners[0], polygon.corners[k - 1], polygon.corners[k]});
  }
}

MeshCorners CornersOfFace(MeshSide* side, std::uint32_t face) {
  const std::array<std::uint32_t, 3> slots = side->SlotsOf(face);
  return {&side->point(slots[0]), &side->point(slots[1]), &side->point(slots[2])};
}

using ExactPoint = std::array<Rational, 3>;

ExactPoint ExactStep(const Vector3dd& from, const Vector3dd& to) {
  ExactPoint step;
  for (int i = 0; i < 3; ++i) {
    step[i] =
        (Rational(to[i].hi) - Rational(from[i].hi)) + (Rational(to[i].lo) - Rational(from[i].lo));
  }
  return step;
}

// Six times the volume of a face and a point on its outer side, rounded once.
double ExactVolumeOver(const MeshCorners& q, const MeshPoint& p) {
  const ExactPoint u = ExactStep(q[0]->Exact(), q[1]->Exact());
  const ExactPoint v = ExactStep(q[0]->Exact(), q[2]->Exact());
  const ExactPoint w = ExactStep(q[0]->Exact(), p.Exact());
  Rational volume = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    volume += w[i] * (u[j] * v[k] - u[k] * v[j]);
  }
  return ToDouble(volume);
}

// The heights of a face's corners over the plane of another face: all are zero only if it lies
// exactly on that plane.
std::array<double, 3> HeightsOver(const MeshFacePlane& g, const MeshCorners& f) {
  std::array<double, 3> heights = {};
  for (int k = 0; k < 3; ++k) {
    double error = 0.0;
    const DoubleDouble height = OrientPrecise(g.corners[0]->Exact(), g.corners[1]->Exact(),
                                              g.corners[2]->Exact(), f[k]->Exact(), &error);
    const double volume =
        std::abs(height.hi) > error ? height.hi : ExactVolumeOver(g.corners, *f[k]);
    heights[k] = volume / g.normal.norm();
  }
  return heights;
}

// What two triangles of one plane share.
FlushPolygon Common(const MeshCorners& f, const MeshFacePlane& g) {
  FlushPolygon polygon;
  for (const MeshPoint* corner : f) polygon.Add(corner->local);
  for (int k = 0; k < 3 && polygon.count > 0; ++k) {
    const Vector3d& p = g.corners[k]->local;
    const Vector3d inward = g.normal.cross(g.corners[(k + 1) % 3]->local - p);
    polygon = ClipPolygon(polygon, [&](const Vector3d& x) { return inward.dot(x - p); });
  }
  return polygon;
}

}  // namespace

bool MayBeFlush(const MeshFacePlane& a, const MeshFacePlane& b, double scale) {
  const double off = a.normal.dot(b.corners[0]->local - a.corners[0]->local);
  const double length = a.normal.norm(), reach = std::max({scale, a.reach, b.reach});
  const double most = kFlushTolerance * reach * length;
  if (!(std::abs(off) <= most)) return false;
  const auto is_near = [&](const MeshPoint* p) {
    return std::abs(a.normal.dot(p->local - a.corners[0]->local)) <= most;
  };
  // A sliver may lie near to a plane that is across its own.
  return is_near(b.corners[1]) && is_near(b.corners[2]) &&
         std::abs(a.normal.dot(b.normal)) > kParallel * length * b.normal.norm();
}

FlushSums SumFlushFaces(std::array<MeshSide, 2>* sides, const std::vector<FacePair>& pairs,
                        double volume, std::vector<TouchingTriangle>* sheets) {
  sheets->clear();
  MeshSide &of_A = (*sides)[0], &of_B = (*sides)[1];
  const MeshPredicates predicates(std::max(of_A.rounding_scale(), of_B.rounding_scale()));
  FlushSums sums, touching;
  double touching_area = 0.0;
  for (const auto& [face_A, face_B] : pairs) {
    const MeshCorners f = CornersOfFace(&of_A, face_A);
    const MeshFacePlane g(CornersOfFace(&of_B, face_B));
    const Vector3d normal = g.normal.normalized();
    const bool is_same = MeshFacePlane(f).normal.dot(g.normal) > 0.0;
    const FlushPolygon common = Common(f, g);
    const std::array<double, 3> heights = HeightsOver(g, f);
    const bool is_exact = heights == std::array<double, 3>{};
    const int side = predicates.SideOfFace(g, *f[0]);
    // The height is linear over the face: the plane through the three gives it.
    const Vector3d u = f[1]->local - f[0]->local, v = f[2]->local - f[0]->local;
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), determinant = uu * vv - uv * uv;
    const auto height_at = [&](const Vector3d& x) {
      if (is_exact) return static_cast<double>(side);
      const double xu = u.dot(x - f[0]->local), xv = v.dot(x - f[0]->local);
      const double along_u = (vv * xu - uv * xv) / determinant;
      const double along_v = (uu * xv - uv * xu) / determinant;
      return heights[0] + along_u * (heights[1] - heights[0]) + along_v * (heights[2] - heights[0]);
    };
    const FlushSums of_A_out = SumsOf(ClipPolygon(common, height_at), normal);
    const FlushPolygon outside =
        ClipPolygon(common, [&](const Vector3d& x) { return -height_at(x); });
    const FlushSums of_B_out = SumsOf(outside, normal);
    if (is_same) {
      // B's face is in A where A's is farther out, and was counted.
      sums.area += 0.5 * (of_B_out.area - of_A_out.area);
      sums.torque += 0.5 * (of_B_out.torque - of_A_out.torque);
    } else {
      touching.area += of_B_out.area;
      touching.torque += of_B_out.torque;
      touching_area += of_B_out.area.norm();
      AddTriangles(outside, sheets);
    }
  }
  const double reach = std::max(of_A.exact_size(), of_B.exact_size());
  if (volume > kSheet * kFlushTolerance * reach * touching_area) {
    sums.area -= touching.area;
    sums.torque -= touching.torque;
  } else {
    sheets->clear();
  }
  return sums;
}

}  // namespace volcontact
