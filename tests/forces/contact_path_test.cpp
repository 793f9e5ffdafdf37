// The state of a contact along a motion that is given, against closed forms.
#include "volcontact/forces/contact_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "volcontact/math/error.h"

namespace volcontact::contact_path_test {
namespace {

constexpr double kStaticMu = 0.5, kMu = 0.4, kSigma0 = 1e4, kSigma1 = 50.0;

ContactModel Bristles(double tau_relaxation = 0.0) {
  BristleFriction friction;
  friction.mu_s = kStaticMu;
  friction.mu_c = kMu;
  friction.sigma0 = kSigma0;
  friction.sigma1 = kSigma1;
  ContactParameters parameters;
  parameters.normal = VolumetricNormal{2e9, 2e9, {}};
  parameters.friction = friction;
  parameters.tau_relaxation = tau_relaxation;
  return ContactModel(parameters);
}

ContactInstant At(double time, double speed, const Eigen::Vector3d& normal) {
  ContactInstant instant;
  instant.time = time;
  instant.geometry.touching = true;
  instant.geometry.normal_W = normal;
  instant.geometry.volume = 1e-6;
  instant.geometry.contact_area = 1e-3;
  instant.geometry.gyration_radius = 0.01;
  instant.geometry.inertia_W = 1e-10 * Eigen::Matrix3d::Identity();
  instant.motion.tangential_velocity_W = {speed, 0.0, 0.0};
  return instant;
}

// Far above the Stribeck velocity nothing sticks: z' = (μ_C − σ0 z)/σ1.
TEST(ContactPath, SlidingBristlesApproachTheirDeflectionExponentially) {
  const ContactModel model = Bristles();
  const Eigen::Vector3d n = Eigen::Vector3d::UnitZ();
  ContactInstant last = At(0.0, 1.0, n);
  ContactState state = model.Touch(last.geometry, last.motion);
  constexpr double kStep = 1.7e-3;
  for (int i = 1; i <= 12; ++i) {
    const ContactInstant next = At(i * kStep, 1.0, n);
    state = FollowContact(model, state, last, next);
    last = next;
    const double expected = kMu / kSigma0 * -std::expm1(-next.time * kSigma0 / kSigma1);
    EXPECT_NEAR(state.friction.deflection_W.x() / expected, 1.0, 1e-5) << i;
    EXPECT_EQ(state.friction.deflection_W.z(), 0.0);
  }
  EXPECT_NEAR(state.friction.deflection_W.x(), kMu / kSigma0, 0.02 * kMu / kSigma0);
}

// Between the stages of a path the model's own rates, in steps so fine that they are exact: with
// spin, dwell, relaxation, a plate off the centroid, and normals that turn.
TEST(ContactPath, FollowsTheRatesOfTheModel) {
  BristleFriction friction{kStaticMu, kMu, kSigma0, kSigma1, 0.1, 0.02, 5e-3, 0.0};
  ContactParameters parameters;
  parameters.normal = VolumetricNormal{2e9, 8e9, {}};
  parameters.friction = friction;
  parameters.tau_relaxation = 4e-3;
  const ContactModel model(parameters);
  const Eigen::Vector3d up(0.0, 0.6, 0.8);
  ContactInstant from = At(0.3, 0.0, up), to = At(0.302, 0.0, up);
  to.geometry.normal_W = (up + Eigen::Vector3d(0.03, 0.0, 0.0)).normalized();
  to.geometry.volume = 1.4e-6;
  to.geometry.gyration_radius = 0.012;
  from.motion = {0.1, {7e-3, 8e-3, -6e-3}, 0.5, {0.3, 0.4, -0.3}};
  to.motion = {-0.1, {9e-3, 4e-3, -3e-3}, 0.35, {0.1, -0.4, 0.3}};
  ContactState state = model.Touch(from.geometry, from.motion);
  state.friction = {{2e-6, 8e-6, -6e-6}, 1e-4, 0.4};

  const auto rate = [&](const ContactState& present, double s) {
    ContactGeometry geometry = to.geometry;
    geometry.normal_W = ((1 - s) * from.geometry.normal_W + s * to.geometry.normal_W).normalized();
    geometry.volume = (1 - s) * from.geometry.volume + s * to.geometry.volume;
    geometry.gyration_radius =
        (1 - s) * from.geometry.gyration_radius + s * to.geometry.gyration_radius;
    const ContactMotion &a = from.motion, &b = to.motion;
    const ContactMotion motion = {(1 - s) * a.normal_speed + s * b.normal_speed,
                                  (1 - s) * a.tangential_velocity_W + s * b.tangential_velocity_W,
                                  (1 - s) * a.spin + s * b.spin,
                                  (1 - s) * a.rolling_velocity_W + s * b.rolling_velocity_W};
    return model.Evaluate(geometry, motion, present).rate;
  };
  const auto after = [](ContactState present, const ContactStateRate& slope, double h) {
    present.friction.deflection_W += h * slope.deflection_W;
    present.friction.twist += h * slope.twist;
    present.friction.dwell += h * slope.dwell;
    present.relaxation += h * slope.relaxation;
    return present;
  };
  ContactState expected = state;
  constexpr int kSteps = 4000;
  for (int i = 0; i < kSteps; ++i) {
    const double s = static_cast<double>(i) / kSteps, ds = 1.0 / kSteps, h = 2e-3 / kSteps;
    const ContactState middle = after(expected, rate(expected, s), 0.5 * h);
    expected = after(expected, rate(middle, s + 0.5 * ds), h);
  }
  ContactModel::Transport(to.geometry.normal_W, &expected);
  const ContactState found = FollowContact(model, state, from, to);
  const double bent = expected.friction.deflection_W.norm();
  EXPECT_GT(bent, 1e-5);
  EXPECT_LT((found.friction.deflection_W - expected.friction.deflection_W).norm(), 1e-6 * bent);
  EXPECT_NEAR(found.friction.twist, expected.friction.twist, 1e-6 * 1e-3);
  EXPECT_NEAR(found.friction.dwell, expected.friction.dwell, 1e-6);
  EXPECT_NEAR(found.relaxation, expected.relaxation, 1e-6 * expected.relaxation);
  EXPECT_EQ(found.normal_W, to.geometry.normal_W);
}

// What relaxes does so exponentially, too.
TEST(ContactPath, CompressionRelaxesExponentially) {
  constexpr double kTau = 3e-3;
  const ContactModel model = Bristles(kTau);
  const ContactInstant first = At(0.0, 0.0, Eigen::Vector3d::UnitZ());
  const ContactState begun = model.Touch(first.geometry, first.motion);
  ASSERT_GT(begun.relaxation, 0.0);
  const ContactState state =
      FollowContact(model, begun, first, At(2e-3, 0.0, Eigen::Vector3d::UnitZ()));
  EXPECT_NEAR(state.relaxation / begun.relaxation, std::exp(-2.0 / 3.0), 1e-6);
}

// Deflections stay tangent while the normal turns, and as long: turning stores no work.
TEST(ContactPath, DeflectionsTurnWithTheNormal) {
  const ContactModel model = Bristles();
  const Eigen::Vector3d tilted = Eigen::Vector3d(0.3, 0.0, 1.0).normalized();
  const ContactInstant first = At(0.0, 0.0, Eigen::Vector3d::UnitZ());
  ContactState state = model.Touch(first.geometry, first.motion);
  state.friction.deflection_W = {0.0, 1e-6, 0.0};
  const ContactState turned = FollowContact(model, state, first, At(1e-6, 0.0, tilted));
  EXPECT_NEAR(turned.friction.deflection_W.dot(tilted), 0.0, 1e-18);
  EXPECT_NEAR(turned.friction.deflection_W.norm(), 1e-6, 1e-9);
  EXPECT_EQ(turned.normal_W, tilted);
}

TEST(ContactPath, RefusesTimesThatItCannotFollow) {
  const ContactModel model = Bristles();
  const ContactInstant first = At(1.0, 1.0, Eigen::Vector3d::UnitZ());
  const ContactState state = model.Touch(first.geometry, first.motion);
  for (const double time : {1.0, 0.5, 1e9, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(FollowContact(model, state, first, At(time, 1.0, Eigen::Vector3d::UnitZ())),
                 InvalidInput)
        << time;
  }
}

}  // namespace
}  // namespace volcontact::contact_path_test
