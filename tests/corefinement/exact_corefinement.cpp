#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/connected_components.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "corefinement/moved_surfaces.h"
#include "math/arithmetic/double_double.h"
#include "math/rigid.h"

namespace volcontact::testing {
namespace {

using ExactKernel = CGAL::Exact_predicates_exact_constructions_kernel;
using ExactSurface = CGAL::Surface_mesh<ExactKernel::Point_3>;
using ExactNumber = ExactKernel::Exact_kernel::FT;
using ExactPoint = std::array<ExactNumber, 3>;

// A point moved by the rigid motion that a pose denotes: its quaternion normalised exactly.
ExactPoint MovedExactly(const Pose& X, const Eigen::Vector3d& p) {
  const ExactNumber w = X.q[0], x = X.q[1], y = X.q[2], z = X.q[3];
  const ExactNumber n = w * w + x * x + y * y + z * z;
  const ExactNumber two(2);
  const ExactPoint v = {ExactNumber(p.x()), ExactNumber(p.y()), ExactNumber(p.z())};
  const std::array<ExactPoint, 3> R = {
      {{w * w + x * x - y * y - z * z, two * (x * y - w * z), two * (x * z + w * y)},
       {two * (x * y + w * z), w * w - x * x + y * y - z * z, two * (y * z - w * x)},
       {two * (x * z - w * y), two * (y * z + w * x), w * w - x * x - y * y + z * z}}};
  ExactPoint moved;
  for (int i = 0; i < 3; ++i) {
    moved[i] = (R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2]) / n + ExactNumber(X.t[i]);
  }
  return moved;
}

ExactSurface ToSurface(const TriangleMesh& mesh, const Pose& X) {
  ExactSurface surface;
  std::vector<ExactSurface::Vertex_index> vertices;
  for (const Eigen::Vector3d& p : mesh.vertices) {
    const ExactPoint q = MovedExactly(X, p);
    vertices.push_back(
        surface.add_vertex({ExactKernel::FT(q[0]), ExactKernel::FT(q[1]), ExactKernel::FT(q[2])}));
  }
  for (const auto& [i, j, k] : mesh.faces) {
    surface.add_face(vertices[i], vertices[j], vertices[k]);
  }
  return surface;
}

// Volume, centroid and central inertia of a closed surface, rounded once at the end.
ExactMoments MomentsOf(const ExactSurface& surface) {
  ExactNumber volume = 0;
  ExactPoint first = {0, 0, 0};
  std::array<ExactPoint, 3> second = {first, first, first};
  std::optional<ExactPoint> origin;
  for (const auto face : surface.faces()) {
    std::array<ExactPoint, 3> v;
    int corner = 0;
    for (const auto vertex : surface.vertices_around_face(surface.halfedge(face))) {
      const auto& p = surface.point(vertex);
      v[corner++] = {p.x().exact(), p.y().exact(), p.z().exact()};
    }
    if (!origin) origin = v[0];
    for (ExactPoint& p : v) {
      for (int i = 0; i < 3; ++i) p[i] -= (*origin)[i];
    }
    const ExactNumber det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                            v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                            v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    volume += det;
    for (int i = 0; i < 3; ++i) {
      const ExactNumber sum_i = v[0][i] + v[1][i] + v[2][i];
      first[i] += det * sum_i;
      for (int j = 0; j <= i; ++j) {
        const ExactNumber sum_j = v[0][j] + v[1][j] + v[2][j];
        second[i][j] +=
            det * (sum_i * sum_j + v[0][i] * v[0][j] + v[1][i] * v[1][j] + v[2][i] * v[2][j]);
      }
    }
  }
  ExactMoments moments;
  if (volume == 0) return moments;
  moments.volume = CGAL::to_double(ExactNumber(volume / 6));
  Eigen::Matrix3d central;
  ExactPoint mean;
  for (int i = 0; i < 3; ++i) {
    mean[i] = first[i] / (4 * volume);
    moments.centroid[i] = CGAL::to_double(ExactNumber(mean[i] + (*origin)[i]));
    for (int j = 0; j <= i; ++j) {
      const ExactNumber about = second[i][j] / 120 - mean[i] * mean[j] * volume / 6;
      central(i, j) = central(j, i) = CGAL::to_double(about);
    }
  }
  moments.inertia = central.trace() * Eigen::Matrix3d::Identity() - central;
  return moments;
}

// Nothing when the intersection is not a manifold.
std::optional<ExactSurface> Intersection(const TriangleMesh& A, const TriangleMesh& B,
                                         const Pose& X_AB) {
  ExactSurface a = ToSurface(A, Pose{}), b = ToSurface(B, X_AB), both;
  if (!CGAL::Polygon_mesh_processing::corefine_and_compute_intersection(a, b, both)) {
    return std::nullopt;
  }
  return both;
}

// The exact points rounded to double-doubles, summed in double-doubles: of a hundred thousand
// faces, too, it takes no time beside the intersection.
double RoundedVolumeOf(const ExactSurface& surface) {
  DoubleDouble six_fold = 0.0;
  for (const auto face : surface.faces()) {
    std::array<Vector3dd, 3> v;
    int corner = 0;
    for (const auto vertex : surface.vertices_around_face(surface.halfedge(face))) {
      const auto& p = surface.point(vertex);
      for (int i = 0; i < 3; ++i) {
        const auto x = p[i].exact();
        const double high = CGAL::to_double(x);
        v[corner][i] = {high, CGAL::to_double(std::decay_t<decltype(x)>(x - high))};
      }
      ++corner;
    }
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      six_fold += v[0][i] * (v[1][j] * v[2][k] - v[1][k] * v[2][j]);
    }
  }
  return six_fold.hi / 6.0;
}

class ExactCorefinement : public Corefinement {
 public:
  ExactCorefinement(const TriangleMesh& A, const TriangleMesh& B, const Eigen::Vector3d& t)
      : surfaces_(A, B, t) {}

  bool Run() override { return surfaces_.Intersect(); }
  double Volume() const override { return RoundedVolumeOf(surfaces_.both()); }

 private:
  MovedSurfaces<ExactKernel> surfaces_;
};

}  // namespace

std::optional<ExactMoments> CorefinedOverlap(const TriangleMesh& A, const TriangleMesh& B,
                                             const Pose& X_AB) {
  const std::optional<ExactSurface> both = Intersection(A, B, X_AB);
  if (!both) return std::nullopt;
  return MomentsOf(*both);
}

std::vector<ExactMoments> CorefinedPatches(const TriangleMesh& A, const TriangleMesh& B,
                                           const Pose& X_AB) {
  std::optional<ExactSurface> both = Intersection(A, B, X_AB);
  if (!both) return {};
  std::vector<ExactSurface> surfaces;
  CGAL::Polygon_mesh_processing::split_connected_components(*both, surfaces);
  std::vector<ExactMoments> patches;
  for (const ExactSurface& surface : surfaces) patches.push_back(MomentsOf(surface));
  std::stable_sort(
      patches.begin(), patches.end(),
      [](const ExactMoments& p, const ExactMoments& q) { return p.volume > q.volume; });
  return patches;
}

std::unique_ptr<Corefinement> MakeExactCorefinement(const TriangleMesh& A, const TriangleMesh& B,
                                                    const Eigen::Vector3d& t) {
  return std::make_unique<ExactCorefinement>(A, B, t);
}

}  // namespace volcontact::testing
