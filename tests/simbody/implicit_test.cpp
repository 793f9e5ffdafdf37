// The implicit integrator: against the others, closed forms, and its own order.
#include "scenario/scenarios.h"
#include "support/paths.h"

namespace volcontact::scenario::testing {
namespace {

using Eigen::AngleAxisd;

Json Implicit(double tolerance) { return {{"method", "implicit"}, {"tolerance", tolerance}}; }

// Steps of this length, whatever they err by.
Json ImplicitSteps(double step) {
  return {{"method", "implicit"}, {"tolerance", 0.1}, {"max_step", step}};
}

// The error at the end of a column falls with this power of the step. The last steps are cut, so
// that the error scatters from length to length.
void ExpectOrder(double order, Json document, double step, double end, const std::string& column) {
  document["integrator"] = {{"method", "adaptive"}, {"tolerance", 1e-13}, {"max_step", step}};
  Simulation reference(document);
  reference.AdvanceTo(end);
  const auto error = [&](double length) {
    document["integrator"] = ImplicitSteps(length);
    Simulation simulation(document);
    simulation.AdvanceTo(end);
    return std::abs(simulation(column) - reference(column));
  };
  const double before = error(step), after = error(step / 8);
  EXPECT_NEAR(std::log2(before / after) / 3.0, order, 0.5) << before << " to " << after;
}

Json Pendulum() {
  Json document = Document();
  document["gravity"] = {0, -9.81, 0};
  Json bob = Ball("bob");
  bob["center_of_mass"] = {0, -0.5, 0};
  bob["joint"] = {{"type", "pin"}};
  bob["coordinates"] = {1.5};
  document["bodies"] = Json::array({bob});
  return document;
}

// In contact from the start, and as long as it is looked at.
Json PressedBall() {
  Json document = Document();
  document["bodies"] = {Ball("ball"), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.098}}};
  document["bodies"][0]["velocity"] = {0.3, 0, -1};
  document["bodies"][0]["angular_velocity"] = {0, 10, 5};
  document["contacts"] = Json::array({Volumetric("ball", "plane", 1e7, 0.6)});
  document["contacts"][0]["geometry"]["tolerance"] = 1e-12;
  return document;
}

// In contact, the Hessian at the beginning of a step limits it.
TEST(Implicit, IsOfFourthOrderAndOfThirdInContact) {
  ExpectOrder(4.0, Pendulum(), 1.0 / 64, 1, "bob.qz");
  ExpectOrder(3.0, PressedBall(), 1.0 / 8192, 0.002, "ball.vz");
}

// Tighter tolerances, smaller errors, and never much larger than what was asked.
TEST(Implicit, ABallReboundsAsItsRestitutionSays) {
  Json document = Document();
  document["gravity"] = {0, 0, -9.81};
  document["bodies"] = {Ball("ball"), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.11}}};
  document["bodies"][0]["velocity"] = {0, 0, -1};
  for (const double restitution : {0.2, 0.5, 1.0}) {
    document["contacts"] = Json::array({Volumetric("ball", "plane", 1e8, restitution)});
    document["integrator"] = {{"method", "adaptive"}, {"tolerance", 1e-11}};
    Simulation best(document);
    best.AdvanceTo(0.05);
    ASSERT_EQ(best("contact.touches"), 1);
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      document["integrator"] = Implicit(tolerance);
      Simulation simulation(document);
      simulation.Run(0.05, 10);
      EXPECT_EQ(simulation("contact.touches"), 1);
      EXPECT_NEAR(simulation("ball.vz"), best("ball.vz"), 500 * tolerance) << restitution;
      EXPECT_LE(simulation.LedgerError(), 500 * tolerance);
    }
  }
}

Json BoxOnSlope(double angle, const Json& friction) {
  Json document = Document();
  document["gravity"] = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
  document["bodies"] = {Ball("box"), Plane()};
  document["bodies"][0]["solid"] = {{"box", {{"size", {0.2, 0.2, 0.1}}}}};
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.05}}};
  document["contacts"] = Json::array({Volumetric("box", "plane", 1e8, 0.5)});
  document["contacts"][0]["normal"]["v_small"] = 0.01;
  document["contacts"][0]["friction"] = friction;
  document["integrator"] = Implicit(1e-6);
  return document;
}

TEST(Implicit, ABoxThatBristlesHoldDoesNotCreep) {
  const double angle = std::atan(0.25);
  Simulation simulation(
      BoxOnSlope(angle, {{"mu_s", 0.5}, {"mu_c", 0.5}, {"sigma0", 1e5}, {"sigma1", 300}}));
  simulation.AdvanceTo(2);
  const double before = simulation("box.x");
  const long steps = simulation.simulator().statistics().steps;
  simulation.AdvanceTo(100);
  EXPECT_NEAR(simulation("box.x"), before, 1e-12);
  EXPECT_NEAR(simulation("contact.ft"), 0.7 * 9.81 * std::sin(angle), 1e-6);
  EXPECT_NEAR(simulation("contact.fn"), 0.7 * 9.81 * std::cos(angle), 1e-6);
  // At rest steps are as long as they may be.
  EXPECT_LE(simulation.simulator().statistics().steps - steps, 98 / 0.01 + 20);
}

TEST(Implicit, ABoxSlidesAsCoulombSays) {
  const double angle = std::atan(0.6);
  Simulation simulation(BoxOnSlope(angle, {{"law", "coulomb"}, {"mu", 0.3}, {"v_epsilon", 1e-3}}));
  simulation.AdvanceTo(0.5);
  const double start = simulation("box.vx");
  simulation.AdvanceTo(1);
  const double acceleration = 9.81 * (std::sin(angle) - 0.3 * std::cos(angle));
  EXPECT_NEAR((simulation("box.vx") - start) / 0.5, acceleration, 1e-5 * acceleration);
}

// A run of data/scenarios by an integrator.
Simulation PaperRun(const std::string& name, const std::string& variant, const Json& integrator) {
  const ScenarioFile file =
      ReadScenarioFile(std::string(volcontact::DataFolder()) + "/scenarios/" + name + ".json", {});
  for (const ScenarioVariant& candidate : file.variants) {
    if (candidate.name != variant) continue;
    Json document = Json::parse(candidate.document);
    document["integrator"] = integrator;
    return Simulation(document);
  }
  throw InvalidInput("no variant " + variant);
}

TEST(Implicit, ABlockSticksAndSlipsWhenItDoesByTheOthers) {
  Simulation best = PaperRun("stick_slip", "belt_010", {{"method", "stiff"}, {"tolerance", 1e-10}});
  Simulation simulation = PaperRun("stick_slip", "belt_010", Implicit(1e-6));
  for (const double t : {10.0, 19.0, 25.0, 31.0}) {
    best.AdvanceTo(t);
    simulation.AdvanceTo(t);
    EXPECT_NEAR(simulation("block.x"), best("block.x"), 1e-5) << t;
    EXPECT_NEAR(simulation("block.vx"), best("block.vx"), 1e-4) << t;
  }
}

// Boxes whose faces lie on each other as they fall: contacts that are as deep as rounding, in which
// the least motion multiplies the volume.
TEST(Implicit, ContactsMayBeginWithinRounding) {
  Simulation simulation = PaperRun("stack", "", Implicit(1e-5));
  simulation.AdvanceTo(2);
  EXPECT_NEAR(simulation("lower.fn"), 3 * 9.81, 1e-4);
  EXPECT_NEAR(simulation("middle.fn"), 2 * 9.81, 1e-4);
  EXPECT_NEAR(simulation("upper.fn"), 9.81, 1e-4);
}

// A motor drives an arm against its limit, and away from it.
TEST(Implicit, AMotorDrivesAnArmAgainstItsLimit) {
  Json document = Pendulum();
  document["bodies"][0]["joint"]["limits"] = {
      {"lower", -0.5}, {"upper", 0.8}, {"stiffness", 1e6}, {"damping", 2}};
  document["bodies"][0]["coordinates"] = {0};
  document["motors"] = Json::parse(R"([{"name": "drive", "body": "bob", "limit": 40,
      "position": {"times": [0, 0.3, 0.6], "values": [0, 1.2, 0]}, "stiffness": 400, "damping": 9}])");
  document["integrator"]["tolerance"] = 1e-11;
  Simulation best(document);
  document["integrator"] = Implicit(1e-7);
  Simulation simulation(document);
  for (const double t : {0.2, 0.3, 0.45, 0.6, 1.0}) {
    best.AdvanceTo(t);
    simulation.AdvanceTo(t);
    EXPECT_NEAR(simulation("bob.wz"), best("bob.wz"), 1e-4) << t;
    EXPECT_NEAR(simulation("bob.qz"), best("bob.qz"), 1e-5) << t;
    EXPECT_NEAR(simulation("energy.work"), best("energy.work"), 1e-4) << t;
  }
  EXPECT_LE(simulation.LedgerError(), 1e-5);
}

TEST(Implicit, KeepsLoopsClosedAndDrivenJointsDriven) {
  Simulation simulation = PaperRun("slider_crank", "driven", Implicit(1e-7));
  for (int i = 1; i <= 40; ++i) {
    const double t = 0.0233 * i, angle = 12 * t;
    simulation.AdvanceTo(t);
    EXPECT_NEAR(simulation("piston.x"),
                0.1 * std::cos(angle) + std::sqrt(0.0625 - 0.01 * std::pow(std::sin(angle), 2)),
                1e-7);
  }
  EXPECT_LE(simulation.LedgerError(), 1e-5);
}

// An eccentric disc that turns beneath a flat follower, on which it slides, pressed by a spring.
Json CamAndFollower() {
  return Json::parse(
      R"({"gravity": [0, 0, 0], "end_time": 0.4, "output_interval": 0.002, "bodies": [
      {"name": "cam", "mass": 0.2, "inertia": [1e-4, 1e-4, 1e-4], "joint": {"type": "pin"},
       "motion": {"rate": 31.41592653589793},
       "solid": {"cylinder": {"radius": 0.02, "height": 0.012}, "pose": {"t": [0.005, 0, 0]}}},
      {"name": "follower", "mass": 0.2, "inertia": [1e-4, 1e-4, 1e-4],
       "solid": {"box": {"size": [0.05, 0.006, 0.02]}, "pose": {"t": [0, 0.022999, 0]}},
       "joint": {"type": "slider", "spring": {"stiffness": 500, "rest": -0.04},
                 "frame_parent": {"q": [0.7071067811865476, 0, 0, 0.7071067811865476]},
                 "frame_body": {"q": [0.7071067811865476, 0, 0, 0.7071067811865476]}},
       "coordinates": [0], "rates": [0.15707963267948966]}],
      "contacts": [{"name": "contact", "a": "follower", "b": "cam",
                    "normal": {"stiffness": 1e12, "restitution": 0.3},
                    "friction": {"mu_s": 0.12, "mu_c": 0.1, "sigma0": 1e5, "sigma1": 300}}]})");
}

// The stiff contact follows the motion, which takes a query a step, and steps that the motion of
// 5 Hz needs and not the vibrations of the contact at 900 Hz, nor its damping in 1e-5 s.
TEST(Implicit, AStiffContactTakesAQueryAStepOfTheMotion) {
  Json document = CamAndFollower();
  document["integrator"] = Implicit(1e-5);
  Simulation simulation(document);
  for (int i = 1; i <= 200; ++i) {
    const double t = 0.002 * i;
    simulation.AdvanceTo(t);
    EXPECT_NEAR(simulation("follower.y"), 0.005 * std::sin(31.41592653589793 * t), 6e-6);
  }
  const SimulationStatistics statistics = simulation.simulator().statistics();
  EXPECT_LE(statistics.steps, 1000);
  EXPECT_LE(statistics.evaluations, statistics.attempts + 5);
  EXPECT_LE(simulation.LedgerError(), 0.01);
}

// Damping is so stiff here that a micrometre a second is 0.3 % of the force: outputs must not lie
// on curves that the rates at a step's ends, wrong by that stiffness times their errors, bend.
TEST(Implicit, ForcesBetweenStepsAreAsGoodAsAtTheirEnds) {
  Json document = CamAndFollower();
  document["bodies"][1]["solid"]["pose"]["t"] = {0, 0.0229966, 0};  // in equilibrium
  document["integrator"] = Implicit(1e-5);
  Simulation simulation(document);
  for (int i = 1; i <= 100; ++i) {
    const double t = 0.0011 * i, y = 0.005 * std::sin(31.41592653589793 * t);
    simulation.AdvanceTo(t);
    const double expected = 500 * (y + 0.04) - 0.2 * 31.41592653589793 * 31.41592653589793 * y;
    EXPECT_NEAR(simulation("contact.fn"), expected, 0.03 * expected) << t;
  }
}

// A spinning ball that falls on a plane, all lengths `scale` times as large, speeds the same.
long StepsOfASpinningBall(double scale) {
  Json document = Document();
  document["gravity"] = {0, 0, -9.81 / scale};
  document["bodies"] = {Ball("ball"), Plane()};
  Json& ball = document["bodies"][0];
  ball["solid"]["sphere"]["radius"] = 0.1 * scale;
  ball["mass"] = 0.7 * std::pow(scale, 3);
  const double inertia = 0.4 * 0.7 * 0.01 * std::pow(scale, 5);
  ball["inertia"] = {inertia, inertia, inertia};
  ball["pose"] = {{"t", {0, 0, 0.1 * scale}}};
  ball["velocity"] = {0.3, 0, -0.3};
  ball["angular_velocity"] = {0, 10 / scale, 5 / scale};
  document["contacts"] = Json::array({Volumetric("ball", "plane", 1e8 / scale, 0.3)});
  document["contacts"][0]["friction"] = {
      {"mu_s", 0.3}, {"mu_c", 0.3}, {"sigma0", 1e4 / scale}, {"sigma1", 30}};
  document["integrator"] = {{"method", "implicit"}, {"tolerance", 1e-4}, {"max_step", 1.0}};
  Simulation simulation(document);
  simulation.AdvanceTo(0.1 * scale);
  return simulation.simulator().statistics().steps;
}

// Turning counts by what it moves, not in radians, of which small bodies make many in no time.
TEST(Implicit, StepsDoNotDependOnTheSizeOfBodies) {
  const double large = StepsOfASpinningBall(1), small = StepsOfASpinningBall(0.01);
  EXPECT_LT(small, 1.3 * large);
  EXPECT_GT(small, large / 1.3);
}

TEST(Implicit, RunsAreTheSameToTheLastBitWhateverTheOutputs) {
  Json document = CamAndFollower();
  document["integrator"] = {{"method", "implicit"}, {"tolerance", 1e-4}, {"max_step", 0.02}};
  const auto row = [&](int outputs) {
    Simulation simulation(document);
    simulation.Run(0.05, outputs);
    return simulation.simulator().Row();
  };
  const std::vector<double> once = row(1);
  EXPECT_EQ(row(1), once);
  EXPECT_EQ(row(37), once);
}

TEST(Implicit, GoesOnFromWhereItWasSaved) {
  Json document = CamAndFollower();
  document["integrator"] = Implicit(1e-7);
  Simulation straight(document), resumed(document);
  straight.AdvanceTo(0.0213);
  resumed.simulator().Load(straight.simulator().Save());
  EXPECT_EQ(resumed.simulator().time(), 0.0213);
  straight.AdvanceTo(0.09);
  resumed.AdvanceTo(0.09);
  for (const std::string& name : straight.simulator().column_names()) {
    const double expected = straight(name);
    EXPECT_NEAR(resumed(name), expected, 1e-4 * (1 + std::abs(expected))) << name;
  }
}

// What a step passes over is found, however long it is.
TEST(Implicit, AFastBallDoesNotPassThroughAThinPlate) {
  Json document = Document();
  document["bodies"] = {Ball("ball", 0.01), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0, 0, 1}}};
  document["bodies"][0]["velocity"] = {0, 0, -50};
  document["bodies"][1]["solid"] = {{"box", {{"size", {1, 1, 0.001}}}}};
  document["contacts"] = Json::array({Volumetric("ball", "plane", 1e12, 1)});
  document["integrator"] = {{"method", "implicit"}, {"tolerance", 1e-4}, {"max_step", 1.0}};
  Simulation simulation(document);
  simulation.AdvanceTo(0.05);
  EXPECT_EQ(simulation("contact.touches"), 1);
  EXPECT_NEAR(simulation("ball.vz"), 50, 0.05);
}

TEST(Implicit, AStepThatGoesNowhereIsAnError) {
  Json document = Document();
  document["bodies"] = Json::array({Ball("ball")});
  document["loads"] = Json::array({{{"body", "ball"}, {"force", {1e20, 0, 0}}}});
  document["integrator"] = Implicit(1e-5);
  Simulation simulation(document);
  EXPECT_THROW(simulation.AdvanceTo(1), SimulationError);
}

}  // namespace
}  // namespace volcontact::scenario::testing
