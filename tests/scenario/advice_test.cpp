// What is said of a scenario before it runs.
#include "volcontact/scenario/advice.h"

#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

std::vector<std::string> Advice(const Json& document) { return AdviceOf(ScenarioOf(document)); }

Json OnThePlane(double height) {
  Json document = Document();
  document["gravity"] = {0.0, 0.0, -9.81};
  document["bodies"] = {Ball("ball"), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0.0, 0.0, height}}};
  document["contacts"] = {Volumetric("ball", "plane", 1e8, 0.5)};
  return document;
}

TEST(Advice, IsNoneWhereAllIsWell) {
  for (const double height : {0.2, 0.0999}) {
    EXPECT_TRUE(Advice(OnThePlane(height)).empty()) << height;
  }
}

TEST(Advice, TellsOfBodiesThatStartInsideOthers) {
  const auto inside = Advice(OnThePlane(-0.3));
  ASSERT_EQ(inside.size(), 1u);
  ExpectContains(inside[0], "ball starts inside plane");
  ExpectContains(inside[0], "there is no force");
  const auto deep = Advice(OnThePlane(0.0));
  ASSERT_EQ(deep.size(), 1u);
  ExpectContains(deep[0], "50 %");
  ExpectContains(deep[0], "throw them apart");
}

// Bristles of σ1/σ0 = 1 µs: a period of 6 µs.
TEST(Advice, ProposesTheIntegratorForStiffContacts) {
  Json document = OnThePlane(0.2);
  document["contacts"][0]["friction"] = {{"mu_c", 0.3}, {"sigma0", 1e7}, {"sigma1", 10.0}};
  document["output_interval"] = 0.01;
  const auto adaptive = Advice(document);
  ASSERT_EQ(adaptive.size(), 1u);
  ExpectContains(adaptive[0], "\"stiff\" may be faster");
  document["integrator"]["method"] = "stiff";
  EXPECT_TRUE(Advice(document).empty());
  document["integrator"] = {{"method", "rk4"}, {"step", 1e-4}};
  const auto fixed = Advice(document);
  ASSERT_EQ(fixed.size(), 1u);
  ExpectContains(fixed[0], "the step 0.0001 s");
}

TEST(Advice, ProposesCellsForUnionsOfParts) {
  Json document = OnThePlane(0.5);
  Json legs = Json::array();
  for (const double x : {-0.2, 0.2}) {
    legs.push_back({{"box", {{"size", {0.05, 0.05, 0.4}}}}, {"pose", {{"t", {x, 0.0, 0.0}}}}});
  }
  document["bodies"][0]["solid"] = {{"union", legs}};
  const auto advice = Advice(document);
  ASSERT_EQ(advice.size(), 1u);
  ExpectContains(advice[0], "ball is a union of 2 parts");
  document["contacts"][0]["geometry"]["cells"] = true;
  EXPECT_TRUE(Advice(document).empty());
}

TEST(Advice, TimeScalesAreThoseOfTheLaws) {
  ContactParameters parameters;
  parameters.normal = VolumetricNormal{2e8, 2e8, {}};
  const ContactModel model(parameters);
  EXPECT_TRUE(model.Needs().volume);
  EXPECT_FALSE(model.Needs().contact_area);
  ContactGeometry geometry;
  EXPECT_FALSE(std::isfinite(model.TimeScales(geometry, 0.0, 0.0).normal_period));
  geometry.touching = true;
  geometry.contact_area = 1e-3;
  // 2π √(m/(k A)) with k = 1e8 N/m³.
  EXPECT_NEAR(model.TimeScales(geometry, 2.0, 0.0).normal_period, 6.283185307 * std::sqrt(2e-5),
              1e-9);
  parameters.normal = PowerNormal{1e8, 1.5, {}};
  geometry.depth = 1e-4;
  EXPECT_NEAR(ContactModel(parameters).TimeScales(geometry, 2.0, 0.0).normal_period,
              6.283185307 * std::sqrt(2.0 / 1.5e6), 1e-7);
}

}  // namespace
}  // namespace volcontact::scenario::testing
