// What Overlaps proves, for every kind of pair: overlap, separation, or neither.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <ostream>
#include <string>
#include <vector>

#include "support/meshes.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

// Two solids that touch when B is moved along x by `touch`, and overlap below.
struct TouchingPair {
  std::string name;
  Solid A, B;
  double touch = 0.0;

  friend void PrintTo(const TouchingPair& pair, std::ostream* out) { *out << pair.name; }
};

TriangleMesh Cube() { return BoxMesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, 2); }

// The half-space x >= 0.
Solid Wall() {
  const double half = 0.70710678118654752;
  return HalfSpace().Posed({{0.0, 0.0, 0.0}, {half, 0.0, -half, 0.0}});
}

std::vector<TouchingPair> TouchingPairs() {
  const Solid cube = Mesh(Cube()), ball = Sphere(0.5);
  const Solid drilled = Difference(Box({1.0, 1.0, 1.0}), {InfiniteCylinder(0.25)});
  return {{"closed_form", ball, ball, 1.0},
          {"convex", Ellipsoid({0.5, 0.4, 0.3}), ball, 1.0},
          {"columns", drilled, ball, 1.0},
          {"meshes", cube, cube, 1.0},
          {"mesh_and_box", cube, Box({1.0, 1.0, 1.0}), 1.0},
          {"mesh_and_half_space", cube, Wall(), 0.5},
          {"mixed", cube, ball, 1.0}};
}

class Touching : public ::testing::TestWithParam<TouchingPair> {
 protected:
  static Pose At(double x) { return {{x, 0.0, 0.0}}; }
};

TEST_P(Touching, IsToldFromOverlapAndSeparation) {
  const TouchingPair& pair = GetParam();
  const PreparedPair ab(pair.A, pair.B), ba(pair.B, pair.A);
  for (const double depth : {0.3, 0.05, 1e-3}) {
    SCOPED_TRACE(depth);
    const Pose near = At(pair.touch - depth), far = At(pair.touch + depth);
    EXPECT_EQ(ab.Overlaps(Pose{}, near), OverlapProof::kOverlap);
    EXPECT_EQ(ba.Overlaps(near, Pose{}), OverlapProof::kOverlap);
    EXPECT_EQ(ab.Overlaps(Pose{}, far), OverlapProof::kSeparated);
    EXPECT_EQ(ba.Overlaps(far, Pose{}), OverlapProof::kSeparated);
  }
  EXPECT_NE(ab.Overlaps(Pose{}, At(pair.touch)), OverlapProof::kOverlap);
  EXPECT_NE(ba.Overlaps(At(pair.touch), Pose{}), OverlapProof::kOverlap);
}

std::string TouchingName(const ::testing::TestParamInfo<TouchingPair>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Touching, ::testing::ValuesIn(TouchingPairs()), TouchingName);

TEST(Overlaps, LeavesATangencyUndecided) {
  const Pose tangent = {{1.0, 0.0, 0.0}};
  EXPECT_EQ(PreparedPair(Sphere(0.5), Sphere(0.5)).Overlaps(Pose{}, tangent),
            OverlapProof::kUndecided);
  EXPECT_EQ(PreparedPair(Ellipsoid({0.5, 0.4, 0.3}), Sphere(0.5)).Overlaps(Pose{}, tangent),
            OverlapProof::kUndecided);
}

TEST(Overlaps, SolidsInsideEachOtherAreAtNoDistance) {
  const Solid core = Mesh(BoxMesh({-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}, 1));
  for (const Solid& whole : {Mesh(Cube()), Box({1.0, 1.0, 1.0}), Slab(1.0), Sphere(0.5)}) {
    const PreparedPair pair(core, whole);
    EXPECT_EQ(pair.Overlaps(Pose{}, Pose{}), OverlapProof::kOverlap);
    EXPECT_EQ(pair.DistanceBound(Pose{}, Pose{}), 0.0);
    EXPECT_EQ(pair.QueryRelative(Pose{}).distance, 0.0);
  }
}

}  // namespace
}  // namespace volcontact::testing
