// Coulomb friction over a patch against brute force: a million elements about the patch's centre,
// wherever the centre of rotation is.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>

#include "support/random_solids.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::sliding_pressure_test {
namespace {

using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;
constexpr double kEpsilon = 1e-4;

// Force along x and y and torque about z of a unit normal force.
Vector3d BruteForce(double rim, const std::function<double(double)>& height, double v,
                    double spin) {
  constexpr int kRadii = 1000, kAngles = 1000;
  Vector3d sum = Vector3d::Zero();
  double load = 0.0;
  for (int i = 0; i < kRadii; ++i) {
    const double r = rim * (i + 0.5) / kRadii, weight = r * height(r);
    for (int j = 0; j < kAngles; ++j) {
      const double angle = 2.0 * kPi * (j + 0.5) / kAngles;
      const double x = r * std::cos(angle), y = r * std::sin(angle);
      const double vx = v - spin * y, vy = spin * x, speed = std::hypot(vx, vy);
      const double u = std::min(1.0, speed / kEpsilon);
      const double scale = speed > 0.0 ? -weight * u * (1.5 - 0.5 * u * u) / speed : 0.0;
      sum += scale * Vector3d(vx, vy, x * vy - y * vx);
      load += weight;
    }
  }
  return sum / load;
}

struct Patch {
  const char* name;
  Solid solid;
  double z, rim;
  std::function<double(double)> height;
};

// The force and torque in the frame of the plane, which stands somewhere.
Vector3d OverPatch(const Patch& patch, double v, double spin, double tolerance) {
  const Pose X_WB = AxisAngle(Vector3d(1.0, -2.0, 0.5).normalized(), 0.8, Vector3d(0.4, 1.0, -2.0));
  const Pose X_WA = Compose(X_WB, {Vector3d(0.0, 0.0, patch.z), {1.0, 0.0, 0.0, 0.0}});
  const PreparedPair pair(patch.solid, HalfSpace());
  const QueryOptions options{.tolerance = tolerance};
  const ContactGeometry geometry = GeometryOf(pair.Query(X_WA, X_WB, options));
  const Eigen::Matrix3d R = X_WB.Rotation();
  FrictionInput input;
  input.normal_force = 1.0;
  input.velocity_W = R * Vector3d(v, 0.0, 0.0);
  input.spin = spin;
  input.normal_W = R.col(2);
  const std::vector<PressureSample> pressure =
      SlidingPressure(pair, X_WA, X_WB, geometry, input.velocity_W, spin, options);
  input.pressure = &pressure;
  const FrictionForce f = EvaluateFriction(PatchCoulombFriction{1.0, kEpsilon}, input, {});
  const Vector3d force = R.transpose() * f.force_W;
  return {force.x(), force.y(), f.torque};
}

TEST(SlidingPressure, AgreesWithBruteForceWhereverTheCentreIs) {
  const double R = 0.1, depth = 1e-3, rim = std::sqrt(depth * (2.0 * R - depth));
  const Patch patches[] = {{"disc", Cylinder(R, 0.02), 0.01 - depth, R, [](double) { return 1.0; }},
                           {"cap", Sphere(R), R - depth, rim,
                            [=](double r) { return std::sqrt(R * R - r * r) - (R - depth); }},
                           {"ring", Difference(Cylinder(R, 0.02), {Cylinder(0.5 * R, 0.1)}),
                            0.01 - depth, R, [=](double r) { return r > 0.5 * R ? 1.0 : 0.0; }}};
  double worst = 0.0;
  for (const Patch& patch : patches) {
    // The centre's distance over the rim: within, next to the rim, on it, beyond, far.
    for (const double place : {0.0, 0.1, 0.4, 0.8, 0.97, 1.0, 1.03, 1.5, 3.0, 20.0}) {
      const double spin = 5.0, v = place * patch.rim * spin;
      const Vector3d truth = BruteForce(patch.rim, patch.height, v, spin);
      for (const double tolerance : {1e-4, 1e-6}) {
        const Vector3d found = OverPatch(patch, v, spin, tolerance);
        const Vector3d scale(1.0, 1.0, 1.0 / patch.rim);
        const double error = (found - truth).cwiseProduct(scale).norm();
        EXPECT_LT(error, 1e-4) << patch.name << " " << place << " " << tolerance;
        worst = std::max(worst, error);
      }
    }
  }
  std::printf("worst error over the normal force: %.1e\n", worst);
}

// Where most of the patch is slower than v_epsilon the direction bends within it.
TEST(SlidingPressure, ResolvesSlowCores) {
  const Patch disc = {"disc", Cylinder(0.1, 0.02), 0.009, 0.1, [](double) { return 1.0; }};
  for (const double spin : {3e-4, 1e-3, 3e-3, 1e-2, 0.1}) {
    const double v = 0.3 * disc.rim * spin;
    const Vector3d truth = BruteForce(disc.rim, disc.height, v, spin);
    const Vector3d found = OverPatch(disc, v, spin, 1e-4);
    EXPECT_LT((found - truth).cwiseProduct(Vector3d(1.0, 1.0, 10.0)).norm(), 1e-4) << spin;
  }
}

}  // namespace
}  // namespace volcontact::testing::sliding_pressure_test
