// Small meshes, sound and not.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <utility>

#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// The box [min, max] of 8 vertices and 12 faces; vertex 4x + 2y + z.
inline TriangleMesh PlainBox(const Eigen::Vector3d& min, const Eigen::Vector3d& max) {
  TriangleMesh mesh;
  for (int v = 0; v < 8; ++v) {
    mesh.vertices.push_back(
        {(v & 4 ? max : min).x(), (v & 2 ? max : min).y(), (v & 1 ? max : min).z()});
  }
  mesh.faces = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  return mesh;
}

inline TriangleMesh UnitCube() {
  return PlainBox(Eigen::Vector3d::Zero(), Eigen::Vector3d::Ones());
}

/// Both in one mesh, nothing shared.
inline TriangleMesh Join(TriangleMesh a, const TriangleMesh& b) {
  const int offset = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& [p, q, r] : b.faces) a.faces.push_back({p + offset, q + offset, r + offset});
  return a;
}

inline TriangleMesh TurnedOver(TriangleMesh mesh) {
  for (auto& face : mesh.faces) std::swap(face[1], face[2]);
  return mesh;
}

/// Every face with vertices of its own.
inline TriangleMesh Soup(const TriangleMesh& mesh) {
  TriangleMesh soup;
  for (const auto& face : mesh.faces) {
    const int first = static_cast<int>(soup.vertices.size());
    for (const int v : face) soup.vertices.push_back(mesh.vertices[v]);
    soup.faces.push_back({first, first + 1, first + 2});
  }
  return soup;
}

/// A band of `length` squares, closed to a ring, with a half twist if asked. An odd number of
/// squares keeps its squares apart from each other.
inline TriangleMesh Band(int length, bool twisted) {
  TriangleMesh mesh;
  for (int i = 0; i < length; ++i) {
    const double angle = 2.0 * EIGEN_PI * i / length, tilt = twisted ? 0.5 * angle : 0.0;
    for (const double side : {-0.3, 0.3}) {
      const double radius = 1.0 + side * std::cos(tilt);
      mesh.vertices.push_back(
          {radius * std::cos(angle), radius * std::sin(angle), side * std::sin(tilt)});
    }
  }
  for (int i = 0; i < length; ++i) {
    const int a = 2 * i, b = a + 1;
    int c = 2 * ((i + 1) % length), d = c + 1;
    if (twisted && i + 1 == length) std::swap(c, d);
    mesh.faces.push_back({a, c, d});
    mesh.faces.push_back({a, d, b});
  }
  return mesh;
}

/// A ball of radius 1 by latitude and longitude: 4·rings·(rings − 1) faces.
inline TriangleMesh BallMesh(int rings) {
  TriangleMesh mesh;
  const int around = 2 * rings;
  for (int i = 1; i < rings; ++i) {
    const double latitude = EIGEN_PI * i / rings;
    for (int j = 0; j < around; ++j) {
      const double longitude = 2.0 * EIGEN_PI * j / around;
      mesh.vertices.push_back({std::sin(latitude) * std::cos(longitude),
                               std::sin(latitude) * std::sin(longitude), std::cos(latitude)});
    }
  }
  const int top = static_cast<int>(mesh.vertices.size()), bottom = top + 1;
  mesh.vertices.push_back({0, 0, 1});
  mesh.vertices.push_back({0, 0, -1});
  for (int j = 0; j < around; ++j) {
    const int next = (j + 1) % around, last = (rings - 2) * around;
    mesh.faces.push_back({top, j, next});
    mesh.faces.push_back({bottom, last + next, last + j});
    for (int i = 0; i + 2 < rings; ++i) {
      const int a = i * around + j, b = i * around + next, c = a + around, d = b + around;
      mesh.faces.push_back({a, c, d});
      mesh.faces.push_back({a, d, b});
    }
  }
  return mesh;
}

}  // namespace volcontact
