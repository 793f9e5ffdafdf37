// Where contacts begin and end between steps.
#include <gtest/gtest.h>

#include <cmath>

#include "simbody/cxx17/models.h"

namespace volcontact {
namespace {

using SimTK::Vec3;

// A ball thrown at a solid of the ground, without gravity: nothing but the contact bounds a step.
struct Throw {
  Throw(const Solid& target, double radius, const Vec3& start, const Vec3& velocity,
        const Vec3& spin = Vec3(0))
      : ball(model.AddBall(radius)),
        contact(&model.system, &model.forces, ball, model.matter.Ground(),
                SolidPair{Sphere(radius), target}, Parameters(0.8)),
        integrator(model.system) {
    SimTK::State state = model.system.realizeTopology();
    ball.setQToFitTranslation(state, start);
    ball.setUToFitVelocity(state, SimTK::SpatialVec(spin, velocity));
    contact.SetErrorWeights(&state, 1.0);
    integrator.setAccuracy(1e-6);
    stepper = std::make_unique<SimTK::TimeStepper>(model.system, integrator);
    stepper->setReportAllSignificantStates(true);
    stepper->initialize(state);
  }

  // The time at which contact was first made; the end without any.
  double TimeOfContact(double end) {
    while (stepper->getTime() < end && contact.TouchCount(stepper->getState()) == 0) {
      stepper->stepTo(end);
    }
    return stepper->getTime();
  }
  void Finish(double end) {
    while (stepper->getTime() < end) stepper->stepTo(end);
  }
  Vec3 Velocity() {
    model.system.realize(stepper->getState(), SimTK::Stage::Velocity);
    return ball.getBodyOriginVelocity(stepper->getState());
  }

  EmptyModel model;
  SimTK::MobilizedBody::Free ball;
  SimbodyContact contact;
  SimTK::RungeKuttaMersonIntegrator integrator;
  std::unique_ptr<SimTK::TimeStepper> stepper;
};

// The plate is a tenth of the ball, which passes it in a step of the thousand that error control
// would allow for.
TEST(SimbodyEvents, AThinPlateIsNotPassedThrough) {
  for (const double speed : {0.3, 3.0, 20.0}) {
    SCOPED_TRACE(speed);
    Throw thrown(Box({4.0, 4.0, 0.02}), kRadius, Vec3(0.1, -0.2, 3.0), Vec3(0, 0, -speed));
    const double contact = (3.0 - 0.01 - kRadius) / speed;
    EXPECT_NEAR(thrown.TimeOfContact(2.0 * contact), contact, 2e-9 + 1e-12 * contact);
    thrown.Finish(2.0 * contact);
    EXPECT_EQ(thrown.contact.TouchCount(thrown.stepper->getState()), 1);
    EXPECT_GT(thrown.Velocity()[2], 0.5 * speed);
  }
}

// Two spheres and a gap in their paths' distance of less than their radii: time by the quadratic.
TEST(SimbodyEvents, AGrazeIsFoundAtItsTime) {
  const double radius = 0.25, sum = radius + kRadius;
  for (const double offset : {0.5, 0.9, 0.99}) {
    SCOPED_TRACE(offset);
    const double speed = 40.0, start = 5.0;
    Throw thrown(Sphere(radius), kRadius, Vec3(-start, offset * sum, 0), Vec3(speed, 0, 0),
                 Vec3(3, 20, -7));
    const double contact = (start - sum * std::sqrt(1.0 - offset * offset)) / speed;
    EXPECT_NEAR(thrown.TimeOfContact(0.3), contact, 2e-9);
    thrown.Finish(0.3);
    EXPECT_EQ(thrown.contact.TouchCount(thrown.stepper->getState()), 1);
    EXPECT_GT(thrown.Velocity()[1], 0.1);
  }
}

// A bar that turns fast about its middle sweeps over the ball, both turning and moving.
TEST(SimbodyEvents, TurningBodiesMeetOnTheWay) {
  EmptyModel model;
  SimTK::MobilizedBody::Pin bar(model.matter.Ground(), SimTK::Transform(), BallBody(),
                                SimTK::Transform());
  SimTK::MobilizedBody::Free ball = model.AddBall(0.02);
  const SimbodyContact contact(&model.system, &model.forces, bar, ball,
                               SolidPair{Box({1.0, 0.02, 0.1}), Sphere(0.02)}, Parameters(0.8));
  SimTK::State state = model.system.realizeTopology();
  bar.setRate(state, 30.0);
  ball.setQToFitTranslation(state, Vec3(0, 0.4, 0));
  SimTK::RungeKuttaMersonIntegrator integrator(model.system);
  integrator.setAccuracy(1e-6);
  SimTK::TimeStepper stepper(model.system, integrator);
  stepper.setReportAllSignificantStates(true);
  stepper.initialize(state);
  while (stepper.getTime() < 0.1 && contact.TouchCount(stepper.getState()) == 0) {
    stepper.stepTo(0.1);
  }
  // The bar's face is 0.01 ahead of its middle, and meets the ball when it is 0.03 beside it.
  EXPECT_NEAR(stepper.getTime(), (M_PI / 2 - std::asin(0.03 / 0.4)) / 30.0, 2e-9);
}

// A step of this length ends deep in the ground, where nothing tells where it came from.
TEST(SimbodyEvents, TheGroundIsNotFallenInto) {
  Throw thrown(HalfSpace(), kRadius, Vec3(0, 0, 1.0), Vec3(0.3, 0, -1.0));
  EXPECT_NEAR(thrown.TimeOfContact(2.0), 0.9, 2e-9);
  thrown.Finish(2.0);
  EXPECT_NEAR(thrown.Velocity()[2], 0.8, 1e-4);
  EXPECT_LT(thrown.integrator.getNumRealizations(), 3000);
}

}  // namespace
}  // namespace volcontact
