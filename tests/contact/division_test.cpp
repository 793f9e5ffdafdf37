// Contacts that go around a body, cut into sectors.
#include "volcontact/contact/division.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "math/minimal_rotation.h"
#include "support/meshes.h"
#include "support/paths.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

constexpr double kPitch = 0.0025, kPlay = 10e-6;  // [m]

Solid Thread(const char* name) {
  return ReadSolid(std::string(DataFolder()) + "/mujoco/threads/" + name + ".obj").solid;
}

Solid Peg() { return Cylinder(0.005, 0.05); }
Solid Bored() { return Difference(Box({0.04, 0.04, 0.02}), {Cylinder(0.005 + kPlay, 0.03)}); }

// A slide that a dovetail guides along x, the flanks at 60°.
Solid Dovetail(double width, double length) {
  const double slope = std::numbers::pi / 3.0;
  const auto flank = [&](double side) {
    const Eigen::Quaterniond turn =
        MinimalRotation(Vector3d::UnitZ(), Vector3d(0.0, side * std::sin(slope), std::cos(slope)));
    return HalfSpace().Posed(
        {{0.0, side * width / 2.0, 0.0}, {turn.w(), turn.x(), turn.y(), turn.z()}});
  };
  return Intersection(
      {Box({length, 2.0 * width, 0.01}).Posed({{0, 0, 0.005}}), flank(1.0), flank(-1.0)});
}

DivisionChoice Auto() { return {DivisionChoice::Kind::kAuto}; }

QueryOptions Fast(double tolerance = 1e-9) {
  QueryOptions options;
  options.tolerance = tolerance;
  options.bound_distance = options.bound_volume = options.contact_area = false;
  return options;
}

// The force of all pieces at a stiffness of one, and its torque about the origin.
struct Wrench {
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  double volume = 0.0;
  Vector3d area = Vector3d::Zero();
};

Wrench WrenchOf(const DividedPair& pair, const Pose& X_WA, double tolerance = 1e-9) {
  Wrench sum;
  for (const Metrics& piece : pair.Query(X_WA, Pose(), Fast(tolerance))) {
    if (!piece.overlap) continue;
    const Vector3d force = piece.volume * piece.area_normal_W;
    sum.force += force;
    sum.torque += piece.centroid_W.cross(force);
    sum.volume += piece.volume;
    sum.area += piece.area_vector_W;
  }
  return sum;
}

Pose Turned(const Vector3d& t, const Vector3d& w) {
  const double angle = w.norm();
  const Eigen::Quaterniond q(
      Eigen::AngleAxisd(angle, angle > 0.0 ? Vector3d(w / angle) : Vector3d::UnitZ()));
  return {t, {q.w(), q.x(), q.y(), q.z()}};
}

TEST(DividedPair, PiecesAddUpToTheWhole) {
  const Pose in_thread = Turned({2e-6, 0, 0.0074341 - 1e-6}, {1e-4, 2e-4, 0});
  const Pose in_bore = Turned({12e-6, 3e-6, 0.001}, {1e-4, 2e-4, 0.1});
  for (const bool of_A : {true, false}) {
    for (const int sectors : {3, 8, 24}) {
      const ContactDivision division{sectors, {of_A, {1e-4, 0, 0}, {0, 0.01, 1}}};
      for (const bool is_mesh : {true, false}) {
        const Solid A = is_mesh ? Thread("nut") : Peg(), B = is_mesh ? Thread("bolt") : Bored();
        const Pose& X = is_mesh ? in_thread : in_bore;
        const Metrics whole = DividedPair(A, B).Query(X, Pose(), Fast())[0];
        const Wrench sum = WrenchOf(DividedPair(A, B, division), X);
        EXPECT_NEAR(sum.volume, whole.volume, 1e-6 * whole.volume) << sectors << of_A << is_mesh;
        EXPECT_LT((sum.area - whole.area_vector_W).norm(), 1e-5 * whole.area_vector_W.norm());
      }
    }
  }
}

// Virtual work: what moves along the thread's helix presses nothing, so that the push along the
// axis makes its slope's torque. A sector's push is one vector in its middle, of which the slope
// has sin(β)/β.
TEST(DividedPair, AThreadsSlopeMakesItsTorque) {
  const Solid nut = Thread("nut"), bolt = Thread("bolt");
  const Pose X = {{0, 0, 0.0074341 - 1e-6}};
  const Wrench whole = WrenchOf(DividedPair(nut, bolt), X);
  EXPECT_LT(std::abs(whole.torque.z()), 1e-3 * kPitch * whole.force.z());  // it has none
  double last = 1.0;
  for (const int sectors : {6, 12, 24, 48}) {
    const Wrench w = WrenchOf(DividedPair(nut, bolt, {sectors, {}}), X);
    const double ratio = -w.torque.z() / w.force.z() / (kPitch / (2.0 * std::numbers::pi));
    const double half = std::numbers::pi / sectors;
    EXPECT_NEAR(ratio, 1.0, 0.3 * half * half);
    EXPECT_LT(std::abs(ratio - 1.0), 0.5 * last);
    last = std::abs(ratio - 1.0);
  }
}

// Drawn up, a slide is held by both flanks: each has depth, area and direction of its own. One
// direction for both is up, and twice the force.
TEST(DividedPair, ADovetailIsHeldByBothFlanks) {
  constexpr double kLength = 0.04, kHeight = 0.01, kUp = 40e-6;
  const Solid slide = Dovetail(0.03, kLength);
  const Solid bed =
      Difference(Box({0.1, 0.1, 0.03}).Posed({{0, 0, -0.005}}), {Dovetail(0.03 + kPlay, 0.2)});
  const double flank = kLength * (kHeight - kUp) * (kUp / std::sqrt(3.0) - 0.5 * kPlay);
  const Pose X = {{0, 0, kUp}};
  const Wrench held = WrenchOf(DividedPair(slide, bed, {24, {true, {0, 0, 0.005}, {1, 0, 0}}}), X);
  EXPECT_NEAR(held.volume, 2.0 * flank, 1e-3 * flank);
  // Each flank's, times cos 60°; the last sectors lean to the bed's top by as much as it is deep.
  EXPECT_NEAR(held.force.z(), -flank, 4e-3 * flank);
  EXPECT_NEAR(held.force.y(), 0.0, 1e-3 * flank);
  EXPECT_NEAR(WrenchOf(DividedPair(slide, bed), X).force.z(), -2.0 * flank, 1e-3 * flank);
}

// Pressed in all around, a peg that is moved aside is pushed back by what its wall is deeper on one
// side than on the other: k π R L e. All walls
// together have no direction, and so no push at all.
TEST(DividedPair, APegIsHeldByAllWalls) {
  constexpr double kRadius = 0.005, kTight = 3e-6, kAside = 1e-6, kLength = 0.02;
  const Solid tight = Difference(Box({0.04, 0.04, kLength}), {Cylinder(kRadius - kTight, 0.03)});
  const double back = std::numbers::pi * kRadius * kLength * kAside;
  for (const double angle : {0.0, 0.1, 0.7}) {
    const Vector3d aside(std::cos(angle), std::sin(angle), 0.0);
    const Wrench held = WrenchOf(DividedPair(Peg(), tight, {kUsualSectors, {}}), {kAside * aside});
    EXPECT_LT((held.force + back * aside).norm(), 5e-3 * back) << angle;
    EXPECT_LT(held.torque.norm(), 1e-3 * back * kRadius);
  }
  EXPECT_TRUE(WrenchOf(DividedPair(Peg(), tight), {{kAside, 0, 0}}).force.isZero());
}

// A tilted pin touches its hole near a corner of two sectors that mirror each other: slivers of
// 1e-24 m³, which converge, and are the same.
TEST(DividedPair, CornersOfSectorsConverge) {
  constexpr double kHalfTilt = 0.004607, kAside = 2.242526e-4;
  const Solid bored = Difference(Box({0.05, 0.05, 0.02}), {InfiniteCylinder(0.01)});
  const std::vector<Solid> sectors =
      SectorsOf(Cylinder(0.00995, 0.06), Vector3d::Zero(), Vector3d::UnitZ(), kUsualSectors);
  const PreparedPair one(sectors[10], bored), other(sectors[13], bored);
  int slivers = 0;
  for (int n = 0; n < 40; ++n) {
    const double deeper = std::pow(10.0, -12.0 + 0.1 * n);
    const Pose X = {{kAside + deeper, 0.0, 0.0286226},
                    {std::sqrt(1.0 - kHalfTilt * kHalfTilt), 0.0, kHalfTilt, 0.0}};
    const Metrics of_one = one.Query(X, {}, Fast(1e-6)), of_other = other.Query(X, {}, Fast(1e-6));
    EXPECT_TRUE(of_one.converged && of_other.converged) << n;
    EXPECT_NEAR(of_one.volume, of_other.volume, 1e-7 * of_one.volume) << n;
    slivers += of_one.volume > 0.0 && of_one.volume < 1e-20 ? 1 : 0;
  }
  EXPECT_GT(slivers, 5);
}

// The work of the elastic force around a loop of motions, by what it does along it.
double LoopWork(const DividedPair& pair, bool tilts) {
  double work = 0.0, way = 0.0;
  constexpr int kPlaces = 48;
  for (int i = 0; i < kPlaces; ++i) {
    const double t = 2.0 * std::numbers::pi * i / kPlaces, c = std::cos(t), s = std::sin(t);
    const Vector3d x(12e-6 + 2e-6 * c, tilts ? 0.0 : 3e-6 + 2e-6 * s, 0.0);
    const Vector3d dx(-2e-6 * s, tilts ? 0.0 : 2e-6 * c, 0.0);
    const Vector3d w(0.0, tilts ? 1.5e-4 + 2e-4 * s : 0.0, 0.0);
    const Vector3d dw(0.0, tilts ? 2e-4 * c : 0.0, 0.0);
    const Wrench wrench = WrenchOf(pair, Turned(x, w));
    const double power = wrench.force.dot(dx) + (wrench.torque - x.cross(wrench.force)).dot(dw);
    work += power;
    way += std::abs(power);
  }
  return std::abs(work) / way;
}

TEST(DividedPair, ConservesEnergyAsSectorsNarrow) {
  for (const bool tilts : {false, true}) {
    const double coarse = LoopWork(DividedPair(Peg(), Bored(), {12, {}}), tilts);
    const double usual = LoopWork(DividedPair(Peg(), Bored(), {24, {}}), tilts);
    const double fine = LoopWork(DividedPair(Peg(), Bored(), {96, {}}), tilts);
    EXPECT_LT(coarse, 1e-3);
    EXPECT_LT(usual, 4e-4);
    EXPECT_LT(fine, tilts ? 6e-5 : 5e-6);
  }
}

// Pressed all around, each sector has an energy of its own, k V²/(2|a|).
TEST(DividedPair, ConservesEnergyWherePressedAllAround) {
  const Solid tight = Difference(Box({0.04, 0.04, 0.02}), {Cylinder(0.00497, 0.03)});
  EXPECT_LT(LoopWork(DividedPair(Peg(), tight, {24, {}}), false), 1e-6);
}

TEST(ChooseDivision, DividesWhatGoesAround) {
  const Pose seated = {{0, 0, 0.0074341}};
  const ContactDivision nut = ChooseDivision(Auto(), Thread("nut"), Thread("bolt"), seated, Pose());
  ASSERT_EQ(nut.sectors, kUsualSectors);
  EXPECT_GT(std::abs(nut.axis.axis.z()), 0.9999);
  const ContactDivision peg = ChooseDivision(Auto(), Peg(), Bored(), {{0, 0, 0.01}}, Pose());
  ASSERT_EQ(peg.sectors, kUsualSectors);
  EXPECT_NEAR(std::abs(peg.axis.axis.z()), 1.0, 1e-9);
  const Solid square = Difference(Box({0.04, 0.04, 0.02}), {Box({0.01002, 0.01002, 0.03})});
  EXPECT_EQ(ChooseDivision(Auto(), Box({0.01, 0.01, 0.05}), square, {{0, 0, 0.01}}, Pose()).sectors,
            kUsualSectors);
  const Solid bed =
      Difference(Box({0.1, 0.1, 0.03}).Posed({{0, 0, -0.005}}), {Dovetail(0.03 + kPlay, 0.2)});
  const ContactDivision slide =
      ChooseDivision(Auto(), Dovetail(0.03, 0.04), bed, {{0.003, 0, kPlay}}, Pose());
  ASSERT_EQ(slide.sectors, kUsualSectors);
  EXPECT_NEAR(std::abs(slide.axis.axis.x()), 1.0, 1e-6);
}

TEST(ChooseDivision, LeavesWhatPushesOneWay) {
  std::vector<Solid> parts = {Box({1.0, 0.7, 0.05}).Posed({{0, 0, 0.2}})};
  for (const double x : {-0.4, 0.4}) {
    for (const double y : {-0.3, 0.3}) {
      parts.push_back(Box({0.06, 0.06, 0.4}).Posed({{x, y, 0}}));
    }
  }
  const Solid table = Union(parts);
  const Solid steps = Union({Box({1, 1, 0.1}), Box({1, 0.5, 0.2}).Posed({{0, 0.25, 0.05}})});
  const Solid bowl = Difference(Box({1, 1, 0.6}), {Sphere(0.5).Posed({{0, 0, 0.4}})});
  const auto gear = [] { return Mesh(testing::GearMesh(12, 0.1, 0.02)); };
  struct Case {
    Solid A, B;
    Pose X_WA;
  };
  for (const Case& c :
       {Case{Box({0.1, 0.1, 0.1}), HalfSpace(), {{0, 0, 0.0499}}},
        Case{table, HalfSpace(), {{0, 0, 0.1999}}},
        Case{Box({0.1, 0.1, 0.1}), steps, {{0, -0.05, 0.1}}}, Case{Sphere(0.1), bowl, {{0, 0, 0}}},
        Case{gear(), gear(), {{0.2, 0, 0}}}, Case{Peg(), Bored(), {{0, 0, 1.0}}}}) {  // far away
    const ContactDivision division = ChooseDivision(Auto(), c.A, c.B, c.X_WA, Pose());
    EXPECT_EQ(division.sectors, 0) << Describe(division);
  }
  EXPECT_EQ(ChooseDivision({}, Peg(), Bored(), Pose(), Pose()).sectors, 0);
}

TEST(ChooseDivision, TakesNumbersAndAxesThatAreGiven) {
  DivisionChoice choice{DivisionChoice::Kind::kSectors, 6};
  EXPECT_EQ(ChooseDivision(choice, Sphere(0.1), Bored(), {{0, 0, 1}}, Pose()).sectors, 6);
  choice.axis = DivisionAxis{false, {1, 2, 3}, {1, 0, 0}};
  const ContactDivision given = ChooseDivision(choice, Peg(), Bored(), Pose(), Pose());
  EXPECT_FALSE(given.axis.of_A);
  EXPECT_EQ(given.axis.point, Vector3d(1, 2, 3));
  choice.axis.reset();
  EXPECT_THROW(ChooseDivision(choice, HalfSpace(), Slab(0.1), Pose(), Pose()), InvalidInput);
  EXPECT_THROW(SectorsOf(Peg(), Vector3d::Zero(), Vector3d::Zero(), 6), InvalidInput);
  EXPECT_THROW(SectorsOf(Peg(), Vector3d::Zero(), Vector3d::UnitX(), 2), InvalidInput);
  EXPECT_THROW(SectorsOf(Peg(), Vector3d::Zero(), Vector3d::UnitX(), 361), InvalidInput);
}

TEST(SectorsOf, AreThoseOfPosedMeshes) {
  const Pose first = Turned({0.1, 0.2, 0.3}, {0.3, 0.2, 0.1}), then = Turned({0, 0, 1}, {1, 0, 0});
  const Solid whole = Mesh(testing::SphereMesh(1.0, 2)).Posed(first).Posed(then);
  const Vector3d point(0.2, 0.1, 0.9), axis(1, 2, 3);
  const std::vector<Solid> sectors = SectorsOf(whole, point, axis, 7);
  testing::Random random(11);
  for (int i = 0; i < 500; ++i) {
    const Vector3d p = point + random.UniformVector(-1.5, 1.5);
    int holders = 0;
    for (const Solid& sector : sectors) holders += sector.Locate(p) == Membership::kInside;
    ASSERT_EQ(holders, whole.Locate(p) == Membership::kInside ? 1 : 0);
  }
}

}  // namespace
}  // namespace volcontact
