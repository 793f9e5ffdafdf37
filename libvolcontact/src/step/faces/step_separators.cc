#include "step/faces/step_separators.h"

#include <BRepAdaptor_Curve.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <algorithm>
#include <cmath>
#include <gp_Circ.hxx>
#include <gp_Elips.hxx>

#include "step/faces/step_frames.h"

namespace volcontact {
namespace {

// Directions from the circle within a torus's tube are along its axes if they are off by less.
constexpr double kAlongAxes = 1e-6;

StepFace PlaneAcross(const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
  StepFace plane;
  plane.surface = StepSurface::kPlane;
  plane.origin = point;
  plane.axes.col(2) = normal.normalized();
  plane.axes.col(0) = plane.axes.col(2).unitOrthogonal();
  plane.axes.col(1) = plane.axes.col(2).cross(plane.axes.col(0));
  return plane;
}

// The surface that meets a surface of revolution at a right angle along its circle through `at`.
StepFace AcrossCircle(const StepFace& face, const Eigen::Vector3d& at) {
  const Eigen::Vector3d q = face.axes.transpose() * (at - face.origin);
  const double out = std::hypot(q.x(), q.y()) - face.radius, along = q.z();
  const double axes = kAlongAxes * face.minor;
  if (face.surface != StepSurface::kTorus || std::abs(along) < axes)
    return PlaneAcross(at, face.axes.col(2));
  StepFace across;
  across.origin = face.origin;
  across.axes = face.axes;
  across.radius = face.radius;
  across.surface = std::abs(out) < axes ? StepSurface::kCylinder : StepSurface::kCone;
  if (across.surface == StepSurface::kCone) across.minor = out / along;
  return across;
}

// How far points of a spline may be from the curve or plane that it stands for [m], and how many of
// them tell that.
constexpr double kOnEdge = 1e-7;
constexpr int kAlongEdge = 12;

std::vector<Eigen::Vector3d> PointsOf(const BRepAdaptor_Curve& curve) {
  const double from = curve.FirstParameter(), step = (curve.LastParameter() - from) / kAlongEdge;
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i <= kAlongEdge; ++i) {
    points.push_back(InMetres(curve.Value(from + i * step).XYZ()));
  }
  return points;
}

bool IsOn(const StepFace& surface, const std::vector<Eigen::Vector3d>& points) {
  return std::ranges::all_of(
      points, [&](const Eigen::Vector3d& p) { return std::abs(surface.Height(p)) <= kOnEdge; });
}

// Along an edge that is a circle around the axis of a face, or in a plane with it.
void AddAlongEdge(const StepFace& face, const std::vector<Eigen::Vector3d>& points,
                  std::vector<StepFace>* separators) {
  const Eigen::Vector3d axis = face.axes.col(2), out = points[kAlongEdge / 3] - face.origin;
  const StepFace around = AcrossCircle(face, points.front()),
                 along = PlaneAcross(face.origin, axis.cross(out));
  if (IsOn(PlaneAcross(points.front(), axis), points)) {
    separators->push_back(around);
  } else if (axis.cross(out).norm() > kOnEdge && IsOn(along, points)) {
    separators->push_back(along);
  }
}

}  // namespace

void AddSeparators(const TopoDS_Face& face, const BRepAdaptor_Surface& surface,
                   const StepFace& known, std::vector<StepFace>* separators) {
  if (known.surface == StepSurface::kPlane || known.surface == StepSurface::kOther) return;
  if (known.surface == StepSurface::kQuadric) {
    // One of them keeps two sheets apart.
    for (int i = 0; i < 3; ++i) {
      if (known.quadric[i] != 0.0)
        separators->push_back(PlaneAcross(known.origin, known.axes.col(i)));
    }
  }
  // Of splines the parameters tell nothing.
  if (surface.GetType() > GeomAbs_Torus) {
    for (TopExp_Explorer edge(face, TopAbs_EDGE); edge.More(); edge.Next()) {
      if (BRep_Tool::Degenerated(TopoDS::Edge(edge.Current()))) continue;
      AddAlongEdge(known, PointsOf(BRepAdaptor_Curve(TopoDS::Edge(edge.Current()))), separators);
    }
    return;
  }
  double u[2], v[2];
  BRepTools::UVBounds(face, u[0], u[1], v[0], v[1]);
  const auto at = [&](double along_u, double along_v) {
    return InMetres(surface.Value(along_u, along_v).XYZ());
  };
  for (const double bound : u) {
    const Eigen::Vector3d out = at(bound, 0.5 * (v[0] + v[1])) - known.origin;
    const Eigen::Vector3d across = known.axes.col(2).cross(out);
    if (across.norm() > 0.0) separators->push_back(PlaneAcross(known.origin, across));
  }
  for (const double bound : v) {
    separators->push_back(AcrossCircle(known, at(u[0], bound)));
  }
}

void AddPlanesOfEdges(const TopoDS_Solid& solid, std::vector<StepFace>* separators) {
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(solid, TopAbs_EDGE, edges);
  for (int e = 1; e <= edges.Extent(); ++e) {
    const TopoDS_Edge& edge = TopoDS::Edge(edges(e));
    if (BRep_Tool::Degenerated(edge)) continue;
    const BRepAdaptor_Curve curve(edge);
    if (curve.GetType() == GeomAbs_Circle) {
      separators->push_back(PlaneAcross(InMetres(curve.Circle().Location().XYZ()),
                                        DirectionOf(curve.Circle().Axis().Direction())));
    } else if (curve.GetType() == GeomAbs_Ellipse) {
      separators->push_back(PlaneAcross(InMetres(curve.Ellipse().Location().XYZ()),
                                        DirectionOf(curve.Ellipse().Axis().Direction())));
    } else if (curve.GetType() > GeomAbs_Ellipse) {
      const std::vector<Eigen::Vector3d> points = PointsOf(curve);
      const Eigen::Vector3d& p = points.front();
      const Eigen::Vector3d across =
          (points[kAlongEdge / 3] - p).cross(points[2 * kAlongEdge / 3] - p);
      const StepFace plane = PlaneAcross(p, across);
      if (across.norm() > kOnEdge * (points[kAlongEdge / 2] - p).norm() && IsOn(plane, points))
        separators->push_back(plane);
    }
  }
}

}  // namespace volcontact
