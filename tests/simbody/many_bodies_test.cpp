// The implicit integrator with many bodies: those that nothing joins are solved apart.
#include <algorithm>
#include <cmath>
#include <string>

#include "scenario/scenarios.h"

namespace volcontact::scenario::testing::many_bodies_test {
namespace {

constexpr double kDuration = 0.3, kTolerance = 1e-6;

// Balls half a metre apart that slide, roll and come to rest, each a little faster than the last.
Json SlidingBalls(int first, int count) {
  Json document = Document();
  document["gravity"] = {0, 0, -9.81};
  document["integrator"] = {{"method", "implicit"}, {"tolerance", kTolerance}};
  document["bodies"] = Json::array({Plane()});
  for (int i = first; i < first + count; ++i) {
    const std::string name = "ball" + std::to_string(i);
    Json ball = Ball(name);
    ball["pose"] = {{"t", {0.5 * i, 0, 0.1}}};
    ball["velocity"] = {0, 0.1 + 0.05 * i, 0};
    document["bodies"].push_back(ball);
    Json contact = Volumetric(name, "plane", 1e9, 0.5);
    contact["name"] = "contact" + std::to_string(i);
    contact["friction"] = Bristles();
    document["contacts"].push_back(contact);
  }
  return document;
}

TEST(ManyBodies, MoveAsEachAlone) {
  constexpr int kBalls = 4;
  Simulation all(SlidingBalls(0, kBalls));
  all.AdvanceTo(kDuration);
  EXPECT_LE(all.LedgerError(), 1e-5);
  for (int i = 0; i < kBalls; ++i) {
    Simulation alone(SlidingBalls(i, 1));
    alone.AdvanceTo(kDuration);
    const std::string name = "ball" + std::to_string(i);
    ExpectNear(all.Position(name), alone.Position(name), 1e-6);
    ExpectNear(all.Velocity(name), alone.Velocity(name), 2e-5);
    ExpectNear(all.Spin(name), alone.Spin(name), 2e-4);
  }
}

// Balls on a plate that a drive shakes: it joins none of them, and its work is that of all.
TEST(ManyBodies, OnWhatIsDrivenMoveAsEachAlone) {
  constexpr int kBalls = 3;
  const auto shaken = [](int first, int count) {
    Json document = SlidingBalls(first, count);
    Json plate = Ball("plane");
    plate["solid"] = document["bodies"][0]["solid"];
    plate["joint"] = {{"type", "slider"}};
    plate["motion"] = {{"amplitude", 0.3}, {"frequency", 4}};
    document["bodies"][0] = plate;
    return document;
  };
  Simulation all(shaken(0, kBalls));
  all.AdvanceTo(kDuration);
  EXPECT_LE(all.LedgerError(), 1e-5);
  const double of_plate = 0.5 * 0.7 * all.Velocity("plane").squaredNorm();
  double work = of_plate;
  long most_steps = 0;
  for (int i = 0; i < kBalls; ++i) {
    Simulation alone(shaken(i, 1));
    alone.AdvanceTo(kDuration);
    const std::string name = "ball" + std::to_string(i);
    ExpectNear(all.Position(name), alone.Position(name), 1e-6);
    ExpectNear(all.Velocity(name), alone.Velocity(name), 2e-5);
    work += alone("energy.work") - of_plate;
    most_steps = std::max(most_steps, alone.simulator().statistics().steps);
  }
  EXPECT_NEAR(all("energy.work"), work, 1e-5 * work);
  EXPECT_LE(all.simulator().statistics().steps, 2 * most_steps);
}

// A damper between two bodies, of a time constant of 0.03 ms, is implicit as contacts are.
TEST(ManyBodies, StiffSpringsBetweenThemAreImplicit) {
  Json document = SlidingBalls(0, 2);
  document["springs"] = {
      {{"a", "ball0"}, {"b", "ball1"}, {"stiffness", 1e5}, {"damping", 1e4}, {"rest", 0.5}}};
  Simulation simulation(document);
  simulation.AdvanceTo(kDuration);
  EXPECT_LE(simulation.simulator().statistics().steps, 1500);
  EXPECT_LE(simulation.LedgerError(), 1e-4);
}

// The derivatives of a tower are found for several boxes at a time, although all touch each other
// through others. With wrong ones, or without the damper's, steps are many times as many.
TEST(ManyBodies, OnEachOtherTakeTheStepsOfTheirMotion) {
  constexpr int kBoxes = 6;
  Json document = Document();
  document["gravity"] = {0, 0, -9.81};
  document["integrator"] = {{"method", "implicit"}, {"tolerance", 1e-5}};
  document["bodies"] = Json::array({Plane()});
  for (int i = 0; i < kBoxes; ++i) {
    const std::string name = "box" + std::to_string(i);
    Json box = Ball(name);
    box["solid"] = {{"box", {{"size", {0.1, 0.1, 0.1}}}}};
    box["pose"] = {{"t", {i % 2 == 0 ? 0.002 : -0.002, 0, 0.05 + 0.1 * i}}};
    document["bodies"].push_back(box);
    Json contact = Volumetric(name, i == 0 ? "plane" : "box" + std::to_string(i - 1), 1e10, 0.5);
    contact["name"] = "contact" + std::to_string(i);
    contact["friction"] = Bristles();
    document["contacts"].push_back(contact);
  }
  document["springs"] = {{{"a", "box0"}, {"b", "box5"}, {"stiffness", 1e5}, {"damping", 1e4}}};
  Simulation simulation(document);
  simulation.AdvanceTo(0.1);
  EXPECT_LE(simulation.simulator().statistics().steps, 250);
  EXPECT_LE(simulation.LedgerError(), 2e-3);
}

// What is joined by a contact within the run is solved together from then on.
TEST(ManyBodies, ThatMeetAreSolvedTogether) {
  Json document = SlidingBalls(0, 2);
  document["bodies"][1]["velocity"] = {2, 0, 0};
  document["bodies"][2]["velocity"] = {-2, 0, 0};
  document["contacts"].push_back(Volumetric("ball0", "ball1", 1e9, 0.5));
  Simulation implicit(document);
  implicit.AdvanceTo(kDuration);
  document["integrator"] = {{"method", "stiff"}, {"tolerance", 1e-9}};
  Simulation reference(document);
  reference.AdvanceTo(kDuration);
  EXPECT_LT(implicit.Velocity("ball0")[0], 0.0);
  for (const char* name : {"ball0", "ball1"}) {
    ExpectNear(implicit.Position(name), reference.Position(name), 1e-5);
    ExpectNear(implicit.Velocity(name), reference.Velocity(name), 1e-4);
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing::many_bodies_test
