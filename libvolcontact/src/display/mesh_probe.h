// What a mesh among the surfaces is asked near a triangle.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "display/field.h"
#include "math/arithmetic/polynomial.h"

namespace volcontact {

using TriangleCorners = std::array<Eigen::Vector3d, 3>;

TriangleCorners CornersOf(const FieldSurface& mesh, std::uint32_t face);

/// Not of unit length: twice the face's area.
Eigen::Vector3d NormalOf(const TriangleCorners& face);

/// The plane of a face, rising outward, of unit gradient; constant where the face has no area.
Polynomial<double> PlaneOf(const TriangleCorners& face);

/// Whether two triangles may be within `margin` of each other: none of 11 planes separates them.
bool MayMeet(const TriangleCorners& p, const TriangleCorners& q, double margin);

/// The faces of a mesh that may be within `margin` of a triangle, in the tree's order.
void FindNearFaces(const FieldSurface& mesh, const TriangleCorners& triangle, double margin,
                   std::vector<std::uint32_t>* faces);

/// Whether a point lies inside a mesh; on a face, false.
bool IsInMesh(const FieldSurface& mesh, const Eigen::Vector3d& y);

}  // namespace volcontact
