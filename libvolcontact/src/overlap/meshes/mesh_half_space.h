// A triangle mesh cut by a plane.
#pragma once

#include <vector>

#include "overlap/frame/raw_metrics.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// The half-space n·p + d <= 0 in the mesh's frame, |n| = 1.
struct MeshPlane {
  Vector3dd n;
  DoubleDouble d;
};

struct MeshCut {
  Vector3dd origin = {};  ///< O in M, on the plane to rounding
  SurfaceSums surface;    ///< over the mesh's part below the plane, about O
  /// Half of the faces that lie on the plane with the part below them, and of p × n over these:
  /// they are common to the mesh and the half-space, and none of `surface`.
  Eigen::Vector3d common_area = Eigen::Vector3d::Zero(), common_torque = Eigen::Vector3d::Zero();
  double volume = 0.0;
  double error = 0.0;  ///< bound of the volume's error
  long faces = 0;      ///< faces cut
};

/// Cuts meshes by planes. The section in the plane adds nothing to the fluxes about an origin in
/// the plane, so that it need not be built; its area vector and torque are those of the rest,
/// negated. Cost in proportion to the faces the plane crosses.
class MeshCutter {
 public:
  /// Sums in double-double where the bound of the volume's relative error is above `precision`.
  MeshCut Cut(const MeshTree& mesh, const MeshPlane& plane, double precision = 1e-10);

  /// Half the integral of |n·n_f| over the boundary of the part found last; see MeshOverlap.
  double ContactArea(const MeshTree& mesh, const Eigen::Vector3d& n_M) const;

 private:
  void Collect(const MeshTree& mesh, const MeshPlane& plane);
  template <class AnyCorner>
  bool TakeCommon(const MeshTree& mesh, std::uint32_t face, const MeshPlane& plane,
                  const std::array<AnyCorner, 3>& corners, MeshCut* cut) const;
  void Sum(const MeshTree& mesh, const MeshPlane& plane, const Eigen::Vector3d& O, MeshCut* cut);
  void SumPrecisely(const MeshTree& mesh, const MeshPlane& plane, MeshCut* cut);

  std::vector<std::uint32_t> stack_, whole_, cut_;
  std::vector<Eigen::Vector3d> partial_;                     // area vectors of parts of faces
  Eigen::Vector3d section_point_ = Eigen::Vector3d::Zero();  // in M, amid the section
};

/// The sum of |n·n_f| dS over the faces of a node.
double AbsoluteProjection(const MeshTree& mesh, std::uint32_t node, const Eigen::Vector3d& n_M);

}  // namespace volcontact
