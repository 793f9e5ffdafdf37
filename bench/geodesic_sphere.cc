#include "geodesic_sphere.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdint>
#include <numbers>
#include <unordered_map>
#include <utility>

namespace volcontact::bench {
namespace {

using Eigen::Vector3d;

TriangleMesh Icosahedron() {
  TriangleMesh mesh;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-std::numbers::phi, std::numbers::phi}) {
      mesh.vertices.insert(mesh.vertices.end(), {{0.0, a, b}, {a, b, 0.0}, {b, 0.0, a}});
    }
  }
  const auto apart = [&](int i, int j) {
    return (mesh.vertices[i] - mesh.vertices[j]).norm() > 2.1;
  };
  for (int i = 0; i < 12; ++i) {
    for (int j = i + 1; j < 12; ++j) {
      for (int k = j + 1; k < 12; ++k) {
        if (apart(i, j) || apart(j, k) || apart(k, i)) continue;
        const Vector3d &p = mesh.vertices[i], &q = mesh.vertices[j], &r = mesh.vertices[k];
        const bool outward = (q - p).cross(r - p).dot(p) > 0.0;
        mesh.faces.push_back(outward ? std::array{i, j, k} : std::array{i, k, j});
      }
    }
  }
  return mesh;
}

}  // namespace

// Vertices are known by their barycentric coordinates, so that neighbours share them.
TriangleMesh GeodesicSphere(int f, const Eigen::Matrix3d& R) {
  const TriangleMesh base = Icosahedron();
  TriangleMesh mesh;
  std::unordered_map<std::uint64_t, int> numbers;
  for (const std::array<int, 3>& face : base.faces) {
    const auto vertex = [&](int a, int b) {
      std::array<std::pair<int, int>, 3> weights = {
          {{face[0], f - a - b}, {face[1], a}, {face[2], b}}};
      std::sort(weights.begin(), weights.end());
      std::uint64_t key = 0;
      Vector3d p = Vector3d::Zero();
      for (const auto& [corner, weight] : weights) {
        if (weight == 0) continue;
        key = key << 20 | static_cast<std::uint64_t>(corner + 1) << 16 |
              static_cast<std::uint64_t>(weight);
        p += weight * base.vertices[corner];
      }
      const auto [it, is_new] = numbers.try_emplace(key, static_cast<int>(mesh.vertices.size()));
      if (is_new) mesh.vertices.push_back(R * p.normalized());
      return it->second;
    };
    for (int a = 0; a < f; ++a) {
      for (int b = 0; a + b < f; ++b) {
        mesh.faces.push_back({vertex(a, b), vertex(a + 1, b), vertex(a, b + 1)});
        if (a + b + 1 == f) continue;
        mesh.faces.push_back({vertex(a + 1, b), vertex(a + 1, b + 1), vertex(a, b + 1)});
      }
    }
  }
  return mesh;
}

}  // namespace volcontact::bench
