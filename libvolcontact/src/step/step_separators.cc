#include "step/step_separators.h"

#include <BRepAdaptor_Curve.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <cmath>
#include <gp_Circ.hxx>
#include <gp_Elips.hxx>

#include "step/step_frames.h"

namespace volcontact {
namespace {

// Angles around a torus's tube whose sine or cosine is less are those of its axes.
constexpr double kAlongAxes = 1e-9;

StepFace PlaneAcross(const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
  StepFace plane;
  plane.surface = StepSurface::kPlane;
  plane.origin = point;
  plane.axes.col(2) = normal.normalized();
  plane.axes.col(0) = plane.axes.col(2).unitOrthogonal();
  plane.axes.col(1) = plane.axes.col(2).cross(plane.axes.col(0));
  return plane;
}

// The surface that meets a surface of revolution at a right angle along its circle at v, which has
// the point `at`.
StepFace AcrossCircle(const StepFace& face, double v, const Eigen::Vector3d& at) {
  if (face.surface != StepSurface::kTorus || std::abs(std::sin(v)) < kAlongAxes)
    return PlaneAcross(at, face.axes.col(2));
  StepFace across;
  across.origin = face.origin;
  across.axes = face.axes;
  across.radius = face.radius;
  across.surface = std::abs(std::cos(v)) < kAlongAxes ? StepSurface::kCylinder : StepSurface::kCone;
  if (across.surface == StepSurface::kCone) across.minor = std::cos(v) / std::sin(v);
  return across;
}

}  // namespace

void AddSeparators(const TopoDS_Face& face, const BRepAdaptor_Surface& surface,
                   const StepFace& known, std::vector<StepFace>* separators) {
  // Of splines the parameters tell nothing.
  if (surface.GetType() == GeomAbs_Plane || surface.GetType() > GeomAbs_Torus) return;
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
    separators->push_back(AcrossCircle(known, bound, at(u[0], bound)));
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
    }
  }
}

}  // namespace volcontact
