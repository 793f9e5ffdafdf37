// Springs between points, bushings, couplings of coordinates and closed loops, against closed
// forms.
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

using Eigen::AngleAxisd;

Json Body(const char* name, const Json& joint, double mass = 2) {
  return {{"name", name}, {"mass", mass}, {"inertia", {0.5, 0.5, 0.5}}, {"joint", joint}};
}

Json Free(const char* name, const Vector3d& at, double mass) {
  Json body = Body(name, {{"type", "free"}}, mass);
  body["pose"] = {{"t", ListOf(at)}};
  return body;
}

TEST(PointSprings, TwoBodiesSwingAboutTheirCentreOfMass) {
  // Stretched by 0.2 along an oblique line: ω² = k/m with the reduced mass; the centre stays.
  const Vector3d axis = Vector3d(1, -2, 0.5).normalized();
  const double k = 60, reduced = 3.0 / 4, w = std::sqrt(k / reduced);
  Json document = Document();
  document["bodies"] = {Free("a", Vector3d(0, 0, 0), 1), Free("c", 1.2 * axis, 3)};
  document["springs"] = Json::array({{{"a", "a"}, {"b", "c"}, {"stiffness", k}, {"rest", 1}}});
  Simulation simulation(document);
  EXPECT_NEAR(simulation("energy.potential"), 0.5 * k * 0.04, 1e-14);
  for (const double t : {0.2, 0.55, 1.0}) {
    simulation.AdvanceTo(t);
    const Vector3d line = simulation.Position("c") - simulation.Position("a");
    ExpectNear(line, (1 + 0.2 * std::cos(w * t)) * axis, 1e-9);
    ExpectNear(simulation.Position("a") + 3 * simulation.Position("c"), 3.6 * axis, 1e-9);
  }
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(PointSprings, ADamperDecaysAndBooksItsLoss) {
  const double m = 2, k = 50, c = 3;
  Json document = Document();
  document["bodies"] = {Free("a", Vector3d(0.7, 0, 0), m)};
  document["springs"] =
      Json::array({{{"a", "ground"}, {"b", "a"}, {"stiffness", k}, {"damping", c}, {"rest", 0.5}}});
  Simulation simulation(document);
  const double start = simulation("energy.potential"), decay = c / (2 * m),
               w = std::sqrt(k / m - decay * decay);
  simulation.AdvanceTo(0.8);
  EXPECT_NEAR(
      simulation("a.x"),
      0.5 + 0.2 * std::exp(-decay * 0.8) * (std::cos(w * 0.8) + decay / w * std::sin(w * 0.8)),
      1e-9);
  EXPECT_NEAR(simulation("energy.dissipated_joint"),
              start - simulation("energy.potential") - simulation("energy.kinetic"), 1e-9);
}

TEST(PointSprings, WithoutARestItPushesNotAtTheStartAndActsAtItsPoints) {
  // A pin of 0.5 kg·m² held at an arm by a spring across it: ω² = k arm²/I for small angles.
  Json document = Document();
  document["bodies"] = Json::array({Body("b", {{"type", "pin"}})});
  document["bodies"][0]["rates"] = {1e-4};
  document["springs"] = Json::array({{{"a", "ground"},
                                      {"point_a", {0.3, 1, 0}},
                                      {"b", "b"},
                                      {"point_b", {0.3, 0, 0}},
                                      {"stiffness", 100}}});
  Simulation simulation(document);
  EXPECT_EQ(simulation("energy.potential"), 0);
  const double w = std::sqrt(100 * 0.09 / 0.5);
  simulation.AdvanceTo(M_PI / (2 * w));
  EXPECT_NEAR(simulation("b.wz"), 0, 1e-7);
  simulation.AdvanceTo(M_PI / w);
  EXPECT_NEAR(simulation("b.wz"), -1e-4, 1e-8);
}

TEST(Bushings, EachAxisHasItsFrequency) {
  const Vector3d k(50, 200, 450), start(0.01, -0.02, 0.03);
  const Quaterniond q(AngleAxisd(0.7, Vector3d(1, 1, -1).normalized()));
  Json document = Document();
  document["bodies"] = Json::array({Free("b", q * start, 2)});
  document["bodies"][0]["pose"]["q"] = ListOf(q);
  document["bushings"] = Json::array({{{"a", "ground"},
                                       {"b", "b"},
                                       {"frame_a", {{"q", ListOf(q)}}},
                                       {"stiffness", ListOf(k)},
                                       {"angular_stiffness", 8}}});
  Simulation simulation(document);
  simulation.AdvanceTo(0.9);
  const Vector3d w = (k / 2).cwiseSqrt();
  const Vector3d expected = start.array() * (0.9 * w).array().cos();
  ExpectNear(q.inverse() * simulation.Position("b"), expected, 1e-9);
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(Bushings, TorsionSwingsAndItsDampingIsBooked) {
  Json document = Document();
  document["bodies"] = Json::array({Free("b", Vector3d::Zero(), 2)});
  document["bodies"][0]["angular_velocity"] = {0, 0.4, 0};
  document["bushings"] = Json::array({{{"a", "ground"},
                                       {"b", "b"},
                                       {"angular_stiffness", 8},
                                       {"angular_damping", 1},
                                       {"stiffness", 10}}});
  Simulation simulation(document);
  simulation.AdvanceTo(0.6);
  const double w = std::sqrt(16.0 - 1.0);  // I = 0.5, decay 1
  const double spin = 0.4 * std::exp(-0.6) * (std::cos(0.6 * w) - std::sin(0.6 * w) / w);
  EXPECT_NEAR(simulation("b.wy"), spin, 1e-9);
  EXPECT_GT(simulation("energy.dissipated_joint"), 0.01);
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(Couplings, AGearTurnsByItsRatioAndCarriesItsInertia) {
  const double ratio = -2.5, torque = 3;
  Json document = Document();
  document["bodies"] = {Body("a", {{"type", "pin"}}), Body("c", {{"type", "pin"}})};
  document["bodies"][0]["coordinates"] = {0.2};
  document["bodies"][1]["coordinates"] = {0.7};
  document["couplings"] = Json::array({{{"a", "a"}, {"b", "c"}, {"ratio", ratio}}});
  document["motors"] = Json::array({{{"name", "drive"}, {"body", "a"}, {"effort", torque}}});
  Simulation simulation(document);
  simulation.AdvanceTo(0.5);
  const double rate = torque / (0.5 + ratio * ratio * 0.5) * 0.5;
  EXPECT_NEAR(simulation("a.wz"), rate, 1e-8);
  EXPECT_NEAR(simulation("c.wz"), ratio * rate, 1e-8);
  const double angle = 2 * std::atan2(simulation("c.qz"), simulation("c.qw"));
  EXPECT_NEAR(angle, 0.7 + ratio * 0.25 * rate, 1e-8);  // from where it started
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(Couplings, ARackAndASpindle) {
  const double radius = 0.05, lead = 0.02;
  for (const char* key : {"radius", "lead"}) {
    SCOPED_TRACE(key);
    const double slope = key[0] == 'r' ? radius : lead / (2 * M_PI);
    Json document = Document();
    document["gravity"] = {-kGravity, 0, 0};
    document["bodies"] = {Body("a", {{"type", "pin"}}), Body("c", {{"type", "slider"}})};
    document["couplings"] =
        Json::array({{{"a", "a"}, {"b", "c"}, {key, key[0] == 'r' ? radius : lead}}});
    Simulation simulation(document);
    simulation.AdvanceTo(1);
    // The fall of 2 kg turns 0.5 kg·m².
    const double acceleration = -2 * kGravity * slope * slope / (0.5 + 2 * slope * slope);
    EXPECT_NEAR(simulation("c.x"), acceleration / 2, 1e-8);
    EXPECT_NEAR(simulation("c.vx"), slope * simulation("a.wz"), 1e-10);
    EXPECT_LE(simulation.LedgerError(), 1e-8);
  }
}

TEST(Couplings, AGivenOffsetMovesTheStart) {
  Json document = Document();
  document["bodies"] = {Body("a", {{"type", "slider"}}), Body("c", {{"type", "slider"}})};
  document["couplings"] = Json::array({{{"a", "a"}, {"b", "c"}, {"ratio", 2}, {"offset", 0.3}}});
  Simulation simulation(document);
  EXPECT_NEAR(simulation("c.x"), 2 * simulation("a.x") + 0.3, 1e-10);
}

// A crank of 0.1 on a pin, a rod of 0.25 pinned to its end, and a slider along x.
Json SliderCrank(double crank_angle) {
  Json document = Document();
  Json crank = Body("crank", {{"type", "pin"}});
  Json rod = Body(
      "rod", {{"type", "pin"}, {"parent", "crank"}, {"frame_parent", {{"t", {0.1, 0, 0}}}}}, 0.3);
  Json piston = Body("piston", {{"type", "slider"}}, 0.8);
  crank["coordinates"] = {crank_angle};
  piston["coordinates"] = {0.3};
  document["bodies"] = {crank, rod, piston};
  document["loops"] = Json::array(
      {{{"name", "wrist"}, {"a", "rod"}, {"frame_a", {{"t", {0.25, 0, 0}}}}, {"b", "piston"}}});
  return document;
}

TEST(Loops, ASliderCrankFollowsItsClosedForm) {
  Json document = SliderCrank(0.4);  // the rod points elsewhere: the loop is to be closed
  document["bodies"][0]["motion"] = {{"rate", 12}};
  Simulation simulation(document);
  for (const double t : {0.0, 0.1, 0.37, 0.8, 1.0}) {
    if (t > 0) simulation.AdvanceTo(t);
    // The piston's place tells the crank's angle at the start, which closing has changed.
    const double angle = 2 * std::atan2(simulation("crank.qz"), simulation("crank.qw"));
    const double s = 0.1 * std::sin(angle), reach = std::sqrt(0.0625 - s * s);
    EXPECT_NEAR(simulation("piston.x"), 0.1 * std::cos(angle) + reach, 1e-8) << t;
    EXPECT_NEAR(simulation("piston.vx"), -12 * (s + s * 0.1 * std::cos(angle) / reach), 1e-6) << t;
  }
  EXPECT_LE(simulation.LedgerError(), 1e-7);
}

TEST(Loops, EveryIntegratorKeepsThemClosed) {
  for (const char* method : {"adaptive", "stiff", "rk4", "rk3"}) {
    SCOPED_TRACE(method);
    Json document = SliderCrank(0.4);
    document["bodies"][0]["rates"] = {8};
    if (method[0] == 'r') {
      document["integrator"] = {{"method", method}, {"step", 1e-3}};
    } else {
      document["integrator"]["method"] = method;
      document["integrator"]["tolerance"] = 1e-8;
    }
    Simulation simulation(document);
    const double energy = simulation("energy.kinetic");
    simulation.Run(1, 10);
    const Vector3d end =
        simulation.Position("rod") + simulation.Rotation("rod") * Vector3d(0.25, 0, 0);
    ExpectNear(end, simulation.Position("piston"), 1e-6);
    EXPECT_NEAR(simulation("energy.kinetic"), energy, 1e-4 * energy);
  }
}

TEST(Loops, OneThatCannotCloseIsNamedWithWhatItMisses) {
  Json document = SliderCrank(0.4);
  document["loops"][0]["frame_b"] = {{"t", {0, 0, 0.02}}};  // out of the plane
  const std::string message = RefusalOf([&] { Simulation simulation(document); });
  ExpectContains(message, "\"wrist\"");
  ExpectContains(message, "0.02");
  ExpectContains(message, "coordinates");
}

TEST(Loops, ARodMakesAPendulumAndTellsItsTension) {
  // A body that does not turn, hung on a rod of 0.8 and released from the horizontal.
  Json document = Document();
  document["gravity"] = {0, 0, -kGravity};
  document["bodies"] = Json::array({Body("b", {{"type", "translation"}})});
  document["bodies"][0]["pose"] = {{"t", {0.8, 0, 0}}};
  document["loops"] =
      Json::array({{{"name", "rod"}, {"type", "rod"}, {"a", "ground"}, {"b", "b"}}});
  document["sensors"] = Json::array({{{"name", "pull"}, {"type", "loop"}, {"loop", "rod"}}});
  Simulation simulation(document);
  // Through the lowest point after a quarter of the period, K(1/√2) √(l/g).
  const double quarter = 1.8540746773013719 * std::sqrt(0.8 / kGravity);
  simulation.AdvanceTo(quarter);
  ExpectNear(simulation.Position("b"), Vector3d(0, 0, -0.8), 1e-7);
  EXPECT_NEAR(simulation("pull.fz"), 3 * 2 * kGravity, 1e-5);
  EXPECT_NEAR(simulation("pull.fx"), 0, 1e-5);
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(Loops, APointOnAPlaneSlidesDownIt) {
  const double slope = 0.4;
  const Quaterniond q(AngleAxisd(slope, Vector3d::UnitY()));
  for (const char* type : {"point_on_plane", "point_on_line"}) {
    SCOPED_TRACE(type);
    // The line is the z axis of its frame: turned to lie in the plane, downhill.
    const Quaterniond frame =
        type[9] == 'p' ? q : q * Quaterniond(AngleAxisd(M_PI / 2, Vector3d::UnitY()));
    Json document = Document();
    document["gravity"] = {0, 0, -kGravity};
    document["bodies"] = Json::array({Body("b", {{"type", "translation"}})});
    document["loops"] = Json::array({{{"name", "track"},
                                      {"type", type},
                                      {"a", "ground"},
                                      {"frame_a", {{"q", ListOf(frame)}}},
                                      {"b", "b"}}});
    document["sensors"] = Json::array({{{"name", "push"}, {"type", "loop"}, {"loop", "track"}}});
    Simulation simulation(document);
    simulation.AdvanceTo(1);
    const Vector3d downhill = q * Vector3d::UnitX();
    ExpectNear(simulation.Position("b"), 0.5 * kGravity * std::sin(slope) * downhill, 1e-8);
    const Vector3d push = simulation.Vector("push", "fx", "fy", "fz");
    ExpectNear(push, 2 * kGravity * std::cos(slope) * (q * Vector3d::UnitZ()), 1e-8);
  }
}

TEST(Loops, AWeldedPairMovesAsOne) {
  Json document = Document();
  document["bodies"] = {Free("a", Vector3d(0, 0, 0), 1), Free("c", Vector3d(0.5, 0, 0), 3)};
  document["loops"] = Json::array({{{"name", "weld"},
                                    {"type", "weld"},
                                    {"a", "a"},
                                    {"frame_a", {{"t", {0.5, 0, 0}}}},
                                    {"b", "c"}}});
  document["loads"] = Json::array({{{"body", "a"}, {"force", {8, 0, 0}}}});
  document["sensors"] = Json::array({{{"name", "seam"}, {"type", "loop"}, {"loop", "weld"}}});
  Simulation simulation(document);
  simulation.AdvanceTo(1);
  EXPECT_NEAR(simulation("c.vx"), 2, 1e-9);
  EXPECT_NEAR(simulation("a.vx"), 2, 1e-9);
  EXPECT_NEAR(simulation("seam.fx"), 6, 1e-9);  // accelerates 3 kg
}

struct WrongLink {
  const char *list, *item, *place, *words;
};

TEST(Loops, WrongOnesAreNamedWithTheCure) {
  const WrongLink kWrong[] = {
      {"springs", R"({"a": "a", "b": "a", "stiffness": 1})", "springs[0]", "two bodies"},
      {"springs", R"({"a": "a", "stiffness": 1})", "springs[0]", "\"b\""},
      {"springs", R"({"a": "a", "b": "c"})", "springs[0]", "stiffness"},
      {"springs", R"({"a": "a", "b": "c", "stiffness": 1, "rest": -1})", "springs[0].rest",
       "negative"},
      {"bushings", R"({"a": "a", "b": "c", "stiffness": [1, 2, -3]})", "bushings[0].stiffness",
       "negative"},
      {"couplings", R"({"a": "a", "b": "c"})", "couplings[0]", "ratio"},
      {"couplings", R"({"a": "a", "b": "c", "ratio": 1, "lead": 1})", "couplings[0]", "one of"},
      {"couplings", R"({"a": "a", "b": "c", "ratio": 0})", "couplings[0].ratio", "0"},
      {"couplings", R"({"a": "c", "b": "a", "radius": 1})", "couplings[0].radius", "angle"},
      {"couplings", R"({"a": "a", "b": "a", "ratio": 1})", "couplings[0]", "itself"},
      {"couplings", R"({"a": "free", "b": "a", "ratio": 1})", "couplings[0].a", "no coordinates"},
      {"loops", R"({"a": "a", "b": "c"})", "loops[0]", "name"},
      {"loops", R"({"name": "a", "a": "a", "b": "c"})", "loops[0].name", "taken"},
      {"loops", R"({"name": "l", "type": "bal", "a": "a", "b": "c"})", "loops[0].type", "ball"},
      {"loops", R"({"name": "l", "a": "a", "b": "c", "length": 1})", "loops[0].length", "rod"},
      {"loops", R"({"name": "l", "type": "rod", "a": "a", "b": "c", "length": 0})",
       "loops[0].length", "above zero"},
  };
  for (const WrongLink& wrong : kWrong) {
    SCOPED_TRACE(wrong.item);
    Json document = Document();
    document["bodies"] = {Body("a", {{"type", "pin"}}), Body("c", {{"type", "slider"}}),
                          Free("free", Vector3d::Zero(), 1)};
    document[wrong.list] = Json::array({Json::parse(wrong.item)});
    const std::string message = RefusalOf([&] { ScenarioOf(document); });
    ExpectContains(message, wrong.place);
    ExpectContains(message, wrong.words);
  }
}

TEST(Loops, OneAtADeadPointIsNamed) {
  // The rod stands across the ways of both of its ends.
  Json document = Document();
  document["bodies"] = {Body("a", {{"type", "pin"}}), Body("c", {{"type", "slider"}})};
  document["loops"] = Json::array({{{"name", "rod"},
                                    {"type", "rod"},
                                    {"a", "a"},
                                    {"frame_a", {{"t", {0, 1, 0}}}},
                                    {"b", "c"}}});
  ExpectContains(RefusalOf([&] { Simulation simulation(document); }), "dead point");
}

TEST(Loops, ARodWithoutLengthIsRefused) {
  Json document = Document();
  document["bodies"] = Json::array({Body("b", {{"type", "translation"}})});
  document["loops"] =
      Json::array({{{"name", "rod"}, {"type", "rod"}, {"a", "ground"}, {"b", "b"}}});
  ExpectContains(RefusalOf([&] { Simulation simulation(document); }), "\"rod\"");
}

}  // namespace
}  // namespace volcontact::scenario::testing
