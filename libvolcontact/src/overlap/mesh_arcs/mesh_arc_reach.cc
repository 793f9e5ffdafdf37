// How far the overlap that was summed reaches.
#include <algorithm>
#include <cmath>

#include "math/small_systems.h"
#include "overlap/arcs/curves/local_torus.h"
#include "overlap/mesh_arcs/mesh_arc_sums.h"

namespace volcontact {
using Eigen::Matrix3d;
using Eigen::Vector3d;

// Whether a point of a surface is on a face of the overlap.
bool MeshArcSums::IsOnFace(int surface, const Vector3d& p) const {
  if (!(p.cwiseAbs().maxCoeff() <= 1.0)) return false;
  std::vector<Truth> states(surfaces_.size(), Truth::kUnknown);
  for (const int s : active_) states[s] = ToTruth(surfaces_[s].At(p) <= 0.0);
  states[surface] = ToTruth(true);
  const Truth below = whole_solid_.expression.Evaluate(states.data());
  states[surface] = ToTruth(false);
  return below != whole_solid_.expression.Evaluate(states.data()) && WindingAt(p) != 0;
}

void MeshArcSums::AddTorusPoints(int surface, const Matrix3d& axes) {
  const LocalFrame& frame = input_->solid.frame;
  const LocalTorus torus(input_->seams.Of(surface).torus, frame);
  for (int i = 0; i < 3; ++i) {
    for (const Vector3d& p : torus.ExtremesAlong(axes.col(i).cwiseQuotient(frame.half))) {
      if (p.cwiseAbs().maxCoeff() <= 1.0 && WindingAt(p) != 0) {
        walk_.points()->push_back(p);
      }
    }
  }
}

const std::vector<Vector3d>& MeshArcSums::FindPoints(const Matrix3d& axes) {
  for (const SolidEdges::Part& part : edges_.parts()) {
    const EdgePiece& piece = edges_.edges().pieces[part.piece];
    for (const double at : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      CurvePoint point;
      if (edges_.edges().PointOn(input_->solid, piece, part.from + at * (part.to - part.from),
                                 &point)) {
        walk_.points()->push_back(point.p);
      }
    }
  }
  for (const int s : active_) {
    const TrimSurface& surface = surfaces_[s];
    const SurfaceKind kind = input_->kinds[s];
    if (kind == SurfaceKind::kTorus) AddTorusPoints(s, axes);
    if (kind != SurfaceKind::kElliptic && kind != SurfaceKind::kCone) continue;
    // Where the gradient is along an axis e: center + t H⁻¹ e, for quadrics with a centre.
    const PivotedMatrix pivoted(surface.H);
    if (!pivoted.IsInvertible()) continue;
    const Vector3d center = -0.5 * pivoted.Solve(surface.slope);
    const double level = -surface.At(center);
    for (int i = 0; i < 3; ++i) {
      const Vector3d way = pivoted.Solve(axes.col(i));
      const double square = level / way.dot(surface.H * way);
      const double t = std::sqrt(std::max(0.0, square));
      for (const double side : {-t, t}) {
        const Vector3d p = center + side * way;
        if (p.cwiseAbs().maxCoeff() <= 1.0 && WindingAt(p) != 0) {
          walk_.points()->push_back(p);
        }
      }
    }
  }
  return *walk_.points();
}

}  // namespace volcontact
