// Faces of two meshes that lie on each other.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "overlap/meshes/mesh_side.h"

namespace volcontact {

/// Numbers of a face of A and of one of B.
using FacePair = std::pair<std::uint32_t, std::uint32_t>;

/// Whether two faces whose boxes meet may lie on each other: of one plane but for 1e-13 of the
/// coordinates that they are made of, at least `scale`. A few operations mostly.
bool MayBeFlush(const MeshFacePlane& a, const MeshFacePlane& b, double scale);

/// What is to be added to the area vector and the torque of B's boundary in A about the sides'
/// origin, in A, since faces lie on each other.
struct FlushSums {
  Eigen::Vector3d area = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
};

/// A triangle of B's face in a sheet of no volume between faces that touch.
using TouchingTriangle = std::array<Eigen::Vector3d, 3>;

/// The infinitesimal move that puts the meshes in general position gives what faces of A and B with
/// one normal share to A or to B, whichever lies within the other then. It counts half for each, as
/// for solids of surfaces: the mean of the one-sided derivatives of the volume. Where faces of
/// opposite normals touch, the sheet between them counts for nothing, if `volume` is more than
/// such sheets hold; `sheets` has what is in them of B's faces then. Any order of the pairs gives
/// the same sums, but for roundings.
FlushSums SumFlushFaces(std::array<MeshSide, 2>* sides, const std::vector<FacePair>& pairs,
                        double volume, std::vector<TouchingTriangle>* sheets);

}  // namespace volcontact
