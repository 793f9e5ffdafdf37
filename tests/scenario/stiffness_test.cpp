// Stiffnesses that scenarios leave to us: how deep bodies rest with them.
#include "scenario/scenarios.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/io/contact_file.h"

namespace volcontact::scenario::testing {
namespace {

Json OnAPlane(const Json& solid, double height) {
  Json document = Document();
  document["gravity"] = {0, 0, -kGravity};
  document["bodies"] = {{{"name", "body"},
                         {"solid", solid},
                         {"density", 2700},
                         {"pose", {{"t", {0.1, -0.2, height}}}}},
                        Plane()};
  document["contacts"] = {Volumetric("body", "plane", 1, 0.3)};
  document["contacts"][0]["normal"]["stiffness"] = "auto";
  return document;
}

double StiffnessOf(const Json& document) {
  const Scenario scenario = ScenarioOf(document);
  const auto& normal = std::get<VolumetricNormal>(scenario.contacts[0].parameters.normal);
  return SeriesStiffness(normal.stiffness_a, normal.stiffness_b);
}

TEST(ChosenStiffness, BodiesRestAsDeepAsWanted) {
  // Shapes that begin above the plane, on it and in it: with what is chosen for them they stay
  // where they are at the depth that was wanted.
  const Json box = {{"box", {{"size", {0.2, 0.1, 0.06}}}}};
  const Json ball = {{"sphere", {{"radius", 0.05}}}};
  struct Resting {
    Json solid;
    double half, height;
  };
  const double depth = 2e-4;
  for (const Resting& at : {Resting{box, 0.03, 0.1},
                            {box, 0.03, 0.03},
                            {box, 0.03, 0.0295},
                            {ball, 0.05, 0.0499},
                            {ball, 0.05, 0.07}}) {
    Json document = OnAPlane(at.solid, at.height);
    document["contacts"][0]["normal"]["rest_depth"] = depth;
    const double stiffness = StiffnessOf(document);
    document["contacts"][0]["normal"] = {{"stiffness", stiffness}, {"restitution", 0.3}};
    document["bodies"][0]["pose"]["t"][2] = at.half - depth;
    document["end_time"] = 0.05;
    Simulation simulation(document);
    simulation.Run(0.05, 5);
    EXPECT_NEAR(at.half - simulation("body.z"), depth, 1e-4 * depth) << at.solid << at.height;
    EXPECT_LT(std::abs(simulation("body.vz")), 1e-4 * kGravity * std::sqrt(depth / kGravity));
  }
}

TEST(AtRest, BodiesStayWhereTheyBegin) {
  const Json shapes[] = {{{"box", {{"size", {0.2, 0.1, 0.06}}}}}, {{"sphere", {{"radius", 0.05}}}}};
  for (const Json& shape : shapes) {
    for (const double height : {0.02, 0.05, 0.4}) {  // in the plane, near it, far above
      SCOPED_TRACE(height);
      Json document = OnAPlane(shape, height);
      document["contacts"][0]["normal"] = {{"stiffness", 2e8}, {"restitution", 0.3}};
      document["contacts"][0]["start"] = "at_rest";
      document["contacts"][0]["friction"] = Bristles();
      Simulation simulation(document);
      const double weight = ScenarioOf(document).bodies[0].mass * kGravity;
      EXPECT_EQ(simulation("contact.touching"), 1);
      EXPECT_NEAR(simulation("contact.fn"), weight, 2e-6 * weight);
      EXPECT_NEAR(simulation("body.x"), 0.1, 1e-15);
      const double z = simulation("body.z");
      const double depth = (shape.contains("box") ? 0.03 : 0.05) - z;
      EXPECT_GT(depth, 0);
      simulation.Run(0.05, 5);
      EXPECT_NEAR(simulation("body.z"), z, 3e-6 * depth);
      EXPECT_NEAR(simulation("contact.fn"), weight, 1e-5 * weight);
    }
  }
}

TEST(AtRest, ASlopeCarriesItsPartOfTheWeight) {
  const double slope = 0.3;
  const Quaterniond q(Eigen::AngleAxisd(slope, Vector3d::UnitY()));
  Json document = OnAPlane({{"box", {{"size", {0.1, 0.1, 0.1}}}}}, 0.3);
  document["bodies"][0]["pose"]["q"] = ListOf(q);
  document["bodies"][1]["pose"]["q"] = ListOf(q);
  document["contacts"][0]["normal"] = {{"stiffness", 1e8}};
  document["contacts"][0]["start"] = "at_rest";
  Simulation simulation(document);
  EXPECT_NEAR(simulation("contact.fn"), 2.7 * kGravity * std::cos(slope), 1e-4);
}

TEST(AtRest, WhatCannotRestIsNamed) {
  const auto refusal = [](const char* path, const Json& value) {
    Json document = OnAPlane({{"sphere", {{"radius", 0.05}}}}, 0.1);
    document["contacts"][0]["normal"] = {{"stiffness", 1e8}};
    document["contacts"][0]["start"] = "at_rest";
    SetValue(path, value, &document);
    return RefusalOf([&] { ScenarioOf(document); });
  };
  ExpectContains(refusal("gravity", {0, 0, 0}), "contacts[0].start");
  ExpectContains(refusal("gravity", {0, 0, 9.81}), "does not meet");
  ExpectContains(refusal("contacts.0.normal.stiffness", 1), "sinks through");
  ExpectContains(refusal("contacts.0.start", "rest"), "at_rest");
  ExpectContains(refusal("contacts.0.b", "body"), "itself");
}

TEST(ChosenStiffness, OfMaterialsItIsHertzs) {
  const double radius = 0.03;
  Json document = OnAPlane({{"sphere", {{"radius", radius}}}}, 0.5);
  document["bodies"][0]["material"] = "stainless_steel";
  document["bodies"][1]["material"] = "aluminium";
  const double force = ScenarioOf(document).bodies[0].mass * kGravity;
  const double modulus = EffectiveModulus({200e9, 0.27}, {69e9, 0.33});
  EXPECT_NEAR(StiffnessOf(document) / BallStiffness(modulus, radius, force), 1, 1e-3);
  document["bodies"][1].erase("material");  // rigid
  EXPECT_NEAR(
      StiffnessOf(document) / BallStiffness(EffectiveModulus({200e9, 0.27}, {}), radius, force), 1,
      1e-3);
}

TEST(ChosenStiffness, OfNeitherItIsAThousandthOfTheSize) {
  const double edge = 0.1;
  const double stiffness = StiffnessOf(OnAPlane({{"box", {{"size", {edge, edge, edge}}}}}, 0.3));
  EXPECT_NEAR(stiffness, 2700 * edge * kGravity / 1e-4, 1e-2 * stiffness);
}

TEST(ChosenStiffness, TheOrderOfTheBodiesDoesNotMatter) {
  Json document = OnAPlane({{"sphere", {{"radius", 0.05}}}}, 0.1);
  const double stiffness = StiffnessOf(document);
  document["contacts"][0]["a"] = "plane";
  document["contacts"][0]["b"] = "body";
  EXPECT_NEAR(StiffnessOf(document), stiffness, 1e-9 * stiffness);
}

TEST(ChosenStiffness, OfTwoThatMoveTheUpperOneRests) {
  Json document = OnAPlane({{"box", {{"size", {0.1, 0.1, 0.1}}}}}, 0.05);
  Json upper = document["bodies"][0];
  upper["name"] = "upper";
  upper["density"] = 5400;
  upper["pose"]["t"][2] = 0.2;
  document["bodies"] = {document["bodies"][0], upper};
  document["contacts"][0]["b"] = "upper";
  document["contacts"][0]["normal"]["rest_depth"] = 1e-4;
  const double stiffness = StiffnessOf(document);
  EXPECT_NEAR(stiffness, 5400 * 1e-3 * kGravity / (0.01 * 1e-4), 1e-3 * stiffness);
}

TEST(ChosenStiffness, BodiesOnJointsCountAsSpheres) {
  Json document = OnAPlane({{"sphere", {{"radius", 0.05}}}}, 0.1);
  document["bodies"][0].erase("pose");
  document["bodies"][0]["joint"] = {{"type", "pin"}};
  document["contacts"][0]["normal"]["rest_depth"] = 1e-4;
  const Scenario scenario = ScenarioOf(document);
  const double force = scenario.bodies[0].mass * kGravity, stiffness = StiffnessOf(document);
  EXPECT_NEAR(stiffness, force / (M_PI * 0.05 * 1e-8), 2e-3 * stiffness);
  ASSERT_EQ(scenario.notes.size(), 1u);
  ExpectContains(scenario.notes[0], "spheres");
  ExpectContains(scenario.notes[0], "contact");
}

TEST(ChosenStiffness, AutomaticBristlesAreThoseOfTheEstimate) {
  Json document = OnAPlane({{"sphere", {{"radius", 0.05}}}}, 0.1);
  document["contacts"][0]["friction"] = {
      {"mu_s", 0.4}, {"mu_c", 0.3}, {"sigma0", "auto"}, {"sigma1", "auto"}};
  const Scenario scenario = ScenarioOf(document);
  const auto& bristles = std::get<BristleFriction>(scenario.contacts[0].parameters.friction);
  EXPECT_NEAR(bristles.sigma0, 4000, 1e-9);
  EXPECT_NEAR(bristles.sigma1, 2 * std::sqrt(4000 / kGravity), 1e-9);
}

TEST(ChosenStiffness, WhatIsWrongIsNamedWithTheCure) {
  const auto refusal = [](const char* path, const Json& value) {
    Json document = OnAPlane({{"sphere", {{"radius", 0.05}}}}, 0.1);
    SetValue(path, value, &document);
    return RefusalOf([&] { ScenarioOf(document); });
  };
  ExpectContains(refusal("gravity", {0, 0, 0}), "contacts[0].normal.stiffness");
  ExpectContains(refusal("gravity", {0, 0, 0}), "gravity");
  ExpectContains(refusal("gravity", {0, 0, 9.81}), "does not meet");
  ExpectContains(refusal("bodies.0.material", "unobtainium"), "bodies[0].material");
  ExpectContains(refusal("bodies.0.material", "unobtainium"), "stainless_steel");
  ExpectContains(refusal("contacts.0.normal.rest_depth", -1), "rest_depth");
  ExpectContains(refusal("contacts.0.normal.rest_depth", 1), "body ends");
  ExpectContains(refusal("contacts.0.normal.stiffness", "soft"), "contacts[0].normal.stiffness");
  Json number = OnAPlane({{"sphere", {{"radius", 0.05}}}}, 0.1);
  number["contacts"][0]["normal"]["stiffness"] = 1e9;
  number["contacts"][0]["normal"]["rest_depth"] = 1e-4;
  ExpectContains(RefusalOf([&] { ScenarioOf(number); }), "rest_depth");
  ExpectContains(
      RefusalOf([] { ParseContactFile(R"({"normal": {"stiffness": "auto"}})", "contact.json"); }),
      "estimate contact");
}

}  // namespace
}  // namespace volcontact::scenario::testing
