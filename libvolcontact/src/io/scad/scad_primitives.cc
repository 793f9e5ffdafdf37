#include "io/scad/scad_primitives.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <utility>

#include "io/linear_map.h"
#include "io/outlines/algebraic_solids.h"
#include "math/pose_of_rotation.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

Solid Turned(const Solid& solid, const Eigen::Matrix3d& R) {
  if (R.isIdentity(0.0)) return solid;
  return solid.Posed(PoseOfRotation(R, Eigen::Vector3d::Zero()));
}

// Equal but for those roundings.
bool Equal(double a, double b) { return std::abs(a - b) <= kProductRounding * std::abs(a); }

// The cone with elliptic sections, semi-axes a r(z) and b r(z) with r linear from bottom to top:
// (x/a)² + (y/b)² <= r(z)², times (a b)².
Eigen::Matrix4d EllipticCone(double a, double b, const ConeSize& size) {
  const double slope = (size.top - size.bottom) / size.height;
  const double middle = 0.5 * (size.top + size.bottom);
  const double ab = a * b;
  Eigen::Matrix4d Q = Eigen::Matrix4d::Zero();
  Q(0, 0) = b * b;
  Q(1, 1) = a * a;
  Q(2, 2) = -ab * ab * slope * slope;
  Q(2, 3) = Q(3, 2) = -ab * ab * slope * middle;
  Q(3, 3) = -ab * ab * middle * middle;
  return Q;
}

// The corner of a face from which a fan of triangles fills it, none of them flat or turned over:
// the first where there is none such, or the face names points that are not.
std::size_t FanApex(const std::vector<Eigen::Vector3d>& points, const std::vector<int>& face) {
  constexpr double kFlatTriangle = 1e-12;  // relative to the face
  const std::size_t n = face.size();
  const bool known = std::ranges::all_of(
      face, [&](int v) { return v >= 0 && static_cast<std::size_t>(v) < points.size(); });
  if (n < 4 || !known) return 0;
  const auto area = [&](std::size_t a, std::size_t b, std::size_t c) -> Eigen::Vector3d {
    const auto at = [&](std::size_t i) -> const Eigen::Vector3d& {
      return points[static_cast<std::size_t>(face[i % n])];
    };
    return (at(b) - at(a)).cross(at(c) - at(a));
  };
  Eigen::Vector3d all = Eigen::Vector3d::Zero();
  for (std::size_t i = 2; i < n; ++i) all += area(0, i - 1, i);
  for (std::size_t apex = 0; apex < n; ++apex) {
    bool fills = true;
    for (std::size_t i = 2; i < n && fills; ++i) {
      fills = area(apex, apex + i - 1, apex + i).dot(all) > kFlatTriangle * all.squaredNorm();
    }
    if (fills) return apex;
  }
  return 0;
}

}  // namespace

Solid MappedSphere(const Eigen::Matrix3d& L, double radius) {
  if (const auto factors = FactorRotationAndScale(L, kProductRounding)) {
    const Eigen::Vector3d scale = factors->scale.cwiseAbs();
    if (Equal(scale[0], scale[1]) && Equal(scale[0], scale[2])) return Sphere(radius * scale[0]);
    return Turned(Ellipsoid(radius * scale), factors->rotation);
  }
  // The image of a ball is an ellipsoid under any map.
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(L, Eigen::ComputeFullU);
  Eigen::Matrix3d axes = svd.matrixU();
  if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
  return Turned(Ellipsoid(radius * svd.singularValues()), axes);
}

Solid MappedBox(const Eigen::Matrix3d& L, const Eigen::Vector3d& size) {
  const Solid box = Box(size);  // for the factory to check the sizes
  const auto factors = FactorRotationAndScale(L, kProductRounding);
  if (!factors) {
    const SolidMap map(L);
    std::vector<Solid> parts = {map.LooseBox(Eigen::Vector3d::Zero(), 0.5 * size, true)};
    for (int i = 0; i < 2; ++i) {
      const Eigen::Vector3d n = Eigen::Vector3d::Unit(i);
      parts.push_back(map.HalfSpaceImage(n, 0.5 * size[i]));
      parts.push_back(map.HalfSpaceImage(-n, 0.5 * size[i]));
    }
    return Intersection(std::move(parts));
  }
  return Turned(Box(size.cwiseProduct(factors->scale.cwiseAbs())), factors->rotation);
}

// The slab, or box, cuts off the other nappe.
Solid MappedCone(const Eigen::Matrix3d& L, const ConeSize& size) {
  const auto factors = FactorRotationAndScale(L, kProductRounding);
  const double a = factors ? std::abs(factors->scale[0]) : 1.0;
  const double b = factors ? factors->scale[1] : 1.0;
  const ConeSize scaled{size.bottom, size.top, size.height * (factors ? factors->scale[2] : 1.0)};
  // Made also where the section is elliptic, for the factories to check the sizes.
  const Pose X_lowered{{0.0, 0.0, -0.5 * scaled.height}};
  const Solid round = size.bottom == size.top
                          ? Cylinder(a * size.bottom, scaled.height)
                          : Cone(a * size.bottom, scaled.height, a * size.top).Posed(X_lowered);
  if (!factors) {
    const SolidMap map(L);
    const double radius = std::max(size.bottom, size.top);
    const Eigen::Vector3d half(radius, radius, 0.5 * size.height);
    return Intersection({map.LooseBox(Eigen::Vector3d::Zero(), half, true),
                         map.QuadricImage(EllipticCone(1.0, 1.0, size))});
  }
  if (Equal(a, b)) return Turned(round, factors->rotation);
  return Turned(Intersection({Quadric(EllipticCone(a, b, scaled)), Slab(scaled.height)}),
                factors->rotation);
}

TriangleMesh MappedPolyhedron(const Eigen::Matrix3d& L, const std::vector<Eigen::Vector3d>& points,
                              const std::vector<std::vector<int>>& faces) {
  TriangleMesh mesh;
  for (const Eigen::Vector3d& p : points) mesh.vertices.push_back(L * p);
  const bool mirrored = L.determinant() < 0.0;
  for (const std::vector<int>& face : faces) {
    const std::size_t apex = FanApex(points, face);
    const auto at = [&](std::size_t i) { return face[(apex + i) % face.size()]; };
    for (std::size_t i = 2; i < face.size(); ++i) {
      if (mirrored) {
        mesh.faces.push_back({at(0), at(i - 1), at(i)});
      } else {
        mesh.faces.push_back({at(0), at(i), at(i - 1)});
      }
    }
  }
  return mesh;
}

}  // namespace volcontact
