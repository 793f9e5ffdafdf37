// The room `mesh_arcs`: a mesh beside planes, quadrics and tori, as sums over arcs.
//
// mesh_arc_method.h decides whether sums are valid; mesh_arc_sums.h walks the mesh's tree and adds;
// face_trim.h cuts one face by the surfaces, conic_arc.h is a piece of the conic in which a face's
// plane meets a surface, section_trace.h follows the curves of tori and saddles, solid_edges.h
// trims the solid's own edges by the mesh. docs/theory.md has the mathematics,
// docs/design/mesh_arcs.md the design.
//
// A face of the mesh in the coordinates of the cube.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

#include "math/rigid.h"
#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// From a mesh's frame M to the coordinates of a cube with the frame C.
class MeshToCube {
 public:
  MeshToCube() = default;
  /// `half`: of the cube's frame.
  MeshToCube(const Rigid& X_MC, const Eigen::Vector3d& half);

  /// Rounded once.
  Eigen::Vector3d operator()(const Eigen::Vector3d& p_M) const;
  /// To double-double.
  Vector3dd Precisely(const Eigen::Vector3d& p_M) const;
  /// Back, rounded.
  Eigen::Vector3d ToMesh(const Eigen::Vector3d& p) const;
  /// A cell that holds the image of a box; it may reach out of the cube.
  Cell CellOf(const MeshNode& node) const;
  /// The linear part, and where the cube's origin is in M.
  Eigen::Matrix3d Linear() const;
  const Eigen::Vector3d& origin() const { return origin_; }

 private:
  bool is_parallel_ = true;  // the axes of M and C are the same
  Rigid X_CM_;
  Vector3dd t_ = {};
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d half_ = Eigen::Vector3d::Ones(), inverse_ = Eigen::Vector3d::Ones();
  Eigen::Matrix3d R_MC_ = Eigen::Matrix3d::Identity();
};

/// A face, or what of it is near the cube, counterclockwise seen from outside of the mesh.
struct FacePolygon {
  static constexpr int kMost = 9;

  int count = 0;
  std::uint32_t face = 0;  ///< its number in the mesh
  std::array<Eigen::Vector3d, kMost> corners;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< of length one, outwards

  const Eigen::Vector3d& Next(int k) const { return corners[k + 1 < count ? k + 1 : 0]; }
  /// Whether the projection of a point along the normal lies in it.
  bool Holds(const Eigen::Vector3d& p) const;
};

/// The face in the cube's coordinates; of a face that reaches far out of the cube the part near it.
/// Empty when nothing of it is near, or when it has no area.
FacePolygon PolygonOf(const MeshTree& mesh, std::uint32_t face, const MeshToCube& to_cube);

}  // namespace volcontact
