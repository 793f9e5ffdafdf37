// Laws that every combination of normal and friction law obeys: power balance, dissipation,
// independence of the frame and of the units, no tension.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

#include "forces/force_samples.h"
#include "volcontact/forces/contact_model.h"

namespace volcontact::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kRounds = 600;

// Sums of magnitudes: what rounding is relative to.
double PowerScale(const ContactForce& f, const ContactMotion& m) {
  const ContactPowers& p = f.powers;
  return f.force_W.norm() * (std::abs(m.normal_speed) + m.tangential_velocity_W.norm()) +
         f.torque_W.norm() * (std::abs(m.spin) + m.rolling_velocity_W.norm()) +
         std::abs(p.elastic) + p.normal_damping + std::abs(p.bristle_elastic) +
         std::abs(p.spin_elastic) + std::abs(p.bristle) + std::abs(p.clutch);
}

TEST(ContactLaws, MotionIsThatOfTheBodies) {
  ForRandomContacts(51, 30, [](const ContactParameters&, const SampleContact& c) {
    const ContactMotion m = c.Motion();
    const Vector3d& n = c.geometry.normal_W;
    // Eq. (4.51), and the turn of A relative to B.
    const Vector3d v = c.A.velocity_W +
                       c.A.angular_velocity_W.cross(c.geometry.point_W - c.X_WA.t) -
                       c.B.velocity_W - c.B.angular_velocity_W.cross(c.geometry.point_W - c.X_WB.t);
    const Vector3d w = c.A.angular_velocity_W - c.B.angular_velocity_W;
    EXPECT_LE((m.normal_speed * n + m.tangential_velocity_W - v).norm(), 1e-14);
    EXPECT_LE((m.spin * n + m.rolling_velocity_W - w).norm(), 1e-14 * (1.0 + w.norm()));
    EXPECT_NEAR(m.tangential_velocity_W.dot(n), 0.0, 1e-14);
    EXPECT_NEAR(m.rolling_velocity_W.dot(n), 0.0, 1e-14 * (1.0 + w.norm()));
  });
}

// The bodies lose what the powers say; B has the opposite wrench and its own twist.
TEST(ContactLaws, PowersAddUpToThatOfTheWrenches) {
  ForRandomContacts(52, kRounds, [](const ContactParameters& parameters, const SampleContact& c) {
    const ContactMotion m = c.Motion();
    const ContactForce f = ContactModel(parameters).Evaluate(c.geometry, m, c.state);
    const Vector3d &p = f.point_W, &wa = c.A.angular_velocity_W, &wb = c.B.angular_velocity_W;
    const double to_a = f.force_W.dot(c.A.velocity_W + wa.cross(p - c.X_WA.t)) + f.torque_W.dot(wa);
    const double to_b =
        -f.force_W.dot(c.B.velocity_W + wb.cross(p - c.X_WB.t)) - f.torque_W.dot(wb);
    // The bodies move at up to 1 + |w| m/s times some metres, against each other much slower.
    const double rounding =
        5e-15 * (10.0 * f.force_W.norm() + 4.0 * f.torque_W.norm()) * (1.0 + wa.norm() + wb.norm());
    EXPECT_NEAR(-(to_a + to_b), f.powers.Total(), 1e-13 * PowerScale(f, m) + rounding);
    EXPECT_EQ(f.force_W, f.normal_W + f.tangential_W);
  });
}

TEST(ContactLaws, NothingButSpringsGivesBack) {
  ForRandomContacts(53, kRounds, [](const ContactParameters& parameters, const SampleContact& c) {
    const ContactModel model(parameters);
    for (const double sign : {1.0, -1.0}) {  // and with all motion reversed
      ContactMotion m = c.Motion();
      m.normal_speed *= sign;
      m.tangential_velocity_W *= sign;
      m.spin *= sign;
      m.rolling_velocity_W *= sign;
      const ContactForce f = model.Evaluate(c.geometry, m, c.state);
      const ContactPowers& p = f.powers;
      const double rounding = -1e-14 * PowerScale(f, m);
      for (const double power :
           {p.normal_damping, p.rolling, p.bristle, p.viscous, p.spin, p.clutch}) {
        EXPECT_GE(power, rounding);
      }
      EXPECT_NEAR(p.Dissipated(),
                  p.normal_damping + p.rolling + p.bristle + p.viscous + p.spin + p.clutch,
                  -rounding);
    }
  });
}

// 1/τ of the law's springs.
double RelaxationRate(const FrictionLaw& law) {
  if (const auto* p = std::get_if<BristleFriction>(&law)) return p->sigma0 / p->sigma1;
  if (const auto* p = std::get_if<ClutchFriction>(&law)) return p->stiffness / p->damping;
  return 0.0;
}

TEST(ContactLaws, NeverTensileAndTangent) {
  ForRandomContacts(54, kRounds, [](const ContactParameters& parameters, const SampleContact& c) {
    const ContactForce f = ContactModel(parameters).Evaluate(c.geometry, c.Motion(), c.state);
    const Vector3d& n = c.geometry.normal_W;
    const double force = f.normal_W.norm();
    EXPECT_GE(f.normal_W.dot(n), 0.0);
    EXPECT_LE((f.normal_W - force * n).norm(), 1e-14 * force);
    EXPECT_NEAR(f.tangential_W.dot(n), 0.0, 1e-13 * f.tangential_W.norm() + 1e-14 * force);
    EXPECT_NEAR(f.rolling_W.dot(n), 0.0, 1e-13 * f.rolling_W.norm());
    EXPECT_LE(f.spinning_W.cross(n).norm(), 1e-13 * f.spinning_W.norm());
    // A rate is a difference of what drives the deflection and what its spring takes back.
    const double turned =
        c.Motion().tangential_velocity_W.norm() + std::abs(c.Motion().normal_speed);
    EXPECT_NEAR(f.rate.deflection_W.dot(c.state.normal_W), 0.0,
                1e-15 * (turned + 10.0 * RelaxationRate(parameters.friction) *
                                      c.state.friction.deflection_W.norm()));
  });
}

// Separating faster than 1/|a|: neither pressure, nor friction, nor rolling resistance.
TEST(ContactLaws, PartingBodiesLetGo) {
  int count = 0;
  ForRandomContacts(55, 60, [&](const ContactParameters& parameters, const SampleContact& c) {
    const ContactModel model(parameters);
    ContactMotion m = c.Motion();
    m.normal_speed = 1e9;
    const ContactForce f = model.Evaluate(c.geometry, m, c.state);
    const bool damped = std::visit(
        [](const auto& law) {
          if constexpr (requires { law.damping.restitution; }) {
            return law.damping.restitution < 1.0;
          } else {
            return true;
          }
        },
        parameters.normal);
    if (!damped) return;
    ++count;
    EXPECT_EQ(f.normal_W, Vector3d::Zero());
    EXPECT_EQ(f.rolling_W, Vector3d::Zero());
    EXPECT_EQ(f.spinning_W.norm(), 0.0);
    const auto* clutch = std::get_if<ClutchFriction>(&parameters.friction);
    // The clutch's viscosity is all that is left.
    if (clutch == nullptr) {
      EXPECT_EQ(f.tangential_W.norm(), 0.0);
    }
  });
  EXPECT_GE(count, 400);
}

Twist Turned(const Matrix3d& R, const Twist& twist) {
  return {R * twist.velocity_W, R * twist.angular_velocity_W};
}

TEST(ContactLaws, IndependentOfTheFrame) {
  Random random(56);
  ForRandomContacts(57, 200, [&](const ContactParameters& parameters, const SampleContact& c) {
    const Pose X = random.PoseAt(random.UniformVector(-2.0, 2.0));
    const Matrix3d R = X.Rotation();
    SampleContact away = c;
    away.X_WA = Compose(X, c.X_WA);
    away.X_WB = Compose(X, c.X_WB);
    away.A = Turned(R, c.A);
    away.B = Turned(R, c.B);
    away.geometry.point_W = X * c.geometry.point_W;
    away.geometry.normal_W = R * c.geometry.normal_W;
    away.geometry.inertia_W = R * c.geometry.inertia_W * R.transpose();
    away.state.normal_W = R * c.state.normal_W;
    away.state.friction.deflection_W = R * c.state.friction.deflection_W;

    const ContactModel model(parameters);
    const ContactForce f = model.Evaluate(c.geometry, c.Motion(), c.state);
    const ContactForce g = model.Evaluate(away.geometry, away.Motion(), away.state);
    // The velocities have rounding errors of 1e-14, and the laws amplify them by 1/v_epsilon or
    // 1/v_small.
    const double tolerance = 2e-6;
    const auto near = [&](const Vector3d& at_home, const Vector3d& there, double scale) {
      EXPECT_LE((R * at_home - there).norm(), tolerance * (at_home.norm() + scale));
    };
    const double force = f.force_W.norm(), length = c.geometry.gyration_radius;
    near(f.force_W, g.force_W, force);
    near(f.torque_W, g.torque_W, force * length);
    near(f.rate.deflection_W, g.rate.deflection_W, 1e-6);
    EXPECT_LE((g.point_W - X * f.point_W).norm(), 1e-14);
    EXPECT_LE((g.plate_W - X * f.plate_W).norm(), 1e-14);
    EXPECT_NEAR(f.rate.twist, g.rate.twist, tolerance * (std::abs(f.rate.twist) + 1.0));
    EXPECT_NEAR(f.rate.dwell, g.rate.dwell, tolerance * (std::abs(f.rate.dwell) + 1.0));
    EXPECT_NEAR(f.powers.Total(), g.powers.Total(), tolerance * PowerScale(f, c.Motion()));
  });
}

// Units of length, time and mass: powers of two, by which nothing is rounded but by pow and exp.
struct Units {
  double length, time, mass;

  double Speed() const { return length / time; }
  double Force() const { return mass * length / (time * time); }
};

NormalLaw In(const Units& u, NormalLaw law) {
  const double f = u.Force(), l = u.length, v = u.Speed();
  if (auto* p = std::get_if<VolumetricNormal>(&law)) {
    p->stiffness_a *= f / (l * l * l);
    p->stiffness_b *= f / (l * l * l);
    p->damping.v_small *= v;
  } else if (auto* q = std::get_if<PowerNormal>(&law)) {
    q->stiffness *= f / std::pow(l, q->exponent);
    q->damping.v_small *= v;
  } else if (auto* r = std::get_if<AzadFeatherstoneNormal>(&law)) {
    r->stiffness *= f / std::pow(l, 1.5);
    r->damping *= f / v / std::sqrt(l);
  } else {
    auto& s = std::get<LinearNormal>(law);
    s.stiffness *= f / l;
    s.damping *= f / v;
  }
  return law;
}

FrictionLaw In(const Units& u, FrictionLaw law) {
  const double f = u.Force(), l = u.length, v = u.Speed();
  if (auto* p = std::get_if<CoulombFriction>(&law)) {
    p->v_epsilon *= v;
  } else if (auto* q = std::get_if<BristleFriction>(&law)) {
    q->sigma0 /= l;
    q->sigma1 /= v;
    q->sigma2 /= v;
    q->v_stribeck *= v;
    q->v_epsilon *= v;
    q->tau_dwell *= u.time;
  } else if (auto* r = std::get_if<ClutchFriction>(&law)) {
    r->stiffness *= f / std::pow(l, 1.5);
    r->damping *= f / v / std::sqrt(l);
    r->viscosity *= f / v;
  }
  return law;
}

TEST(ContactLaws, IndependentOfTheUnits) {
  const Units units[] = {
      {1024.0, 1.0, 1.0}, {1.0, 0x1p-10, 1.0}, {1.0, 1.0, 4096.0}, {0x1p-20, 0x1p10, 0x1p6}};
  ForRandomContacts(58, 100, [&](const ContactParameters& parameters, const SampleContact& c) {
    const ContactMotion m = c.Motion();
    const ContactForce f = ContactModel(parameters).Evaluate(c.geometry, m, c.state);
    for (const Units& u : units) {
      ContactParameters scaled = parameters;
      scaled.normal = In(u, parameters.normal);
      scaled.friction = In(u, parameters.friction);
      const double l = u.length, v = u.Speed();
      ContactGeometry geometry = c.geometry;
      geometry.point_W *= l;
      geometry.depth *= l;
      geometry.volume *= l * l * l;
      geometry.inertia_W *= l * l * l * l * l;
      geometry.contact_area *= l * l;
      geometry.gyration_radius *= l;
      ContactMotion motion = m;
      motion.normal_speed *= v;
      motion.tangential_velocity_W *= v;
      motion.spin /= u.time;
      motion.rolling_velocity_W /= u.time;
      ContactState state = c.state;
      state.impact_speed *= v;
      state.friction.deflection_W *= l;
      const ContactForce g = ContactModel(scaled).Evaluate(geometry, motion, state);
      const double force = u.Force(), tolerance = 1e-12;
      EXPECT_LE((g.force_W / force - f.force_W).norm(), tolerance * f.force_W.norm());
      EXPECT_LE((g.torque_W / (force * l) - f.torque_W).norm(), tolerance * f.torque_W.norm());
      EXPECT_LE((g.rate.deflection_W / v - f.rate.deflection_W).norm(),
                tolerance * (f.rate.deflection_W.norm() + m.tangential_velocity_W.norm()));
      EXPECT_NEAR(g.rate.twist * u.time, f.rate.twist,
                  tolerance * (std::abs(f.rate.twist) + std::abs(m.spin)));
      EXPECT_NEAR(g.rate.dwell * u.time, f.rate.dwell, tolerance * std::abs(f.rate.dwell));
      EXPECT_NEAR(g.powers.Total() / (force * v), f.powers.Total(), tolerance * PowerScale(f, m));
      EXPECT_NEAR(g.powers.Dissipated() / (force * v), f.powers.Dissipated(),
                  tolerance * PowerScale(f, m));
    }
  });
}

}  // namespace
}  // namespace volcontact::testing
