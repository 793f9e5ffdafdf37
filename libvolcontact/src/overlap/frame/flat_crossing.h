// The crossing of a flat face of A and one of B.
#pragma once

#include <Eigen/Core>

namespace volcontact {

/// A segment of the edges at which A's boundary and B's meet, from the origin of a frame, with
/// vectors of any length along the outward normals.
struct FlatCrossing {
  Eigen::Vector3d p, q;
  Eigen::Vector3d of_A, of_B;
};

}  // namespace volcontact
