#include "random_parts.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "geodesic_sphere.h"

namespace volcontact::bench {
namespace {

using Eigen::Vector3d;

TriangleMesh BoxMesh(const Vector3d& edges) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    const Vector3d corner((i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2) - 0.5);
    mesh.vertices.push_back(corner.cwiseProduct(edges));
  }
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

double VolumeOf(const TriangleMesh& mesh) {
  double six_fold = 0.0;
  for (const auto& [i, j, k] : mesh.faces) {
    six_fold += mesh.vertices[i].dot(mesh.vertices[j].cross(mesh.vertices[k]));
  }
  return six_fold / 6.0;
}

TriangleMesh SphereMesh(double radius, int f, Fit fit) {
  TriangleMesh mesh = GeodesicSphere(f, Eigen::Matrix3d::Identity());
  const double whole = 4.0 / 3.0 * std::numbers::pi;
  if (fit == Fit::kSameVolume) radius *= std::cbrt(whole / VolumeOf(mesh));
  for (Vector3d& p : mesh.vertices) p *= radius;
  return mesh;
}

// Rings of vertices at the bottom and the top, and the middles of both ends.
TriangleMesh CylinderMesh(double radius, double height, int segments, Fit fit) {
  const double step = 2.0 * std::numbers::pi / segments;
  if (fit == Fit::kSameVolume) radius *= std::sqrt(step / std::sin(step));
  TriangleMesh mesh;
  for (const double z : {-0.5 * height, 0.5 * height}) {
    for (int i = 0; i < segments; ++i) {
      mesh.vertices.emplace_back(radius * std::cos(i * step), radius * std::sin(i * step), z);
    }
  }
  const int bottom = 2 * segments, top = bottom + 1;
  mesh.vertices.emplace_back(0.0, 0.0, -0.5 * height);
  mesh.vertices.emplace_back(0.0, 0.0, 0.5 * height);
  for (int i = 0; i < segments; ++i) {
    const int j = (i + 1) % segments, above_i = i + segments, above_j = j + segments;
    mesh.faces.insert(
        mesh.faces.end(),
        {{i, j, above_i}, {j, above_j, above_i}, {j, i, bottom}, {above_i, above_j, top}});
  }
  return mesh;
}

std::vector<Solid> SolidsOf(const std::vector<Primitive>& primitives) {
  return {primitives.begin(), primitives.end()};
}

}  // namespace

Primitive::operator Solid() const {
  switch (kind) {
    case Kind::kBox:
      return Box(size).Posed(X_PS);
    case Kind::kSphere:
      return Sphere(size[0]).Posed(X_PS);
    case Kind::kCylinder:
      return Cylinder(size[0], size[1]).Posed(X_PS);
  }
  return {};
}

TriangleMesh Primitive::Tessellated(int f, Fit fit) const {
  TriangleMesh mesh = kind == Kind::kBox      ? BoxMesh(size)
                      : kind == Kind::kSphere ? SphereMesh(size[0], f, fit)
                                              : CylinderMesh(size[0], size[1], 5 * f, fit);
  const Eigen::Matrix3d R = X_PS.Rotation();
  for (Vector3d& p : mesh.vertices) p = R * p + X_PS.t;
  return mesh;
}

long Primitive::TriangleCount(int f) const {
  switch (kind) {
    case Kind::kBox:
      return 12;
    case Kind::kSphere:
      return 20L * f * f;
    case Kind::kCylinder:
      return 20L * f;
  }
  return 0;
}

Solid Part::MakeSolid() const {
  Solid solid = bodies.size() == 1 ? Solid(bodies.front()) : Union(SolidsOf(bodies));
  return holes.empty() ? solid : Difference(solid, SolidsOf(holes));
}

long Part::TriangleCount(int f) const {
  long sum = 0;
  for (const auto* primitives : {&bodies, &holes}) {
    for (const Primitive& primitive : *primitives) sum += primitive.TriangleCount(f);
  }
  return sum;
}

double Draw::Between(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(engine_);
}

Vector3d Draw::Vector(double low, double high) {
  const double x = Between(low, high), y = Between(low, high), z = Between(low, high);
  return {x, y, z};
}

Pose Draw::Near(double reach) {
  Eigen::Vector4d q;
  std::normal_distribution<double> normal;
  for (double& component : q) component = normal(engine_);
  q.normalize();
  return {Vector(-reach, reach), {q[0], q[1], q[2], q[3]}};
}

Primitive Draw::SomeBox() {
  const Vector3d edges = Vector(0.6, 1.4);
  return {Primitive::Kind::kBox, edges, Near(0.3)};
}

Primitive Draw::SomeSphere() {
  const double radius = Between(0.3, 0.6);
  return {Primitive::Kind::kSphere, {radius, 0.0, 0.0}, Near(0.4)};
}

Primitive Draw::SomeCylinder() {
  const double radius = Between(0.2, 0.4), height = Between(0.8, 2.0);
  return {Primitive::Kind::kCylinder, {radius, height, 0.0}, Near(0.3)};
}

std::vector<Primitive> Draw::SomeCylinders(int count) {
  std::vector<Primitive> all;
  for (int n = 0; n < count; ++n) all.push_back(SomeCylinder());
  return all;
}

}  // namespace volcontact::bench
