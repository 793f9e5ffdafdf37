#include "step/step_separators.h"

#include <BRepAdaptor_Curve.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <cmath>
#include <gp_Circ.hxx>
#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Elips.hxx>
#include <gp_Sphere.hxx>
#include <gp_Torus.hxx>

#include "step/step_frames.h"

namespace volcontact {
namespace {

// Angles around a torus's tube whose sine or cosine is less are those of its axes.
constexpr double kAlongAxes = 1e-9;

gp_Ax3 SurfaceFrame(const BRepAdaptor_Surface& surface) {
  switch (surface.GetType()) {
    case GeomAbs_Cylinder:
      return surface.Cylinder().Position();
    case GeomAbs_Cone:
      return surface.Cone().Position();
    case GeomAbs_Sphere:
      return surface.Sphere().Position();
    default:
      return surface.Torus().Position();
  }
}

StepFace PlaneAcross(const gp_Pnt& point, const gp_Dir& normal) {
  StepFace plane;
  plane.surface = StepSurface::kPlane;
  SetFrame(gp_Ax3(point, normal), &plane);
  return plane;
}

// The surface that meets a surface of revolution at a right angle along its circle at v.
StepFace AcrossCircle(const BRepAdaptor_Surface& surface, double u, double v) {
  if (surface.GetType() != GeomAbs_Torus || std::abs(std::sin(v)) < kAlongAxes) {
    const gp_Ax3 frame = SurfaceFrame(surface);
    return PlaneAcross(surface.Value(u, v), frame.Direction());
  }
  StepFace across;
  SetFrame(surface.Torus().Position(), &across);
  across.radius = InMetres(surface.Torus().MajorRadius());
  across.surface = std::abs(std::cos(v)) < kAlongAxes ? StepSurface::kCylinder : StepSurface::kCone;
  if (across.surface == StepSurface::kCone) across.minor = std::cos(v) / std::sin(v);
  return across;
}

}  // namespace

void AddSeparators(const TopoDS_Face& face, const BRepAdaptor_Surface& surface,
                   std::vector<StepFace>* separators) {
  // Of splines the parameters tell nothing.
  if (surface.GetType() == GeomAbs_Plane || surface.GetType() > GeomAbs_Torus) return;
  double u[2], v[2];
  BRepTools::UVBounds(face, u[0], u[1], v[0], v[1]);
  const gp_Ax3 frame = SurfaceFrame(surface);
  for (const double bound : u) {
    const gp_Pnt p = surface.Value(bound, 0.5 * (v[0] + v[1]));
    const gp_Vec across = gp_Vec(frame.Direction()).Crossed(gp_Vec(frame.Location(), p));
    if (across.Magnitude() > 0.0) separators->push_back(PlaneAcross(frame.Location(), across));
  }
  for (const double bound : v) separators->push_back(AcrossCircle(surface, u[0], bound));
}

void AddPlanesOfEdges(const TopoDS_Solid& solid, std::vector<StepFace>* separators) {
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(solid, TopAbs_EDGE, edges);
  for (int e = 1; e <= edges.Extent(); ++e) {
    const TopoDS_Edge& edge = TopoDS::Edge(edges(e));
    if (BRep_Tool::Degenerated(edge)) continue;
    const BRepAdaptor_Curve curve(edge);
    if (curve.GetType() == GeomAbs_Circle) {
      separators->push_back(
          PlaneAcross(curve.Circle().Location(), curve.Circle().Axis().Direction()));
    } else if (curve.GetType() == GeomAbs_Ellipse) {
      separators->push_back(
          PlaneAcross(curve.Ellipse().Location(), curve.Ellipse().Axis().Direction()));
    }
  }
}

}  // namespace volcontact
