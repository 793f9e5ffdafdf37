#include "overlap/distance/meshes/mesh_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

#include "math/time_limit.h"
#include "overlap/distance/meshes/triangle_distance.h"

namespace volcontact {
namespace {

using Triangle = std::array<Eigen::Vector3d, 3>;

// What a distance between triangles rounds: of itself, and of the coordinates.
constexpr double kDistanceRounding = 1e-12, kCoordinateRounding = 1e-14;
// What the height of a vertex rounds, relative to its coordinates.
constexpr double kHeightRounding = 1e-15;

struct Candidate {
  double bound;
  std::uint32_t a, b;
  bool operator<(const Candidate& other) const { return bound > other.bound; }
};

}  // namespace

// Best first: pairs of nodes by the gap between their boxes.
NearestPair MeshDistance(const MeshTree& A, const MeshTree& B, const Rigid& X_AB, double enough) {
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
  NearestPair best;
  std::priority_queue<Candidate> queue;
  queue.push({gap(0, 0), 0, 0});
  while (!queue.empty() && queue.top().bound < std::min(enough, best.upper) &&
         !TimeLimit::IsOver()) {
    const Candidate next = queue.top();
    queue.pop();
    const MeshNode& a = A.nodes()[next.a];
    const MeshNode& b = B.nodes()[next.b];
    if (a.IsLeaf() && b.IsLeaf()) {
      for (std::uint32_t g = b.begin; g < b.end; ++g) {
        Triangle moved = triangle(B, g);
        for (Eigen::Vector3d& p : moved) p = R * p + t;
        for (std::uint32_t f = a.begin; f < a.end; ++f) {
          const NearestPair pair = TriangleDistance(triangle(A, f), moved);
          if (pair.upper < best.upper) best = pair;
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
  const double unseen = queue.empty() ? best.upper : std::min(best.upper, queue.top().bound);
  best.lower = std::max(0.0, unseen * (1.0 - kDistanceRounding) - kCoordinateRounding * size);
  return best;
}

NearestPair MeshHeight(const MeshTree& mesh, const MeshPlane& plane) {
  double least = std::numeric_limits<double>::infinity();
  const Eigen::Vector3d n = Round(plane.n);
  NearestPair best;
  for (const Eigen::Vector3d& p : mesh.vertices()) {
    const double height = n.dot(p);
    if (height >= least) continue;
    least = height;
    best.x = p;
  }
  const double size =
      mesh.bounds().min.cwiseAbs().maxCoeff() + mesh.bounds().max.cwiseAbs().maxCoeff();
  best.upper = std::max(0.0, least + plane.d.hi);
  best.y = best.x - best.upper * n;
  best.lower = std::max(0.0, least + plane.d.hi - kHeightRounding * (size + std::abs(plane.d.hi)));
  return best;
}

}  // namespace volcontact
