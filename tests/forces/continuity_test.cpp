// The wrench is continuous along smooth motions: through stick and slip, the regularised speeds,
// parting, and turning normals.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "forces/force_samples.h"
#include "volcontact/forces/contact_model.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;
using Wrench = Eigen::Matrix<double, 6, 1>;

Wrench WrenchOf(const ContactForce& f) {
  Wrench w;
  w << f.force_W, f.torque_W;
  return w;
}

// The greatest jump between neighbours of `steps` + 1 samples of t in [0, 1], by each component's
// range.
double GreatestJump(const std::function<Wrench(double)>& wrench, int steps) {
  Wrench last = wrench(0.0), low = last, high = last, jump = Wrench::Zero();
  for (int i = 1; i <= steps; ++i) {
    const Wrench next = wrench(static_cast<double>(i) / steps);
    jump = jump.cwiseMax((next - last).cwiseAbs());
    low = low.cwiseMin(next);
    high = high.cwiseMax(next);
    last = next;
  }
  const double force = (high - low).head<3>().maxCoeff();
  const double torque = (high - low).tail<3>().maxCoeff();
  double worst = 0.0;
  if (force > 0.0) worst = jump.head<3>().maxCoeff() / force;
  if (torque > 0.0) worst = std::max(worst, jump.tail<3>().maxCoeff() / torque);
  return worst;
}

// A jump stays when the samples are refined; along a continuous path the differences vanish.
void ExpectContinuous(const std::function<Wrench(double)>& wrench, const std::string& what) {
  const double coarse = GreatestJump(wrench, 10000), fine = GreatestJump(wrench, 160000);
  EXPECT_LE(fine, std::max(0.25 * coarse, 1e-9)) << what << ": " << coarse << " " << fine;
}

// A line between two motions, with the rest of a random contact; speeds pass through all scales.
struct Sweep {
  ContactModel model;
  SampleContact contact;
  ContactMotion from, to;

  Wrench operator()(double t) const {
    ContactMotion m;
    const auto between = [&](const auto& a, const auto& b) { return (a + t * (b - a)).eval(); };
    m.normal_speed = from.normal_speed + t * (to.normal_speed - from.normal_speed);
    m.spin = from.spin + t * (to.spin - from.spin);
    m.tangential_velocity_W = between(from.tangential_velocity_W, to.tangential_velocity_W);
    m.rolling_velocity_W = between(from.rolling_velocity_W, to.rolling_velocity_W);
    return WrenchOf(model.Evaluate(contact.geometry, m, contact.state));
  }
};

// Speeds of the law's own scale, so that the samples resolve its regularisations.
double SpeedOf(const FrictionLaw& law) {
  if (const auto* p = std::get_if<CoulombFriction>(&law)) return 5.0 * p->v_epsilon;
  if (const auto* p = std::get_if<BristleFriction>(&law)) return 3.0 * p->v_stribeck;
  return 1e-2;
}

TEST(Continuity, ThroughStickAndSlip) {
  Random random(61);
  ForRandomContacts(62, 1, [&](ContactParameters parameters, SampleContact c) {
    if (auto* p = std::get_if<BristleFriction>(&parameters.friction)) {
      p->v_epsilon = 0.05 * p->v_stribeck;
    }
    parameters.rolling = RollingInertia::kExact;
    const double speed = SpeedOf(parameters.friction);
    const Vector3d& n = c.geometry.normal_W;
    const auto motion = [&](double sign) {
      ContactMotion m;
      const Vector3d v = speed * random.UniformVector(-1.0, 1.0);
      m.tangential_velocity_W = v - n * n.dot(v);
      m.normal_speed = sign * 0.1 * c.state.impact_speed;
      m.spin = sign * speed / c.geometry.gyration_radius;
      return m;
    };
    Sweep sweep{ContactModel(parameters), c, motion(-1.0), motion(1.0)};
    ExpectContinuous(sweep, "general");
    // Straight through rest.
    sweep.to = sweep.from;
    sweep.to.tangential_velocity_W *= -1.0;
    sweep.to.spin *= -1.0;
    ExpectContinuous(sweep, "reversal");
    sweep.from.spin = sweep.to.spin = 0.0;
    ExpectContinuous(sweep, "reversal without spin");
  });
}

// Through the speed 1/|a| at which the contact lets go, rolling and sliding meanwhile.
TEST(Continuity, ThroughParting) {
  int count = 0;
  ForRandomContacts(63, 3, [&](const ContactParameters& parameters, SampleContact c) {
    const ContactModel model(parameters);
    ContactMotion slow = c.Motion();
    slow.normal_speed = -c.state.impact_speed;
    ContactMotion fast = slow;
    const NormalForce normal =
        NormalForceModel(parameters.normal)
            .Evaluate(NormalForceModel(parameters.normal).CompressionOf(c.geometry),
                      slow.normal_speed, c.state.impact_speed);
    // Twice the speed at which the force, a straight line, is zero.
    const double slope = (normal.force - normal.elastic) / slow.normal_speed;
    if (slope == 0.0) return;
    ++count;
    fast.normal_speed = -2.0 * normal.elastic / slope;
    EXPECT_EQ(model.Evaluate(c.geometry, fast, c.state).normal_W, Vector3d::Zero());
    ExpectContinuous(Sweep{model, c, slow, fast}, "parting");
  });
  EXPECT_GE(count, 20);
}

// The normal wobbles over a curved face, and the state is transported all along.
TEST(Continuity, WithATurningNormal) {
  ForRandomContacts(64, 1, [&](const ContactParameters& parameters, SampleContact c) {
    const ContactModel model(parameters);
    const Vector3d v = c.Motion().tangential_velocity_W, w(0.3, 0.2, -0.5);
    ContactState state;
    double last = 1.0;
    const auto wrench = [&](double t) {
      if (t < last) {
        state = c.state;
        ContactModel::Transport(Vector3d::UnitZ(), &state);
      }
      last = t;
      const Vector3d n =
          Vector3d(std::sin(4.0 * t), 0.6 * std::sin(7.0 * t), 1.0 + std::cos(3.0 * t))
              .normalized();
      ContactModel::Transport(n, &state);
      c.geometry.normal_W = n;
      ContactMotion m;
      m.tangential_velocity_W = v - n * n.dot(v);
      m.rolling_velocity_W = w - n * n.dot(w);
      m.spin = n.dot(w);
      return WrenchOf(model.Evaluate(c.geometry, m, state));
    };
    ExpectContinuous(wrench, "turning");
  });
}

TEST(Transport, TurnsWithoutStretchingAndKeepsTangent) {
  Random random(65);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d n = random.UnitVector(), to = random.UnitVector();
    ContactState state;
    state.touching = true;
    state.normal_W = n;
    const Vector3d z = random.UniformVector(-1.0, 1.0);
    state.friction.deflection_W = z - n * n.dot(z);
    const double length = state.friction.deflection_W.norm();
    const Vector3d axis = n.cross(to).normalized();
    const double along = state.friction.deflection_W.dot(axis);
    ContactModel::Transport(to, &state);
    EXPECT_NEAR(state.friction.deflection_W.dot(to), 0.0, 1e-14);
    EXPECT_NEAR(state.friction.deflection_W.norm(), length, 1e-13);
    // The least rotation leaves the part along its axis.
    EXPECT_NEAR(state.friction.deflection_W.dot(axis), along, 1e-12);
    EXPECT_EQ(state.normal_W, to);
  }
}

// Referring the state to the geometry's normal first, or leaving that to Evaluate, is the same.
TEST(Transport, IsWhatEvaluateDoes) {
  ForRandomContacts(66, 20, [&](const ContactParameters& parameters, const SampleContact& c) {
    const ContactModel model(parameters);
    ContactState state = c.state;
    ContactModel::Transport(c.geometry.normal_W, &state);
    const ContactForce at_once = model.Evaluate(c.geometry, c.Motion(), c.state);
    const ContactForce after = model.Evaluate(c.geometry, c.Motion(), state);
    EXPECT_LE((at_once.force_W - after.force_W).norm(), 1e-12 * at_once.force_W.norm());
    EXPECT_LE((at_once.torque_W - after.torque_W).norm(),
              1e-12 * (at_once.torque_W.norm() + at_once.tangential_W.norm()));
    // The rates differ by the same turn as the deflections.
    ContactState rates = c.state;
    rates.friction.deflection_W = at_once.rate.deflection_W;
    ContactModel::Transport(c.geometry.normal_W, &rates);
    EXPECT_LE((rates.friction.deflection_W - after.rate.deflection_W).norm(),
              1e-10 * (after.rate.deflection_W.norm() + c.Motion().tangential_velocity_W.norm()));
  });
}

}  // namespace
}  // namespace volcontact::testing
