// Where the boundary of a mesh meets a region, with certainty, and what follows for their overlap.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/locate.h"
#include "overlap/columns/column_method.h"
#include "overlap/frame/local_problem.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// The plane through O + t, the corners of a triangle, in O's frame: psi of a unit normal, negative
/// on the side of O + inner.
SurfacePolynomial PlaneThrough(const Vector3dd& O, const std::array<Eigen::Vector3d, 3>& t,
                               const Eigen::Vector3d& inner);

/// Where a point of A lies in a mesh, but for its rounding to the mesh's frame.
Truth LocateFromA(const MeshTree& mesh, const Rigid& X_AM, const Eigen::Vector3d& p_A);

/// What is known of a region S, given by surfaces in frame A, and a mesh M of pose X_AM, of whose
/// common points a bounded box holds all. Roundings of the mesh's corners are covered. Keeps its
/// memory.
class MeshMeeting {
 public:
  struct Result {
    bool is_known = false;  ///< false in what no search has filled
    /// No point of the mesh's boundary lies inside S: of each connected part of S, M holds all or
    /// nothing.
    bool is_boundary_clear = false;
    /// S lies in M; M misses S. Of a convex S whose boundary is clear, one of them mostly.
    bool is_inside = false, is_apart = false;
    /// Holds all of S ∩ M; of a convex S not much larger than that.
    Aabb box;
    long cells = 0;
  };

  /// `mesh` must be closed. Costs some microseconds for each face that may meet S, and for a convex
  /// S some integrals to two digits.
  Result Run(const MeshTree& mesh, const Rigid& X_AM, const SurfaceSet& S, bool is_convex,
             const Aabb& box);

  /// Whether no point of the mesh's boundary lies inside S within a box; false where this is not
  /// proved. Ends at the first face that may.
  bool IsClear(const MeshTree& mesh, const Rigid& X_AM, const SurfaceSet& S, const Aabb& box);

  /// Whether a point p of a box, in A, is certainly inside S.
  static bool IsInterior(const SurfaceSet& S, const Eigen::Vector3d& p, const Aabb& box);

 private:
  struct Query {
    const MeshTree& mesh;
    const Rigid& X_AM;
    const SurfaceSet& S;
    const Aabb& box;
    Aabb found = Aabb::Nothing();  // around what the boundary and S may share
    long cells = 0;
    bool only_whether = false;  // there is anything to be found
  };

  void FindBoundary(Query* query);
  void VisitFace(std::uint32_t face, Query* query);
  bool IsExcluded(const Aabb& box, const Query& query);
  std::optional<Eigen::Vector3d> InteriorPoint(const SurfaceSet& S, const Aabb& box, long* cells);
  bool MissesMesh(const Query& query, const Aabb& slab, long* cells);
  Result Conclude(Query* query);
  Aabb Enclose(const Query& query, const Aabb& found, long* cells);

  LocalProblem problem_, face_problem_;
  std::vector<Truth> states_;
  std::vector<std::uint32_t> stack_;
  std::vector<int> surfaces_;
  Locator locator_;
  ColumnMethod columns_;
};

}  // namespace volcontact
