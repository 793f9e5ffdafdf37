// The area of the projection of the overlap of two meshes, or of a mesh and a half-space.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "overlap/arcs/projection/contour_rim.h"
#include "overlap/arcs/projection/contour_segments.h"
#include "overlap/frame/raw_metrics.h"
#include "overlap/mesh_arcs/mesh_lines.h"
#include "overlap/meshes/mesh_overlap.h"
#include "overlap/meshes/sums/mesh_half_space.h"

namespace volcontact {

/// Counts every line along a direction once that meets the overlap. If the contour neither crosses
/// itself nor goes around a part of itself, all lines meet the overlap once, and the area is that
/// of the faces. Otherwise lines decide which part of the contour is the rim, as for
/// MeshProjection. Keeps its memory.
class FlatProjection {
 public:
  /// For the overlap that was found last when Run is called, in B's pose. The overlap must outlive
  /// the use.
  void Begin(MeshOverlap* overlap, const Rigid& X_AB);
  /// The same of a cut mesh.
  void Begin(MeshCutter* cutter);
  /// Along the unit vector n in A, or in the cut mesh's axes. Costs as much as the contour is long,
  /// some 0.1 µs for an edge where lines meet the overlap once.
  ContactAreaFound Run(const Eigen::Vector3d& n);

 private:
  // An edge of the contour as it is seen.
  struct Seen {
    Eigen::Vector2d p, q;
    int below = 0;  // how often the area right below its middle counts
    double Low() const { return std::min(p[0], q[0]); }
    double High() const { return std::max(p[0], q[0]); }
  };

  double AreaOfFaces(const Eigen::Vector3d& n) const;
  void ListContour(const Eigen::Vector3d& n);
  bool ScaleToCube();
  bool MeetsLinesOnce(const Eigen::Vector3d& n);
  void BeginLines(const Eigen::Vector3d& along);
  std::array<double, 2> BelowPlane(const Eigen::Vector3d& p) const;
  int CountLine(const Eigen::Vector3d& p, const Eigen::Vector3d& step);

  MeshOverlap* overlap_ = nullptr;  // of two meshes
  Rigid X_AB_;
  MeshCutter* cutter_ = nullptr;  // null for two meshes
  ContourSegments segments_;
  double size_ = 0.0;  // half of the cube's [m]
  Eigen::Vector3d n_ = Eigen::Vector3d::Zero();
  std::vector<Seen> seen_;
  std::vector<ContourPart> contour_;
  std::array<MeshLines, 2> lines_;
  ContourRim rim_;
};

}  // namespace volcontact
