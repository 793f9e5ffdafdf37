// Closed forms against independently computed values, to 16 digits.
#include <vector>

#include "overlap/closed_forms/closed_form_testing.h"

namespace volcontact::testing::closed_form_sample_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Sample {
  const char* name;
  Solid A, B;
  double volume;
  Vector3d centroid;
  double xx, yy, zz, xy, xz, yz;
  Vector3d area;
};

std::vector<Sample> Samples() {
  return {
      {"cap_0.05R", HalfSpace().Posed({Vector3d(0.0, 0.0, 0.0), {1.0, 0.0, 0.0, 0.0}}),
       Sphere(0.5).Posed({Vector3d(0.0, 0.0, 0.475), {1.0, 0.0, 0.0, 0.0}}), 0.0009653852425093653,
       Vector3d(0.0, 0.0, -0.008368644067796617), 3.972384081799388e-06, 3.972384081799388e-06,
       7.877502672722084e-06, 0.0, 0.0, 0.0, Vector3d(0.0, 0.0, -0.07657632093125127)},
      {"cap_tilted", HalfSpace().Posed({Vector3d(0.1, 0.2, 0.3), {0.2, 0.4, 0.4, 0.8}}),
       Sphere(0.3).Posed({Vector3d(0.2, 0.3, 0.45), {1.0, 0.0, 0.0, 0.0}}), 0.011402481745637634,
       Vector3d(0.021746291560102316, 0.19304777493606137, 0.36978583120204606),
       0.0001881956799300301, 0.00014571901172530025, 0.00013526576915929252, 3.982187644193423e-05,
       2.9866407331450672e-05, 1.79198443988704e-05,
       Vector3d(-0.14294497901245845, -0.08576698740747507, -0.0643252405556063)},
      {"lens_equal_very_shallow",
       Sphere(1.0).Posed({Vector3d(0.0, 0.0, 0.0), {1.0, 0.0, 0.0, 0.0}}),
       Sphere(1.0).Posed({Vector3d(0.0, 1.9999990463256836, 0.0), {1.0, 0.0, 0.0, 0.0}}),
       1.4286307097095637e-12, Vector3d(0.0, 0.9999995231628418, 0.0), 2.2707474493635065e-19,
       4.541493815950226e-19, 2.2707474493635065e-19, 0.0, 0.0, 0.0,
       Vector3d(0.0, -2.9960555120236745e-06, 0.0)},
      {"lens_unequal_deep", Sphere(1.0).Posed({Vector3d(0.1, 0.0, 0.0), {1.0, 0.0, 0.0, 0.0}}),
       Sphere(0.3).Posed({Vector3d(0.4, 0.6, 0.6), {1.0, 0.0, 0.0, 0.0}}), 0.07819075048934597,
       Vector3d(0.3765432098765432, 0.5530864197530864, 0.5530864197530864), 0.0022157842548583165,
       0.0024740195638100005, 0.0024740195638100005, 0.00017215687263445607, 0.00017215687263445607,
       0.0003443137452689121,
       Vector3d(-0.09101568840029689, -0.18203137680059375, -0.18203137680059375)},
      {"cyl_hs_tilt_partial", HalfSpace().Posed({Vector3d(0.0, 0.0, 0.0), {1.0, 0.0, 0.0, 0.0}}),
       Cylinder(0.05, 0.1).Posed(
           {Vector3d(0.0, 0.0, 0.0499), {0.9999919428800662, 0.004014246498463718, 0.0, 0.0}}),
       1.1154267688128379e-06, Vector3d(0.0, -0.024397219381021767, -0.00014873976063955414),
       2.261158283607986e-10, 6.25522798650751e-10, 8.516124598353817e-10, 0.0, 0.0,
       -9.075490433695019e-13, Vector3d(0.0, 0.0, -0.005140275689214683)},
      {"boxbox_rotated",
       Box(Vector3d(1.0, 1.25, 0.75)).Posed({Vector3d(0.0, 0.0, 0.0), {0.9, 0.3, 0.3, 0.1}}),
       Box(Vector3d(0.5, 0.75, 1.0)).Posed({Vector3d(0.5, 0.25, 0.375), {0.2, 0.4, 0.4, 0.8}}),
       0.1231043701171875, Vector3d(0.2757431144524731, 0.22221341794905358, 0.195193745268208),
       0.00581672690108174, 0.005254435708293239, 0.0056005144320997475, -0.0008905225738156202,
       0.00033689102891550603, -7.889153045197084e-05,
       Vector3d(-0.33328125, 0.0740537109375, -0.21748828125)},
  };
}

Overlap Expected(const Sample& s) {
  Overlap o;
  o.volume = s.volume;
  o.centroid = s.centroid;
  o.inertia << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  o.area = s.area;
  return o;
}

TEST(ClosedFormSample, AgreesToRounding) {
  for (const Sample& s : Samples()) {
    SCOPED_TRACE(s.name);
    const auto overlap = Evaluate(s.A, s.B, Rigid());
    ASSERT_TRUE(overlap);
    ExpectNear(*overlap, Expected(s), 1e-14);
  }
}

TEST(ClosedFormSample, SwappedSolidsTurnTheAreaVector) {
  for (const Sample& s : Samples()) {
    SCOPED_TRACE(s.name);
    const auto overlap = Evaluate(s.B, s.A, Rigid());
    ASSERT_TRUE(overlap);
    Overlap expected = Expected(s);
    expected.area = -expected.area;
    ExpectNear(*overlap, expected, 1e-14);
  }
}

TEST(ClosedFormSample, TouchingSolidsHaveNoVolume) {
  const auto tangent =
      Evaluate(Sphere(0.75), Sphere(0.5).Posed({{0.0, 1.25, 0.0}, {1, 0, 0, 0}}), {});
  ASSERT_TRUE(tangent);
  EXPECT_EQ(tangent->volume, 0.0);
  const auto flush = Evaluate(Box({1.0, 1.0, 1.0}),
                              Box({0.5, 0.5, 0.5}).Posed({{0.125, 0.125, 0.75}, {1, 0, 0, 0}}), {});
  ASSERT_TRUE(flush);
  EXPECT_EQ(flush->volume, 0.0);
  EXPECT_LT(flush->upper, 1e-25);
}

}  // namespace
}  // namespace volcontact::testing::closed_form_sample_test
