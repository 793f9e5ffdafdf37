// Primitives under linear maps that need not be rigid.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "volcontact/solids/solid.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// Products of rotations and scalings miss perpendicular columns by a few roundings per factor;
/// this allows for a thousand.
inline constexpr double kProductRounding = 1e-12;

/// A truncated cone about z: radius `bottom` at z = 0, `top` at z = height.
struct ConeSize {
  double bottom, top, height;
};

/// The image of a primitive under L, which is not singular. It is a primitive if L is a rotation
/// times a diagonal, else planes and quadrics. Passes on InvalidInput of the factories.
Solid MappedSphere(const Eigen::Matrix3d& L, double radius);
/// The box centred at the origin.
Solid MappedBox(const Eigen::Matrix3d& L, const Eigen::Vector3d& size);
/// The cone or, with equal radii, the cylinder, shifted so that half its height lies below z = 0.
Solid MappedCone(const Eigen::Matrix3d& L, const ConeSize& size);

/// The image of a polyhedron with faces clockwise from outside, as OpenSCAD has them, under any
/// map, counterclockwise; faces are cut into fans of triangles. Nothing is checked.
TriangleMesh MappedPolyhedron(const Eigen::Matrix3d& L, const std::vector<Eigen::Vector3d>& points,
                              const std::vector<std::vector<int>>& faces);

}  // namespace volcontact
