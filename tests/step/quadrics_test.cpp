// Parts with elliptic cylinders and cones, and ellipsoids, drawn by Open CASCADE: extruded and
// turned ellipses, and scaled instances, which are splines. Against closed forms.
#include <gtest/gtest.h>

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_GTransform.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepGProp.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <Eigen/Geometry>
#include <GProp_GProps.hxx>
#include <TopoDS_Shape.hxx>
#include <cmath>
#include <gp_Ax1.hxx>
#include <gp_Ax2.hxx>
#include <gp_Circ.hxx>
#include <gp_Elips.hxx>
#include <gp_GTrsf.hxx>
#include <numbers>
#include <string>
#include <vector>

#include "step/written_file.h"
#include "support/random_solids.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/step/step_file.h"

namespace volcontact::testing::step_quadrics_test {
namespace {

constexpr double kPi = std::numbers::pi, kMillimetre = 1e-3, kCubicMillimetre = 1e-9;
constexpr double kSame = 1e-10;
const gp_Ax1 kAxis(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1));

TopoDS_Shape Filled(const TopoDS_Edge& edge) {
  return BRepBuilderAPI_MakeFace(BRepBuilderAPI_MakeWire(edge).Wire()).Shape();
}

// Semi-axes 5 and 3 in the plane z = 0 [mm].
TopoDS_Shape Extruded(const gp_Vec& along) {
  const gp_Elips ellipse(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), 5.0, 3.0);
  return BRepPrimAPI_MakePrism(Filled(BRepBuilderAPI_MakeEdge(ellipse)), along).Shape();
}

TopoDS_Shape Scaled(const TopoDS_Shape& shape, double x, double y, double z) {
  gp_GTrsf scale;
  scale.SetVectorialPart(gp_Mat(x, 0, 0, 0, y, 0, 0, 0, z));
  return BRepBuilderAPI_GTransform(shape, scale, true).Shape();
}

// The ellipse ρ = 5 cos t, z = 3 sin t between two angles, turned about its axis.
TopoDS_Shape Turned(double from, double to) {
  const gp_Elips ellipse(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, -1, 0), gp_Dir(1, 0, 0)), 5.0, 3.0);
  const auto at = [](double t) { return gp_Pnt(5.0 * std::cos(t), 0, 3.0 * std::sin(t)); };
  const gp_Pnt low(0, 0, 3.0 * std::sin(from)), high(0, 0, 3.0 * std::sin(to));
  BRepBuilderAPI_MakeWire wire(BRepBuilderAPI_MakeEdge(ellipse, from, to).Edge());
  if (at(to).X() > 1e-9) wire.Add(BRepBuilderAPI_MakeEdge(at(to), high));
  wire.Add(BRepBuilderAPI_MakeEdge(high, low));
  if (at(from).X() > 1e-9) wire.Add(BRepBuilderAPI_MakeEdge(low, at(from)));
  return BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(wire.Wire()), kAxis).Shape();
}

// Of the unit ball between two heights.
double Zone(double from, double to) {
  return kPi * (to - from - (to * to * to - from * from * from) / 3.0);
}

struct Case {
  std::string name;
  TopoDS_Shape shape;
  double volume;  // [mm³]
  bool is_scaled = false;
};

std::vector<Case> Cases() {
  const TopoDS_Shape block = BRepPrimAPI_MakeBox(gp_Pnt(-8, -8, 0), 16.0, 16.0, 4.0).Shape();
  const TopoDS_Shape beyond = BRepPrimAPI_MakeBox(gp_Pnt(-8, 0.4, -1), 20.0, 20.0, 20.0).Shape();
  const gp_Circ circle(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), 3.0);
  const TopoDS_Shape ball = BRepPrimAPI_MakeSphere(1.0).Shape();
  const double y = 0.4 / 3.0;
  return {
      {"elliptic cylinder", Extruded({0, 0, 4}), 60.0 * kPi},
      {"askew", Extruded({1, 0.5, 4}), 60.0 * kPi},
      {"circle, askew",
       BRepPrimAPI_MakePrism(Filled(BRepBuilderAPI_MakeEdge(circle)), gp_Vec(1, 0.5, 4)).Shape(),
       36.0 * kPi},
      {"elliptic hole", BRepAlgoAPI_Cut(block, Extruded({0, 0, 4})).Shape(), 1024.0 - 60.0 * kPi},
      // Its face is cut at the seam into a large part and one that is nearly a round cylinder.
      {"beside a plane", BRepAlgoAPI_Cut(Extruded({0, 0, 4}), beyond).Shape(),
       60.0 * (0.5 * kPi + std::asin(y) + y * std::sqrt(1.0 - y * y))},
      {"flat spheroid, without edges", Turned(-0.5 * kPi, 0.5 * kPi), 100.0 * kPi},
      {"barrel", Turned(-0.6, 0.8), 75.0 * Zone(std::sin(-0.6), std::sin(0.8))},
      {"ellipsoid", Scaled(ball, 5, 3, 2), 40.0 * kPi, true},
      {"zone", Scaled(BRepPrimAPI_MakeSphere(1.0, -0.5, 0.9).Shape(), 5, 3, 2),
       30.0 * Zone(std::sin(-0.5), std::sin(0.9)), true},
      {"pocket",
       BRepAlgoAPI_Cut(BRepPrimAPI_MakeBox(gp_Pnt(-8, -8, -4), 16.0, 16.0, 4.5).Shape(),
                       Scaled(ball, 5, 3, 2))
           .Shape(),
       1152.0 - 30.0 * Zone(-1.0, 0.25), true},
      {"elliptic cone", Scaled(BRepPrimAPI_MakeCone(2.0, 1.0, 3.0).Shape(), 2, 1, 1), 14.0 * kPi,
       true},
      {"to its apex", Scaled(BRepPrimAPI_MakeCone(2.0, 0.0, 3.0).Shape(), 2, 1, 1), 8.0 * kPi,
       true},
  };
}

class StepQuadrics : public ExactStepFile {};

TEST_F(StepQuadrics, HaveTheirVolumes) {
  for (const Case& each : Cases()) {
    SCOPED_TRACE(each.name);
    const MassProperties mass = ComputeMassProperties(Read(each.shape), options_);
    EXPECT_TRUE(mass.converged);
    EXPECT_NEAR(mass.volume / (kCubicMillimetre * each.volume), 1.0, kSame);
    GProp_GProps theirs;
    if (each.is_scaled) {
      BRepGProp::VolumeProperties(each.shape, theirs, 1e-7);
    } else {
      // With a tolerance, moments of turned and extruded ellipses are off by 1e-2.
      BRepGProp::VolumeProperties(each.shape, theirs);
    }
    const gp_Pnt centroid = theirs.CentreOfMass();
    const Eigen::Vector3d expected(centroid.X(), centroid.Y(), centroid.Z());
    EXPECT_LT((mass.centroid_W / kMillimetre - expected).norm(), 1e-5);
  }
}

// At any pose, exchanged, and with what the other half holds.
TEST_F(StepQuadrics, AddUpWhereTheyAreCut) {
  Random random(33);
  const Solid half = HalfSpace();
  for (const Case& each : Cases()) {
    SCOPED_TRACE(each.name);
    const Solid solid = Read(each.shape);
    const double whole = kCubicMillimetre * each.volume;
    for (int n = 0; n < 4; ++n) {
      const Pose X = random.PoseAt(random.UniformVector(-0.1, 0.1));
      const Pose cut = random.PoseAt(X * random.UniformVector(-1e-3, 2e-3));
      const Metrics below = PreparedPair(solid, half).Query(X, cut, options_);
      const Metrics above = PreparedPair(solid, Complement(half)).Query(X, cut, options_);
      const Metrics exchanged = PreparedPair(half, solid).Query(cut, X, options_);
      EXPECT_TRUE(below.converged && above.converged && exchanged.converged);
      EXPECT_NEAR((below.volume + above.volume) / whole, 1.0, kSame);
      EXPECT_NEAR(exchanged.volume / whole, below.volume / whole, kSame);
    }
  }
}

// The same part in two ways: both halves of a torus that crosses its axis are one surface.
TEST_F(StepQuadrics, NothingIsGuessedWhereASurfaceCrossesItself) {
  const double end = std::acos(-0.4);
  const gp_Circ circle(gp_Ax2(gp_Pnt(2, 0, 0), gp_Dir(0, -1, 0), gp_Dir(1, 0, 0)), 5.0);
  const gp_Pnt low(0, 0, -5.0 * std::sin(end)), high(0, 0, 5.0 * std::sin(end));
  BRepBuilderAPI_MakeWire wire(BRepBuilderAPI_MakeEdge(circle, -end, end).Edge());
  wire.Add(BRepBuilderAPI_MakeEdge(high, low));
  Write(BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(wire.Wire()), kAxis).Shape());
  try {
    ReadStep(file_);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("cut the curve at the axis"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace volcontact::testing::step_quadrics_test
