// Parts with a free-form face, written by Open CASCADE here: their bores, bosses and seats are
// exact all the same, and what is open is open next to the other faces only.
#include <gtest/gtest.h>

#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepGProp.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRep_Builder.hxx>
#include <Eigen/Geometry>
#include <GProp_GProps.hxx>
#include <GeomAPI_PointsToBSpline.hxx>
#include <Geom_BSplineCurve.hxx>
#include <TColgp_Array1OfPnt.hxx>
#include <TopoDS_Compound.hxx>
#include <algorithm>
#include <cmath>
#include <gp_Ax1.hxx>
#include <gp_Ax2.hxx>
#include <gp_Quaternion.hxx>
#include <gp_Trsf.hxx>
#include <numbers>
#include <string>
#include <vector>

#include "step/written_file.h"
#include "volcontact/assembly/assembly_check.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/step/step_file.h"

namespace volcontact::hybrids_test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kCubicMillimetre = 1e-9;
// What is asked of contacts of exact faces.
constexpr double kTolerance = 1e-8;

double VolumeOf(const TopoDS_Shape& shape) {
  GProp_GProps props;
  BRepGProp::VolumeProperties(shape, props, 1e-9);
  return std::abs(props.Mass()) * kCubicMillimetre;
}

TopoDS_Shape Pin(double x, double z, double r, double height,
                 const gp_Dir& axis = gp_Dir(0, 0, 1)) {
  return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(x, 15, z), axis), r, height).Shape();
}

// 40 × 30 mm, from z = 0 to a top of splines about z = 10.
TopoDS_Shape Block() {
  TColgp_Array1OfPnt points(1, 7);
  for (int i = 0; i < 7; ++i) {
    const double x = 40.0 * i / 6.0;
    points(i + 1) = gp_Pnt(x, 0.0, 10.0 + 1.5 * std::sin(x / 7.0));
  }
  const Handle(Geom_BSplineCurve) top =
      GeomAPI_PointsToBSpline(points, 3, 8, GeomAbs_C2, 1e-6).Curve();
  const gp_Pnt right(40, 0, 0), left(0, 0, 0);
  BRepBuilderAPI_MakeWire wire;
  wire.Add(BRepBuilderAPI_MakeEdge(top));
  wire.Add(BRepBuilderAPI_MakeEdge(top->EndPoint(), right));
  wire.Add(BRepBuilderAPI_MakeEdge(right, left));
  wire.Add(BRepBuilderAPI_MakeEdge(left, top->StartPoint()));
  return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(wire.Wire()), gp_Vec(0, 30, 0)).Shape();
}

// As it is, and turned.
std::vector<gp_Trsf> Placements() {
  std::vector<gp_Trsf> placements(2);
  placements[1].SetRotation(gp_Quaternion(0.3, 0.2, 0.5, 0.7).Normalized());
  placements[1].SetTranslationPart(gp_Vec(3, 1, 7));
  return placements;
}

Pose PoseOf(const gp_Trsf& placement) {
  const gp_Quaternion q = placement.GetRotation();
  const gp_XYZ t = placement.TranslationPart();
  return {1e-3 * Eigen::Vector3d(t.X(), t.Y(), t.Z()), {q.W(), q.X(), q.Y(), q.Z()}};
}

std::string Said(const Metrics& metrics) {
  std::string said = std::to_string(metrics.volume_error / metrics.volume) + " open";
  for (const std::string& warning : metrics.warnings) said += "; " + warning;
  return said;
}

class HybridParts : public WrittenStepFile {
 protected:
  SolidFile Read(const TopoDS_Shape& shape, bool only_meshes = false) const {
    Write(shape);
    StepOptions options;
    options.only_meshes = only_meshes;
    return ReadStep(file_, options);
  }

  // That the part has so many exact faces of so many, and a volume that holds the true one.
  static void ExpectExactFaces(const SolidFile& file, int exact, int curved, double volume) {
    ASSERT_EQ(file.notes.size(), 2u);
    const std::string said = "has its planes and " + std::to_string(exact) + " of its " +
                             std::to_string(curved) + " curved faces exact";
    EXPECT_NE(file.notes[1].find(said), std::string::npos) << file.notes[1];
    const MassProperties mass = ComputeMassProperties(file.solid);
    EXPECT_NEAR(mass.volume, volume, mass.volume_error + 1e-9 * volume);
    EXPECT_LT(mass.volume_error, 2e-3 * volume);
  }

  // Of the part with a solid at a place of the block, in metres.
  static void ExpectOverlap(const SolidFile& file, const gp_Trsf& placement, const Solid& solid,
                            const Eigen::Vector3d& place, double truth) {
    QueryOptions options;
    options.tolerance = kTolerance;
    const Metrics found = PreparedPair(file.solid, solid.Posed(Pose{place}))
                              .Query(Pose(), PoseOf(placement), options);
    EXPECT_TRUE(found.converged) << truth << ": " << Said(found);
    EXPECT_NEAR(found.volume / truth, 1.0, 2.0 * kTolerance);
  }
};

// A ball that is larger than a bore leaves a ring in the material, as in napkins.
double RingOfBall(double ball, double bore) {
  return 4.0 / 3.0 * kPi * std::pow(ball * ball - bore * bore, 1.5);
}

TEST_F(HybridParts, BoresAreExact) {
  const TopoDS_Shape bored = BRepAlgoAPI_Cut(Block(), Pin(12, -1, 4, 20)).Shape();
  const TopoDS_Shape blind = BRepAlgoAPI_Cut(bored, Pin(28, 4, 3.5, 20)).Shape();
  const TopoDS_Shape part = BRepAlgoAPI_Cut(blind, Pin(28, -1, 2, 20)).Shape();
  for (const gp_Trsf& placement : Placements()) {
    const TopoDS_Shape placed = BRepBuilderAPI_Transform(part, placement, true).Shape();
    const SolidFile file = Read(placed);
    ExpectExactFaces(file, 3, 4, VolumeOf(part));
    for (const double over : {1e-7, 1e-5, 1e-4}) {
      ExpectOverlap(file, placement, Sphere(4e-3 + over), {12e-3, 15e-3, 5e-3},
                    RingOfBall(4e-3 + over, 4e-3));
      ExpectOverlap(file, placement, Sphere(2e-3 + over), {28e-3, 15e-3, 2e-3},
                    RingOfBall(2e-3 + over, 2e-3));
    }
    // The counterbore's ground, a ring.
    ExpectOverlap(file, placement, Cylinder(3e-3, 2e-3), {28e-3, 15e-3, 5e-3 - 1e-5},
                  kPi * (9.0 - 4.0) * 1e-6 * 1e-5);
  }
}

// Of the part in both placements; ring of a boss, and seats of a cone and a ball.
TEST_F(HybridParts, BossesAndSeatsAreExact) {
  const TopoDS_Shape boss = BRepAlgoAPI_Fuse(Block(), Pin(12, -8, 5, 9)).Shape();
  const TopoDS_Shape cone =
      BRepPrimAPI_MakeCone(gp_Ax2(gp_Pnt(32, 15, 0), gp_Dir(0, 0, 1)), 4, 1, 5).Shape();
  const TopoDS_Shape ball = BRepPrimAPI_MakeSphere(gp_Pnt(32, 15, 0), 4).Shape();
  const double over = 1e-5;
  const Solid ring = Difference(Cylinder(6e-3, 2e-3), {Cylinder(5e-3 - over, 3e-3)});
  const double of_ring = kPi * (25e-6 - (5e-3 - over) * (5e-3 - over)) * 2e-3;
  const double of_ball = 2.0 / 3.0 * kPi * (std::pow(4e-3 + over, 3) - 64e-9);
  // The cone in its seat from z = 1 mm to 3 mm, of radii 3.4 mm and 2.2 mm.
  const auto frustum = [](double a, double b) {
    return kPi / 3.0 * 2e-3 * (a * a + a * b + b * b);
  };
  const double of_cone = frustum(3.4e-3 + over, 2.2e-3 + over) - frustum(3.4e-3, 2.2e-3);
  for (const bool has_cone : {true, false}) {
    const TopoDS_Shape part = BRepAlgoAPI_Cut(boss, has_cone ? cone : ball).Shape();
    for (const gp_Trsf& placement : Placements()) {
      const SolidFile file = Read(BRepBuilderAPI_Transform(part, placement, true).Shape());
      ExpectExactFaces(file, 2, 3, VolumeOf(part));
      ExpectOverlap(file, placement, ring, {12e-3, 15e-3, -4e-3}, of_ring);
      if (has_cone) {
        ExpectOverlap(file, placement, Cone(3.4e-3 + over, 2e-3, 2.2e-3 + over),
                      {32e-3, 15e-3, 1e-3}, of_cone);
      } else {
        ExpectOverlap(file, placement, Sphere(4e-3 + over), {32e-3, 15e-3, 0.0}, of_ball);
      }
    }
  }
}

// A slot whose ends go over into its walls, and a rounded edge.
TEST_F(HybridParts, FacesThatGoOverIntoPlanesAreExact) {
  const TopoDS_Shape walls = BRepPrimAPI_MakeBox(gp_Pnt(12, 11, -1), gp_Pnt(22, 19, 19)).Shape();
  const TopoDS_Shape ends = BRepAlgoAPI_Fuse(Pin(12, -1, 4, 20), Pin(22, -1, 4, 20)).Shape();
  const TopoDS_Shape slotted = BRepAlgoAPI_Cut(Block(), BRepAlgoAPI_Fuse(ends, walls)).Shape();
  const TopoDS_Shape corner = BRepPrimAPI_MakeBox(gp_Pnt(38, -1, -1), gp_Pnt(41, 31, 2)).Shape();
  const TopoDS_Shape round =
      BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(38, -2, 2), gp_Dir(0, 1, 0)), 2, 34).Shape();
  const TopoDS_Shape part =
      BRepAlgoAPI_Cut(slotted, BRepAlgoAPI_Cut(corner, round).Shape()).Shape();
  const double over = 1e-5, half = std::sqrt(0.5), R = 4e-3 + over, r = 4e-3;
  for (const gp_Trsf& placement : Placements()) {
    const SolidFile file = Read(BRepBuilderAPI_Transform(part, placement, true).Shape());
    ExpectExactFaces(file, 3, 4, VolumeOf(part));
    // Half of a pin beyond the middle of the slot's end, as a tube of half a turn.
    const Solid pin =
        Intersection({Cylinder(R, 2e-3), Box({8e-3, 7.9e-3, 4e-3}).Posed(Pose{{-4e-3, 0.0, 0.0}})});
    const double h = 3.95e-3;
    const auto strip = [&](double a) {
      return h * std::sqrt(a * a - h * h) + a * a * std::asin(h / a);
    };
    ExpectOverlap(file, placement, pin, {12e-3, 15e-3, 5e-3}, 2e-3 * (strip(R) - strip(r)));
    // A pin along the rounded edge, whose axis is that of the edge.
    const Solid tube = Difference(Cylinder(3e-3, 4e-3), {Cylinder(2e-3 - over, 5e-3)});
    const Solid turned =
        Intersection({tube, Box({2.8e-3, 2.8e-3, 4e-3}).Posed(Pose{{1.41e-3, -1.41e-3, 0.0}})})
            .Posed(Pose{{0, 0, 0}, {half, half, 0, 0}});
    const double c = 0.01e-3;
    const auto quarter = [&](double a) {
      return 0.5 * a * a * (kPi / 2.0 - 2.0 * std::asin(c / a)) -
             c * (std::sqrt(a * a - c * c) - c);
    };
    ExpectOverlap(file, placement, turned, {38e-3, 15e-3, 2e-3},
                  4e-3 * (quarter(2e-3) - quarter(2e-3 - over)));
  }
}

// Bores that cross, a groove around a post, a rib at a boss, a second boss next to it, a bore in
// two lugs, and one whose ground is free-form: what cannot be cut stays a mesh, and no bounds are
// wrong.
TEST_F(HybridParts, NoBoundsAreWrong) {
  const TopoDS_Shape bored = BRepAlgoAPI_Cut(Block(), Pin(12, -1, 3, 20)).Shape();
  const TopoDS_Shape ring = BRepAlgoAPI_Cut(Pin(28, -1, 5, 5), Pin(28, -2, 3.5, 9)).Shape();
  const TopoDS_Shape boss = BRepAlgoAPI_Fuse(Block(), Pin(12, -6, 3, 7)).Shape();
  const TopoDS_Shape slot = BRepPrimAPI_MakeBox(gp_Pnt(-1, -1, 4), gp_Pnt(41, 31, 6)).Shape();
  const TopoDS_Shape dome =
      BRepAlgoAPI_Cut(Pin(28, -1, 4, 9),
                      BRepBuilderAPI_Transform(Block(), Placements()[1], true).Shape())
          .Shape();
  const std::vector<TopoDS_Shape> parts = {
      BRepAlgoAPI_Cut(bored, Pin(-1, 4, 2, 50, gp_Dir(1, 0, 0))).Shape(),
      BRepAlgoAPI_Cut(Block(), ring).Shape(),
      BRepAlgoAPI_Fuse(boss, BRepPrimAPI_MakeBox(gp_Pnt(12, 14, -4), gp_Pnt(30, 16, 1)).Shape())
          .Shape(),
      BRepAlgoAPI_Fuse(boss, Pin(18.2, -5, 3, 6)).Shape(),
      BRepAlgoAPI_Cut(BRepAlgoAPI_Cut(Block(), slot).Shape(), Pin(12, -1, 3, 9)).Shape(),
      BRepAlgoAPI_Cut(Block(), dome).Shape()};
  const TopoDS_Shape ball = BRepPrimAPI_MakeSphere(gp_Pnt(14, 15, 0), 4.5).Shape();
  const TopoDS_Shape rod = Pin(28, -2, 3.6, 5), across = Pin(2, -3, 1.5, 30, gp_Dir(1, 0, 0));
  int compared = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SolidFile file = Read(parts[i]);
    const auto expect = [&](const TopoDS_Shape& shape, const Solid& solid) {
      const double truth = VolumeOf(BRepAlgoAPI_Common(parts[i], shape).Shape());
      // Open CASCADE does not always agree with itself.
      const double left = VolumeOf(BRepAlgoAPI_Cut(parts[i], shape).Shape());
      if (std::abs(truth + left - VolumeOf(parts[i])) > 1e-6 * truth) return;
      ++compared;
      const Metrics found = PreparedPair(file.solid, solid).QueryRelative(Pose());
      ASSERT_TRUE(found.volume_bounds) << i;
      const double slack = 1e-6 * truth + 1e-15;
      EXPECT_LE((*found.volume_bounds)[0], truth + slack) << i;
      EXPECT_GE((*found.volume_bounds)[1], truth - slack) << i;
      EXPECT_NEAR(found.volume, truth, found.volume_error + slack) << i << ": " << Said(found);
      EXPECT_LT(found.volume_error, 0.02 * truth + 1e-11) << i;
    };
    expect(ball, Sphere(4.5e-3).Posed(Pose{{14e-3, 15e-3, 0.0}}));
    expect(rod, Cylinder(3.6e-3, 5e-3).Posed(Pose{{28e-3, 15e-3, 0.5e-3}}));
    const double half = std::sqrt(0.5);
    expect(across, Cylinder(1.5e-3, 30e-3).Posed(Pose{{17e-3, 15e-3, -3e-3}, {half, 0, half, 0}}));
  }
  EXPECT_GT(compared, 2 * static_cast<int>(parts.size()));
}

// A pin that is pressed into a bore by 10 µm, one that is loose, and a block that lies on the
// first.
TEST_F(HybridParts, BodiesOfAnAssemblyAre) {
  const TopoDS_Shape block =
      BRepAlgoAPI_Cut(BRepAlgoAPI_Cut(Block(), Pin(12, -1, 4, 20)).Shape(), Pin(28, -1, 4, 20))
          .Shape();
  gp_Trsf below;
  below.SetRotation(gp_Ax1(gp_Pnt(0, 15, 0), gp_Dir(1, 0, 0)), kPi);
  BRep_Builder builder;
  TopoDS_Compound all;
  builder.MakeCompound(all);
  for (const TopoDS_Shape& shape : {block, Pin(12, 1, 4.01, 6), Pin(28, 1, 3.99, 6),
                                    BRepBuilderAPI_Transform(block, below, true).Shape()}) {
    builder.Add(all, shape);
  }
  Write(all);
  std::vector<AssemblyBody> bodies;
  for (const StepBody& body : ReadStepBodies(file_)) {
    ASSERT_TRUE(body.solid);
    const bool is_block = bodies.size() % 3 == 0;
    EXPECT_EQ(body.mesh.has_value(), is_block) << body.why;
    EXPECT_EQ(body.exact, !is_block) << body.why;
    bodies.push_back({*body.solid, body.deviation, body.mesh});
  }
  ASSERT_EQ(bodies.size(), 4u);
  AssemblyOptions options;
  options.near = 1e-4;
  options.query.tolerance = kTolerance;
  const std::vector<AssemblyPair> pairs = CheckAssembly(bodies, options);
  const auto between = [&](int a, int b) {
    return std::ranges::find_if(pairs, [&](const auto& p) { return p.a == a && p.b == b; });
  };
  ASSERT_NE(between(0, 1), pairs.end());
  EXPECT_EQ(between(0, 1)->relation, BodyRelation::kInterfering);
  const Metrics& pressed = between(0, 1)->metrics;
  EXPECT_TRUE(pressed.converged) << Said(pressed);
  const double truth = kPi * (4.01 * 4.01 - 16.0) * 6.0 * kCubicMillimetre;
  EXPECT_NEAR(pressed.volume / truth, 1.0, 2.0 * kTolerance);
  // The faces that are near are exact, so that the deviation of the others hides nothing. Two
  // blocks are compared by their meshes.
  ASSERT_NE(between(0, 2), pairs.end());
  EXPECT_EQ(between(0, 2)->relation, BodyRelation::kApart);
  EXPECT_EQ(between(0, 2)->metrics.volume_error, 0.0);
  ASSERT_NE(between(0, 3), pairs.end());
  EXPECT_NE(between(0, 3)->relation, BodyRelation::kInterfering);
}

// What the mesh of a whole leaves open of a contact that is not near its free-form faces is
// nothing.
TEST_F(HybridParts, OnlyFreeFormFacesAreOpen) {
  const TopoDS_Shape part = BRepAlgoAPI_Cut(Block(), Pin(12, -1, 4, 20)).Shape();
  const SolidFile hybrid = Read(part), mesh = Read(part, true);
  const Solid ball = Sphere(4.001e-3).Posed(Pose{{12e-3, 15e-3, 5e-3}});
  const Solid press = Box({8e-3, 8e-3, 8e-3}).Posed(Pose{{30e-3, 15e-3, 13e-3}});
  const Metrics ring = PreparedPair(hybrid.solid, ball).QueryRelative(Pose());
  EXPECT_TRUE(ring.converged) << Said(ring);
  EXPECT_FALSE(PreparedPair(mesh.solid, ball).QueryRelative(Pose()).converged);
  const Metrics top = PreparedPair(hybrid.solid, press).QueryRelative(Pose());
  EXPECT_FALSE(top.converged);
  EXPECT_GT(top.volume_error, 1e-6 * top.volume);
}

}  // namespace
}  // namespace volcontact::hybrids_test
