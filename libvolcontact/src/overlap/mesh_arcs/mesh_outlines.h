// Outlines of a mesh's overlap with a solid: the curves where its faces turn away from a direction.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "overlap/arcs/curves/local_torus.h"
#include "overlap/arcs/curves/whole_curve.h"
#include "overlap/arcs/projection/contour.h"
#include "overlap/mesh_arcs/mesh_arc_sums.h"

namespace volcontact {

/// The outlines of the solid's surfaces, on which n·∇psi = 0, as far as they lie on faces of the
/// overlap. They begin and end where edges of these faces turn away, or are closed. The outline of
/// a quadric is a conic, that of a torus a curve in closed form on each side of the tube.
/// Keeps its memory.
class MeshOutlines : public ContourCurves {
 public:
  /// Finds the outlines of what was summed, along a direction of the cube. The sums must outlive
  /// them. False if an outline is not known.
  bool Run(const MeshArcSums& sums, const Eigen::Vector3d& along);

  /// The outlines, with how often they count in the contour.
  const std::vector<ContourPart>& parts() const { return parts_; }
  /// 1 where a surface's gradient looks along the direction at a point of it, else −1.
  int SignAt(int surface, const Eigen::Vector3d& p) const;
  /// The parameters, in order, at which the surface turns away on an arc of a mesh's face, and on a
  /// part of an edge of the solid: any surface of that.
  std::span<const double> OnArc(std::size_t arc) const { return Of(on_arcs_, arc); }
  std::span<const double> OnPart(std::size_t part) const { return Of(on_parts_, part); }

  bool PointOn(int curve, double u, CurvePoint* point) const override;
  int ArcsOf(int curve, double from, double to) const override;

 private:
  // Places on numbered curves.
  struct Places {
    std::vector<double> all;
    std::vector<std::size_t> begin;
  };
  struct Outline {
    int surface;
    WholeCurve conic;
    int torus = -1, side = 0;  // of tori_
    bool is_closed = false;
    double from = 0.0, to = 0.0;
  };

  static std::span<const double> Of(const Places& places, std::size_t n) {
    return {places.all.data() + places.begin[n], places.begin[n + 1] - places.begin[n]};
  }
  template <class At>
  void AddTurns(int surface, const At& at, double from, double to);
  void FindOnArcs();
  bool FindOnParts();
  bool AddOutlines(int surface);
  bool AddTorusOutlines(int surface);
  void AddCusps(int curve);
  void AddParts(int curve);
  void AddInterval(int curve, double from, double to);
  bool IsNearOther(int surface, const Eigen::Vector3d& p) const;
  bool HasFacesBeside(int surface, const CurvePoint& point) const;
  bool FindParameter(const Outline& outline, const Eigen::Vector3d& p, double* u) const;

  const MeshArcSums* sums_ = nullptr;
  Eigen::Vector3d along_ = Eigen::Vector3d::Zero();
  std::vector<LocalSurface> turns_;  // by surface, the derivative of psi along the direction
  Places on_arcs_, on_parts_;
  std::vector<std::vector<Eigen::Vector3d>> points_;  // by surface, where its edges turn away
  std::vector<double> zeros_;
  std::vector<WholeCurve> curves_;
  std::vector<LocalTorus> tori_;
  Eigen::Vector3d along_C_ = Eigen::Vector3d::Zero();
  std::vector<Outline> outlines_;
  std::vector<ContourPart> parts_;
};

}  // namespace volcontact
