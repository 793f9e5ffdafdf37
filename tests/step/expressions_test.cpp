// Parts whose expression takes a search: wires bent around bodies of revolution, housings with
// little corners, drilled pins. Exact, with their volume, and the same each time.
#include <gtest/gtest.h>

#include <BRepAdaptor_Curve.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepFilletAPI_MakeChamfer.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepGProp.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepPrimAPI_MakeWedge.hxx>
#include <GProp_GProps.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <cmath>
#include <gp_Ax2.hxx>
#include <gp_Trsf.hxx>
#include <numbers>
#include <string>

#include "step/written_file.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/step/step_file.h"

namespace volcontact::expressions_test {
namespace {

constexpr double kPi = std::numbers::pi, kCubicMillimetre = 1e-9;

gp_Ax2 Along(double x, double y, double z, const gp_Dir& axis) {
  return gp_Ax2(gp_Pnt(x, y, z), axis);
}

TopoDS_Shape Fused(const TopoDS_Shape& a, const TopoDS_Shape& b) {
  return BRepAlgoAPI_Fuse(a, b).Shape();
}

class StepExpressions : public WrittenStepFile {
 protected:
  // Exact, and of this volume [mm³].
  void ExpectExact(const TopoDS_Shape& shape, double volume) {
    Write(shape);
    const StepBody body = ReadStepBodies(file_).front();
    ASSERT_TRUE(body.exact) << body.why;
    solid_ = body.solid;
    QueryOptions options;
    options.tolerance = 1e-6;
    const MassProperties mass = ComputeMassProperties(*solid_, options);
    EXPECT_NEAR(mass.volume / (volume * kCubicMillimetre), 1.0, 1e-8);
  }

  std::optional<Solid> solid_;
};

// A diode: a body of revolution with a band around it, on a wire that is bent at both ends.
TopoDS_Shape Diode(bool banded) {
  const gp_Dir x(1, 0, 0);
  TopoDS_Shape body = BRepPrimAPI_MakeCylinder(Along(3, 0, 0, x), 1.0, 4.0).Shape();
  BRepFilletAPI_MakeFillet rounded(body);
  for (TopExp_Explorer e(body, TopAbs_EDGE); e.More(); e.Next()) {
    const BRepAdaptor_Curve curve(TopoDS::Edge(e.Current()));
    if (curve.GetType() == GeomAbs_Circle) rounded.Add(0.4, TopoDS::Edge(e.Current()));
  }
  body = rounded.Shape();
  if (banded) {
    body = Fused(body, BRepPrimAPI_MakeCylinder(Along(3.6, 0, 0, x), 1.01, 1.0).Shape());
  }
  const double r = 0.25, R = 0.5;
  TopoDS_Shape part = Fused(body, BRepPrimAPI_MakeCylinder(Along(0.5, 0, 0, x), r, 9.0).Shape());
  const TopoDS_Shape leg =
      BRepPrimAPI_MakeCylinder(Along(0, 0, -R, gp_Dir(0, 0, -1)), r, 3.5).Shape();
  const TopoDS_Shape bend =
      BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(R, 0, -R), gp_Dir(0, 1, 0), gp_Dir(-1, 0, 0)), R, r,
                            0.5 * kPi)
          .Shape();
  for (const bool right : {false, true}) {
    gp_Trsf mirror;
    if (right) mirror.SetMirror(gp_Ax2(gp_Pnt(5, 0, 0), x));
    part = Fused(part, BRepBuilderAPI_Transform(bend, mirror).Shape());
    part = Fused(part, BRepBuilderAPI_Transform(leg, mirror).Shape());
  }
  return part;
}

double VolumeOf(const TopoDS_Shape& shape) {
  GProp_GProps props;
  BRepGProp::VolumeProperties(shape, props, 1e-10);
  return props.Mass();
}

TEST_F(StepExpressions, WiresThroughRoundedBodies) {
  for (const bool banded : {false, true}) {
    const TopoDS_Shape diode = Diode(banded);
    ExpectExact(diode, VolumeOf(diode));
    if (HasFatalFailure()) return;
  }
  // A leg on the ground, 1 µm deep: its flat end.
  const Pose X{{0.0, 0.0, 4.0e-3 - 1e-6}};
  const Metrics found = PreparedPair(*solid_, HalfSpace()).Query(X, Pose());
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.volume / (2.0 * kPi * 0.25e-3 * 0.25e-3 * 1e-6), 1.0, 1e-6);
}

// A relay: a box with rounded edges but for the lower ones, whose corners there are cut off by
// chamfers that end in small triangles, on pins.
TEST_F(StepExpressions, HousingsOnPins) {
  const TopoDS_Shape box = BRepPrimAPI_MakeBox(29, 12.7, 15.7).Shape();
  BRepFilletAPI_MakeFillet rounded(box);
  for (TopExp_Explorer e(box, TopAbs_EDGE); e.More(); e.Next()) {
    const BRepAdaptor_Curve curve(TopoDS::Edge(e.Current()));
    if (curve.Value(0.5 * (curve.FirstParameter() + curve.LastParameter())).Z() > 0.0) {
      rounded.Add(0.5, TopoDS::Edge(e.Current()));
    }
  }
  TopoDS_Shape part = rounded.Shape();
  // Below the middle of the bottom, from corner to corner.
  for (const double x : {-0.2, 27.7}) {
    for (const double y : {-0.2, 11.4}) {
      part = BRepAlgoAPI_Cut(part, BRepPrimAPI_MakeBox(gp_Pnt(x, y, -1), 1.5, 1.5, 1.2).Shape())
                 .Shape();
    }
  }
  for (const double x : {3.0, 14.0, 25.0}) {
    part = Fused(part, BRepPrimAPI_MakeBox(gp_Pnt(x, 6, -5), 0.4, 1.0, 6.0).Shape());
  }
  ExpectExact(part, VolumeOf(part));
}

// A moulded block: tapered, and rounded by r everywhere. It is all points within r of the block
// within, so that Steiner's formula gives its volume by the faces and edges of that one.
TEST_F(StepExpressions, MouldedBlocks) {
  const double x = 30, y = 20, h = 10, taper = 0.1, r = 1, inset = h * std::tan(taper);
  const TopoDS_Shape block =
      BRepPrimAPI_MakeWedge(x, h, y, inset, inset, x - inset, y - inset).Shape();
  BRepFilletAPI_MakeFillet rounded(block);
  for (TopExp_Explorer e(block, TopAbs_EDGE); e.More(); e.Next()) {
    rounded.Add(r, TopoDS::Edge(e.Current()));
  }
  const auto within = [&](double side, double z) {
    return side - 2.0 * (z * std::tan(taper) + r / std::cos(taper));
  };
  const double low = within(x, r) * within(y, r), high = within(x, h - r) * within(y, h - r),
               middle = within(x, h / 2) * within(y, h / 2), up = h - 2 * r;
  const double around_low = 2 * (within(x, r) + within(y, r)),
               around_high = 2 * (within(x, h - r) + within(y, h - r)),
               edge = up * std::sqrt(1.0 + 2.0 * std::pow(std::tan(taper), 2));
  const double area = low + high + 0.5 * (around_low + around_high) * up / std::cos(taper);
  const double bends = 0.5 * (around_low * (kPi / 2 + taper) + around_high * (kPi / 2 - taper) +
                              4 * edge * std::acos(std::pow(std::sin(taper), 2)));
  ExpectExact(rounded.Shape(), up * (low + 4 * middle + high) / 6 + r * area + r * r * bends +
                                   4.0 / 3.0 * kPi * r * r * r);
}

// A pin of a plug: drilled from both ends to a point, with half of one end cut away by a plane that
// runs through its axis, and so through the points.
TEST_F(StepExpressions, DrilledPins) {
  const gp_Dir up(0, 0, 1);
  const auto drill = [&](double z, double r, double depth, bool upward) {
    const gp_Dir axis = upward ? up : gp_Dir(0, 0, -1);
    const double tip = z + (upward ? depth : -depth);
    return Fused(BRepPrimAPI_MakeCylinder(Along(0, 0, z, axis), r, depth).Shape(),
                 BRepPrimAPI_MakeCone(Along(0, 0, tip, axis), r, 0.0, 0.6 * r).Shape());
  };
  TopoDS_Shape pin = BRepPrimAPI_MakeCylinder(Along(0, 0, -4.5, up), 2.15, 20.0).Shape();
  pin = BRepAlgoAPI_Cut(pin, drill(15.5, 1.75, 10.0, false)).Shape();
  pin = BRepAlgoAPI_Cut(pin, drill(-4.5, 1.5, 6.0, true)).Shape();
  pin = BRepAlgoAPI_Cut(pin, BRepPrimAPI_MakeBox(gp_Pnt(0, -3, -5), 3, 6, 3.5).Shape()).Shape();
  const double bored = 1.75 * 1.75 * (10.0 + 0.2 * 1.75) + 1.5 * 1.5 * (6.0 + 0.2 * 1.5);
  const double half = 0.5 * 3.0 * (2.15 * 2.15 - 1.5 * 1.5);
  ExpectExact(pin, kPi * (2.15 * 2.15 * 20.0 - bored - half));
}

}  // namespace
}  // namespace volcontact::expressions_test
