// Which bodies of an assembly interfere, touch or are near each other, against closed forms.
#include "volcontact/assembly/assembly_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::assembly_check_test {
namespace {

constexpr double kPi = std::numbers::pi;

Solid CubeAt(double x, double y = 0.0) { return Box({1, 1, 1}).Posed(Pose{{x, y, 0.0}}); }

// A cube as a mesh, each face of which may be off by so much.
Solid MeshedCube(double deviation) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back({(i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2) - 0.5});
  mesh.faces = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  mesh.deviations.assign(mesh.faces.size(), deviation);
  return Mesh(mesh);
}

const AssemblyPair* Find(const std::vector<AssemblyPair>& pairs, int a, int b) {
  for (const AssemblyPair& pair : pairs) {
    if (pair.a == a && pair.b == b) return &pair;
  }
  return nullptr;
}

// A row of cubes: one dips into its neighbour, one touches, one is near, one is far.
TEST(AssemblyCheck, TellsRelations) {
  std::vector<AssemblyBody> bodies;
  for (const double x : {0.0, 0.999, 1.999, 3.0, 5.0}) bodies.push_back({CubeAt(x)});
  AssemblyOptions options;
  options.near = 0.002;
  const std::vector<AssemblyPair> pairs = CheckAssembly(bodies, options);
  ASSERT_EQ(pairs.size(), 3u);
  const AssemblyPair *dips = Find(pairs, 0, 1), *touches = Find(pairs, 1, 2),
                     *near = Find(pairs, 2, 3);
  ASSERT_TRUE(dips != nullptr && touches != nullptr && near != nullptr);
  EXPECT_EQ(dips->relation, BodyRelation::kInterfering);
  EXPECT_NEAR(dips->metrics.volume, 1e-3, 1e-12);
  EXPECT_NEAR(dips->metrics.contact_area, 1.0, 1e-9);
  EXPECT_EQ(touches->relation, BodyRelation::kTouching);
  EXPECT_EQ(near->relation, BodyRelation::kApart);
  EXPECT_LE(*near->metrics.distance, 0.001 + 1e-12);
  EXPECT_GE(*near->metrics.distance, 0.0009);
  options.near = 0.0;
  EXPECT_EQ(CheckAssembly(bodies, options).size(), 2u);
}

// A press fit: the ring between the pin and the bore, over the plate's thickness.
TEST(AssemblyCheck, PressFits) {
  const double bore = 5e-3, thickness = 8e-3;
  const Solid plate =
      Difference(Box({0.04, 0.02, thickness}), {InfiniteCylinder(bore).Posed(Pose{{-0.01, 0, 0}}),
                                                InfiniteCylinder(bore).Posed(Pose{{0.01, 0, 0}})});
  for (const double over : {1e-7, 1e-6, 1e-5}) {
    const std::vector<AssemblyBody> bodies = {
        {plate},
        {Cylinder(bore + over, 0.03).Posed(Pose{{-0.01, 0, 0}})},
        {Cylinder(bore - over, 0.03).Posed(Pose{{0.01, 0, 0}})}};
    AssemblyOptions options;
    options.near = 2e-5;
    const std::vector<AssemblyPair> pairs = CheckAssembly(bodies, options);
    const AssemblyPair* pressed = Find(pairs, 0, 1);
    ASSERT_NE(pressed, nullptr);
    EXPECT_EQ(pressed->relation, BodyRelation::kInterfering);
    const double volume = kPi * over * (2.0 * bore + over) * thickness;
    EXPECT_NEAR(pressed->metrics.volume, volume, 1e-6 * volume) << over;
    const AssemblyPair* loose = Find(pairs, 0, 2);
    ASSERT_NE(loose, nullptr);
    EXPECT_EQ(loose->relation, BodyRelation::kApart);
    EXPECT_LE(*loose->metrics.distance, over * (1.0 + 1e-6));
    EXPECT_GE(*loose->metrics.distance, 0.8 * over);
    EXPECT_EQ(Find(pairs, 1, 2), nullptr);
  }
}

// Overlaps thinner than this are touches, for bodies whose placements have few digits.
TEST(AssemblyCheck, TouchDepth) {
  const std::vector<AssemblyBody> bodies = {{CubeAt(0.0)}, {CubeAt(1.0 - 1e-6)}};
  EXPECT_EQ(CheckAssembly(bodies).at(0).relation, BodyRelation::kInterfering);
  AssemblyOptions options;
  options.touch_depth = 1e-5;
  EXPECT_EQ(CheckAssembly(bodies, options).at(0).relation, BodyRelation::kTouching);
  // A ring around a pin is as thin as its wall, whatever it measures along the pin.
  const std::vector<AssemblyBody> fit = {
      {Difference(Box({0.1, 0.1, 0.05}), {InfiniteCylinder(0.02)})}, {Cylinder(0.02 + 1e-6, 0.1)}};
  EXPECT_EQ(CheckAssembly(fit, options).at(0).relation, BodyRelation::kTouching);
  // A ball's dip is as thin as it is deep.
  const std::vector<AssemblyBody> ball = {{Sphere(1.0)},
                                          {HalfSpace().Posed(Pose{{0, 0, -0.9999}})}};
  EXPECT_EQ(CheckAssembly(ball, options).at(0).relation, BodyRelation::kInterfering);
  options.touch_depth = 1e-7;
  EXPECT_EQ(CheckAssembly(fit, options).at(0).relation, BodyRelation::kInterfering);
  EXPECT_EQ(CheckAssembly(bodies, options).at(0).relation, BodyRelation::kInterfering);
}

// What a mesh does not know is undecided: a dip or a gap less than its deviation, and a touch.
TEST(AssemblyCheck, DeviationsLeavePairsUndecided) {
  const double deviation = 1e-4;
  const auto relation = [&](double gap) {
    const std::vector<AssemblyBody> bodies = {{MeshedCube(deviation), deviation},
                                              {CubeAt(1.0 + gap)}};
    AssemblyOptions options;
    options.near = 0.1;
    return CheckAssembly(bodies, options).at(0).relation;
  };
  for (const double gap : {-5e-5, -1e-5, 0.0, 1e-5, 5e-5}) {
    EXPECT_EQ(relation(gap), BodyRelation::kUndecided) << gap;
  }
  EXPECT_EQ(relation(-1e-2), BodyRelation::kInterfering);
  EXPECT_EQ(relation(1e-2), BodyRelation::kApart);
  // The same cube meant as it is.
  EXPECT_EQ(CheckAssembly({{MeshedCube(0.0)}, {CubeAt(1.0)}}).at(0).relation,
            BodyRelation::kTouching);
  EXPECT_EQ(CheckAssembly({{MeshedCube(0.0)}, {CubeAt(1.0 - 1e-5)}}).at(0).relation,
            BodyRelation::kInterfering);
}

TEST(AssemblyCheck, IsTheSameForAnyNumberOfThreads) {
  std::vector<AssemblyBody> bodies;
  for (int i = 0; i < 12; ++i) bodies.push_back({CubeAt(0.9 * i, 0.1 * (i % 3))});
  AssemblyOptions options;
  const std::vector<AssemblyPair> one = CheckAssembly(bodies, options);
  options.query.threads = 3;
  const std::vector<AssemblyPair> three = CheckAssembly(bodies, options);
  ASSERT_EQ(one.size(), three.size());
  EXPECT_EQ(one.size(), 11u);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].a, three[i].a);
    EXPECT_EQ(one[i].metrics.volume, three[i].metrics.volume);
  }
}

TEST(AssemblyCheck, TimeThatIsOverLeavesPairsUndecided) {
  std::vector<AssemblyBody> bodies(3, AssemblyBody{CubeAt(0.0)});
  AssemblyOptions options;
  options.query.max_seconds = 1e-9;
  for (const AssemblyPair& pair : CheckAssembly(bodies, options)) {
    EXPECT_EQ(pair.relation, BodyRelation::kUndecided);
    EXPECT_FALSE(pair.metrics.converged);
    EXPECT_FALSE(pair.metrics.warnings.empty());
  }
}

TEST(AssemblyCheck, RefusesWhatHasNoMeaning) {
  const std::vector<AssemblyBody> bodies = {{CubeAt(0.0)}, {CubeAt(0.5)}};
  AssemblyOptions options;
  options.near = -1.0;
  EXPECT_THROW(CheckAssembly(bodies, options), InvalidInput);
  options.near = 0.0;
  options.touch_depth = std::nan("");
  EXPECT_THROW(CheckAssembly(bodies, options), InvalidInput);
  options.touch_depth.reset();
  options.query.tolerance = 0.0;
  EXPECT_THROW(CheckAssembly(bodies, options), InvalidInput);
  EXPECT_THROW(CheckAssembly({{CubeAt(0.0), -1.0}}), InvalidInput);
  EXPECT_THROW(CheckAssembly({{HalfSpace()}, {HalfSpace()}}), InvalidInput);
  EXPECT_TRUE(CheckAssembly({}).empty());
}

}  // namespace
}  // namespace volcontact::assembly_check_test
