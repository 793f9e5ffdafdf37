// Motors, driven joints and their profiles over time, against closed forms.
#include "scenario/scenarios.h"
#include "volcontact/scenario/profile.h"

namespace volcontact::scenario::testing {
namespace {

// A slider of 2 kg, or a pin with 0.5 kg·m² about it.
Json Moving(const char* joint) {
  Json document = Document();
  document["bodies"] = Json::array(
      {{{"name", "b"}, {"mass", 2}, {"inertia", {0.5, 0.5, 0.5}}, {"joint", {{"type", joint}}}}});
  return document;
}

Json Motor(const Json& members) {
  Json motor = {{"name", "drive"}, {"body", "b"}};
  motor.update(members);
  return Json::array({motor});
}

TEST(Motors, AnEffortAcceleratesAndItsLimitHolds) {
  Json document = Moving("pin");
  document["motors"] = Motor({{"effort", {{"times", {0, 1}}, {"values", {0, 6}}}}, {"limit", 3}});
  Simulation simulation(document);
  simulation.AdvanceTo(0.5);
  EXPECT_NEAR(simulation("b.wz"), 3 * 0.25 / 0.5, 1e-9);
  simulation.AdvanceTo(1);
  EXPECT_NEAR(simulation("b.wz"), 1.5 + 3 * 0.5 / 0.5, 1e-7);
  EXPECT_EQ(simulation("drive.effort"), 3);
  EXPECT_EQ(simulation("drive.target"), 6);
  EXPECT_NEAR(simulation("drive.power"), 3 * simulation("b.wz"), 1e-12);
  EXPECT_NEAR(simulation("energy.work"), 0.25 * simulation("b.wz") * simulation("b.wz"), 1e-7);
}

TEST(Motors, ARateMotorSettlesExponentially) {
  Json document = Moving("slider");
  document["motors"] = Motor({{"rate", 1.5}, {"damping", 8}});
  Simulation simulation(document);
  simulation.AdvanceTo(0.6);
  EXPECT_NEAR(simulation("b.vx"), 1.5 * (1 - std::exp(-4 * 0.6)), 1e-9);
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(Motors, APositionMotorSettlesAsThePdLawSays) {
  // m = 2: ω = 10 rad/s, ζ = 0.3.
  const double w = 10, zeta = 0.3, m = 2;
  Json document = Moving("slider");
  document["motors"] =
      Motor({{"position", 0.25}, {"stiffness", m * w * w}, {"damping", 2 * zeta * w * m}});
  Simulation simulation(document);
  const double damped = w * std::sqrt(1 - zeta * zeta);
  for (const double t : {0.1, 0.35, 1.0}) {
    simulation.AdvanceTo(t);
    const double x =
        0.25 * (1 - std::exp(-zeta * w * t) *
                        (std::cos(damped * t) + zeta * w / damped * std::sin(damped * t)));
    EXPECT_NEAR(simulation("b.x"), x, 1e-9);
  }
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(Motors, APositionMotorFollowsTheRateOfItsTarget) {
  // From the target's own state a sine is followed with the lag of the inertia alone:
  // m e'' + c e' + k e = m x_target''; at ω the ratio is m ω²/|k − m ω² + i c ω|.
  const double m = 2, k = 2000, c = 120, f = 1, w = 2 * M_PI * f;
  Json document = Moving("slider");
  document["end_time"] = 3;
  document["motors"] = Motor({{"position", {{"sine", {{"amplitude", 0.1}, {"frequency", f}}}}},
                              {"stiffness", k},
                              {"damping", c}});
  Simulation simulation(document);
  simulation.Run(3, 600);
  double error = 0;
  for (std::size_t i = 400; i < 601; ++i) {
    error = std::max(error, std::abs(simulation.All("drive.target")[i] - simulation.All("b.x")[i]));
  }
  EXPECT_NEAR(error, 0.1 * m * w * w / std::hypot(k - m * w * w, c * w), 1e-5);
}

TEST(Motors, ADrivenPositionIsTakenExactlyAndItsWorkIsBooked) {
  Json document = Moving("slider");
  document["gravity"] = {-9.81, 0, 0};
  document["bodies"][0]["motion"] = {
      {"position", {{"ramp", {{"from", 0.1}, {"to", 0.6}, {"end", 0.8}, {"smooth", true}}}}}};
  Simulation simulation(document);
  EXPECT_NEAR(simulation("b.x"), 0.1, 1e-15);
  simulation.AdvanceTo(0.4);  // half the way, at 15/8 of the mean speed
  EXPECT_NEAR(simulation("b.x"), 0.35, 1e-13);
  EXPECT_NEAR(simulation("b.vx"), 15.0 / 8 * 0.5 / 0.8, 1e-13);
  EXPECT_NEAR(simulation("energy.work"), 2 * 9.81 * 0.25 + simulation("b.vx") * simulation("b.vx"),
              1e-8);
  simulation.AdvanceTo(1);
  EXPECT_NEAR(simulation("b.x"), 0.6, 1e-13);
  EXPECT_NEAR(simulation("energy.work"), 2 * 9.81 * 0.5, 1e-8);
}

TEST(Motors, ADrivenRateTakesAnyProfile) {
  Json document = Moving("pin");
  document["bodies"][0]["motion"] = {
      {"rate", {{"ramp", {{"to", 3}, {"start", 0.2}, {"end", 0.6}}}}}};
  Simulation simulation(document);
  simulation.AdvanceTo(1);
  EXPECT_NEAR(2 * std::atan2(simulation("b.qz"), simulation("b.qw")), 0.6 + 1.2, 1e-8);
}

TEST(Motors, WhatIsAddedToATargetIsFollowedFromThenOn) {
  // A rate motor settles exponentially to each target; a saved one goes on to its own.
  Json document = Moving("slider");
  document["motors"] = Motor({{"rate", 0.5}, {"damping", 8}});
  Simulation simulation(document);
  simulation.AdvanceTo(0.2);
  const double first = 0.5 * (1 - std::exp(-4 * 0.2));
  EXPECT_NEAR(simulation("b.vx"), first, 1e-9);
  simulation.simulator().SetTarget(0, 1);
  Simulation resumed(document);
  resumed.simulator().Load(simulation.simulator().Save());
  for (Simulation* one : {&simulation, &resumed}) {
    one->AdvanceTo(0.5);
    EXPECT_NEAR((*one)("b.vx"), 1.5 + (first - 1.5) * std::exp(-4 * 0.3), 1e-9);
    EXPECT_EQ((*one)("drive.target"), 1.5);
    EXPECT_NEAR((*one)("energy.residual"), 0, 1e-8);
  }
  ExpectContains(RefusalOf([&] { simulation.simulator().SetTarget(1, 0); }), "motor 1");
  ExpectContains(RefusalOf([&] { simulation.simulator().SetTarget(0, NAN); }), "drive");
}

TEST(Motors, ProfilesHaveTheDerivativesThatTheyTell) {
  const TimeProfile profiles[] = {
      ConstantProfile{2}, RampProfile{1, 3, 0.2, 0.9, false}, RampProfile{1, 3, 0.2, 0.9, true},
      PiecewiseLinear{{0.1, 0.5, 0.8}, {1, -1, 2}}, SineProfile{0.4, 1.5, 0.3, 0.2}};
  const double h = 1e-5;
  for (const TimeProfile& profile : profiles) {
    for (const double t : {0.05, 0.3, 0.55, 0.7, 1.1}) {
      SCOPED_TRACE(profile.index());
      const ProfilePoint at = Evaluate(profile, t), before = Evaluate(profile, t - h),
                         after = Evaluate(profile, t + h);
      EXPECT_NEAR(at.rate, (after.value - before.value) / (2 * h), 1e-6);
      EXPECT_NEAR(at.acceleration, (after.rate - before.rate) / (2 * h), 1e-5);
    }
  }
}

TEST(Motors, StepsEndAtTheCornersOfProfiles) {
  Json document = Moving("pin");
  document["motors"] = Motor({{"effort", {{"times", {0.123, 0.124}}, {"values", {0, 1}}}}});
  document["bodies"][0]["joint"]["friction"] = {{"viscous", 0.1}};
  const std::vector<double> corners = ScenarioOf(document).Corners();
  EXPECT_EQ(corners, (std::vector<double>{0.123, 0.124}));
}

struct WrongMotor {
  const char *motor, *place, *words;
};

TEST(Motors, WrongOnesAreNamedWithTheCure) {
  const WrongMotor kWrong[] = {
      {R"({})", "motors[0]", "effort"},
      {R"({"effort": 1, "rate": 1})", "motors[0]", "one of"},
      {R"({"effort": 1, "damping": 1})", "motors[0].damping", "leave this out"},
      {R"({"rate": 1})", "motors[0]", "damping"},
      {R"({"rate": 1, "damping": 1, "stiffness": 1})", "motors[0].stiffness", "leave this out"},
      {R"({"position": 1})", "motors[0]", "stiffness"},
      {R"({"effort": 1, "limit": 0})", "motors[0].limit", "above zero"},
      {R"({"effort": "high"})", "motors[0].effort", "ramp"},
      {R"({"effort": {"ramp": {"to": 1, "start": 2, "end": 1}}})", "motors[0].effort.ramp.end",
       "after"},
      {R"({"effort": {"sine": {"amplitude": 1}}})", "motors[0].effort.sine", "frequency"},
      {R"({"effort": {"times": [0, 0], "values": [0, 1]}})", "motors[0].effort.times", "ascend"},
      {R"({"effort": 1, "coordinate": "y"})", "motors[0].coordinate", "angle"},
      {R"({"effort": 1, "body": "c"})", "motors[0].body", "no body"},
      {R"({"effort": 1, "name": "b"})", "motors[0].name", "taken"},
      {R"({"effort": 1, "name": "energy"})", "motors[0].name", "name"},
  };
  for (const WrongMotor& wrong : kWrong) {
    SCOPED_TRACE(wrong.motor);
    Json document = Moving("pin");
    document["motors"] = Motor(Json::parse(wrong.motor));
    const std::string message = RefusalOf([&] { ScenarioOf(document); });
    ExpectContains(message, wrong.place);
    ExpectContains(message, wrong.words);
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing
