// Bodies at rest: their contacts keep their forces without a query, until something moves.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "motion/world.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::rest_test {
namespace {

using Eigen::Vector3d;

constexpr double kStep = 1e-3, kMass = 0.5, kHalf = 0.05, kWeight = kMass * 9.81;
constexpr int kPairs = 5;

ContactParameters Law() {
  ContactParameters parameters;
  VolumetricNormal normal;
  normal.stiffness_a = 1e10;
  normal.damping.restitution = 0.3;
  normal.damping.v_small = 0.05;
  parameters.normal = normal;
  BristleFriction bristles;
  bristles.mu_s = bristles.mu_c = 0.5;
  bristles.sigma0 = 1e5;
  bristles.sigma1 = 100.0;
  parameters.friction = bristles;
  return parameters;
}

WorldBody BodyAt(const Vector3d& place) {
  WorldBody body;
  body.mass = kMass;
  body.inertia = Vector3d::Constant(kMass * kHalf * kHalf / 1.5);
  body.X_WB.t = place;
  return body;
}

// On a floor: two boxes on each other (bodies 1 and 2), two more (3 and 4), and a ball (5).
std::unique_ptr<World> Resting() {
  auto world = std::make_unique<World>();
  const int floor = world->Add({});
  const Solid box = Box(Vector3d::Constant(2.0 * kHalf));
  for (const double x : {0.0, 1.0}) {
    const int below = world->Add(BodyAt({x, 0.3, kHalf})),
              above = world->Add(BodyAt({x, 0.3, 3.0 * kHalf}));
    world->AddPair(below, box, floor, HalfSpace(), Law());
    world->AddPair(above, box, below, box, Law());
  }
  world->AddPair(world->Add(BodyAt({2.0, 0.0, kHalf})), Sphere(kHalf), floor, HalfSpace(), Law());
  for (int i = 0; i < 3000; ++i) world->Step(kStep);
  return world;
}

// Steps until all pairs rest; after as many as that takes.
void StepToRest(World* world) {
  for (int i = 0; i < 1000; ++i) {
    if (world->Step(kStep).at_rest == kPairs) return;
  }
  FAIL() << "some pair never rests";
}

// A step as it is made of bodies that nobody knows to rest.
StepReport StepAnew(World* world) {
  for (SteppedPairState& state : world->states()) state.rest.reset();
  return world->Step(kStep);
}

class Rest : public ::testing::Test {
 protected:
  void SetUp() override {
    StepToRest(world.get());
    StepToRest(other.get());
  }

  void ExpectSame(int body) {
    EXPECT_EQ(world->body(body).twist.velocity_W, other->body(body).twist.velocity_W);
    EXPECT_EQ(world->body(body).twist.angular_velocity_W,
              other->body(body).twist.angular_velocity_W);
  }

  std::unique_ptr<World> world = Resting(), other = Resting();
};

TEST_F(Rest, AsksForNoGeometryAndHoldsWeights) {
  StepReport report;
  for (int i = 0; i < 100 && report.at_rest < kPairs; ++i) report = world->Step(kStep);
  EXPECT_EQ(report.at_rest, kPairs);
  EXPECT_EQ(report.looks, 0);
  const double loads[kPairs] = {2.0, 1.0, 2.0, 1.0, 1.0};
  for (int pair = 0; pair < kPairs; ++pair) {
    ASSERT_EQ(world->patches(pair).size(), 1u);
    const Vector3d force = world->patches(pair)[0].force.force_W;
    EXPECT_LT((force - Vector3d(0.0, 0.0, loads[pair] * kWeight)).norm(), 1e-9 * kWeight) << pair;
  }
}

TEST_F(Rest, LeavesBodiesWhereTheyAre) {
  std::vector<Vector3d> places;
  for (int body = 1; body <= kPairs; ++body) places.push_back(world->body(body).X_WB.t);
  int rested = 0;
  for (int i = 0; i < 10000; ++i) rested += world->Step(kStep).at_rest;
  EXPECT_GT(rested, 10000);
  for (int body = 1; body <= kPairs; ++body) {
    const Vector3d way = world->body(body).X_WB.t - places[static_cast<std::size_t>(body - 1)];
    EXPECT_LT(way.norm(), 1e-12) << body;
  }
  EXPECT_LT(world->Kinetic(), 1e-20);
}

// Of the bodies that touch what is pushed, all are solved as if none had rested; the others rest.
TEST_F(Rest, EndsForAllThatTouchWhatIsPushed) {
  for (World* each : {world.get(), other.get()}) each->body(2).force_W = {0.1, 0.0, 0.0};
  const StepReport report = world->Step(kStep);
  StepAnew(other.get());
  EXPECT_EQ(report.at_rest, kPairs - 2);
  for (const int body : {1, 2}) ExpectSame(body);
  EXPECT_GT(world->body(2).twist.velocity_W.x(), 1e-8);
}

TEST_F(Rest, EndsWhereABodyIsSetElsewhere) {
  for (World* each : {world.get(), other.get()}) each->body(1).X_WB.t.x() += 1e-9;
  const StepReport report = world->Step(kStep);
  StepAnew(other.get());
  EXPECT_EQ(report.at_rest, kPairs - 2);
  for (const int body : {1, 2}) ExpectSame(body);
}

TEST_F(Rest, EndsWhereAnotherBodyLands) {
  for (World* each : {world.get(), other.get()}) {
    WorldBody ball = BodyAt({1.0, 0.3, 5.0 * kHalf + 1e-4});
    ball.twist.velocity_W = {0.0, 0.0, -0.2};
    each->AddPair(each->Add(ball), Sphere(kHalf), 4, Box(Vector3d::Constant(2.0 * kHalf)), Law());
    each->states().back().is_first = false;
  }
  const StepReport report = world->Step(kStep);
  StepAnew(other.get());
  EXPECT_EQ(report.at_rest, kPairs - 2);
  for (const int body : {3, 4, 6}) ExpectSame(body);
  EXPECT_LT(world->body(4).twist.velocity_W.z(), -1e-6);
}

TEST_F(Rest, EndsWhereAConstraintPulls) {
  SoftMotion pull;
  pull.axes = {24};  // x of the ball
  pull.column = Eigen::VectorXd::Constant(1, 1.0 / std::sqrt(kMass));
  pull.wanted = 0.1;
  world->motions.push_back(pull);
  EXPECT_EQ(world->Step(kStep).at_rest, kPairs - 1);
  EXPECT_GT(world->body(5).twist.velocity_W.x(), 0.01);
}

// A state that was saved at rest goes on to the last bit.
TEST_F(Rest, IsSavedWithTheState) {
  for (int body = 1; body <= kPairs; ++body) other->body(body) = world->body(body);
  other->states() = world->states();
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(world->Step(kStep).at_rest, other->Step(kStep).at_rest);
  }
  for (int body = 1; body <= kPairs; ++body) {
    ExpectSame(body);
    EXPECT_EQ(world->body(body).X_WB.t, other->body(body).X_WB.t);
    EXPECT_EQ(world->body(body).X_WB.q, other->body(body).X_WB.q);
  }
}

// What slides or rolls steadily has forces that stay, and does not rest.
TEST(NoRest, IsWhatMovesSteadily) {
  World world;
  const int floor = world.Add({});
  WorldBody ball = BodyAt({0.0, 0.0, kHalf});
  ball.inertia = Vector3d::Constant(0.4 * kMass * kHalf * kHalf);
  ball.twist.velocity_W = {1e-6, 0.0, 0.0};
  ball.twist.angular_velocity_W = {0.0, 1e-6 / kHalf, 0.0};
  world.AddPair(world.Add(ball), Sphere(kHalf), floor, HalfSpace(), Law());
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(world.Step(kStep).at_rest, 0);
}

}  // namespace
}  // namespace volcontact::testing::rest_test
