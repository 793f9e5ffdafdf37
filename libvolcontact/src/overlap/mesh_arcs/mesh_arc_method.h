// The overlap of a mesh and a solid of planes, quadrics and tori, by sums over arcs.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "overlap/arcs/sums/volume_hessian.h"
#include "overlap/frame/raw_answer.h"
#include "overlap/frame/surface_set.h"
#include "overlap/mesh_arcs/mesh_arc_sums.h"
#include "overlap/mesh_arcs/mesh_projection.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

struct MeshArcResult {
  /// The sums passed all checks, although `raw` may not have converged; without a volume the solids
  /// are certainly apart, unless flush.
  bool is_valid = false;
  std::string reason;  ///< why they are not valid
  RawMetrics raw;
  RawDerivatives derivatives;  ///< where they were asked for
  double volume_upper = 0.0;   ///< certain: of the box that holds all of it [m³]
  /// Faces of A and of B lie on each other, but for roundings: where there is no volume they touch.
  bool is_flush = false;
  bool is_clear = false;      ///< the mesh's boundary is certainly off the solid
  bool has_no_faces = false;  ///< no part of it was found in the solid
  /// No overlap was found, but there may be one below the rounding of the frame: not valid.
  bool has_nothing = false;
  long faces = 0, edges = 0;  ///< faces cut; arcs and parts of the solid's edges
};

/// Finds the sums in a frame that holds the overlap, in a tighter one along the contact where
/// digits are missing, and decides whether they are valid. Keeps its memory.
class MeshArcMethod {
 public:
  struct Input {
    const MeshTree& mesh;
    const Rigid& X_AM;
    bool mesh_in_b;                         ///< else in A
    const std::vector<float>* shares_of_B;  ///< as for MeshArcSums
    bool is_beyond;         ///< M is what is beyond the mesh, whose faces are turned
    const SurfaceSet& set;  ///< the solid S, in A, of whose overlap with the mesh M this is
    const Aabb& box;        ///< bounded; in A, holds all of M ∩ S
    double tolerance;
    bool hessian = false;  ///< find the derivatives by the motion of A
    int threads = 1;       ///< the result does not depend on it
  };

  /// About 2 µs for each face of the mesh that a surface of S cuts.
  MeshArcResult Run(const Input& input);

  /// The area of the projection, along the unit vector n of its frame C, of the overlap that was
  /// found last. At once where lines meet it once; else the contour is followed, some ten
  /// microseconds for each of its edges.
  ContactAreaFound ContactArea(const Eigen::Vector3d& n_C);

  /// Points in A that are likely to be inside of the overlap that was looked for last, beside its
  /// edges on faces of the mesh. None where it has none.
  std::vector<Eigen::Vector3d> PointsBesideArcs() const;

 private:
  struct Attempt {
    MeshArcSums::Result sums;
    double relative_error = 0.0;
    bool closes = false;
    bool is_good = false;  // no frame has to be better
  };

  Attempt Try(const Input& input, const Rigid& X_MC, const Eigen::Vector3d& half);
  bool NextFrame(const Attempt& attempt, Rigid* X_MC, Eigen::Vector3d* half);
  bool IsApart(const Attempt& attempt) const;
  bool IsLimitedByRounding(const Attempt& attempt) const;
  bool ShareOut(const Attempt& attempt, bool mesh_in_b, BoundarySums* of_B) const;
  void Conclude(const Input& input, const Attempt& attempt, double box_volume,
                MeshArcResult* result);
  bool CollectCrossings(bool mesh_in_b);
  RawDerivatives Differentiate(const Input& input, const MeshArcSums::Result& sums,
                               const BoundarySums& of_B);
  double AreaWithRepeats(const Eigen::Vector3d& n_C, const Eigen::Vector3d& m) const;

  // An arc on a face of the mesh, or a part of an edge of the solid between its surfaces of A and
  // of B.
  struct EdgeOfArcs {
    const TrimArc* arc = nullptr;
    const SolidEdges::Part* part = nullptr;
    int of_A = -1, of_B = -1;
  };

  const MeshTree* mesh_ = nullptr;
  std::vector<SurfaceKind> kinds_;
  LocalProblem problem_;
  TorusSeams seams_;
  MeshToCube to_cube_;
  Eigen::Matrix3d R_MC_ = Eigen::Matrix3d::Identity();
  MeshArcSums sums_;
  MeshProjection projection_;
  Eigen::Vector3d area_C_ = Eigen::Vector3d::Zero();  // of B in A, of the last result
  VolumeHessian hessian_;
  std::vector<EdgeOfArcs> between_;  // faces of A and of B
  std::vector<VolumeHessian::Crossing> crossings_;
};

}  // namespace volcontact
