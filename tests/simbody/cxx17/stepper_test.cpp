// ContactStepper in models made by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "simbody/cxx17/models.h"
#include "volcontact/math/error.h"
#include "volcontact/simbody/contact_stepper.h"

namespace volcontact {
namespace {

// Two balls that fall on a plane and on each other.
struct FallingBalls : EmptyModel {
  FallingBalls()
      : gravity(forces, matter, SimTK::Vec3(0, 0, -9.81)), low(AddBall()), high(AddBall()) {
    ContactSetLaw law;
    law.parameters = Parameters(0.5);
    law.parameters.friction = Bristles();
    const std::vector<ContactSetBody> bodies = {
        {matter.updGround(), HalfSpace()}, {low, Sphere(kRadius)}, {high, Sphere(kRadius)}};
    contacts.emplace_back(&system, &forces, bodies, AllPairs(3, 1), std::vector<ContactSetLaw>{law},
                          4);
    start = system.realizeTopology();
    low.setQToFitTranslation(start, SimTK::Vec3(0, 0, 0.101));
    high.setQToFitTranslation(start, SimTK::Vec3(0.05, 0, 0.3));
    contacts[0].SetErrorWeights(&start, 1.0);
  }

  SimTK::Force::Gravity gravity;
  SimTK::MobilizedBody::Free low, high;
  std::vector<SimbodyContactSet> contacts;
  SimTK::State start;
};

TEST(ContactStepper, MovesASetAsSimbodysIntegratorsDo) {
  FallingBalls model;
  constexpr double kEnd = 0.2;
  ContactStepper stepper(model.system, {}, {1e-7}, model.contacts);
  stepper.Start(model.start);
  while (stepper.time() < kEnd) stepper.Advance(kEnd);
  EXPECT_EQ(stepper.time(), kEnd);

  SimTK::RungeKuttaMersonIntegrator integrator(model.system);
  integrator.setAccuracy(1e-10);
  SimTK::TimeStepper reference(model.system, integrator);
  reference.initialize(model.start);
  reference.stepTo(kEnd);

  const SimTK::State &found = stepper.state(), &best = reference.getState();
  model.system.realize(found, SimTK::Stage::Dynamics);
  model.system.realize(best, SimTK::Stage::Dynamics);
  EXPECT_GE(model.contacts[0].TouchCount(best), 2);
  EXPECT_EQ(model.contacts[0].TouchCount(found), model.contacts[0].TouchCount(best));
  EXPECT_LE((found.getQ() - best.getQ()).normInf(), 1e-5);
  EXPECT_LE((found.getU() - best.getU()).normInf(), 1e-4);
  EXPECT_LE(stepper.statistics().steps, integrator.getNumStepsTaken());
}

// Falling, pushed apart and rolling: at a loose accuracy steps alone would make some.
TEST(ContactStepper, MakesNoEnergyWhereTheWorkIsKnown) {
  FallingBalls model;
  ContactStepperOptions options{1e-2};
  options.work = [](const SimTK::State &) { return 0.0; };
  ContactStepper stepper(model.system, {}, options, model.contacts);
  stepper.Start(model.start);
  const auto energy = [&] {
    model.system.realize(stepper.state(), SimTK::Stage::Acceleration);
    return model.system.calcEnergy(stepper.state());
  };
  const double start = energy();
  double least = start;
  while (stepper.time() < 0.5) {
    stepper.Advance(1.0);
    const double now = energy();
    EXPECT_LE(now - least, 1e-9 * start) << "at " << stepper.time();
    least = std::min(least, now);
  }
}

TEST(ContactStepper, RefusesWhatIsNotPositive) {
  FallingBalls model;
  EXPECT_THROW(ContactStepper(model.system, {}, {0.0}, model.contacts), InvalidInput);
  EXPECT_THROW(ContactStepper(model.system, {}, {1e-5, -1.0}, model.contacts), InvalidInput);
}

// Steps do not go beyond a barrier, and end there.
TEST(ContactStepper, EndsStepsAtABarrier) {
  FallingBalls model;
  ContactStepper stepper(model.system, {}, {1e-3}, model.contacts);
  stepper.Start(model.start);
  while (stepper.time() < 0.0123) stepper.Advance(1.0, 0.0123);
  EXPECT_EQ(stepper.time(), 0.0123);
}

}  // namespace
}  // namespace volcontact
