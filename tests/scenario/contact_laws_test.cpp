// Laws by what their file says: a given λ, one coefficient for both, the direction.
#include "scenario/scenarios.h"
#include "volcontact/forces/damping.h"
#include "volcontact/io/contact_file.h"

namespace volcontact::scenario::testing {
namespace {

ContactParameters Parse(const Json& json) {
  return ParseContactFile(json.dump(), "contact.json").parameters;
}

// λ/k = D(e)/v: the impact at v rebounds at e (Gonthier 2007, Eq. (3.23)), slower ones at more.
TEST(ContactLaws, HuntAndCrossleyWithAGivenDamping) {
  const double e = 0.6, speed = 0.5, D = SolveDamping(e).d / e;
  for (const bool volumetric : {true, false}) {
    SCOPED_TRACE(volumetric);
    double before = 0.0;
    for (const double v : {speed, 0.1 * speed}) {
      Json document = Document();
      document["bodies"] = {Ball("ball"), Plane()};
      document["bodies"][0]["pose"] = {{"t", {0.0, 0.0, 0.1001}}};
      document["bodies"][0]["velocity"] = {0.0, 0.0, -v};
      const double k = volumetric ? 1e9 : 1e8;
      Json contact =
          volumetric ? Volumetric("ball", "plane", k, 1.0) : Hertz("ball", "plane", k, 1.0);
      contact["normal"].erase("restitution");
      contact["normal"]["damping"] = k * D / speed;
      document["contacts"] = Json::array({contact});
      Simulation simulation(document);
      simulation.AdvanceTo(0.1);
      ASSERT_EQ(simulation("contact.touching"), 0);
      const double ratio = simulation("ball.vz") / v;
      if (v == speed) {
        EXPECT_NEAR(ratio, e, 1e-6);
      }
      EXPECT_GT(ratio, before);
      before = ratio;
    }
    EXPECT_GT(before, 0.9);
  }
}

TEST(ContactLaws, AGivenDampingExcludesTheRestitution) {
  const Json normal = {{"stiffness", 1e9}, {"damping", 10.0}};
  Json both = {{"normal", normal}};
  EXPECT_EQ(*std::get<VolumetricNormal>(Parse(both).normal).damping.hysteresis, 10.0);
  for (const char* key : {"restitution", "v_small", "impact_velocity"}) {
    both = {{"normal", normal}};
    both["normal"][key] = 0.5;
    ExpectContains(RefusalOf([&] { Parse(both); }), "not read with \"damping\"");
  }
}

TEST(ContactLaws, EitherCoefficientStandsForBoth) {
  for (const char* key : {"mu_s", "mu_c"}) {
    Json contact = {{"normal", {{"stiffness", 1e9}}},
                    {"friction", {{"sigma0", 1e4}, {"sigma1", 300}}}};
    contact["friction"][key] = 0.3;
    const auto friction = std::get<BristleFriction>(Parse(contact).friction);
    EXPECT_EQ(friction.mu_s, 0.3);
    EXPECT_EQ(friction.mu_c, 0.3);
    contact["friction"].erase(key);
    ExpectContains(RefusalOf([&] { Parse(contact); }), "mu_c");
  }
}

TEST(ContactLaws, TheDirectionIsTheAreaVectorUnlessTold) {
  Json contact = {{"normal", {{"stiffness", 1e9}}}};
  EXPECT_EQ(Parse(contact).direction, ContactDirection::kAreaVector);
  contact["direction"] = "eigenvector";
  EXPECT_EQ(Parse(contact).direction, ContactDirection::kEigenvector);
}

}  // namespace
}  // namespace volcontact::scenario::testing
