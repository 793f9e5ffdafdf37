// Outlines that turn while they are pulled.
#pragma once

#include <Eigen/Core>

#include "io/outlines/extrusion.h"
#include "io/outlines/outline.h"

namespace volcontact {

/// How an outline turns on its way up, and how near a mesh must be.
struct EvenTwist {
  double angle = 0.0;      ///< of the top against the bottom, about z [rad]
  double deviation = 0.0;  ///< of the mesh from the smooth surface at most [m], > 0
};

/// The image under L of an outline that turns evenly while it is pulled: meshes of its discs and
/// polygons, combined as they are, which stand for the smooth surface (TriangleMesh::deviations).
/// Throws InvalidInput, without a place, for an outline that is empty or shrinks to a point, for
/// meshes that cross themselves, and where the deviation takes too many triangles.
Solid TwistedBy(const Outline& outline, const Extrusion& extrusion, const EvenTwist& twist,
                const Eigen::Matrix3d& L);

}  // namespace volcontact
