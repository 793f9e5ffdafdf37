#include "step/faces/step_mass.h"

#include <BRepAdaptor_Surface.hxx>
#include <BRepGProp.hxx>
#include <BRep_Tool.hxx>
#include <GProp_GProps.hxx>
#include <GeomAdaptor_Surface.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <algorithm>
#include <cmath>

#include "step/faces/step_units.h"

namespace volcontact {
namespace {

// In a cubic metre.
constexpr double kCubicMillimetres =
    kMillimetresPerMetre * kMillimetresPerMetre * kMillimetresPerMetre;

// Surfaces of revolution and extrusion, as Open CASCADE writes tori that cross their axis.
bool HasSweptFaces(const TopoDS_Solid& solid) {
  for (TopExp_Explorer face(solid, TopAbs_FACE); face.More(); face.Next()) {
    const GeomAbs_SurfaceType type = BRepAdaptor_Surface(TopoDS::Face(face.Current())).GetType();
    if (type == GeomAbs_SurfaceOfRevolution || type == GeomAbs_SurfaceOfExtrusion) return true;
  }
  return false;
}

}  // namespace

bool IsSpline(const TopoDS_Face& face) {
  return GeomAdaptor_Surface(BRep_Tool::Surface(face)).GetType() > GeomAbs_Torus;
}

StepMass MassOf(const TopoDS_Solid& solid, bool tightly) {
  GProp_GProps props;
  if (tightly && HasSweptFaces(solid)) {
    // To a tolerance, moments of revolved circles are off by 1e-4.
    BRepGProp::VolumeProperties(solid, props);
  } else {
    BRepGProp::VolumeProperties(solid, props, tightly ? 1e-9 : 1e-5);
  }
  StepMass mass;
  mass.volume = std::abs(props.Mass()) / kCubicMillimetres;
  mass.centroid = InMetres(props.CentreOfMass().XYZ());
  const gp_Mat inertia = props.MatrixOfInertia();
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      mass.inertia(i, k) =
          inertia(i + 1, k + 1) / (kCubicMillimetres * kMillimetresPerMetre * kMillimetresPerMetre);
    }
  }
  return mass;
}

double DoubtOf(const TopoDS_Solid& solid, const StepMass& mass) {
  const Eigen::Vector3d middle = kMillimetresPerMetre * mass.centroid;
  const gp_Pnt centroid(middle.x(), middle.y(), middle.z());
  double doubt = 0.0;
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(solid, TopAbs_EDGE, edges);
  for (int e = 1; e <= edges.Extent(); ++e) {
    GProp_GProps line;
    BRepGProp::LinearProperties(edges(e), line);
    const double distance = line.CentreOfMass().Distance(centroid);
    doubt += 2.0 / 3.0 * distance * line.Mass() * BRep_Tool::Tolerance(TopoDS::Edge(edges(e)));
  }
  for (TopExp_Explorer face(solid, TopAbs_FACE); face.More(); face.Next()) {
    if (!IsSpline(TopoDS::Face(face.Current()))) continue;
    GProp_GProps area;
    BRepGProp::SurfaceProperties(face.Current(), area);
    doubt += InMillimetres(kSameAsSpline) * std::abs(area.Mass());
  }
  return doubt / (kCubicMillimetres * mass.volume);
}

double GapOf(const TopoDS_Solid& solid) {
  double gap = 0.0;
  for (TopExp_Explorer edge(solid, TopAbs_EDGE); edge.More(); edge.Next()) {
    gap = std::max(gap, BRep_Tool::Tolerance(TopoDS::Edge(edge.Current())));
  }
  return InMetres(gap);
}

}  // namespace volcontact
