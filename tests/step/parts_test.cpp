// Features of machined parts, written by Open CASCADE here: each part is exact, and answers as the
// same part does that is drawn by hand.
#include <gtest/gtest.h>

#include <BRepAdaptor_Curve.hxx>
#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <Eigen/Geometry>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <cmath>
#include <gp_Ax2.hxx>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "math/minimal_rotation.h"
#include "step/written_file.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/step/step_file.h"

namespace volcontact::parts_test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kMillimetre = 1e-3, kCubicMillimetre = 1e-9;
// What is asked of queries, and what both answers may then differ by.
constexpr double kTolerance = 1e-10, kSame = 1e-9;

// A part, its volume [mm³], and the same part by hand: all of it, or what is of it within `reach`
// of a place [mm].
struct Part {
  TopoDS_Shape shape;
  Solid by_hand;
  double volume;
  Eigen::Vector3d place;
  double reach;
  bool is_whole = true;
};

gp_Ax2 At(double x, double y, double z, const gp_Dir& axis = gp_Dir(0, 0, 1)) {
  return gp_Ax2(gp_Pnt(x, y, z), axis);
}
TopoDS_Shape Cut(const TopoDS_Shape& a, const TopoDS_Shape& b) {
  return BRepAlgoAPI_Cut(a, b).Shape();
}
TopoDS_Shape Fused(const TopoDS_Shape& a, const TopoDS_Shape& b) {
  return BRepAlgoAPI_Fuse(a, b).Shape();
}

// Primitives by hand, in millimetres, as Open CASCADE places them.
Pose Placed(double x, double y, double z, const Eigen::Vector3d& axis = Eigen::Vector3d::UnitZ()) {
  const auto q = MinimalRotation(Eigen::Vector3d::UnitZ(), axis);
  return {kMillimetre * Eigen::Vector3d(x, y, z), {q.w(), q.x(), q.y(), q.z()}};
}
Solid BoxAt(double x, double y, double z, double a, double b, double c) {
  return Box(kMillimetre * Eigen::Vector3d(a, b, c))
      .Posed(Placed(x + 0.5 * a, y + 0.5 * b, z + 0.5 * c));
}
Solid Rod(double r, double h) {
  return Cylinder(kMillimetre * r, kMillimetre * h).Posed(Placed(0, 0, 0.5 * h));
}
Solid Frustum(double r, double top, double h) {
  return Cone(kMillimetre * r, kMillimetre * h, kMillimetre * top);
}
Solid Ring(double major, double minor) { return Torus(kMillimetre * major, kMillimetre * minor); }

Part CountersunkPlate() {
  TopoDS_Shape shape = BRepPrimAPI_MakeBox(30, 20, 6).Shape();
  shape = Cut(shape, BRepPrimAPI_MakeCylinder(At(12, 9, -1), 2, 8).Shape());
  shape = Cut(shape, BRepPrimAPI_MakeCone(At(12, 9, 3), 2, 5, 3).Shape());
  return {shape,
          Difference(BoxAt(0, 0, 0, 30, 20, 6), {Rod(2, 8).Posed(Placed(12, 9, -1)),
                                                 Frustum(2, 5, 3).Posed(Placed(12, 9, 3))}),
          3600.0 - 12.0 * kPi - kPi * (4.0 + 10.0 + 25.0),
          {12, 9, 5},
          7};
}

// Two bores of one radius meet at a right angle: their common part is 16/3 r³.
Part CrossBores() {
  const gp_Dir x(1, 0, 0), y(0, 1, 0);
  TopoDS_Shape shape = BRepPrimAPI_MakeBox(gp_Pnt(-10, -12, -8), 20, 24, 16).Shape();
  shape = Cut(shape, BRepPrimAPI_MakeCylinder(At(-11, 0, 0, x), 4, 22).Shape());
  shape = Cut(shape, BRepPrimAPI_MakeCylinder(At(0, -13, 0, y), 4, 26).Shape());
  return {
      shape,
      Difference(BoxAt(-10, -12, -8, 20, 24, 16), {Rod(4, 22).Posed(Placed(-11, 0, 0, {1, 0, 0})),
                                                   Rod(4, 26).Posed(Placed(0, -13, 0, {0, 1, 0}))}),
      7680.0 - 16.0 * kPi * (20.0 + 24.0) + 16.0 / 3.0 * 64.0,
      {3, 2.4, 7.2},
      7};
}

// By a plane that is 12 high in the middle.
Part CylinderCutAskew() {
  const Eigen::Vector3d n = Eigen::Vector3d(0.4, 0.2, 1.0).normalized();
  const gp_Dir up(n.x(), n.y(), n.z());
  const TopoDS_Shape above = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, 12), up), 40, 40).Shape();
  return {Cut(BRepPrimAPI_MakeCylinder(5, 30).Shape(), above),
          Intersection({Rod(5, 30), HalfSpace().Posed(Placed(0, 0, 12, n))}),
          300.0 * kPi,
          {1, 1, 12},
          6};
}

Part FaceWithSeveralLoops() {
  TopoDS_Shape shape = BRepPrimAPI_MakeBox(40, 30, 5).Shape();
  std::vector<Solid> cuts;
  double volume = 6000.0;
  for (const auto& [x, y, r] :
       std::vector<std::array<double, 3>>{{6, 6, 2}, {34, 6, 3}, {34, 24, 2.5}, {6, 24, 1.5}}) {
    shape = Cut(shape, BRepPrimAPI_MakeCylinder(At(x, y, -1), r, 7).Shape());
    cuts.push_back(Rod(r, 7).Posed(Placed(x, y, -1)));
    volume -= 5.0 * kPi * r * r;
  }
  shape = Cut(shape, BRepPrimAPI_MakeBox(gp_Pnt(14, 10, 2), 12, 10, 9).Shape());
  cuts.push_back(BoxAt(14, 10, 2, 12, 10, 9));
  return {shape, Difference(BoxAt(0, 0, 0, 40, 30, 5), cuts), volume - 360.0, {26, 18, 4.75}, 10};
}

// A ball with a seam and two rims.
Part BoredBall() {
  return {Cut(BRepPrimAPI_MakeSphere(10).Shape(),
              BRepPrimAPI_MakeCylinder(At(0, 0, -11), 6, 22).Shape()),
          Difference(Sphere(10.0 * kMillimetre), {Rod(6, 22).Posed(Placed(0, 0, -11))}),
          4.0 / 3.0 * kPi * 512.0,
          {3, 2, 9},
          7};
}

// A cavity without an edge.
Part HollowBlock() {
  return {Cut(BRepPrimAPI_MakeBox(gp_Pnt(-8, -8, -8), 16, 16, 16).Shape(),
              BRepPrimAPI_MakeSphere(6).Shape()),
          Difference(BoxAt(-8, -8, -8, 16, 16, 16), {Sphere(6.0 * kMillimetre)}),
          4096.0 - 288.0 * kPi,
          {2.4, 1.6, 7.2},
          5.5};
}

// Blind bores with the tip of a drill, and a pit whose rim alone is an edge.
Part DrilledBlock() {
  TopoDS_Shape shape = BRepPrimAPI_MakeBox(20, 20, 15).Shape();
  shape = Cut(shape, Fused(BRepPrimAPI_MakeCylinder(At(6, 6, 5), 3, 11).Shape(),
                           BRepPrimAPI_MakeCone(At(6, 6, 3), 0, 3, 2).Shape()));
  shape = Cut(shape, BRepPrimAPI_MakeCone(At(14, 13, 9), 0, 4, 6).Shape());
  return {shape,
          Difference(BoxAt(0, 0, 0, 20, 20, 15),
                     {Rod(3, 11).Posed(Placed(6, 6, 5)),
                      Frustum(3, 0, 2).Posed(Placed(6, 6, 5, {0, 0, -1})),
                      Frustum(4, 0, 6).Posed(Placed(14, 13, 15, {0, 0, -1}))}),
          6000.0 - 90.0 * kPi - 6.0 * kPi - 32.0 * kPi,
          {13, 12, 14.25},
          6.4};
}

// A shaft with a round groove, by Pappus's theorem.
Part GroovedShaft() {
  return {Cut(BRepPrimAPI_MakeCylinder(8, 20).Shape(),
              BRepPrimAPI_MakeTorus(At(0, 0, 10), 8, 2).Shape()),
          Difference(Rod(8, 20), {Ring(8, 2).Posed(Placed(0, 0, 10))}),
          1280.0 * kPi - 2.0 * kPi * (8.0 * 2.0 * kPi - 4.0 * 4.0 / 3.0),
          {2.4, 1.6, 19},
          6};
}

// Ridges of a thread without pitch: cones that a zigzag makes.
Part RidgedShaft() {
  constexpr int kRidges = 5;
  BRepBuilderAPI_MakePolygon zigzag;
  zigzag.Add(gp_Pnt(0, 0, 0));
  std::vector<Solid> parts;
  for (int i = 0; i < kRidges; ++i) {
    zigzag.Add(gp_Pnt(4, 0, 2 * i));
    zigzag.Add(gp_Pnt(4.7, 0, 2 * i + 1));
    parts.push_back(Frustum(4, 4.7, 1).Posed(Placed(0, 0, 2 * i)));
    parts.push_back(Frustum(4.7, 4, 1).Posed(Placed(0, 0, 2 * i + 1)));
  }
  zigzag.Add(gp_Pnt(4, 0, 2 * kRidges));
  zigzag.Add(gp_Pnt(0, 0, 2 * kRidges));
  zigzag.Close();
  const gp_Ax1 axis(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1));
  return {BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(zigzag.Wire()).Face(), axis).Shape(),
          Union(std::move(parts)),
          10.0 * kPi / 3.0 * (16.0 + 18.8 + 22.09),
          {4, 0.5, 6},
          1.8,
          false};
}

// With fillets along the edges whose middle, and direction there, are picked.
template <class Pick>
TopoDS_Shape Filleted(const TopoDS_Shape& shape, double radius, const Pick& is_picked) {
  BRepFilletAPI_MakeFillet fillet(shape);
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(shape, TopAbs_EDGE, edges);
  for (int i = 1; i <= edges.Extent(); ++i) {
    const BRepAdaptor_Curve curve(TopoDS::Edge(edges(i)));
    gp_Pnt middle;
    gp_Vec along;
    curve.D1(0.5 * (curve.FirstParameter() + curve.LastParameter()), middle, along);
    if (is_picked(middle, along)) fillet.Add(radius, TopoDS::Edge(edges(i)));
  }
  return fillet.Shape();
}

// Around the corner of a plate with upright walls at x = 0 and y = 0 and its top at z = 0, whose
// upright edge has a fillet, and the edge around the top one of 1 mm: each face in a block of its
// own.
Solid RoundedCorner(double r) {
  const Solid beyond = HalfSpace().Posed(Placed(1, 0, 0, {-1, 0, 0}));
  return Union(
      {BoxAt(0, r, -9, 9, 9, 8),
       Intersection({Rod(r, 9).Posed(Placed(r, r, -10)), BoxAt(0, 0, -9, r, r, 8)}),
       Intersection({BoxAt(0, r, -1, 9, 9, 1),
                     Union({beyond, Rod(1, 12).Posed(Placed(1, r - 1, -1, {0, 1, 0}))})}),
       Intersection({BoxAt(0, 0, -1, r, r, 1), Union({Rod(r - 1, 9).Posed(Placed(r, r, -9)),
                                                      Ring(r - 1, 1).Posed(Placed(r, r, -1))})})});
}

// The volume between the end of such a prism and the beginning of the fillet around it.
double RoundedEnd(double a, double b, double radius) {
  const double r = radius - 1.0, x = a - 2.0, y = b - 2.0;
  const double area = x * y - (4.0 - kPi) * r * r;
  const double around = 2.0 * (x + y) - 8.0 * r + 2.0 * kPi * r;
  return area + 0.25 * kPi * around + 2.0 / 3.0 * kPi;
}

template <class IsAtEnd>
TopoDS_Shape RoundedPrism(const TopoDS_Shape& box, double radius, const IsAtEnd& is_at_end) {
  const TopoDS_Shape prism = Filleted(box, radius, [](const gp_Pnt&, const gp_Vec& along) {
    return std::abs(along.X()) + std::abs(along.Y()) < 1e-9;
  });
  return Filleted(prism, 1.0, [&](const gp_Pnt& p, const gp_Vec&) { return is_at_end(p.Z()); });
}

// Where the fillets around the top begin, four faces touch each other in a point.
Part PlateRounded(double r) {
  const TopoDS_Shape shape = RoundedPrism(BRepPrimAPI_MakeBox(40, 20, 10).Shape(), r,
                                          [](double z) { return z > 10.0 - 1e-9; });
  return {shape,
          RoundedCorner(r).Posed(Placed(0, 0, 10)),
          9.0 * (800.0 - (4.0 - kPi) * r * r) + RoundedEnd(40, 20, r),
          {0.3 * r, 0.35 * r, 9.5},
          0.5 * r,
          false};
}
Part RoundedPlate() { return PlateRounded(4.0); }
// Its tori touch themselves, in points of the inside where planes and cylinders meet.
Part PlateWithHornTori() { return PlateRounded(2.0); }

// The same as a recess, upside down: a pocket as a mill makes it.
Part RoundedPocket() {
  const TopoDS_Shape recess = RoundedPrism(BRepPrimAPI_MakeBox(gp_Pnt(8, 5, 4), 20, 10, 20).Shape(),
                                           3.0, [](double z) { return z < 4.0 + 1e-9; });
  // By half a turn about the line x = y, which exchanges the walls.
  const double half = std::sqrt(0.5);
  const Pose turned{kMillimetre * Eigen::Vector3d(8, 5, 4), {0, half, half, 0}};
  return {Cut(BRepPrimAPI_MakeBox(40, 20, 10).Shape(), recess),
          Difference(BoxAt(0, 0, 0, 40, 20, 10), {RoundedCorner(3).Posed(turned)}),
          8000.0 - 5.0 * (200.0 - (4.0 - kPi) * 9.0) - RoundedEnd(20, 10, 3),
          {9.2, 6.6, 4.4},
          1.3,
          false};
}

// A fillet in the corner around a boss.
Part FilletedBoss() {
  const TopoDS_Shape sharp = Fused(BRepPrimAPI_MakeBox(gp_Pnt(-15, -15, 0), 30, 30, 5).Shape(),
                                   BRepPrimAPI_MakeCylinder(At(0, 0, 5), 6, 10).Shape());
  const TopoDS_Shape shape = Filleted(sharp, 2.0, [](const gp_Pnt& p, const gp_Vec& d) {
    return std::abs(d.Z()) < 1e-9 && std::hypot(p.X(), p.Y()) < 7.0 && p.Z() < 6.0;
  });
  const Solid collar =
      Difference(Rod(8, 2).Posed(Placed(0, 0, 5)), {Ring(8, 2).Posed(Placed(0, 0, 7))});
  // The collar between the radii 6 and 8 has the section of a square without a quarter of a disc.
  const double section = 2.0 * 2.0 * 7.0 - (8.0 * kPi - 8.0 / 3.0);
  return {shape,
          Union({BoxAt(-15, -15, 0, 30, 30, 5), Rod(6, 10).Posed(Placed(0, 0, 5)), collar}),
          4500.0 + 360.0 * kPi + 2.0 * kPi * section,
          {4.5, 3, 14.25},
          9};
}

// A ball in each corner, and rods along the edges: each face around one corner in a block of its
// own.
Part RoundedBlock() {
  const TopoDS_Shape shape = Filleted(BRepPrimAPI_MakeBox(20, 16, 12).Shape(), 3.0,
                                      [](const gp_Pnt&, const gp_Vec&) { return true; });
  const auto along = [](double x, double y, double z, const Eigen::Vector3d& axis) {
    return Rod(3, 6).Posed(Placed(x, y, z, axis));
  };
  const Solid corner = Union(
      {BoxAt(3, 3, 0, 5, 5, 8), BoxAt(0, 3, 3, 3, 5, 5), BoxAt(3, 0, 3, 5, 3, 5),
       Intersection({Sphere(3 * kMillimetre).Posed(Placed(3, 3, 3)), BoxAt(0, 0, 0, 3, 3, 3)}),
       Intersection({along(2.5, 3, 3, {1, 0, 0}), BoxAt(3, 0, 0, 5, 3, 3)}),
       Intersection({along(3, 2.5, 3, {0, 1, 0}), BoxAt(0, 3, 0, 3, 5, 3)}),
       Intersection({along(3, 3, 2.5, {0, 0, 1}), BoxAt(0, 0, 3, 3, 3, 5)})});
  return {shape,           corner, 840.0 + 6.0 * 284.0 + 270.0 * kPi + 36.0 * kPi,
          {1.4, 1.2, 1.3}, 1.5,    false};
}

// A rounded rim, and a domed end that meets the wall in an edge.
Part DomedPin() {
  const TopoDS_Shape dome = BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 8), 13).Shape();
  const TopoDS_Shape sharp =
      BRepAlgoAPI_Common(BRepPrimAPI_MakeCylinder(5, 30).Shape(), dome).Shape();
  const Solid wall = Intersection(
      {Rod(5, 30).Posed(Placed(0, 0, 1.5)), Sphere(13 * kMillimetre).Posed(Placed(0, 0, 8))});
  const Solid rim =
      Intersection({Ring(3.5, 1.5).Posed(Placed(0, 0, 1.5)), BoxAt(-6, -6, 0, 12, 12, 1.5)});
  // A quarter of a disc stands for a square between the radii 3.5 and 5.
  const double section = 3.5 * 0.5625 * kPi + 1.125 - 1.5 * 1.5 * 4.25;
  return {Filleted(sharp, 1.5, [](const gp_Pnt& p, const gp_Vec&) { return p.Z() < 1e-9; }),
          Union({wall, Rod(3.5, 1.5), rim}),
          500.0 * kPi + 38.0 / 3.0 * kPi + 2.0 * kPi * section,
          {3.4, 2.6, 0.6},
          4};
}

// With a seam each way around, and no other edge.
Part WholeRing() {
  return {BRepPrimAPI_MakeTorus(10, 3).Shape(), Ring(10, 3), 180.0 * kPi * kPi, {7, 5, 2}, 6};
}

struct NamedPart {
  const char* name;
  Part (*make)();

  friend void PrintTo(const NamedPart& part, std::ostream* out) { *out << part.name; }
};

class MachinedParts : public WrittenStepFile, public testing::WithParamInterface<NamedPart> {
 protected:
  StepBody Read(const Part& part) const {
    Write(part.shape);
    return ReadStepBodies(file_).front();
  }

  static void ExpectSame(const Solid& found, const Solid& by_hand, const Solid& other) {
    QueryOptions options;
    options.tolerance = kTolerance;
    const Metrics a = PreparedPair(found, other).Query(Pose(), Pose(), options);
    const Metrics b = PreparedPair(by_hand, other).Query(Pose(), Pose(), options);
    ASSERT_TRUE(a.overlap && b.overlap);
    EXPECT_TRUE(a.converged && b.converged);
    EXPECT_NEAR(a.volume / b.volume, 1.0, kSame);
    EXPECT_LE((a.centroid_W - b.centroid_W).norm(), kSame * by_hand.Bounds().HalfExtents().norm());
    EXPECT_LE((a.area_vector_W - b.area_vector_W).norm(), 1e-8 * b.area_vector_W.norm());
  }
};

TEST_P(MachinedParts, AreAsDrawnByHand) {
  const Part part = GetParam().make();
  const StepBody body = Read(part);
  ASSERT_TRUE(body.exact) << body.why;
  QueryOptions options;
  options.tolerance = kTolerance;
  const MassProperties mass = ComputeMassProperties(*body.solid, options);
  EXPECT_TRUE(mass.converged);
  EXPECT_NEAR(mass.volume / (part.volume * kCubicMillimetre), 1.0, kTolerance);
  const auto posed = [](const Eigen::Vector3d& p, const Eigen::Vector3d& axis) {
    Pose pose = Placed(0, 0, 0, axis);
    pose.t = p;
    return pose;
  };
  const Eigen::Vector3d place = kMillimetre * part.place;
  const double reach = kMillimetre * part.reach;
  std::vector<Solid> others = {
      Sphere(reach).Posed(Pose{place}),
      Cylinder(0.4 * reach, 1.2 * reach).Posed(posed(place, {1.0, 0.4, 0.3})),
      Box(Eigen::Vector3d::Constant(1.1 * reach)).Posed(posed(place, {0.3, -0.2, 1.0}))};
  if (part.is_whole) {
    others.push_back(HalfSpace().Posed(posed(part.by_hand.Bounds().Center(), {0.3, -0.2, 1.0})));
  }
  for (const Solid& other : others) ExpectSame(*body.solid, part.by_hand, other);
}

INSTANTIATE_TEST_SUITE_P(
    Features, MachinedParts,
    testing::Values(
        NamedPart{"CountersunkPlate", CountersunkPlate}, NamedPart{"CrossBores", CrossBores},
        NamedPart{"CylinderCutAskew", CylinderCutAskew},
        NamedPart{"FaceWithSeveralLoops", FaceWithSeveralLoops}, NamedPart{"BoredBall", BoredBall},
        NamedPart{"HollowBlock", HollowBlock}, NamedPart{"DrilledBlock", DrilledBlock},
        NamedPart{"GroovedShaft", GroovedShaft}, NamedPart{"RidgedShaft", RidgedShaft},
        NamedPart{"FilletedBoss", FilletedBoss}, NamedPart{"RoundedPlate", RoundedPlate},
        NamedPart{"PlateWithHornTori", PlateWithHornTori},
        NamedPart{"RoundedPocket", RoundedPocket}, NamedPart{"RoundedBlock", RoundedBlock},
        NamedPart{"DomedPin", DomedPin}, NamedPart{"WholeRing", WholeRing}));

}  // namespace
}  // namespace volcontact::parts_test
