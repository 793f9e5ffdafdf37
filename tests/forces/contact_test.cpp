// A contact from touch to end: latched speed, relaxation, geometry, stored energy, clutch.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "forces/force_samples.h"
#include "forces/ode.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

TEST(Contact, TouchLatchesTheSpeedOfApproach) {
  ForRandomContacts(71, 10, [](const ContactParameters& parameters, const SampleContact& c) {
    const ContactModel model(parameters);
    ContactMotion motion = c.Motion();
    motion.normal_speed = -0.7;
    const ContactState state = model.Touch(c.geometry, motion);
    EXPECT_TRUE(state.touching);
    EXPECT_EQ(state.impact_speed, 0.7);
    EXPECT_EQ(state.normal_W, c.geometry.normal_W);
    EXPECT_EQ(state.friction.deflection_W, Vector3d::Zero());
    EXPECT_EQ(state.friction.twist, 0.0);
    EXPECT_EQ(state.friction.dwell, 0.0);
    EXPECT_EQ(state.relaxation, 0.0);
    // A state that does not touch stands for the one of Touch.
    const ContactForce f = model.Evaluate(c.geometry, motion, state);
    const ContactForce g = model.Evaluate(c.geometry, motion, ContactState());
    EXPECT_EQ(f.force_W, g.force_W);
    EXPECT_EQ(f.torque_W, g.torque_W);
    // At the speed of impact the force of the exact law is k V (1 + d/e).
    if (const auto* law = std::get_if<VolumetricNormal>(&parameters.normal)) {
      const double at_impact = DampingAtImpact(law->damping.law, law->damping.restitution);
      EXPECT_NEAR(f.normal_W.norm() / (law->Stiffness() * c.geometry.volume), 1.0 + at_impact,
                  1e-12 * (1.0 + at_impact));
    }
    motion.normal_speed = 0.2;
    EXPECT_EQ(model.Touch(c.geometry, motion).impact_speed, 0.0);
  });
}

TEST(Contact, BodiesApartFeelNothing) {
  ForRandomContacts(72, 3, [](const ContactParameters& parameters, const SampleContact& c) {
    const ContactModel model(parameters);
    EXPECT_FALSE(model.Touch(ContactGeometry(), c.Motion()).touching);
    for (const ContactState& state : {c.state, ContactState()}) {
      const ContactForce f = model.Evaluate(ContactGeometry(), c.Motion(), state);
      EXPECT_EQ(f.force_W, Vector3d::Zero());
      EXPECT_EQ(f.torque_W, Vector3d::Zero());
      EXPECT_EQ(f.powers.Total(), 0.0);
      EXPECT_EQ(f.rate.deflection_W, Vector3d::Zero());
    }
  });
}

// Eqs. (3.44), (3.45).
TEST(Contact, RelaxesTheCompressionFirstSeen) {
  ForRandomContacts(73, 10, [](ContactParameters parameters, const SampleContact& c) {
    ContactMotion rest, rolling;
    rolling.rolling_velocity_W = c.Motion().rolling_velocity_W;
    const ContactModel plain(parameters);
    parameters.tau_relaxation = 2.5;
    const ContactModel model(parameters);
    const bool volumetric = std::holds_alternative<VolumetricNormal>(parameters.normal);
    const double first = volumetric ? c.geometry.volume : c.geometry.depth;
    ContactState state = model.Touch(c.geometry, rest);
    EXPECT_EQ(state.relaxation, first);
    EXPECT_EQ(model.Evaluate(c.geometry, rest, state).normal_W, Vector3d::Zero());
    EXPECT_EQ(model.Evaluate(c.geometry, rolling, state).rolling_W, Vector3d::Zero());
    // Rolling resistance is that of the pressure, which is less by the same part.
    const Vector3d full =
        plain.Evaluate(c.geometry, rolling, plain.Touch(c.geometry, rest)).rolling_W;
    state.relaxation = 0.4 * first;
    const Vector3d part = model.Evaluate(c.geometry, rolling, state).rolling_W;
    EXPECT_LE((part - 0.6 * full).norm(), 1e-13 * full.norm());
    const ContactForce f = model.Evaluate(c.geometry, rest, state);
    EXPECT_NEAR(f.rate.relaxation, -0.4 * first / 2.5, 1e-15 * first);
    // As if compressed by the rest.
    ContactGeometry less = c.geometry;
    (volumetric ? less.volume : less.depth) *= 0.6;
    const ContactForce g = plain.Evaluate(less, rest, plain.Touch(less, rest));
    EXPECT_LE((f.normal_W - g.normal_W).norm(), 1e-13 * g.normal_W.norm());
    EXPECT_EQ(plain.Evaluate(c.geometry, rest, c.state).rate.relaxation, 0.0);
  });
}

TEST(Contact, GeometryIsThatOfTheMetrics) {
  const Metrics m =
      Query(Sphere(1.0).Posed(AxisAngle(Vector3d::UnitX(), 0.3, {0.2, 0.1, 0.8})), HalfSpace());
  const ContactGeometry g = GeometryOf(m);
  EXPECT_TRUE(g.touching);
  EXPECT_EQ(g.point_W, m.centroid_W);
  EXPECT_EQ(g.normal_W, m.normal_W);
  EXPECT_EQ(g.volume, m.volume);
  EXPECT_EQ(g.inertia_W, m.inertia_W);
  EXPECT_EQ(g.contact_area, m.contact_area);
  EXPECT_EQ(g.gyration_radius, m.gyration_radius);
  EXPECT_NEAR(g.gyration_radius, std::sqrt(g.normal_W.dot(g.inertia_W * g.normal_W) / g.volume),
              1e-12);
  EXPECT_GT(g.normal_W.z(), 0.999);  // from B, the ground, toward A
  EXPECT_FALSE(GeometryOf(Query(Sphere(1.0).Posed(AxisAngle(Vector3d::UnitX(), 0.0, {0, 0, 2})),
                                HalfSpace()))
                   .touching);
}

// A cube that sinks into the ground: as its last corner goes under, |a| goes to zero, and V/|a|
// would put the plate kilometres away. If |a| is the largest section, the height is V/|a|.
TEST(Contact, PlateStaysInABodyThatSinks) {
  ContactParameters parameters;
  parameters.normal = VolumetricNormal{1e8, std::numeric_limits<double>::infinity()};
  const ContactModel model(parameters);
  const Solid cube = Box({2.0, 2.0, 2.0});
  Random random(76);
  int enclosed = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vector3d axis(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1));
    const double corner = std::pow(10.0, random.Uniform(-17, 0));
    const Pose turned = AxisAngle(axis.normalized(), random.Uniform(0, 3), {0, 0, 0});
    const double top = turned.Rotation().row(2).cwiseAbs().sum();
    const Pose X_WA{{0, 0, corner - top}, turned.q};
    const ContactGeometry g = GeometryOf(Query(cube.Posed(X_WA), HalfSpace()),
                                         ContactDirection::kAreaVector, Vector3d::UnitZ());
    enclosed += g.contact_area == 0.0 ? 1 : 0;
    // Half the height of the prism with the cube's second moments.
    EXPECT_LE(model.PlateOffset(g).norm(), 1.01) << corner;
    const Pose flat{{0, 0, 1.0 - corner}, {1, 0, 0, 0}};
    const double depth = 1.0 - flat.t.z();
    EXPECT_NEAR(MeanHeight(GeometryOf(Query(cube.Posed(flat), HalfSpace()))), depth, 1e-9 * depth);
  }
  EXPECT_GT(enclosed, 100);
  ContactGeometry point;
  point.touching = true;
  point.normal_W = Vector3d::UnitZ();
  EXPECT_EQ(MeanHeight(point), 0.0);
}

TEST(Contact, StiffnessIsThatOfSprings) {
  EXPECT_DOUBLE_EQ((VolumetricNormal{3e8, 6e8}).Stiffness(), 2e8);
  const double rigid = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ((VolumetricNormal{3e8, rigid}).Stiffness(), 3e8);
  EXPECT_DOUBLE_EQ((VolumetricNormal{rigid, 6e8}).Stiffness(), 6e8);
}

// Azad and Featherstone (2010): in stick f = −√z (K u + D v), u̇ = v; in slip
// f = f_stick μ f_n/|f_stick| − C_V (v − u̇), carried by spring and damper, f = −√z (K u + D u̇).
TEST(Clutch, SticksOrSlips) {
  Random random(74);
  int slips = 0;
  for (int i = 0; i < 5000; ++i) {
    const ClutchFriction law{random.Uniform(0.0, 1.0), LogUniform(&random, 1e4, 1e7),
                             LogUniform(&random, 1.0, 1e4),
                             i % 3 == 0 ? 0.0 : LogUniform(&random, 1e-2, 10.0)};
    FrictionInput in;
    in.depth = LogUniform(&random, 1e-6, 1e-2);
    in.normal_force = LogUniform(&random, 0.1, 1e3);
    in.velocity_W = LogUniform(&random, 1e-4, 1.0) * random.UniformVector(-1, 1);
    FrictionState state;
    state.deflection_W = LogUniform(&random, 1e-7, 1e-3) * random.UniformVector(-1, 1);
    const double root = std::sqrt(in.depth);
    const FrictionForce f = EvaluateFriction(law, in, state);
    const Vector3d &v = in.velocity_W, &u = state.deflection_W, &rate = f.deflection_rate_W;
    const Vector3d stick = -root * (law.stiffness * u + law.damping * v);
    const double unit =
        root * (law.stiffness * u.norm() + law.damping * v.norm()) + law.viscosity * v.norm();
    EXPECT_LE((f.force_W + root * (law.stiffness * u + law.damping * rate)).norm(), 1e-13 * unit);
    if (stick.norm() <= law.mu * in.normal_force) {
      EXPECT_LE((f.force_W - stick).norm(), 1e-14 * unit);
      EXPECT_EQ(rate, v);
      EXPECT_EQ(f.clutch_power, 0.0);
    } else {
      ++slips;
      const Vector3d slip =
          law.mu * in.normal_force * stick.normalized() - law.viscosity * (v - rate);
      EXPECT_LE((f.force_W - slip).norm(), 1e-13 * unit);
      EXPECT_NEAR(f.clutch_power, -f.force_W.dot(v - rate), 1e-12 * unit * v.norm());
      EXPECT_GE(f.clutch_power, 0.0);
    }
    EXPECT_NEAR(f.elastic_power, root * law.stiffness * u.dot(rate),
                1e-13 * root * law.stiffness * u.norm() * rate.norm());
    if (HasFailure()) break;
  }
  EXPECT_GT(slips, 500);
}

TEST(Clutch, StoresTheSpringsEnergy) {
  ContactParameters parameters;
  parameters.normal = AzadFeatherstoneNormal{1e6, 10.0};
  parameters.friction = ClutchFriction{0.5, 4e5, 10.0, 0.0};
  ContactGeometry geometry;
  geometry.touching = true;
  geometry.depth = 4e-4;
  FrictionState state;
  state.deflection_W = Vector3d(3e-5, 0.0, 4e-5);
  EXPECT_NEAR(ContactModel(parameters).BristleEnergy(geometry, 1.0, state),
              0.5 * 4e5 * 0.02 * 25e-10, 1e-18);
}

// Where bristles are damped well, 2 σ1 v_S >= μ_S, no motion that starts with straight ones gets
// work out of them.
TEST(Bristles, AreNoSourceOfEnergy) {
  Random random(75);
  for (int i = 0; i < 40; ++i) {
    BristleFriction law = RandomBristles(&random);
    law.sigma1 = random.Uniform(1.0, 4.0) * 0.5 * law.mu_s / law.v_stribeck;
    law.sigma0 = law.sigma1 / LogUniform(&random, 1e-3, 1e-1);
    const Vector3d rates = random.UniformVector(1.0, 30.0), phase = random.UniformVector(0.0, 6.0);
    const double speed = law.v_stribeck * LogUniform(&random, 0.1, 10.0);
    using State = Eigen::Matrix<double, 6, 1>;  // deflection, twist, dwell, work
    const auto rate = [&](double t, const State& y) {
      FrictionInput in;
      in.normal_force = 1.0;
      in.gyration_radius = 0.01;
      in.velocity_W = speed * Vector3d(std::sin(rates[0] * t + phase[0]),
                                       std::sin(rates[1] * t + phase[1]), 0.0);
      in.spin = 100.0 * speed * std::sin(rates[2] * t + phase[2]);
      const FrictionForce f = EvaluateFriction(law, in, {y.head<3>(), y[3], y[4]});
      State dy;
      dy << f.deflection_rate_W, f.twist_rate, f.dwell_rate,
          -f.force_W.dot(in.velocity_W) - f.torque * in.spin;
      return dy;
    };
    State y = State::Zero();
    OdeOptions options;
    options.relative = 1e-7;
    options.absolute = 1e-10;
    options.max_step = 0.01;
    double least = 0.0;
    Integrate<6>(
        rate, 0.0, 5.0, &y,
        [&](double, const State& at) {
          least = std::min(least, at[5]);
          return false;
        },
        options);
    EXPECT_GE(least, -1e-6 * y[5]) << i;
    EXPECT_GT(y[5], 0.0);
  }
}

}  // namespace
}  // namespace volcontact::testing
