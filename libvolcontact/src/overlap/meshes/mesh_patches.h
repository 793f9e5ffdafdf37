// The connected components of the overlap of two meshes, each with its own metrics.
#pragma once

#include <vector>

#include "overlap/meshes/mesh_overlap.h"

namespace volcontact {

/// A component.
struct MeshPatch {
  RawMetrics raw;  ///< projected_area stays zero: ContactArea
  double volume_lower = 0.0, volume_upper = 0.0;
  long crossings = 0;                  ///< pairs of faces that cross on its boundary
  std::vector<Eigen::Vector3d> areas;  ///< of its boundary on each face, area vectors in A

  /// As MeshOverlap::ContactArea.
  double ContactArea(const Eigen::Vector3d& n) const;
};

/// The components of the overlap that overlap->Run() found, in an order that depends on the meshes
/// alone; those whose volume is not larger than its error bound are left out. All sums run in
/// double-double, about the middle of each component. Time in proportion to the faces inside and
/// the crossings. Throws InvalidInput as MeshBoundary does.
std::vector<MeshPatch> FindPatches(MeshOverlap* overlap);

}  // namespace volcontact
