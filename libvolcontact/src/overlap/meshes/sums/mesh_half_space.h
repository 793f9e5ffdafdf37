// A triangle mesh cut by a plane.
#pragma once

#include <array>
#include <vector>

#include "overlap/frame/flat_crossing.h"
#include "overlap/frame/raw_metrics.h"
#include "overlap/meshes/sums/mesh_plane.h"
#include "overlap/meshes/sums/triangle_sums.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

struct MeshCut {
  Vector3dd origin = {};  ///< O in M, on the plane to rounding
  VolumeMoments moments;  ///< of the mesh's part below the plane, about O
  /// The integrals of n and of p × n over the section; of what lies on the plane with the part
  /// below it, which the mesh and the half-space have in common, half.
  Eigen::Vector3d area = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
  double error = 0.0;      ///< bound of the volume's error
  bool has_flush = false;  ///< whether faces lie on the plane
  long faces = 0;          ///< faces cut, and those below the plane beside them
};

/// What is known of the segments in which faces cross a plane.
struct SectionOutline {
  double largest = 0.0;                           ///< size of these faces, from O
  double perimeter = 0.0;                         ///< or up to 1.8 times that
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();  ///< of one end of each
  int count = 0;
};

/// Cuts meshes by planes. Nodes of the tree below the plane add their sums, faces across it the
/// triangles that are left of them. Cost in proportion to the faces the plane crosses, some 50 ns
/// each; for thin parts, some ten-thousandths of their width, to all faces below, some 100 ns each.
/// Allocates nothing once it has grown.
class MeshCutter {
 public:
  /// Sums that keep more digits, and double-doubles at last, where the bound of the volume's
  /// relative error is above `precision`. The mesh must outlive the use of what follows.
  MeshCut Cut(const MeshTree& mesh, const MeshPlane& plane, double precision = 1e-10);

  /// Half the integral of |n·n_f| over the boundary of the part found last; see MeshOverlap.
  double ContactArea(const Eigen::Vector3d& n_M) const;

  /// The projection along n of the section found last, without faces on the plane.
  double SectionAlong(const Eigen::Vector3d& n_M) const { return std::abs(section_.dot(n_M)); }

  /// Where the faces cross the plane, of the mesh as A or as B, in M's axes from the origin of the
  /// cut found last. Along p and q the part below the plane is on the left of a face from outside.
  void ListCrossings(bool mesh_is_a, std::vector<FlatCrossing>* crossings) const;

  /// The edges at which faces of the boundary of that part that look along the unit vector n_M meet
  /// others, from origin(); seen against it, the former are on their left.
  void ListContour(const Eigen::Vector3d& n_M,
                   std::vector<std::array<Eigen::Vector3d, 2>>* contour);

  const MeshTree& mesh() const { return *mesh_; }
  const MeshPlane& plane() const { return plane_; }
  /// That of the cut found last, rounded.
  Eigen::Vector3d origin() const { return Round(origin_); }

 private:
  MeshCut Sum(double precision);
  void Collect(const MeshTree& mesh, const MeshPlane& plane);
  // A face that lies on the plane, with corners as far off as `farthest` and no more than
  // `on_plane_`.
  bool TakeFlush(const MeshTree& mesh, std::uint32_t face, const MeshPlane& plane, double farthest,
                 MeshCut* cut);
  template <class Axes>
  SectionOutline AddFaces(const Axes& axes, const MeshTree& mesh, const MeshPlane& plane,
                          TriangleSums* sums, MeshCut* cut);
  void SumCones(const MeshTree& mesh, const MeshPlane& plane, MeshCut* cut);
  void SumHeights(const MeshTree& mesh, const MeshPlane& plane, MeshCut* cut);
  void SumPrecisely(const MeshTree& mesh, const MeshPlane& plane, MeshCut* cut);
  // About a point of M, brought down to the plane if that crosses the mesh.
  void StartAbout(const Eigen::Vector3d& p_M, const MeshPlane& plane, MeshCut* cut);
  void Finish(const Eigen::Vector3d& area, const Eigen::Vector3d& torque, MeshCut* cut);

  const MeshTree* mesh_ = nullptr;
  MeshPlane plane_;
  Vector3dd origin_ = {};
  std::vector<std::uint32_t> whole_;                  // nodes below the plane that add their sums
  std::vector<std::uint32_t> below_;                  // nodes whose faces are below the plane
  std::vector<std::uint32_t> cut_;                    // leaves across it
  Eigen::Vector3d middle_ = Eigen::Vector3d::Zero();  // amid cut_, then amid the section, in M
  double on_plane_ = 0.0;
  bool keeps_sheets_ = false;  // of faces that lie on the plane and look into the half-space
  double lowered_ = 0.0;       // how far the plane is lowered to find the contour without these
  // Sums over faces and parts of faces, without those on the plane, in axes whose columns are in M;
  // and the area vector of the section with the plane, in M.
  AreaVectors areas_;
  Eigen::Matrix3d axes_ = Eigen::Matrix3d::Identity();
  Eigen::Vector3d section_ = Eigen::Vector3d::Zero();
  // Half of the faces on the plane.
  Eigen::Vector3d common_area_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d common_torque_ = Eigen::Vector3d::Zero();
  // Scratch of ListContour.
  std::vector<std::uint32_t> stack_;
  std::vector<FlatCrossing> crossings_;
};

/// The sum of |n·n_f| dS over the faces of a node.
double AbsoluteProjection(const MeshTree& mesh, std::uint32_t node, const Eigen::Vector3d& n_M);

}  // namespace volcontact
