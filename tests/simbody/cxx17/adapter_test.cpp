// The adapter to Simbody, in models made by hand with Simbody's own classes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "simbody/cxx17/models.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact {
namespace {

using SimTK::Vec3;

// A ball that moves freely above the ground.
struct BallModel {
  explicit BallModel(const ContactParameters& parameters,
                     SimbodyContact::Events events = SimbodyContact::Events::kLocated)
      : matter(system),
        forces(system),
        ball(matter.Ground(),
             SimTK::Body::Rigid(SimTK::MassProperties(
                 kMass, Vec3(0), SimTK::Inertia::sphere(kRadius) * (kMass * 1.0)))),
        contact(&system, &forces, ball, matter.Ground(),
                SolidPair{Sphere(kRadius), HalfSpace(), 1e-10}, parameters, events) {}

  SimTK::State Start(double height, const Vec3& velocity, const Vec3& spin = Vec3(0)) {
    SimTK::State state = system.realizeTopology();
    ball.setQToFitTranslation(state, Vec3(0, 0, kRadius + height));
    ball.setUToFitVelocity(state, SimTK::SpatialVec(spin, velocity));
    return state;
  }

  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::MobilizedBody::Free ball;
  SimbodyContact contact;
};

TEST(SimbodyContact, EvaluatesTheForceOfTheCap) {
  BallModel model(Parameters(1));
  SimTK::State state = model.Start(-0.002, Vec3(0));
  model.system.realize(state, SimTK::Stage::Acceleration);
  const ContactEvaluation now = model.contact.Evaluate(state);
  const double volume = M_PI * 0.002 * 0.002 * (kRadius - 0.002 / 3);
  ASSERT_TRUE(now.geometry.touching);
  EXPECT_TRUE(now.converged);
  EXPECT_NEAR(now.geometry.volume, volume, 1e-9 * volume);
  EXPECT_NEAR(now.force.force_W[2], kStiffness * volume, 1e-8 * kStiffness * volume);
  EXPECT_NEAR(model.ball.getBodyOriginAcceleration(state)[2], kStiffness * volume / kMass, 1e-5);
}

TEST(SimbodyContact, ApartThereIsNoForce) {
  BallModel model(Parameters(1));
  SimTK::State state = model.Start(1e-6, Vec3(0, 0, -1));
  model.system.realize(state, SimTK::Stage::Acceleration);
  EXPECT_FALSE(model.contact.Evaluate(state).geometry.touching);
  EXPECT_EQ(model.ball.getBodyOriginAcceleration(state).norm(), 0);
  EXPECT_EQ(model.contact.TouchCount(state), 0);
  EXPECT_EQ(model.contact.Energies(state).Total(), 0);
}

TEST(SimbodyContact, ActionIsReaction) {
  // Two free balls, turned, spinning and off centre.
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  const SimTK::Body::Rigid body(
      SimTK::MassProperties(kMass, Vec3(0), SimTK::Inertia(0.0028, 0.0028, 0.0028)));
  SimTK::MobilizedBody::Free a(matter.Ground(), body), b(matter.Ground(), body);
  ContactParameters parameters = Parameters(0.5);
  parameters.friction = Bristles();
  SimbodyContact contact(&system, &forces, a, b, SolidPair{Sphere(0.1), Sphere(0.1)}, parameters);
  SimTK::State state = system.realizeTopology();
  b.setQToFitTranslation(state, Vec3(0.15, 0.1, 0.05));
  a.setUToFitVelocity(state, SimTK::SpatialVec(Vec3(5, 6, 7), Vec3(1, 0.5, 0)));
  system.realize(state, SimTK::Stage::Acceleration);
  const Vec3 f_a = kMass * a.getBodyOriginAcceleration(state);
  const Vec3 f_b = kMass * b.getBodyOriginAcceleration(state);
  const Vec3 t_a = 0.0028 * a.getBodyAngularAcceleration(state);
  const Vec3 t_b = 0.0028 * b.getBodyAngularAcceleration(state);
  EXPECT_GT(f_a.norm(), 10);
  EXPECT_LE((f_a + f_b).norm(), 1e-9 * f_a.norm());
  EXPECT_LE((t_a + t_b + Vec3(0.15, 0.1, 0.05) % f_b).norm(), 1e-9 * f_a.norm());
}

TEST(SimbodyContact, ReboundsAtTheRestitution) {
  BallModel model(Parameters(0.6));
  SimTK::RungeKuttaMersonIntegrator integrator(model.system);
  integrator.setAccuracy(1e-11);
  SimTK::TimeStepper stepper(model.system, integrator);
  stepper.initialize(model.Start(0.01, Vec3(0.2, 0, -0.5)));
  stepper.stepTo(0.1);
  const SimTK::State& state = stepper.getState();
  model.system.realize(state, SimTK::Stage::Velocity);
  const Vec3 v = model.ball.getBodyOriginVelocity(state);
  EXPECT_NEAR(v[2], 0.3, 5e-7);
  EXPECT_NEAR(v[0], 0.2, 1e-10);
  EXPECT_EQ(model.contact.TouchCount(state), 1);
  const ContactPowers energies = model.contact.Energies(state);
  EXPECT_NEAR(energies.normal_damping, 0.5 * kMass * (0.25 - 0.09), 1e-6);
  EXPECT_NEAR(energies.elastic, 0, 1e-6);
}

TEST(SimbodyContact, FixedStepsGoWithoutEvents) {
  BallModel model(Parameters(0.6, 1.0), SimbodyContact::Events::kNone);
  SimTK::RungeKutta3Integrator integrator(model.system);
  integrator.setFixedStepSize(1e-5);
  SimTK::TimeStepper stepper(model.system, integrator);
  stepper.initialize(model.Start(0.01, Vec3(0, 0, -0.5)));
  stepper.stepTo(0.1);
  model.system.realize(stepper.getState(), SimTK::Stage::Velocity);
  EXPECT_NEAR(model.ball.getBodyOriginVelocity(stepper.getState())[2], 0.3, 1e-3);
  EXPECT_EQ(model.contact.TouchCount(stepper.getState()), 1);
}

TEST(SimbodyContact, SavesAndLoadsInTheMiddleOfASlide) {
  ContactParameters parameters = Parameters(0.6);
  parameters.friction = Bristles();
  BallModel model(parameters);
  SimTK::RungeKuttaMersonIntegrator integrator(model.system);
  integrator.setAccuracy(1e-10);
  SimTK::TimeStepper stepper(model.system, integrator);
  stepper.initialize(model.Start(0.0005, Vec3(0.5, 0.3, -0.5), Vec3(3, 20, 5)));
  stepper.stepTo(0.0025);
  const SimTK::State middle = stepper.getState();
  model.system.realize(middle, SimTK::Stage::Acceleration);
  ASSERT_TRUE(model.contact.Evaluate(middle).geometry.touching);
  const std::vector<double> saved = model.contact.Save(middle);

  BallModel fresh(parameters);
  SimTK::State state = fresh.Start(0.0005, Vec3(0));
  state.updTime() = middle.getTime();
  state.updQ() = middle.getQ();
  state.updU() = middle.getU();
  fresh.contact.Load(saved, &state);
  fresh.system.realize(state, SimTK::Stage::Acceleration);
  EXPECT_EQ(fresh.contact.Save(state), saved);
  EXPECT_EQ(fresh.contact.TouchCount(state), 1);
  const ContactEvaluation a = model.contact.Evaluate(middle), b = fresh.contact.Evaluate(state);
  EXPECT_LE((a.force.force_W - b.force.force_W).norm(), 1e-9 * a.force.force_W.norm());
  EXPECT_LE((a.force.torque_W - b.force.torque_W).norm(), 1e-9);
  EXPECT_EQ(a.state.impact_speed, b.state.impact_speed);

  for (const std::size_t size : {std::size_t{0}, saved.size() - 1, saved.size() + 1}) {
    std::vector<double> damaged = saved;
    damaged.resize(size);
    EXPECT_THROW(fresh.contact.Load(damaged, &state), InvalidInput) << size;
  }
}

TEST(SimbodyContact, CopiesOfTheHandleAreTheSameContact) {
  BallModel model(Parameters(1));
  const SimbodyContact copy = model.contact;
  SimTK::State state = model.Start(-0.001, Vec3(0, 0, -1));
  model.system.realize(state, SimTK::Stage::Acceleration);
  EXPECT_EQ(copy.Evaluate(state).force.force_W, model.contact.Evaluate(state).force.force_W);
}

TEST(SimbodyContact, RefusesWhatDoesNotGoTogether) {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  SimTK::MobilizedBody::Free ball(
      matter.Ground(), SimTK::Body::Rigid(SimTK::MassProperties(1, Vec3(0), SimTK::Inertia(1))));
  const auto make = [&](const ContactPair& pair, const ContactParameters& parameters) {
    SimbodyContact(&system, &forces, ball, matter.Ground(), pair, parameters);
  };
  ContactParameters hertz;
  hertz.normal = PowerNormal{1e6, 1.5, {}};
  const SolidPair solids{Sphere(0.1), HalfSpace()};
  const PlacedPointPair point{SpherePlane{0.1}, {}, {}};
  EXPECT_NO_THROW(make(solids, Parameters(0.5)));
  EXPECT_NO_THROW(make(point, hertz));
  EXPECT_THROW(make(point, Parameters(0.5)), InvalidInput);
  EXPECT_THROW(make(solids, hertz), InvalidInput);
  EXPECT_THROW(make(solids, Parameters(0)), InvalidInput);
  EXPECT_THROW(make(PlacedPointPair{SpherePlane{-1}, {}, {}}, hertz), InvalidInput);
}

}  // namespace
}  // namespace volcontact
