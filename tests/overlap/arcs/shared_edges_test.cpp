// Parts as people draw them: surfaces that touch along a curve, share an edge with two others, or
// are one but for the rounding of their poses. Each is measured against the sum over what it
// consists of, cut so that no surfaces touch.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "overlap/arcs/edges/touching.h"
#include "overlap/arcs/sums_testing.h"
#include "overlap/frame/equal_surfaces.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::shared_edges_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

Pose At(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

// A box about the plane z = low that reaches far up, and one that reaches far down.
Solid Above(double low) { return Box({9.0, 9.0, 8.0}).Posed(At(0.0, 0.0, low + 4.0)); }
Solid Below(double high) { return Box({9.0, 9.0, 8.0}).Posed(At(0.0, 0.0, high - 4.0)); }
Solid Beyond(double x, double side) {
  return Box({8.0, 9.0, 9.0}).Posed(At(x + side * 4.0, 0.0, 0.0));
}

struct Term {
  double factor;
  Solid solid;
};

struct DrawnPart {
  std::string name;
  std::function<std::pair<Solid, std::vector<Term>>()> make;

  friend void PrintTo(const DrawnPart& part, std::ostream* out) { *out << part.name; }
};

using Drawn = std::pair<Solid, std::vector<Term>>;

Drawn RoundedCapsule() {
  const Solid ball = Sphere(0.3);
  return {Capsule(0.3, 1.0),
          {{1.0, Cylinder(0.3, 1.0)},
           {1.0, Intersection({ball.Posed(At(0.0, 0.0, 0.5)), Above(0.5)})},
           {1.0, Intersection({ball.Posed(At(0.0, 0.0, -0.5)), Below(-0.5)})}}};
}

Drawn ConeOnCylinder() {
  const Solid shaft = Cylinder(0.3, 1.0), tip = Cone(0.3, 0.6).Posed(At(0.0, 0.0, 0.5));
  return {Union({shaft, tip}), {{1.0, shaft}, {1.0, tip}}};
}

Drawn PlateWithSlot() {
  const Solid plate = Box({2.0, 1.5, 0.4}), middle = Box({1.0, 0.6, 0.6});
  const Solid right = Cylinder(0.3, 0.6).Posed(At(0.5, 0.0, 0.0));
  const Solid left = Cylinder(0.3, 0.6).Posed(At(-0.5, 0.0, 0.0));
  return {Difference(plate, {Union({middle, right, left})}),
          {{1.0, plate},
           {-1.0, Intersection({plate, middle})},
           {-1.0, Intersection({plate, right, Beyond(0.5, 1.0)})},
           {-1.0, Intersection({plate, left, Beyond(-0.5, -1.0)})}}};
}

Drawn BallNosedPocket() {
  const Solid block = Box({1.5, 1.5, 1.0});
  return {Difference(block, {Capsule(0.3, 1.0).Posed(At(0.0, 0.0, 0.5))}),
          {{1.0, block},
           {-1.0, Intersection({block, Cylinder(0.3, 1.0).Posed(At(0.0, 0.0, 0.5))})},
           {-1.0, Intersection({block, Sphere(0.3), Below(0.0)})}}};
}

Drawn FlushBoxes() {
  const Solid upper = Box({1.0, 1.0, 0.5}).Posed(At(0.0, 0.0, 0.25));
  const Solid lower = Box({1.0, 0.6, 0.5}).Posed(At(0.0, 0.2, -0.25));
  return {Union({upper, lower}), {{1.0, upper}, {1.0, lower}}};
}

// The base of the turned cone lies in the plate's face but for the rounding of its pose.
Drawn Countersink() {
  const Solid plate = Box({1.5, 1.5, 0.8}), hole = Cylinder(0.2, 2.0);
  const Solid cone = Cone(0.6, 0.6).Posed(AxisAngle({1.0, 0.0, 0.0}, pi, {0.0, 0.0, 0.4}));
  return {Difference(plate, {Union({hole, cone})}),
          {{1.0, plate},
           {-1.0, Intersection({plate, hole})},
           {-1.0, Intersection({plate, Difference(cone, std::vector<Solid>{hole})})}}};
}

Drawn RoundedEdge() {
  const Solid sharp =
      Difference(Box({1.0, 1.0, 1.0}), {Box({0.25, 0.25, 2.0}).Posed(At(0.375, 0.375, 0.0))});
  const Solid fillet = Cylinder(0.25, 1.0).Posed(At(0.25, 0.25, 0.0));
  return {Union({sharp, fillet}),
          {{1.0, sharp},
           {1.0, Intersection({fillet, Box({0.25, 0.25, 1.0}).Posed(At(0.375, 0.375, 0.0))})}}};
}

// The bore touches the six edges of the socket.
Drawn HexSocket() {
  std::vector<Solid> flats;
  for (int k = 0; k < 3; ++k) {
    flats.push_back(Box({0.5, 2.0, 2.0}).Posed(AxisAngle({0.0, 0.0, 1.0}, k * pi / 3.0)));
  }
  const Solid hex = Intersection(flats), head = Cylinder(0.6, 0.8);
  const Solid bore = Cylinder(0.25 / std::cos(pi / 6.0), 0.4).Posed(At(0.0, 0.0, 0.4));
  return {Difference(head, {Union({hex, bore})}),
          {{1.0, head},
           {-1.0, Intersection({head, bore})},
           {-1.0, Intersection({head, Difference(hex, {bore})})}}};
}

// A ball in the tip of a cone touches it along a circle.
Drawn RoundedTip() {
  const double angle = 0.4, from_tip = 0.5, tip = -0.8;
  const Solid cone = Cone(0.8 * std::tan(angle), 0.8).Posed(AxisAngle({1.0, 0.0, 0.0}, pi));
  const Solid ball = Sphere(from_tip * std::sin(angle)).Posed(At(0.0, 0.0, tip + from_tip));
  const double seam = tip + from_tip * std::cos(angle) * std::cos(angle);
  const Solid upper = Intersection({cone, Above(seam)});
  return {Union({upper, ball}), {{1.0, upper}, {1.0, Intersection({ball, Below(seam)})}}};
}

// The end of a drilled hole touches a rounding along a line in the side of the upright.
Drawn DrilledBracket() {
  const Solid foot = Box({0.6, 0.8, 0.25}).Posed(At(0.3, 0.0, 0.125));
  const Solid upright = Box({0.25, 0.8, 0.6}).Posed(At(0.125, 0.0, 0.3));
  const Solid rounding =
      Cylinder(0.25, 0.8).Posed(AxisAngle({1.0, 0.0, 0.0}, 0.5 * pi, {0.25, 0.0, 0.25}));
  const Solid hole = Cylinder(0.15, 0.75).Posed(At(0.36, 0.0, 0.125));
  const Solid through = Cylinder(0.15, 2.0).Posed(At(0.36, 0.0, 0.0));
  const Solid drilled = Difference(Union({foot, upright}), {hole});
  const Solid outside = Box({0.6, 0.9, 0.6}).Posed(At(0.55, 0.0, 0.55));
  return {Union({drilled, rounding}),
          {{1.0, drilled},
           {1.0, Intersection({rounding, outside})},
           {1.0, Intersection({rounding, through})},
           {-1.0, Intersection({rounding, through, outside})}}};
}

std::vector<DrawnPart> DrawnParts() {
  return {{"capsule", RoundedCapsule},        {"cone_on_cylinder", ConeOnCylinder},
          {"plate_with_slot", PlateWithSlot}, {"ball_nosed_pocket", BallNosedPocket},
          {"flush_boxes", FlushBoxes},        {"countersink", Countersink},
          {"rounded_edge", RoundedEdge},      {"hex_socket", HexSocket},
          {"rounded_tip", RoundedTip},        {"drilled_bracket", DrilledBracket}};
}

class SharedEdges : public ::testing::TestWithParam<DrawnPart> {};

Solid SomeSolid(int n, Random* random) {
  const Vector3d t = random->UniformVector(-0.6, 0.6);
  switch (n % 3) {
    case 0:
      return Box(random->UniformVector(0.5, 1.5)).Posed(random->PoseAt(t));
    case 1:
      return Ellipsoid(random->UniformVector(0.3, 0.8)).Posed(random->PoseAt(t));
    default:
      return Cylinder(random->Uniform(0.2, 0.5), random->Uniform(0.5, 2.0))
          .Posed(random->PoseAt(t));
  }
}

TEST_P(SharedEdges, AddUpToWhatThePartConsistsOf) {
  constexpr int kPoses = 9;
  constexpr double kTolerance = 1e-9, kExact = 1e-11;
  const auto [part, terms] = GetParam().make();
  Random random(29);
  int compared = 0;
  for (int n = 0; n < kPoses; ++n) {
    SCOPED_TRACE(n);
    const Pose place = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Solid A = part.Posed(place), B = SomeSolid(n, &random).Posed(place);
    SumsInA expected;
    for (const Term& term : terms) {
      const Solid piece = term.solid.Posed(place);
      if (CommonBox(piece, B).IsEmpty()) continue;
      const ArcMethodResult sum = SumEdgesOf(piece, B, {kExact, 100'000, {}});
      ASSERT_EQ(sum.failure, ArcFailure::kNone) << Describe(sum.failure);
      expected.Add(term.factor, sum.raw);
    }
    if (CommonBox(A, B).IsEmpty() || expected.moments.volume < 1e-6) continue;
    const ArcMethodResult result = SumEdgesOf(A, B, {kTolerance, 25'000, {}});
    ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure);
    EXPECT_TRUE(result.raw.converged);
    EXPECT_EQ(result.cells, 0);
    const SumsInA actual(result.raw);
    const double volume = expected.moments.volume;
    EXPECT_NEAR(actual.moments.volume, volume, kTolerance * volume);
    EXPECT_LE((actual.moments.first - expected.moments.first).norm(), kTolerance * volume);
    EXPECT_LE((actual.moments.second - expected.moments.second).norm(), 2.0 * kTolerance * volume);
    EXPECT_LE((actual.area - expected.area).norm(), 1e-8);
    EXPECT_LE((actual.torque - expected.torque).norm(), 1e-8);
    ++compared;
  }
  EXPECT_GE(compared, kPoses / 2);
}

INSTANTIATE_TEST_SUITE_P(Parts, SharedEdges, ::testing::ValuesIn(DrawnParts()),
                         [](const auto& drawn) { return drawn.param.name; });

LocalProblem InUnitCube(const std::vector<Solid>& solids) {
  const ImplicitSolid solid = Compile(Union(solids));
  LocalProblem problem;
  Localize(SingleSolid(solid), FrameOf({-2.0 * Vector3d::Ones(), 2.0 * Vector3d::Ones()}),
           &problem);
  return problem;
}

// Whether any two surfaces of some solids touch along a curve.
bool AnyTouch(const std::vector<Solid>& solids) {
  const LocalProblem problem = InUnitCube(solids);
  for (std::size_t i = 0; i < problem.surfaces.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (DistanceFromTouch(problem.surfaces[i], problem.surfaces[j]) <= 1e-13) return true;
    }
  }
  return false;
}

// Two pins under a cover, pressed into the holes of a plate. The tops of the pins and of the plate
// are in one plane. The rings of the pins in the plate have 1e-8 of the volume.
TEST(FacesInCommon, ConvergeBesideThinRingsThatShareTheirPlane) {
  for (const double pressed : {1e-8, 1e-7, 1e-6}) {
    std::vector<Solid> bodies = {Box({3.0, 2.0, 0.5}).Posed(At(0.0, 0.0, 1.125))}, holes;
    for (const double x : {0.0, 1.0}) {
      bodies.push_back(Cylinder(0.1, 0.5).Posed(At(x, 0.0, 0.75)));
      holes.push_back(Cylinder(0.1 - pressed, 6.0).Posed(At(x, 0.0, 0.0)));
    }
    const Solid plate = Difference(Box({3.0, 2.0, 0.75}).Posed(At(0.0, 0.0, 0.625)), holes);
    QueryOptions options;
    options.tolerance = 1e-9;
    const Metrics metrics = PreparedPair(Union(bodies), plate).Query(Pose{}, Pose{}, options);
    const double hole = pi * (0.1 - pressed) * (0.1 - pressed), pin = pi * 0.01;
    const double volume = 0.125 * (6.0 - 2.0 * hole) + 0.375 * 2.0 * (pin - hole);
    EXPECT_TRUE(metrics.converged) << pressed;
    EXPECT_NEAR(metrics.volume, volume, 1e-12);
    // Lifted, the cover leaves all of the plate's top.
    EXPECT_NEAR(metrics.area_vector_W.z(), 6.0 - 2.0 * hole, 1e-9);
  }
}

TEST(DistanceFromTouch, TellsTouchFromCrossingAndFromTouchingInAPoint) {
  const Pose askew = AxisAngle({1.0, 2.0, -3.0}, 0.8, {0.1, -0.2, 0.3});
  const auto pair = [&](const Solid& a, const Solid& b) {
    return AnyTouch({a.Posed(askew), b.Posed(askew)});
  };
  const Solid tube = InfiniteCylinder(0.5);
  const Solid plane = HalfSpace();
  const Pose upright = AxisAngle({0.0, 1.0, 0.0}, pi / 2.0);
  EXPECT_TRUE(pair(tube, Sphere(0.5).Posed(At(0.0, 0.0, 0.2))));
  EXPECT_TRUE(pair(tube, InfiniteCylinder(0.3).Posed(At(0.2, 0.0, 0.0))));
  EXPECT_TRUE(pair(InfiniteCylinder(0.5).Posed(upright), plane.Posed(At(0.0, 0.0, -0.5))));
  EXPECT_TRUE(pair(Sphere(0.5), Ellipsoid({0.5, 0.5, 0.8})));
  EXPECT_FALSE(pair(tube, Sphere(0.5).Posed(At(1e-6, 0.0, 0.0))));
  EXPECT_FALSE(pair(tube, Sphere(0.6)));
  EXPECT_FALSE(pair(tube, InfiniteCylinder(0.3).Posed(At(0.3, 0.0, 0.0))));
  EXPECT_FALSE(pair(tube, InfiniteCylinder(0.5).Posed(upright)));
  EXPECT_FALSE(pair(Sphere(0.5), plane.Posed(At(0.0, 0.0, -0.5))));
  EXPECT_FALSE(pair(Sphere(0.5), Sphere(0.3).Posed(At(0.2, 0.0, 0.0))));
  EXPECT_FALSE(pair(InfiniteCylinder(0.5).Posed(upright), plane.Posed(At(0.0, 0.0, -0.49))));
}

TEST(MergeEqualSurfaces, JoinsWhatPosesRoundApartAndNoMore) {
  const auto count = [](double gap, double coincidence) {
    const Pose turned = AxisAngle({1.0, 0.0, 0.0}, pi, {0.0, 0.0, gap});
    LocalProblem problem = InUnitCube({Intersection({HalfSpace(), Sphere(1.0)}),
                                       Difference(HalfSpace().Posed(turned), {Sphere(0.5)})});
    const double moved = MergeEqualSurfaces(coincidence, &problem);
    EXPECT_LE(moved, std::max(coincidence, 2e-14));
    return problem.expression.Surfaces().size();
  };
  EXPECT_EQ(count(0.0, 0.0), 3U);
  EXPECT_EQ(count(1e-10, 0.0), 4U);
  EXPECT_EQ(count(1e-10, 1e-9), 3U);
}

}  // namespace
}  // namespace volcontact::testing::shared_edges_test
