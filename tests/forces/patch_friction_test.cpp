// Coulomb friction integrated over the pressure of the patch, and the averaged bristle law beside
// it.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::patch_friction_test {
namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.1, kDepth = 1e-4, kMu = 0.3;

// A ball pressed a little into the ground: its pressure is that of a paraboloid over a disc of the
// radius sqrt(2 R δ), to first order in δ/R.
class PatchFriction : public ::testing::Test {
 protected:
  PatchFriction() : pair_(Sphere(kRadius), HalfSpace()) {
    X_WA_.t.z() = kRadius - kDepth;
    QueryOptions options;
    options.tolerance = 1e-9;
    geometry_ = GeometryOf(pair_.Query(X_WA_, Pose{}, options));
    pressure_ = PressureOf(pair_.SampleVolume(X_WA_, Pose{}, options), geometry_);
  }

  FrictionForce Slide(const FrictionLaw& law, double speed, double spin) const {
    FrictionInput input;
    input.normal_force = 1.0;
    input.velocity_W = speed * Vector3d::UnitX();
    input.spin = spin;
    input.gyration_radius = geometry_.gyration_radius;
    input.normal_W = geometry_.normal_W;
    input.pressure = &pressure_;
    return EvaluateFriction(law, input, {});
  }

  static double DiscRadius() { return std::sqrt(2.0 * kRadius * kDepth - kDepth * kDepth); }

  PreparedPair pair_;
  Pose X_WA_;
  ContactGeometry geometry_;
  std::vector<PressureSample> pressure_;
};

TEST_F(PatchFriction, SamplesHaveTheMomentsOfTheVolume) {
  double share = 0.0;
  Vector3d first = Vector3d::Zero();
  double polar = 0.0;
  for (const PressureSample& sample : pressure_) {
    share += sample.share;
    first += sample.share * sample.offset_W;
    polar += sample.share * sample.offset_W.squaredNorm();
  }
  EXPECT_NEAR(share, 1.0, 1e-12);
  EXPECT_LT(first.norm(), 1e-9 * DiscRadius());
  EXPECT_NEAR(std::sqrt(polar), geometry_.gyration_radius, 1e-9 * DiscRadius());
}

TEST_F(PatchFriction, SlidingAloneIsCoulombs) {
  const FrictionForce friction = Slide(PatchCoulombFriction{kMu, 1e-9}, 0.1, 0.0);
  EXPECT_NEAR(friction.force_W.x(), -kMu, 1e-12);
  EXPECT_LT(std::abs(friction.torque), 1e-9 * DiscRadius());
  EXPECT_NEAR(friction.dissipated_power, kMu * 0.1, 1e-12);
}

// ∫ r p dA / ∫ p dA = (8/15) a for a paraboloid of radius a, where the averaged model has r_gyr.
TEST_F(PatchFriction, SpinningAloneHasItsLeverArm) {
  const FrictionForce friction = Slide(PatchCoulombFriction{kMu, 1e-12}, 0.0, 5.0);
  EXPECT_NEAR(-friction.torque, kMu * 8.0 / 15.0 * DiscRadius(), 1e-3 * kMu * DiscRadius());
  BristleFriction averaged;
  averaged.mu_c = averaged.mu_s = kMu;
  averaged.sigma0 = 1e4;
  averaged.sigma1 = 60.0;
  averaged.v_stribeck = 1e-6;
  const FrictionForce bristles = Slide(averaged, 0.0, 5.0);
  EXPECT_NEAR(bristles.torque / friction.torque, 0.5774 / 0.5333, 2e-3);
}

// Against a quadrature of the same integral over the disc in polar coordinates.
TEST_F(PatchFriction, MixedMotionIsTheIntegralOverTheDisc) {
  const double a = DiscRadius();
  constexpr int kRings = 400, kAngles = 400;
  for (const double ratio : {0.2, 0.9, 3.0}) {
    const double spin = 10.0, speed = ratio * spin * a;
    double force = 0.0, torque = 0.0, weight = 0.0;
    for (int i = 0; i < kRings; ++i) {
      const double r = a * (i + 0.5) / kRings;
      // The cap's height over the ground at this radius.
      const double h = std::sqrt(kRadius * kRadius - r * r) - (kRadius - kDepth);
      for (int k = 0; k < kAngles; ++k) {
        const double angle = 2.0 * M_PI * (k + 0.5) / kAngles;
        const double vx = speed - spin * r * std::sin(angle), vy = spin * r * std::cos(angle);
        const double size = std::hypot(vx, vy), p = h * r;
        weight += p;
        force += p * vx / size;
        torque += p * (r * std::cos(angle) * vy - r * std::sin(angle) * vx) / size;
      }
    }
    const FrictionForce friction = Slide(PatchCoulombFriction{kMu, 1e-12}, speed, spin);
    EXPECT_NEAR(-friction.force_W.x(), kMu * force / weight, 2e-3 * kMu) << ratio;
    EXPECT_NEAR(-friction.torque, kMu * torque / weight, 2e-3 * kMu * a) << ratio;
    EXPECT_NEAR(friction.dissipated_power, -(friction.force_W.x() * speed + friction.torque * spin),
                1e-12);
  }
}

TEST_F(PatchFriction, TheModelActsWithIt) {
  ContactParameters parameters;
  parameters.normal = VolumetricNormal{1e9};
  parameters.friction = PatchCoulombFriction{kMu, 1e-9};
  parameters.contact_plate = false;
  const ContactModel model(parameters);
  ContactMotion motion;
  motion.tangential_velocity_W = {0.0, 0.2, 0.0};
  const ContactState state = model.Touch(geometry_, motion);
  const ContactForce force = model.Evaluate(geometry_, motion, state, pressure_);
  EXPECT_NEAR(force.tangential_W.y(), -kMu * 1e9 * geometry_.volume, 1e-9 * 1e9 * geometry_.volume);
  EXPECT_THROW(model.Evaluate(geometry_, motion, state), InvalidInput);
}

TEST(SampleVolume, IntegratesSmoothFunctionsOverAnyOverlap) {
  Random random(7);
  const std::vector<std::pair<Solid, Solid>> pairs = {
      {Box({1.0, 0.8, 0.6}), Box({0.9, 0.7, 0.5})},
      {Sphere(0.5), Cylinder(0.3, 1.0)},
      {Torus(0.5, 0.2), Box({0.6, 0.5, 0.4})},
      {Difference(Box({1.0, 1.0, 1.0}), {Sphere(0.4)}), Ellipsoid({0.7, 0.5, 0.4})}};
  for (const auto& [A, B] : pairs) {
    const PreparedPair pair(A, B);
    const Pose X_WA = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Pose X_WB = Compose(X_WA, random.PoseAt(random.UniformVector(-0.3, 0.3)));
    QueryOptions options;
    options.tolerance = 1e-8;
    const Metrics metrics = pair.Query(X_WA, X_WB, options);
    ASSERT_TRUE(metrics.overlap);
    double volume = 0.0;
    Vector3d first = Vector3d::Zero();
    double second = 0.0;
    for (const VolumeSample& sample : pair.SampleVolume(X_WA, X_WB, options)) {
      const Vector3d r = sample.point_W - metrics.centroid_W;
      volume += sample.volume;
      first += sample.volume * r;
      second += sample.volume * r.squaredNorm();
      EXPECT_GT(sample.volume, 0.0);
    }
    const double size = std::cbrt(metrics.volume);
    EXPECT_NEAR(volume, metrics.volume, 1e-6 * metrics.volume);
    EXPECT_LT(first.norm(), 1e-6 * metrics.volume * size);
    EXPECT_NEAR(second, 0.5 * metrics.inertia_W.trace(), 1e-6 * second);
  }
  EXPECT_TRUE(PreparedPair(Sphere(0.1), Sphere(0.1))
                  .SampleVolume(Pose{}, Pose{Vector3d(1.0, 0.0, 0.0)})
                  .empty());
}

}  // namespace
}  // namespace volcontact::testing::patch_friction_test
