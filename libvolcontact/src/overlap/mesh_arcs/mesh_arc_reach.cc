// How far the overlap that was summed reaches, and where its faces turn away from a direction.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "overlap/arcs/local_torus.h"
#include "overlap/mesh_arcs/mesh_arc_sums.h"

namespace volcontact {
namespace {

// Places around a torus where it is asked for an outline.
constexpr int kOutlinePlaces = 24;

}  // namespace

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Calls visit(p) for points on the edges of a surface's faces.
template <class VisitPoint>
void MeshArcSums::ForPointsOnEdges(int surface, const VisitPoint& visit) const {
  constexpr double kPlaces[] = {0.0, 0.5, 1.0};
  for (const TrimArc& arc : cut().arcs) {
    if (arc.surface != surface) continue;
    for (const double at : kPlaces) visit(arc.arc.At(arc.from + at * (arc.to - arc.from)).p);
  }
  for (const SolidEdges::Part& part : edges_.parts()) {
    const EdgePiece& piece = edges_.edges().pieces[part.piece];
    const std::span<const EdgeSheet> sheets = piece.sheets.All();
    if (std::none_of(sheets.begin(), sheets.end(),
                     [=](const EdgeSheet& sheet) { return sheet.surface == surface; })) {
      continue;
    }
    for (const double at : kPlaces) {
      CurvePoint point;
      if (edges_.edges().PointOn(input_->solid, piece, part.from + at * (part.to - part.from),
                                 &point)) {
        visit(point.p);
      }
    }
  }
}

// Whether a point of a surface is on a face of the overlap.
bool MeshArcSums::IsOnFace(int surface, const Vector3d& p) const {
  if (!(p.cwiseAbs().maxCoeff() <= 1.0)) return false;
  std::vector<Truth> states(surfaces_.size(), Truth::kUnknown);
  for (const int s : active_) states[s] = ToTruth(surfaces_[s].At(p) <= 0.0);
  states[surface] = ToTruth(true);
  const Truth below = whole_solid_.expression.Evaluate(states.data());
  states[surface] = ToTruth(false);
  return below != whole_solid_.expression.Evaluate(states.data()) &&
         LocateInTheMesh(p) != Truth::kFalse;
}

// Of a torus, where it meets no edge.
bool MeshArcSums::HasTorusOutline(int surface, const Vector3d& along) const {
  const LocalFrame& frame = input_->solid.frame;
  const LocalTorus torus(input_->seams.Of(surface).torus, frame);
  const Vector3d along_C = frame.half.cwiseProduct(along);
  for (int n = 0; n < kOutlinePlaces; ++n) {
    for (const Vector3d& p : torus.OutlineAt(kFullTurn * n / kOutlinePlaces, along_C)) {
      if (IsOnFace(surface, p)) return true;
    }
  }
  return false;
}

// On a face of rulings the derivative keeps its sign along these, which lead to edges. On others
// the outline is an ellipse, and crosses edges, or lies in a face or off it as a whole.
bool MeshArcSums::HasOutline(int surface, const Vector3d& along) const {
  const TrimSurface& psi = surfaces_[surface];
  double low = std::numeric_limits<double>::infinity(), high = -low;
  ForPointsOnEdges(surface, [&](const Vector3d& p) {
    const double slope = along.dot(psi.Gradient(p));
    low = std::min(low, slope);
    high = std::max(high, slope);
  });
  if (low < 0.0 && high > 0.0) return true;
  const SurfaceKind kind = input_->kinds[surface];
  if (kind == SurfaceKind::kTorus) return HasTorusOutline(surface, along);
  if (kind == SurfaceKind::kSaddle) return true;
  if (kind != SurfaceKind::kElliptic) return false;
  const Eigen::FullPivLU<Matrix3d> lu(psi.H);
  if (!lu.isInvertible()) return true;
  const Vector3d center = -0.5 * lu.solve(psi.slope);
  const Vector3d way = (psi.H * along).unitOrthogonal();
  const double square = -psi.At(center) / way.dot(psi.H * way);
  return square >= 0.0 && IsOnFace(surface, center + std::sqrt(square) * way);
}

void MeshArcSums::AddTorusPoints(int surface, const Matrix3d& axes) {
  const LocalFrame& frame = input_->solid.frame;
  const LocalTorus torus(input_->seams.Of(surface).torus, frame);
  for (int i = 0; i < 3; ++i) {
    for (const Vector3d& p : torus.ExtremesAlong(axes.col(i).cwiseQuotient(frame.half))) {
      if (p.cwiseAbs().maxCoeff() <= 1.0 && LocateInTheMesh(p) != Truth::kFalse) {
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
    const Eigen::FullPivLU<Matrix3d> lu(surface.H);
    if (!lu.isInvertible()) continue;
    const Vector3d center = -0.5 * lu.solve(surface.slope);
    const double level = -surface.At(center);
    for (int i = 0; i < 3; ++i) {
      const Vector3d way = lu.solve(axes.col(i));
      const double square = level / way.dot(surface.H * way);
      const double t = std::sqrt(std::max(0.0, square));
      for (const double side : {-t, t}) {
        const Vector3d p = center + side * way;
        if (p.cwiseAbs().maxCoeff() <= 1.0 && LocateInTheMesh(p) != Truth::kFalse) {
          walk_.points()->push_back(p);
        }
      }
    }
  }
  return *walk_.points();
}

}  // namespace volcontact
