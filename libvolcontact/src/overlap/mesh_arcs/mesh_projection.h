// The area of the projection of a mesh's overlap with a solid.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "overlap/arcs/lines/line_probe.h"
#include "overlap/arcs/projection/contour.h"
#include "overlap/arcs/projection/contour_rim.h"
#include "overlap/arcs/projection/contour_segments.h"
#include "overlap/mesh_arcs/mesh_lines.h"
#include "overlap/mesh_arcs/mesh_outlines.h"

namespace volcontact {

/// Measures the area of the projection of M ∩ S along a direction, by an integral along its rim, as
/// ProjectedArea does. The contour consists of edges between faces that look along the direction
/// and faces that look against it, and of the outlines of the solid's surfaces. These edges are the
/// mesh's edges inside the solid, the arcs, and the solid's edges. If a part of the contour is
/// missing, it does not close. Keeps its memory.
class MeshProjection {
 public:
  /// Finds the outlines of what was summed, which must outlive the use. False where one is not
  /// known. `along`: in the cube, with the area of what is projected along it as its length.
  bool FindOutlines(const MeshArcSums& sums, const Eigen::Vector3d& along);
  /// Whether no face of the solid turns away within itself; after FindOutlines.
  bool HasNoOutlines() const { return outlines_.parts().empty(); }
  /// The area, along the direction of FindOutlines; `lower`: it is certainly no less. Nothing where
  /// the contour does not close.
  std::optional<double> Measure(double lower);
  /// By lines, to about 1e-3.
  double Scan(const MeshArcSums& sums, const Eigen::Vector3d& along);

 private:
  // The arcs on the mesh's faces, by their numbers.
  class ArcCurves : public ContourCurves {
   public:
    explicit ArcCurves(const std::vector<TrimArc>& arcs) : arcs_(arcs) {}
    bool PointOn(int curve, double u, CurvePoint* point) const override;
    int ArcsOf(int curve, double from, double to) const override;

   private:
    const std::vector<TrimArc>& arcs_;
  };
  // An edge from its vertex of the lower number, and how often the faces that look along the
  // direction have it on their left.
  struct MeshEdge {
    std::uint64_t vertices;
    int count;
  };
  // What of an edge lies in the solid.
  struct Segment {
    std::array<Eigen::Vector3d, 2> ends;
    double count;
  };
  // What one thread works with.
  struct Scratch {
    std::vector<Truth> states;  // by surface; all unknown between uses
    std::vector<double> zeros;
  };

  void AddArcs(const ContourCurves& curves);
  void AddParts(const ContourCurves& curves);
  void AddMeshEdges();
  void FindParts(std::uint32_t node);
  void CollectEdges(std::uint32_t node, Scratch* scratch, std::vector<MeshEdge>* edges) const;
  static void CancelEdges(std::vector<MeshEdge>* edges);
  bool IsOff(const MeshNode& node, Scratch* scratch) const;
  void TrimEdge(const MeshEdge& edge, Scratch* scratch, std::vector<Segment>* segments) const;
  bool ClipToCube(const Vector3dd& p, const Eigen::Vector3d& way, double* from, double* to) const;
  bool IsInSolid(const Eigen::Vector3d& p, Scratch* scratch) const;
  int SideOfFace(std::uint32_t face) const;
  void BeginLines(const Eigen::Vector3d& along);
  int CountLine(const Eigen::Vector3d& p);

  const MeshArcSums* sums_ = nullptr;
  Eigen::Vector3d along_ = Eigen::Vector3d::Zero(), along_M_ = Eigen::Vector3d::Zero();
  MeshOutlines outlines_;
  ContourSegments segments_;                          // of the mesh's edges
  std::vector<std::uint32_t> parts_;                  // nodes of the mesh's tree
  std::vector<std::vector<MeshEdge>> edges_of_part_;  // the first parts_.size() are in use
  std::vector<MeshEdge> edges_;
  std::vector<std::vector<Segment>> segments_of_part_;
  std::vector<Scratch> scratch_;  // by worker
  std::vector<ContourPart> contour_;
  ContourRim rim_;
  LineProbe probe_;
  MeshLines lines_;
};

}  // namespace volcontact
