// Motions under contact forces: no creep on a slope, and the energy ledger of a ball that bounces,
// slides and rolls.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "forces/ode.h"
#include "volcontact/forces/contact_model.h"

namespace volcontact::testing::dynamics_test {
namespace {

using Eigen::Vector3d;

constexpr double kGravity = 9.81;

// A block on a slope, with a square foot: place and speed along the slope (x, y) and across it (z),
// deflection, dwell.
struct Slope {
  using State = Eigen::Matrix<double, 9, 1>;

  State Rate(const State& y) const {
    ContactMotion motion;
    motion.normal_speed = y[5];
    motion.tangential_velocity_W = Vector3d(y[3], y[4], 0.0);
    ContactState contact;
    contact.touching = true;
    contact.impact_speed = 0.1;
    contact.normal_W = Vector3d::UnitZ();
    contact.friction.deflection_W = Vector3d(y[6], y[7], 0.0);
    contact.friction.dwell = y[8];
    ContactGeometry geometry;
    geometry.touching = y[2] < 0.0;
    geometry.normal_W = Vector3d::UnitZ();
    geometry.volume = area * -y[2];
    geometry.contact_area = area;
    geometry.gyration_radius = std::sqrt(area / 6.0);
    const ContactForce f = model.Evaluate(geometry, motion, contact);
    State rate;
    rate << y.segment<3>(3), gravity + f.force_W / mass, f.rate.deflection_W.head<2>(),
        f.rate.dwell;
    return rate;
  }

  ContactModel model;
  double mass, area;
  Vector3d gravity;
};

// Returns how far the block moves in the last 8 s of 10.
double Creep(const BristleFriction& law, double mass, double angle, double azimuth) {
  ContactParameters parameters;
  parameters.normal = VolumetricNormal{.stiffness_a = 1e9, .damping = {.restitution = 0.3}};
  parameters.friction = law;
  const Vector3d gravity =
      kGravity * Vector3d(std::sin(angle) * std::cos(azimuth), std::sin(angle) * std::sin(azimuth),
                          -std::cos(angle));
  const Slope slope{ContactModel(parameters), mass, 1e-4, gravity};
  const double sink = mass * kGravity * std::cos(angle) / (1e9 * slope.area);
  Slope::State y = Slope::State::Zero();
  y[2] = -sink;
  OdeOptions options;
  options.relative = 1e-7;
  options.absolute = 1e-13;
  const auto rate = [&](double, const Slope::State& at) { return slope.Rate(at); };
  Integrate<9>(rate, 0.0, 2.0, &y, options);
  const Vector3d settled = y.head<3>();
  EXPECT_LE(settled.head<2>().norm(), 0.01);
  Integrate<9>(rate, 2.0, 10.0, &y, options);
  return (y.head<3>() - settled).norm();
}

TEST(NoCreep, OnASlopeAtHalfTheFrictionAngle) {
  for (const double mass : {0.1, 1.0}) {
    for (const double sigma0 : {1e5 / (mass * kGravity), 1e4}) {
      for (const double tau : {0.0, 0.5}) {
        BristleFriction law{.mu_s = 0.5, .mu_c = 0.4, .v_stribeck = 1e-3, .tau_dwell = tau};
        const double angle = 0.5 * std::atan(law.mu_c);
        law.sigma0 = sigma0;
        law.sigma1 = 2.0 * std::sqrt(sigma0 / (kGravity * std::cos(angle)));
        EXPECT_LE(Creep(law, mass, angle, 0.7), 1e-9) << mass << " " << sigma0 << " " << tau;
      }
    }
  }
}

// Coulomb's friction alone creeps, at the speed whose smoothed friction carries the load.
TEST(NoCreep, TheTestSeesCreep) {
  ContactParameters parameters;
  parameters.normal = VolumetricNormal{.stiffness_a = 1e9};
  parameters.friction = CoulombFriction{.mu = 0.4, .v_epsilon = 1e-4};
  const double angle = 0.5 * std::atan(0.4);
  const Slope slope{ContactModel(parameters), 1.0, 1e-4,
                    kGravity * Vector3d(std::sin(angle), 0.0, -std::cos(angle))};
  Slope::State y = Slope::State::Zero();
  y[2] = -kGravity * std::cos(angle) / 1e5;
  OdeOptions options;
  options.relative = 1e-7;
  options.absolute = 1e-13;
  const auto rate = [&](double, const Slope::State& at) { return slope.Rate(at); };
  Integrate<9>(rate, 0.0, 0.2, &y, options);
  const double r = y[3] / 1e-4;
  EXPECT_NEAR(r * (1.5 - 0.5 * r * r), std::tan(angle) / 0.4, 1e-3);
}

// A ball over the ground z = 0 under gravity, by Azad and Featherstone's forces. State: centre,
// velocity, angular velocity, deflection, and the integrals of the powers: normal spring,
// tangential spring, everything dissipated.
struct Ball {
  using State = Eigen::Matrix<double, 15, 1>;

  State Rate(const State& y) const {
    const double depth = radius - y[2];
    const Vector3d v = y.segment<3>(3), w = y.segment<3>(6);
    State rate = State::Zero();
    rate.head<3>() = v;
    rate[5] = -kGravity;
    ContactGeometry geometry;
    geometry.touching = depth > 0.0;
    geometry.depth = depth;
    geometry.point_W = Vector3d(y[0], y[1], 0.0);
    geometry.normal_W = Vector3d::UnitZ();
    Pose X;
    X.t = y.head<3>();
    ContactState contact;
    contact.touching = true;
    contact.normal_W = geometry.normal_W;
    contact.friction.deflection_W = y.segment<3>(9);
    const ContactMotion motion =
        MotionAt(geometry.point_W, geometry.normal_W, X, {v, w}, Pose(), Twist());
    const ContactForce f = model.Evaluate(geometry, motion, contact);
    rate.segment<3>(3) += f.force_W / mass;
    const Vector3d torque = f.torque_W + (geometry.point_W - X.t).cross(f.force_W);
    rate.segment<3>(6) = torque / Inertia();
    rate.segment<3>(9) = f.rate.deflection_W;
    rate.tail<3>() << f.powers.elastic, f.powers.bristle_elastic, f.powers.Dissipated();
    return rate;
  }

  double Inertia() const { return 0.4 * mass * radius * radius; }
  double Mechanical(const State& y) const {
    return 0.5 * mass * y.segment<3>(3).squaredNorm() +
           0.5 * Inertia() * y.segment<3>(6).squaredNorm() + mass * kGravity * y[2];
  }

  ContactModel model;
  double mass = 0.15, radius = 0.05;
};

TEST(ClutchEnergy, IsAllAccountedFor) {
  const double stiffness = 1e5, viscosity = 0.05;
  ContactParameters parameters;
  parameters.normal = AzadFeatherstoneNormal{stiffness, 300.0};
  parameters.friction = ClutchFriction{0.3, 0.8e5, 160.0, viscosity};
  const Ball ball{ContactModel(parameters)};
  Ball::State y = Ball::State::Zero();
  y[2] = ball.radius + 0.01;
  y.segment<3>(3) = Vector3d(0.5, -0.3, 0.0);
  y.segment<3>(6) = Vector3d(10.0, 5.0, 3.0);
  const double before = ball.Mechanical(y);
  double last_dissipated = 0.0;
  OdeOptions options;
  options.relative = 1e-10;
  options.absolute = 1e-14;
  options.max_step = 1e-3;
  const auto rate = [&](double, const Ball::State& at) { return ball.Rate(at); };
  Integrate<15>(
      rate, 0.0, 2.0, &y,
      [&](double, const Ball::State& at) {
        EXPECT_NEAR(ball.Mechanical(at) + at.tail<3>().sum(), before, 1e-7 * before);
        // The normal spring holds (2/5) k z^5/2.
        const double depth = std::max(0.0, ball.radius - at[2]);
        EXPECT_NEAR(at[12], 0.4 * stiffness * std::pow(depth, 2.5), 1e-7 * before);
        EXPECT_GE(at[14], last_dissipated - 1e-12);
        last_dissipated = at[14];
        return ::testing::Test::HasFailure();
      },
      options);
  EXPECT_GT(last_dissipated, 0.1 * before);
  // In the end it rolls: the lowest point rests but for the turn about the normal, which the clutch
  // does not resist.
  const Vector3d slip = y.segment<3>(3) + y.segment<3>(6).cross(Vector3d(0, 0, -y[2]));
  EXPECT_LE(slip.head<2>().norm(), 1e-5);
  EXPECT_NEAR(y[8], 3.0, 1e-9);
}

// A ball set down sliding ends at 5/7 of its speed whatever the friction: the angular momentum
// about the line of contact stays.
TEST(ClutchEnergy, SlidingBallEndsAtFiveSevenths) {
  ContactParameters parameters;
  parameters.normal = AzadFeatherstoneNormal{1e5, 20.0};
  parameters.friction = ClutchFriction{0.3, 0.8e5, 160.0, 0.0};
  const Ball ball{ContactModel(parameters)};
  Ball::State y = Ball::State::Zero();
  const double sink = std::pow(ball.mass * kGravity / 1e5, 2.0 / 3.0);
  y[2] = ball.radius - sink;
  y[3] = 0.7;
  OdeOptions options;
  options.relative = 1e-9;
  options.absolute = 1e-13;
  Integrate<15>([&](double, const Ball::State& at) { return ball.Rate(at); }, 0.0, 0.6, &y,
                options);
  const double arm = ball.radius - sink, spread = ball.Inertia() / ball.mass / arm / arm;
  EXPECT_NEAR(y[3], 0.7 / (1.0 + spread), 1e-4);
  EXPECT_NEAR(y[3], 0.5, 5e-3);
}

}  // namespace
}  // namespace volcontact::testing::dynamics_test
