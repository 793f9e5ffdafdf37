// Contacts that are there at the start: their state, bodies inside each other, and what to know.
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

Json RestingBall() {
  Json document = Document();
  document["gravity"] = {0.0, 0.0, -9.81};
  document["bodies"] = {Ball("ball"), Plane()};
  // k_v π δ² (R − δ/3) = m g.
  const double depth = std::sqrt(0.7 * 9.81 / (1e8 * 3.14159265358979 * 0.1));
  document["bodies"][0]["pose"] = {{"t", {0.0, 0.0, 0.1 - depth}}};
  document["contacts"] = {Volumetric("ball", "plane", 1e8, 0.5)};
  document["contacts"][0]["friction"] = Bristles();
  return document;
}

TEST(ContactStart, TheStateIsThatOfTheFile) {
  Json document = RestingBall();
  document["contacts"][0]["state"] = {
      {"deflection", {2e-6, 0.0, 1e-6}}, {"twist", 1e-4}, {"dwell", 0.75}};
  Simulation simulation(document);
  EXPECT_EQ(simulation("contact.s_dw"), 0.75);
  EXPECT_EQ(simulation("contact.zx"), 2e-6);
  EXPECT_NEAR(simulation("contact.zz"), 0.0, 1e-20);  // made tangent
  EXPECT_EQ(simulation("contact.theta"), 1e-4);
  EXPECT_EQ(simulation("contact.touches"), 1);
  // The bristles push at once: σ0 z f_n.
  EXPECT_NEAR(simulation("contact.ft"), 1e4 * 2e-6 * simulation("contact.fn"),
              1e-9 * simulation("contact.fn"));
}

TEST(ContactStart, AStateNeedsContact) {
  Json document = RestingBall();
  document["contacts"][0]["state"] = {{"dwell", 1.0}};
  document["bodies"][0]["pose"] = {{"t", {0.0, 0.0, 0.2}}};
  ExpectContains(RefusalOf([&] { Simulation simulation(document); }), "do not touch at the start");
  document["contacts"][0]["state"] = {{"dwell", 1.5}};
  ExpectContains(RefusalOf([&] { Simulation simulation(document); }), "between 0 and 1");
}

TEST(ContactStart, ABodyInsideAnotherIsToldOf) {
  Json document = RestingBall();
  document["bodies"][0]["pose"] = {{"t", {0.0, 0.0, -0.5}}};
  Simulation simulation(document);
  simulation.AdvanceTo(0.1);
  EXPECT_EQ(simulation("contact.fn"), 0.0);
  const std::vector<std::string> warnings = simulation.simulator().Warnings();
  ASSERT_EQ(warnings.size(), 1u);
  ExpectContains(warnings[0], "contact \"contact\" at t = 0.0");
  ExpectContains(warnings[0], "lies inside the other");
}

// A fast ball goes in all the way, and comes out again: the force goes on along the last normal.
TEST(ContactStart, ABallThatIsPressedInWhollyComesBack) {
  Json document = Document();
  document["bodies"] = {Ball("ball"), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0.0, 0.0, 0.11}}};
  document["bodies"][0]["velocity"] = {0.0, 0.0, -20.0};
  // ½ m v² = 140 J; wholly inside takes k ∫ V dδ = k V R = 84 J.
  document["contacts"] = {Volumetric("ball", "plane", 2e5, 1.0)};
  Simulation simulation(document);
  simulation.Run(0.1, 200);
  EXPECT_LT(simulation.Measure("min(ball.z)"), -0.1);
  EXPECT_NEAR(simulation("ball.vz"), 20.0, 1e-6);
  EXPECT_TRUE(simulation.simulator().Warnings().empty());
}

}  // namespace
}  // namespace volcontact::scenario::testing
