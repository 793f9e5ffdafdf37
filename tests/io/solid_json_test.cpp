// Every shape of the JSON format, compared point by point with what it should denote.
#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <vector>

#include "support/message_of.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::solid_json_test {
namespace {

Solid Parsed(const std::string& text) { return ParseSolidJson(text, "test.json").solid; }

// Both solids agree at the points of a grid that lies askew to all surfaces of the tests.
void ExpectSame(const Solid& actual, const Solid& expected, double reach = 2.0) {
  constexpr int kSteps = 13;
  int inside = 0;
  for (int i = 0; i < kSteps * kSteps * kSteps; ++i) {
    const Eigen::Vector3d cell(i % kSteps, i / kSteps % kSteps, i / kSteps / kSteps);
    const Eigen::Vector3d p =
        reach * ((2.0 / (kSteps - 1)) * cell - Eigen::Vector3d(1.0171, 0.9893, 1.0057));
    const Membership membership = expected.Locate(p);
    inside += membership == Membership::kInside;
    ASSERT_EQ(actual.Locate(p), membership) << p.transpose();
  }
  EXPECT_GT(inside, 0) << "the grid misses the solid";
}

struct Case {
  const char* text;
  Solid expected;
};

TEST(SolidJson, EveryShape) {
  Eigen::Matrix4d Q = Eigen::Vector4d(1, 2, -1, -0.5).asDiagonal();
  Q(0, 3) = Q(3, 0) = 0.25;
  const std::vector<Case> cases = {
      {R"({"sphere": {"radius": 1.5}})", Sphere(1.5)},
      {R"({"ellipsoid": {"semi_axes": [1, 1.5, 0.5]}})", Ellipsoid({1, 1.5, 0.5})},
      {R"({"box": {"size": [1, 2, 3]}})", Box({1, 2, 3})},
      {R"({"cylinder": {"radius": 1, "height": 2}})", Cylinder(1, 2)},
      {R"({"cylinder": {"radius": 1}})", InfiniteCylinder(1)},
      {R"({"cone": {"radius": 1.5, "height": 1.8}})", Cone(1.5, 1.8)},
      {R"({"cone": {"radius": 0.5, "height": 1.5, "radius_top": 1}})", Cone(0.5, 1.5, 1)},
      {R"({"capsule": {"radius": 0.7, "height": 1}})", Capsule(0.7, 1)},
      {R"({"torus": {"major_radius": 1.2, "minor_radius": 0.6}})", Torus(1.2, 0.6)},
      {R"({"half_space": {}})", HalfSpace()},
      {R"({"slab": {"thickness": 1}})", Slab(1)},
      {R"({"quadric": {"matrix": [[1,0,0,0.25],[0,2,0,0],[0,0,-1,0],[0.25,0,0,-0.5]]}})",
       Quadric(Q)},
      {R"({"polynomial": {"terms": [{"c": 1, "e": [4,0,0]}, {"c": 0.5, "e": [0,2,2]},
                                    {"c": -1.5, "e": [0,0,0]}, {"c": 1, "e": [0,1.0,0]}]}})",
       PolynomialSolid({{1, {4, 0, 0}}, {0.5, {0, 2, 2}}, {-1.5, {0, 0, 0}}, {1, {0, 1, 0}}})},
      {R"({"union": [{"sphere": {"radius": 1}}, {"box": {"size": [1, 3, 1]}}]})",
       Union({Sphere(1), Box({1, 3, 1})})},
      {R"({"intersection": [{"sphere": {"radius": 1}}, {"box": {"size": [1, 3, 1]}}]})",
       Intersection({Sphere(1), Box({1, 3, 1})})},
      {R"({"difference": [{"sphere": {"radius": 1.5}}, {"box": {"size": [1, 4, 1]}},
                          {"half_space": {}}]})",
       Difference(Sphere(1.5), {Box({1, 4, 1}), HalfSpace()})},
      {R"({"complement": {"sphere": {"radius": 1}}})", Complement(Sphere(1))},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    ExpectSame(Parsed(c.text), c.expected);
  }
}

TEST(SolidJson, NestedPoses) {
  const Pose inner{{0.3, -0.2, 0.1}, {0.5, 0.5, -0.5, 0.5}};
  const Pose outer{{-0.4, 0.6, 0.2}, {0.8, 0, 0.6, 0}};
  const Solid expected =
      Union({Box({1, 2, 3}).Posed(inner), Sphere(0.5).Posed(Pose{{1, 1, 1}})}).Posed(outer);
  ExpectSame(Parsed(R"({"union": [
      {"box": {"size": [1,2,3]}, "pose": {"t": [0.3,-0.2,0.1], "q": [0.5,0.5,-0.5,0.5]}},
      {"sphere": {"radius": 0.5}, "pose": {"t": [1,1,1], "q": [1,0,0,0]}, "name": "ball"}],
      "pose": {"t": [-0.4,0.6,0.2], "q": [0.8,0,0.6,0]}})"),
             expected);
}

TEST(SolidJson, PartsOfAPoseHaveDefaults) {
  ExpectSame(Parsed(R"({"box": {"size": [1,2,3]}, "pose": {"t": [0.5,0,0]}})"),
             Box({1, 2, 3}).Posed(Pose{{0.5, 0, 0}}));
  ExpectSame(Parsed(R"({"box": {"size": [1,2,3]}, "pose": {"q": [0.6,0.8,0,0]}})"),
             Box({1, 2, 3}).Posed(Pose{{0, 0, 0}, {0.6, 0.8, 0, 0}}));
}

TEST(SolidJson, PosesInARow) {
  const Pose inner{{0.3, -0.2, 0.1}, {0.5, 0.5, -0.5, 0.5}};
  const Pose outer{{-0.4, 0.6, 0.2}, {0.8, 0, 0.6, 0}};
  ExpectSame(
      Parsed(R"({"box": {"size": [1,2,3]}, "pose": [{"t": [-0.4,0.6,0.2], "q": [0.8,0,0.6,0]},
      {"t": [0.3,-0.2,0.1], "q": [0.5,0.5,-0.5,0.5]}]})"),
      Box({1, 2, 3}).Posed(inner).Posed(outer));
  const std::string message = MessageOf(
      [] { Parsed(R"({"sphere": {"radius": 1}, "pose": [{"t": [0,0,0]}, {"q": [2,0,0,0]}]})"); });
  EXPECT_NE(message.find("/pose/1"), std::string::npos) << message;
}

// Each pose is read once, not copied with each of those after it.
TEST(SolidJson, ManyPosesTakeTimeByTheirNumber) {
  constexpr int kPoses = 100'000;
  std::string text = R"({"sphere": {"radius": 1}, "pose": [{"t": [0.5,0,0]})";
  for (int i = 1; i < kPoses; ++i)
    text += i % 2 == 0 ? R"(,{"t": [0.5,0,0]})" : R"(,{"t": [-0.5,0,0]})";
  const std::clock_t start = std::clock();
  const Solid solid = Parsed(text + "]}");
  EXPECT_LT(std::clock() - start, 10 * CLOCKS_PER_SEC);  // a second at most on a quiet machine
  EXPECT_NEAR(solid.Bounds().max.x(), 1.0, 1e-6);
}

TEST(SolidJson, NameAndWrapper) {
  const SolidFile plain = ParseSolidJson(R"({"sphere": {"radius": 1}, "name": "ball"})", "f");
  EXPECT_EQ(plain.name, "ball");
  EXPECT_TRUE(plain.notes.empty());
  const SolidFile wrapped = ParseSolidJson(
      R"({"volcontact": 1, "solid": {"name": "ball", "sphere": {"radius": 1}}})", "f");
  EXPECT_EQ(wrapped.name, "ball");
  ExpectSame(wrapped.solid, Sphere(1));
}

// The point where the solid ends along a direction is the double nearest to the length in metres.
void ExpectBoundary(const Solid& solid, const Eigen::Vector3d& p) {
  EXPECT_EQ(solid.Locate(p), Membership::kBoundary) << p.transpose();
  EXPECT_EQ(solid.Locate(0.999 * p), Membership::kInside);
  EXPECT_EQ(solid.Locate(1.001 * p), Membership::kOutside);
}

Solid InUnits(const std::string& unit, const std::string& solid) {
  return Parsed(R"({"volcontact": 1, "units": ")" + unit + R"(", "solid": )" + solid + "}");
}

TEST(SolidJson, UnitsGiveTheNearestDouble) {
  const std::string ball = R"({"sphere": {"radius": 3}})";
  ExpectBoundary(InUnits("m", ball), {3, 0, 0});
  ExpectBoundary(InUnits("mm", ball), {0.003, 0, 0});
  ExpectBoundary(InUnits("cm", ball), {0.03, 0, 0});
  ExpectBoundary(InUnits("in", ball), {0.0762, 0, 0});
}

TEST(SolidJson, UnitsScaleEveryLength) {
  struct Scaled {
    const char* in_mm;
    const char* in_m;
  };
  const Scaled cases[] = {
      {R"({"ellipsoid": {"semi_axes": [1000, 1500, 500]}})",
       R"({"ellipsoid": {"semi_axes": [1, 1.5, 0.5]}})"},
      {R"({"box": {"size": [1000, 2000, 3000]}})", R"({"box": {"size": [1, 2, 3]}})"},
      {R"({"cylinder": {"radius": 1000, "height": 2000}})",
       R"({"cylinder": {"radius": 1, "height": 2}})"},
      {R"({"cylinder": {"radius": 1000}})", R"({"cylinder": {"radius": 1}})"},
      {R"({"cone": {"radius": 500, "height": 1500, "radius_top": 1000}})",
       R"({"cone": {"radius": 0.5, "height": 1.5, "radius_top": 1}})"},
      {R"({"capsule": {"radius": 700, "height": 1000}})",
       R"({"capsule": {"radius": 0.7, "height": 1}})"},
      {R"({"torus": {"major_radius": 1200, "minor_radius": 600}})",
       R"({"torus": {"major_radius": 1.2, "minor_radius": 0.6}})"},
      {R"({"slab": {"thickness": 1000}})", R"({"slab": {"thickness": 1}})"},
      {R"({"sphere": {"radius": 1000}, "pose": {"t": [500, 0, -500], "q": [1,0,0,0]}})",
       R"({"sphere": {"radius": 1}, "pose": {"t": [0.5, 0, -0.5], "q": [1,0,0,0]}})"},
      {R"({"quadric": {"matrix": [[1,0,0,250],[0,2,0,0],[0,0,-1,0],[250,0,0,-500000]]}})",
       R"({"quadric": {"matrix": [[1,0,0,0.25],[0,2,0,0],[0,0,-1,0],[0.25,0,0,-0.5]]}})"},
      {R"({"polynomial": {"terms": [{"c": 1, "e": [4,0,0]}, {"c": 1e9, "e": [0,1,0]},
                                    {"c": -1.5e12, "e": [0,0,0]}, {"c": 0.5, "e": [0,2,2]}]}})",
       R"({"polynomial": {"terms": [{"c": 1, "e": [4,0,0]}, {"c": 1, "e": [0,1,0]},
                                    {"c": -1.5, "e": [0,0,0]}, {"c": 0.5, "e": [0,2,2]}]}})"},
  };
  for (const Scaled& c : cases) {
    SCOPED_TRACE(c.in_mm);
    ExpectSame(InUnits("mm", c.in_mm), Parsed(c.in_m));
  }
}

// A ball of two inches and the plane z = 2 in, as forms.
TEST(SolidJson, InchesScaleForms) {
  const Solid ball =
      InUnits("in", R"({"quadric": {"matrix": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,-4]]}})");
  const Solid below = InUnits(
      "in", R"({"polynomial": {"terms": [{"c": 1, "e": [0,0,1]}, {"c": -2, "e": [0,0,0]}]}})");
  for (const Solid& solid : {ball, below}) {
    EXPECT_EQ(solid.Locate({0, 0, 0.0508 * (1 - 1e-15)}), Membership::kInside);
    EXPECT_EQ(solid.Locate({0, 0, 0.0508 * (1 + 1e-15)}), Membership::kOutside);
  }
}

}  // namespace
}  // namespace volcontact::solid_json_test
