#include "overlap/distance/mesh_distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

namespace volcontact {
namespace {

using Triangle = std::array<Eigen::Vector3d, 3>;

// Edges whose cross product is shorter than the square root of this, relatively, are taken for
// parallel: any point of one serves then.
constexpr double kParallelEdges = 1e-14;
// What a distance between triangles rounds: of itself, and of the coordinates.
constexpr double kDistanceRounding = 1e-12, kCoordinateRounding = 1e-14;
// What the height of a vertex rounds, relative to its coordinates.
constexpr double kHeightRounding = 1e-15;

double SquaredDistance(const Eigen::Vector3d& p, const Triangle& t) {
  const Eigen::Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double area = n.squaredNorm();
  bool inside = area > 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d e = t[(i + 1) % 3] - t[i], d = p - t[i];
    inside = inside && n.dot(e.cross(d)) >= 0.0;
    const double length = e.squaredNorm();
    const double s = length > 0.0 ? std::clamp(d.dot(e) / length, 0.0, 1.0) : 0.0;
    least = std::min(least, (d - s * e).squaredNorm());
  }
  if (inside) least = std::min(least, std::pow(n.dot(p - t[0]), 2) / area);
  return least;
}

double SquaredDistance(const Eigen::Vector3d& p0, const Eigen::Vector3d& p1,
                       const Eigen::Vector3d& q0, const Eigen::Vector3d& q1) {
  const Eigen::Vector3d d = p1 - p0, e = q1 - q0, r = p0 - q0;
  const double a = d.squaredNorm(), b = d.dot(e), c = e.squaredNorm();
  const double determinant = a * c - b * b;
  double s = determinant > kParallelEdges * a * c
                 ? std::clamp((b * e.dot(r) - c * d.dot(r)) / determinant, 0.0, 1.0)
                 : 0.0;
  const double t = c > 0.0 ? std::clamp((e.dot(r) + s * b) / c, 0.0, 1.0) : 0.0;
  s = a > 0.0 ? std::clamp((t * b - d.dot(r)) / a, 0.0, 1.0) : 0.0;
  return (r + s * d - t * e).squaredNorm();
}

// Of triangles that do not cross.
double SquaredDistance(const Triangle& a, const Triangle& b) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    least = std::min({least, SquaredDistance(a[i], b), SquaredDistance(b[i], a)});
    for (int j = 0; j < 3; ++j) {
      least = std::min(least, SquaredDistance(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
    }
  }
  return least;
}

struct Candidate {
  double bound;
  std::uint32_t a, b;
  bool operator<(const Candidate& other) const { return bound > other.bound; }
};

}  // namespace

// Best first: pairs of nodes by the gap between their boxes.
double MeshDistance(const MeshTree& A, const MeshTree& B, const Rigid& X_AB) {
  const Eigen::Matrix3d R = X_AB.RotationDouble();
  const Eigen::Vector3d t = Round(X_AB.t);
  const auto gap = [&](std::uint32_t i, std::uint32_t j) {
    const MeshNode& a = A.nodes()[i];
    const MeshNode& b = B.nodes()[j];
    const Eigen::Vector3d d = (R * b.Center() + t - a.Center()).cwiseAbs();
    return (d - a.Half() - R.cwiseAbs() * b.Half()).cwiseMax(0.0).norm();
  };
  const auto triangle = [](const MeshTree& mesh, std::uint32_t f) {
    const auto& [i, j, k] = mesh.faces()[f];
    return Triangle{mesh.vertices()[i], mesh.vertices()[j], mesh.vertices()[k]};
  };
  double best = std::numeric_limits<double>::infinity();
  std::priority_queue<Candidate> queue;
  queue.push({gap(0, 0), 0, 0});
  while (!queue.empty() && queue.top().bound < best) {
    const Candidate next = queue.top();
    queue.pop();
    const MeshNode& a = A.nodes()[next.a];
    const MeshNode& b = B.nodes()[next.b];
    if (a.IsLeaf() && b.IsLeaf()) {
      for (std::uint32_t g = b.begin; g < b.end; ++g) {
        Triangle moved = triangle(B, g);
        for (Eigen::Vector3d& p : moved) p = R * p + t;
        for (std::uint32_t f = a.begin; f < a.end; ++f) {
          best = std::min(best, std::sqrt(SquaredDistance(triangle(A, f), moved)));
        }
      }
    } else if (b.IsLeaf() || (!a.IsLeaf() && a.Half().squaredNorm() >= b.Half().squaredNorm())) {
      queue.push({gap(next.a + 1, next.b), next.a + 1, next.b});
      queue.push({gap(a.right, next.b), a.right, next.b});
    } else {
      queue.push({gap(next.a, next.b + 1), next.a, next.b + 1});
      queue.push({gap(next.a, b.right), next.a, b.right});
    }
  }
  const double size =
      std::max({A.bounds().min.cwiseAbs().maxCoeff(), A.bounds().max.cwiseAbs().maxCoeff(),
                t.cwiseAbs().maxCoeff(), B.bounds().min.cwiseAbs().maxCoeff(),
                B.bounds().max.cwiseAbs().maxCoeff()});
  return std::max(0.0, best * (1.0 - kDistanceRounding) - kCoordinateRounding * size);
}

double MeshHeight(const MeshTree& mesh, const MeshPlane& plane) {
  double least = std::numeric_limits<double>::infinity();
  const Eigen::Vector3d n = Round(plane.n);
  for (const Eigen::Vector3d& p : mesh.vertices()) least = std::min(least, n.dot(p));
  const double size =
      mesh.bounds().min.cwiseAbs().maxCoeff() + mesh.bounds().max.cwiseAbs().maxCoeff();
  return std::max(0.0, least + plane.d.hi - kHeightRounding * (size + std::abs(plane.d.hi)));
}

}  // namespace volcontact
