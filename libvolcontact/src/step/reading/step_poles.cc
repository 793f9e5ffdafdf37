#include "step/reading/step_poles.h"

#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeSolid.hxx>
#include <BRepLib.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <GeomAPI_ProjectPointOnCurve.hxx>
#include <Geom_Curve.hxx>
#include <Geom_SurfaceOfRevolution.hxx>
#include <Precision.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Shell.hxx>
#include <gp_Ax1.hxx>
#include <gp_Vec.hxx>
#include <numbers>
#include <vector>

#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Points along the curve, between which it is taken to cross the axis once at most; and steps of
// bisection.
constexpr int kAlongProfile = 200, kHalvings = 60;

// A closed curve and the axis that it is turned about.
class Profile {
 public:
  explicit Profile(const Geom_SurfaceOfRevolution& surface)
      : curve_(surface.BasisCurve()), axis_(surface.Axis()) {
    for (int i = 0; i < kAlongProfile; ++i) {
      const gp_Vec out = OutAt(At(i));
      if (out.SquareMagnitude() > across_.SquareMagnitude()) across_ = out;
    }
  }

  // Where it crosses the axis.
  std::vector<double> Poles() const {
    std::vector<double> poles;
    for (int i = 0; i < kAlongProfile; ++i) {
      double low = At(i), high = At(i + 1);
      const bool before = IsBeyond(low);
      if (before == IsBeyond(high)) continue;
      for (int k = 0; k < kHalvings; ++k) {
        const double middle = 0.5 * (low + high);
        (IsBeyond(middle) == before ? low : high) = middle;
      }
      poles.push_back(0.5 * (low + high));
    }
    return poles;
  }

  // Whether half a turn leaves it as it is.
  bool IsSymmetric() const {
    for (int i = 0; i < kAlongProfile; ++i) {
      const gp_Pnt turned = curve_->Value(At(i)).Rotated(axis_, std::numbers::pi);
      const GeomAPI_ProjectPointOnCurve nearest(turned, curve_);
      if (nearest.NbPoints() == 0 || nearest.LowerDistance() > Precision::Confusion()) return false;
    }
    return true;
  }

 private:
  double At(int i) const {
    const double from = curve_->FirstParameter();
    return from + (curve_->LastParameter() - from) * i / kAlongProfile;
  }
  gp_Vec OutAt(double t) const {
    const gp_Vec from(axis_.Location(), curve_->Value(t)), along(axis_.Direction());
    return from - from.Dot(along) * along;
  }
  bool IsBeyond(double t) const { return OutAt(t).Dot(across_) < 0.0; }

  Handle(Geom_Curve) curve_;
  gp_Ax1 axis_;
  gp_Vec across_{0.0, 0.0, 0.0};  // from the axis to the farthest point
};

// The surface of a face that turns the whole of a closed curve; else nothing.
Handle(Geom_SurfaceOfRevolution) WholeTurned(const TopoDS_Face& face) {
  const auto surface = Handle(Geom_SurfaceOfRevolution)::DownCast(BRep_Tool::Surface(face));
  if (surface.IsNull() || !surface->BasisCurve()->IsClosed()) return {};
  double u[2], v[2];
  BRepTools::UVBounds(face, u[0], u[1], v[0], v[1]);
  const Handle(Geom_Curve) curve = surface->BasisCurve();
  const double all = curve->LastParameter() - curve->FirstParameter();
  if (!(v[1] - v[0] > all - Precision::PConfusion())) return {};
  return surface;
}

}  // namespace

TopoDS_Solid CutAtPoles(const TopoDS_Solid& solid, const std::string& name) {
  TopTools_IndexedMapOfShape faces;
  TopExp::MapShapes(solid, TopAbs_FACE, faces);
  if (faces.Extent() != 1) return solid;
  const Handle(Geom_SurfaceOfRevolution) surface = WholeTurned(TopoDS::Face(faces(1)));
  if (surface.IsNull()) return solid;
  const Profile profile(*surface);
  const std::vector<double> poles = profile.Poles();
  if (poles.empty()) return solid;
  if (poles.size() != 2 || !profile.IsSymmetric()) {
    throw InvalidInput(name +
                       " turns a closed curve about an axis that the curve crosses, so that its "
                       "surface crosses itself, and the file does not say which part of it is "
                       "meant; cut the curve at the axis in the CAD program, and export again");
  }
  BRep_Builder builder;
  TopoDS_Shell shell;
  builder.MakeShell(shell);
  builder.Add(shell, BRepBuilderAPI_MakeFace(surface, 0.0, 2.0 * std::numbers::pi, poles[0],
                                             poles[1], Precision::Confusion())
                         .Face());
  TopoDS_Solid cut = BRepBuilderAPI_MakeSolid(shell);
  BRepLib::OrientClosedSolid(cut);
  return cut;
}

}  // namespace volcontact
