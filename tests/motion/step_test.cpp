// Implicit steps of bodies in contact, against what the laws of motion and of contact say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "motion/world.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::step_test {
namespace {

using Eigen::Vector3d;

constexpr double kGravity = 9.81;

ContactParameters LawOf(double stiffness, double restitution = 0.3, double mu = 0.5) {
  ContactParameters parameters;
  VolumetricNormal normal;
  normal.stiffness_a = stiffness;
  normal.damping.restitution = restitution;
  normal.damping.v_small = 0.05;
  parameters.normal = normal;
  BristleFriction bristles;
  bristles.mu_s = bristles.mu_c = mu;
  bristles.sigma0 = 1e5;
  bristles.sigma1 = 100.0;
  parameters.friction = bristles;
  return parameters;
}

WorldBody Ball(double mass, double radius) {
  WorldBody body;
  body.mass = mass;
  body.inertia = Vector3d::Constant(0.4 * mass * radius * radius);
  return body;
}

WorldBody Cube(double mass, double edge) {
  WorldBody body;
  body.mass = mass;
  body.inertia = Vector3d::Constant(mass * edge * edge / 6.0);
  return body;
}

// How fast a ball of 150 g comes back from a plane that it meets at 1 m/s.
double Rebound(double restitution, double step) {
  World world;
  world.gravity.setZero();
  const int floor = world.Add({});
  WorldBody ball = Ball(0.15, 0.03);
  ball.X_WB.t = {0.0, 0.0, 0.0301};
  ball.twist.velocity_W = {0.0, 0.0, -1.0};
  const int moving = world.Add(ball);
  world.AddPair(moving, Sphere(0.03), floor, HalfSpace(), LawOf(1e10, restitution));
  for (double t = 0.0; t < 8e-3; t += step) world.Step(step);
  return world.body(moving).twist.velocity_W.z();
}

TEST(Step, ReboundsAsTheLawSaysAtFirstOrder) {
  for (const double e : {1.0, 0.5, 0.2}) {
    const double coarse = e - Rebound(e, 1.6e-5), fine = e - Rebound(e, 4e-6);
    EXPECT_LT(std::abs(coarse), 0.07) << e;
    EXPECT_NEAR(coarse / fine, 4.0, 0.6) << e;
    // It comes back no faster, at any step.
    for (const double step : {1e-4, 1e-3, 5e-3}) EXPECT_LE(Rebound(e, step), e + 1e-9) << step;
  }
}

TEST(Step, HoldsABallBetweenPlates) {
  for (const double stiffness : {1e8, 1e11, 1e14}) {
    for (const double plate_mass : {0.05, 1.0, 20.0}) {
      for (const double step : {2e-3, 5e-3}) {
        SCOPED_TRACE("k " + std::to_string(stiffness) + ", plates of " +
                     std::to_string(plate_mass) + " kg, step " + std::to_string(step));
        World world;
        world.gravity.setZero();
        const int ball = world.Add(Ball(0.15, 0.03));
        for (const double side : {-1.0, 1.0}) {
          WorldBody plate = Cube(plate_mass, 0.1);
          plate.inverse_guide = {1.0, 0.0, 0.0};
          plate.turns = false;
          plate.X_WB.t = {side * 0.0325, 0.0, 0.0};
          plate.X_WB.q = {std::sqrt(0.5), 0.0, -side * std::sqrt(0.5), 0.0};
          plate.force_W = {-40.0 * side, 0.0, 0.0};
          world.AddPair(ball, Sphere(0.03), world.Add(plate), HalfSpace(), LawOf(stiffness));
        }
        const double closing = 0.4;
        double most = 0.0, then = 0.0;
        for (double t = 0.0; t < closing + 0.4; t += step) {
          if (t > closing) world.gravity = {0.0, 0.0, -kGravity};
          if (t < closing + 0.2) then = world.body(ball).X_WB.t.z();
          EXPECT_FALSE(world.Step(step).outcome.gave_up);
          most = std::max(most, (world.Kinetic() - world.work) / (1e-3 + world.work));
        }
        EXPECT_LT(most, 1e-9);
        const double z = world.body(ball).X_WB.t.z();
        EXPECT_LT(std::abs(z), 1e-6);         // it bends its bristles,
        EXPECT_LT(std::abs(z - then), 1e-9);  // and then stays
        EXPECT_LT(world.Kinetic(), 1e-15);
      }
    }
  }
}

double Slid(double tangent, double step, double stiffness, double* drift) {
  const double angle = std::atan(tangent);
  World world;
  world.gravity = kGravity * Vector3d(std::sin(angle), 0.0, -std::cos(angle));
  const int floor = world.Add({});
  WorldBody box = Cube(1.0, 0.1);
  box.X_WB.t = {0.0, 0.0, 0.05};
  const int moving = world.Add(box);
  world.AddPair(moving, Box({0.1, 0.1, 0.1}), floor, HalfSpace(), LawOf(stiffness));
  double half = 0.0;
  for (double t = 0.0; t < 1.0; t += step) {
    world.Step(step);
    if (t < 0.5) half = world.body(moving).X_WB.t.x();
  }
  *drift = world.body(moving).X_WB.t.x() - half;
  return world.body(moving).X_WB.t.x();
}

TEST(Step, StaysOnASlopeUpToTheFrictionAngle) {
  for (const double stiffness : {1e8, 1e12}) {
    for (const double step : {1e-3, 5e-3}) {
      double drift = 0.0;
      EXPECT_LT(Slid(0.2, step, stiffness, &drift), 2e-5);
      EXPECT_LT(std::abs(drift), 1e-12);
      EXPECT_LT(Slid(0.49, step, stiffness, &drift), 3e-4);
      EXPECT_LT(std::abs(drift), 1e-9);
      // Beyond it slides as it should: g (sin − μ cos) t²/2.
      const double angle = std::atan(0.6);
      const double way = 0.5 * kGravity * (std::sin(angle) - 0.5 * std::cos(angle));
      EXPECT_NEAR(Slid(0.6, step, stiffness, &drift), way, 0.03 * way);
    }
  }
}

TEST(Step, RollsWithoutSlipAtFiveSevenths) {
  for (const double step : {2e-4, 1e-3, 5e-3}) {
    World world;
    const int floor = world.Add({});
    WorldBody ball = Ball(1.0, 0.05);
    ball.X_WB.t = {0.0, 0.0, 0.05};
    ball.twist.velocity_W = {1.0, 0.0, 0.0};
    const int moving = world.Add(ball);
    ContactParameters law = LawOf(1e10, 0.9, 0.3);
    law.rolling = RollingInertia::kNone;
    world.AddPair(moving, Sphere(0.05), floor, HalfSpace(), law);
    for (double t = 0.0; t < 0.6; t += step) world.Step(step);
    const WorldBody& now = world.body(moving);
    EXPECT_NEAR(now.twist.velocity_W.x(), 5.0 / 7.0, 1e-3 + 0.5 * step) << step;
    EXPECT_NEAR(now.twist.angular_velocity_W.y() * 0.05, now.twist.velocity_W.x(), 2e-3) << step;
    const double last = now.twist.velocity_W.x();
    for (double t = 0.0; t < 0.4; t += step) world.Step(step);
    EXPECT_NEAR(world.body(moving).twist.velocity_W.x(), last, 5e-4) << step;
  }
}

TEST(Step, StacksBoxesOfAnyMasses) {
  for (const double stiffness : {1e11, 1e13}) {
    for (const double other : {1.0, 1e-4, 1e4}) {
      for (const double step : {1e-3, 5e-3}) {
        SCOPED_TRACE("k " + std::to_string(stiffness) + ", every other of " +
                     std::to_string(other) + " kg, step " + std::to_string(step));
        World world;
        const Solid box = Box({0.1, 0.1, 0.1});
        int below = world.Add({});
        for (int i = 0; i < 5; ++i) {
          WorldBody body = Cube(i % 2 == 0 ? 1.0 : other, 0.1);
          body.X_WB.t = {0.003 * i, 0.002 * (i % 2), 0.05 + 0.1 * i + 1e-4 * (i + 1)};
          const double half = 0.05 * i;
          body.X_WB.q = {std::cos(half), 0.0, 0.0, std::sin(half)};
          const int next = world.Add(body);
          world.AddPair(next, box, below, i == 0 ? HalfSpace() : box, LawOf(stiffness));
          below = next;
        }
        int gave_up = 0;
        double most = 0.0;
        for (double t = 0.0; t < 0.6; t += step) {
          gave_up += world.Step(step).outcome.gave_up ? 1 : 0;
          most = std::max(most, world.Kinetic() - world.work);
        }
        EXPECT_EQ(gave_up, 0);
        EXPECT_LT(most, 1e-9 * (1.0 + std::abs(world.work)));
        const Vector3d top = world.body(below).X_WB.t;
        EXPECT_NEAR(top.z(), 0.45, 3e-3);
        EXPECT_NEAR(top.x(), 0.012, 3e-3);
      }
    }
  }
}

TEST(Step, SeesABodyThatWouldPassThroughInOneStep) {
  for (const double speed : {5.0, 30.0, 300.0}) {
    World world;
    world.gravity.setZero();
    const int plate = world.Add({});
    WorldBody ball = Ball(0.1, 0.01);
    ball.X_WB.t = {0.0, 0.0, 0.013};
    ball.twist.velocity_W = {0.0, 0.0, -speed};
    const int moving = world.Add(ball);
    world.AddPair(moving, Sphere(0.01), plate, Slab(0.002), LawOf(1e12));
    for (int i = 0; i < 20; ++i) world.Step(2e-3);
    EXPECT_GT(world.body(moving).X_WB.t.z(), 0.005) << speed;
    EXPECT_LE(world.Kinetic(), 0.5 * 0.1 * speed * speed);
  }
}

// Nothing touches the floor before the step.
TEST(Step, SeesABodyThatAnotherPushesOntoAPlane) {
  World world;
  world.gravity.setZero();
  const int floor = world.Add({});
  WorldBody ball = Ball(0.1, 0.01);
  ball.X_WB.t = {0.0, 0.0, 0.01001};
  const int lower = world.Add(ball);
  WorldBody hammer = Ball(10.0, 0.01);
  hammer.X_WB.t = {0.0, 0.0, 0.03005};
  hammer.twist.velocity_W = {0.0, 0.0, -1.0};
  const int upper = world.Add(hammer);
  world.AddPair(lower, Sphere(0.01), floor, HalfSpace(), LawOf(1e12));
  world.AddPair(upper, Sphere(0.01), lower, Sphere(0.01), LawOf(1e12));
  world.Step(1e-3);
  EXPECT_EQ(world.patches(0).size(), 1u);
  EXPECT_GT(world.body(lower).X_WB.t.z(), 0.0095);
}

// What a query has found where bodies are serves while they rest, and changes nothing.
TEST(Step, TakesWhatIsKnownOfThePresentPoseAtRest) {
  World worlds[2];
  int queries[2] = {};
  for (const int given : {0, 1}) {
    World& world = worlds[given];
    world.knows_present = given == 1;
    const int floor = world.Add({});
    WorldBody ball = Ball(0.1, 0.01);
    ball.X_WB.t = {0.0, 0.0, 0.0101};
    ball.twist.velocity_W = {0.1, 0.0, 0.0};
    const int moving = world.Add(ball);
    WorldBody box = Cube(0.2, 0.02);
    box.X_WB.t = {0.1, 0.0, 0.0101};
    const int resting = world.Add(box);
    world.AddPair(moving, Sphere(0.01), floor, HalfSpace(), LawOf(1e10));
    world.AddPair(resting, Box({0.01, 0.01, 0.01}), floor, HalfSpace(), LawOf(1e10));
    for (int i = 0; i < 500; ++i) {
      for (SteppedPairState& state : world.states()) state.rest.reset();
      const int looks = world.Step(1e-3).looks;
      if (i >= 250) queries[given] += looks;
    }
  }
  EXPECT_GE(queries[0], 500);
  EXPECT_LE(queries[1], queries[0] - 240);  // the box rests, the ball rolls
  for (const int body : {1, 2}) {
    const Vector3d moved = worlds[0].body(body).X_WB.t - worlds[1].body(body).X_WB.t;
    EXPECT_LT(moved.norm(), 1e-12) << body;
  }
}

TEST(Step, HasTheEnergyOfWhatOverlapsFromTheStart) {
  World world;
  world.gravity.setZero();
  const int floor = world.Add({});
  WorldBody ball = Ball(0.1, 0.05);
  ball.X_WB.t = {0.0, 0.0, 0.049};
  const int moving = world.Add(ball);
  world.AddPair(moving, Sphere(0.05), floor, HalfSpace(), LawOf(1e9, 1.0, 0.0));
  for (int i = 0; i < 4000; ++i) world.Step(5e-6);
  // ∫ k V dx with V = π x² (R − x/3).
  const double x = 1e-3, R = 0.05;
  const double energy = 1e9 * M_PI * (R * x * x * x / 3.0 - x * x * x * x / 12.0);
  EXPECT_LT(world.Kinetic(), energy);
  EXPECT_GT(world.Kinetic(), 0.97 * energy);
}

// The same again, to the last bit, also from a state that was saved.
TEST(Step, GoesOnFromWhatWasSaved) {
  const auto make = [] {
    auto world = std::make_unique<World>();
    const int floor = world->Add({});
    WorldBody box = Cube(1.0, 0.1);
    box.X_WB.t = {0.0, 0.0, 0.06};
    box.X_WB.q = {std::cos(0.1), std::sin(0.1), 0.0, 0.0};
    box.twist.velocity_W = {0.5, 0.0, -1.0};
    world->AddPair(world->Add(box), Box({0.1, 0.1, 0.1}), floor, HalfSpace(), LawOf(1e10));
    return world;
  };
  const auto first = make(), second = make();
  for (int i = 0; i < 100; ++i) first->Step(1e-3);
  const WorldBody saved = first->body(1);
  const std::vector<SteppedPairState> states = first->states();
  for (int i = 0; i < 100; ++i) first->Step(1e-3);
  second->body(1) = saved;
  second->states() = states;
  for (int i = 0; i < 100; ++i) second->Step(1e-3);
  EXPECT_EQ(first->body(1).X_WB.t, second->body(1).X_WB.t);
  EXPECT_EQ(first->body(1).X_WB.q, second->body(1).X_WB.q);
  EXPECT_EQ(first->body(1).twist.velocity_W, second->body(1).twist.velocity_W);
}

TEST(Step, RefusesNumbersThatAreNotFinite) {
  World world;
  const int floor = world.Add({});
  WorldBody ball = Ball(0.1, 0.05);
  ball.X_WB.t = {0.0, 0.0, 0.0499};
  const int moving = world.Add(ball);
  world.AddPair(moving, Sphere(0.05), floor, HalfSpace(), LawOf(1e9));
  EXPECT_THROW(world.Step(0.0), InvalidInput);
  EXPECT_THROW(world.Step(std::nan("")), InvalidInput);
  for (const double speed : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300}) {
    world.body(moving).twist.velocity_W = {0.0, 0.0, speed};
    EXPECT_THROW(world.Step(1e-3), InvalidInput) << speed;
  }
  EXPECT_THROW(BodyResponse(-1.0, Eigen::Matrix3d::Identity(), 0), InvalidInput);
  EXPECT_THROW(BodyResponse(1.0, -Eigen::Matrix3d::Identity(), 0), InvalidInput);
}

// A joint's limit and a joint's lock, as an engine has them.
TEST(StepSolver, HoldsOtherConstraints) {
  StepSolver solver;
  SoftMotion limit;
  limit.axes = {0};
  limit.column = Eigen::VectorXd::Constant(1, 0.5);  // of a mass of 4 kg
  limit.free = -2.0;
  limit.is_one_way = true;
  solver.Solve(1, {}, {limit}, 1e-3);
  EXPECT_NEAR(limit.free + 0.5 * solver.axes()[0], 0.0, 1e-8);
  limit.free = 2.0;
  solver.Solve(1, {}, {limit}, 1e-3);
  EXPECT_EQ(solver.axes()[0], 0.0);
  limit.is_one_way = false;
  limit.softness = 0.75;  // 1/m + R = 1: the impulse is minus the velocity
  solver.Solve(1, {}, {limit}, 1e-3);
  EXPECT_NEAR(limit.free + 0.5 * solver.axes()[0], 1.5, 1e-9);
}

// A peg that rattles in its bore, divided: at any step, and however it is pressed, contacts make
// nothing; at the end it lies still.
TEST(BodyStepper, RattlesInABoreWithoutMakingEnergy) {
  const Solid bored = Difference(Box({0.04, 0.04, 0.02}), {Cylinder(0.00501, 0.03)});
  for (const double h : {1e-4, 2e-3}) {
    World world;
    world.gravity = {0.0, -kGravity, 0.0};
    WorldBody peg;
    peg.mass = 0.03;
    peg.inertia = {6.5e-6, 6.5e-6, 4e-7};
    peg.twist.velocity_W = {0.02, 0.01, 0.0};
    peg.twist.angular_velocity_W = {0.3, -0.2, 5.0};
    const int moving = world.Add(peg), plate = world.Add({});
    PairStepOptions options;
    options.division = {24, {}};
    world.AddPair(moving, Cylinder(0.005, 0.05), plate, bored, LawOf(1e13), options);
    const double begun = world.Kinetic();
    std::size_t most = 0;
    for (int i = 0; i < 60; ++i) {
      world.Step(h);
      most = std::max(most, world.patches(0).size());
      ASSERT_LE(world.Kinetic() - world.work, begun * (1.0 + 1e-9)) << h << ' ' << i;
      // Longer steps pass over all of the play, and what is met unseen is not pushed apart.
      const double aside = world.body(moving).X_WB.t.head<2>().norm();
      ASSERT_LT(aside, h < 1e-3 ? 1.2e-5 : 5e-5);
    }
    EXPECT_GE(most, 2u);
  }
}

}  // namespace
}  // namespace volcontact::step_test
