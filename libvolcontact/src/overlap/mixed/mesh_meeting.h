// Whether the boundary of a mesh meets a region, with certainty.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/locate.h"
#include "overlap/frame/local_problem.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// Where a point of A lies in a mesh, but for its rounding to the mesh's frame.
Truth LocateFromA(const MeshTree& mesh, const Rigid& X_AM, const Eigen::Vector3d& p_A);

/// Whether the boundary of a mesh M of pose X_AM meets a region S, given by surfaces in frame A.
/// Roundings of the mesh's corners are covered. Keeps its memory.
class MeshMeeting {
 public:
  /// Whether no point of the mesh's boundary lies inside S within a box; false where this is not
  /// proved. Ends at the first face that may. Costs some microseconds for each face near S.
  bool IsClear(const MeshTree& mesh, const Rigid& X_AM, const SurfaceSet& S, const Aabb& box);

  /// Whether a point p of a box, in A, is certainly inside S.
  static bool IsInterior(const SurfaceSet& S, const Eigen::Vector3d& p, const Aabb& box);

 private:
  struct Query {
    const MeshTree& mesh;
    const Rigid& X_AM;
    const SurfaceSet& S;
    const Aabb& box;
  };

  bool MayMeet(std::uint32_t face, const Query& query);
  bool IsExcluded(const Aabb& box, const Query& query);

  LocalProblem problem_, face_problem_;
  std::vector<Truth> states_;
  std::vector<std::uint32_t> stack_;
  std::vector<int> surfaces_;
  Locator locator_;
};

}  // namespace volcontact
