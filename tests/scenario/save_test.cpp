// Save and Load: a simulation goes on from where it was saved, in the middle of contact, too.
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

// A ball with spin meets the plane askew; from 5 ms to 12 ms it is in contact.
Json Skid() {
  Json document = Document();
  document["gravity"] = {0, 0, -9.81};
  document["bodies"] = {Ball("ball"), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.105}}};
  document["bodies"][0]["velocity"] = {0.5, 0.2, -1};
  document["bodies"][0]["angular_velocity"] = {3, 20, 10};
  document["contacts"] = Json::array({Volumetric("ball", "plane", 1e7, 0.5)});
  document["contacts"][0]["friction"] = Bristles();
  return document;
}

// A box on a slope, held by its bristles, pulled aside by a spring on the way.
Json Stuck() {
  Json document = Document();
  document["gravity"] = {2, 1, -9.81};
  document["bodies"] = {Ball("box"), Plane()};
  document["bodies"][0]["solid"] = {{"box", {{"size", {0.2, 0.2, 0.1}}}}};
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.05}}};
  document["contacts"] = Json::array({Volumetric("box", "plane", 1e7, 0.5)});
  document["contacts"][0]["friction"] = Bristles();
  document["loads"] = Json::array({{{"body", "box"},
                                    {"force", {0, 0, 0}},
                                    {"torque", {0, 0, 0.01}},
                                    {"times", {0, 0.4}},
                                    {"scale", {0, 1}}}});
  return document;
}

// Saves at `middle`, and compares both ways to the end.
void ExpectSameEnd(const Json& document, double middle, double end, double tolerance,
                   double row_tolerance = 1e-12) {
  Simulation straight(document);
  straight.AdvanceTo(middle);
  EXPECT_EQ(straight("contact.touching"), 1);
  const std::string saved = straight.simulator().Save();
  const std::vector<double> row = straight.simulator().Row();

  Simulation resumed(document);
  resumed.simulator().Load(saved);
  EXPECT_EQ(resumed.simulator().time(), middle);
  const std::vector<double> resumed_row = resumed.simulator().Row();
  const auto& names = straight.simulator().column_names();
  for (std::size_t i = 0; i < row.size(); ++i) {
    EXPECT_NEAR(resumed_row[i], row[i], row_tolerance * (1 + std::abs(row[i]))) << names[i];
  }
  straight.AdvanceTo(end);
  resumed.AdvanceTo(end);
  for (const std::string& name : names) {
    const double expected = straight(name);
    EXPECT_NEAR(resumed(name), expected, tolerance * (1 + std::abs(expected))) << name;
  }
  EXPECT_LE(std::abs(resumed("energy.residual")), 1e-6);
}

TEST(Save, GoesOnWhileSkidding) { ExpectSameEnd(Skid(), 0.0085, 0.05, 1e-6); }

// Every restored run is the same, and the one that was saved is the one that was not. A ball that
// rolls is not queried at every step.
TEST(Save, GoesOnAlikeToTheLastBit) {
  Json document = Skid();
  document["integrator"] = {{"method", "implicit"}, {"tolerance", 1e-5}};
  document["contacts"][0]["normal"]["restitution"] = 0.1;
  for (const double middle : {0.0085, 0.2, 0.3}) {
    Simulation straight(document), saved(document), first(document), second(document);
    straight.AdvanceTo(middle);
    saved.AdvanceTo(middle);
    const std::string text = saved.simulator().Save();
    first.simulator().Load(text);
    second.AdvanceTo(0.1);  // what it did before does not count
    second.simulator().Load(text);
    for (Simulation* run : {&straight, &saved, &first, &second}) run->AdvanceTo(middle + 0.1);
    EXPECT_EQ(straight.simulator().Save(), saved.simulator().Save());
    EXPECT_EQ(first.simulator().Save(), second.simulator().Save());
    EXPECT_NEAR(first("ball.vx"), saved("ball.vx"), 1e-4);
  }
}

// The last step may be longer than the longest by a rounding.
TEST(Save, GoesOnWithAGreatestStep) {
  Json document = Skid();
  document["integrator"]["max_step"] = 2e-5;
  for (const double middle : {0.0055, 0.006, 0.0073, 0.0085}) {
    ExpectSameEnd(document, middle, 0.02, 1e-6);
  }
}

TEST(Save, GoesOnWithFixedSteps) {
  Json document = Skid();
  document["integrator"] = {{"method", "rk4"}, {"step", 1e-5}};
  document["contacts"][0]["tau_relaxation"] = 0.5;
  ExpectSameEnd(document, 0.0085, 0.02, 1e-9);
}

// What a mechanism has of its start, lengths and offsets, is that of the start, not of the save.
TEST(Save, GoesOnWithAMechanism) {
  Json document = Skid();
  const auto body = [](const char* name, const char* joint) {
    return Json{{"name", name},
                {"mass", 1},
                {"inertia", {0.01, 0.01, 0.01}},
                {"joint", {{"type", joint}}},
                {"coordinates", {0.4}}};
  };
  for (const Json& added : {body("crank", "pin"), body("piston", "slider"), body("wheel", "pin")}) {
    document["bodies"].push_back(added);
  }
  document["loops"] = Json::array({{{"name", "rod"},
                                    {"type", "rod"},
                                    {"a", "crank"},
                                    {"frame_a", {{"t", {0.1, 0, 0}}}},
                                    {"b", "piston"}}});
  document["couplings"] = Json::array({{{"a", "crank"}, {"b", "wheel"}, {"ratio", -2}}});
  document["springs"] = Json::array(
      {{{"a", "ground"}, {"point_a", {1, 0, 0}}, {"b", "piston"}, {"stiffness", 3000}}});
  document["motors"] =
      Json::array({{{"name", "drive"}, {"body", "crank"}, {"rate", 30}, {"damping", 0.5}}});
  document["bodies"][2]["joint"]["friction"] = {{"coulomb", 0.1}};
  document["sensors"] = Json::array({{{"name", "bearing"}, {"type", "joint"}, {"body", "crank"}}});
  // Constraints are satisfied anew where it goes on, to rounding; their forces see that.
  ExpectSameEnd(document, 0.0085, 0.05, 1e-6, 1e-10);
}

// What is applied from outside is saved, and goes on, too; the books count its work.
TEST(Save, KeepsWrenches) {
  Simulation straight(Skid()), resumed(Skid());
  straight.simulator().SetWrench(0, {3, -2, 1}, {0.1, 0, 0.2});
  straight.AdvanceTo(0.0085);
  resumed.simulator().Load(straight.simulator().Save());
  straight.AdvanceTo(0.02);
  resumed.AdvanceTo(0.02);
  for (const std::string& name : straight.simulator().column_names()) {
    const double expected = straight(name);
    EXPECT_NEAR(resumed(name), expected, 1e-6 * (1 + std::abs(expected))) << name;
  }
  EXPECT_NE(straight("energy.work"), 0);
  EXPECT_LE(std::abs(straight("energy.residual")), 1e-6);
  const double nan = std::nan("");
  EXPECT_THROW(straight.simulator().SetWrench(1, {1, 0, 0}, {0, 0, 0}), InvalidInput);  // fixed
  EXPECT_THROW(straight.simulator().SetWrench(2, {1, 0, 0}, {0, 0, 0}), InvalidInput);
  EXPECT_THROW(straight.simulator().SetWrench(0, {nan, 0, 0}, {0, 0, 0}), InvalidInput);
}

TEST(Save, GoesOnWhileStickingWithDeflectedBristles) {
  Json document = Stuck();
  document["integrator"]["tolerance"] = 1e-9;
  {
    Simulation simulation(document);
    simulation.AdvanceTo(0.3);
    // It sticks: friction bears the pull of gravity, and the bristles are bent.
    EXPECT_NEAR(simulation("contact.ft"), 0.7 * std::hypot(2, 1), 0.02);
    EXPECT_GT(std::hypot(simulation("contact.zx"), simulation("contact.zy")), 1e-6);
    EXPECT_NE(simulation("contact.theta"), 0);
    EXPECT_LE(simulation("contact.vt"), 1e-4);
  }
  // The contact is so stiff (4e5 N/m) that 30 pm show here.
  ExpectSameEnd(document, 0.3, 0.5, 1e-5);
}

TEST(Save, GoesOnBeforeAndAfterContact) {
  Json document = Skid();
  for (const double middle : {0.0, 0.002, 0.02}) {
    Simulation straight(document);
    if (middle > 0) straight.AdvanceTo(middle);
    const std::string saved = straight.simulator().Save();
    Simulation resumed(document);
    resumed.simulator().Load(saved);
    straight.AdvanceTo(0.05);
    resumed.AdvanceTo(0.05);
    EXPECT_EQ(resumed("contact.touches"), straight("contact.touches"));
    ExpectNear(resumed.Velocity("ball"), straight.Velocity("ball"), 1e-6);
    ExpectNear(resumed.Spin("ball"), straight.Spin("ball"), 1e-5);
  }
}

TEST(Save, LoadRefusesWhatIsNoSaveOfThisScenario) {
  Simulation simulation(Skid());
  const Json good = Json::parse(simulation.simulator().Save());
  Json other = Skid();
  other["bodies"].push_back(Ball("another"));
  std::vector<Json> bad = {Json(), Json::object(), Json::array(), Json(3),
                           Json::parse(Simulation(other).simulator().Save())};
  for (const auto& [key, value] : good.items()) {
    bad.push_back(good);
    bad.back().erase(key);
    bad.push_back(good);
    bad.back()[key] = "text";
  }
  bad.push_back(good);
  bad.back()["y"].push_back(1.0);
  bad.push_back(good);
  bad.back()["contacts"] = Json::array();
  bad.push_back(good);
  bad.back()["contacts"][0] = {1, 2, 3};
  for (const Json& saved : bad) {
    SCOPED_TRACE(saved.dump().substr(0, 80));
    RefusalOf([&] { simulation.simulator().Load(saved.dump()); });
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing
