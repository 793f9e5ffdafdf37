// Contacts that go around a body, in scenarios: when they are divided, and what they do.
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

// A peg of 5 mm in a bore with 10 µm around it, which lies across gravity.
Json PegInBore(const Json& division) {
  Json document = Document();
  document["gravity"] = {0, -9.81, 0};
  document["bodies"] = {{{"name", "peg"},
                         {"solid", {{"cylinder", {{"radius", 0.005}, {"height", 0.05}}}}},
                         {"density", 8000},
                         {"pose", {{"t", {0, -1e-5, 0}}}}},
                        {{"name", "plate"},
                         {"fixed", true},
                         {"solid",
                          {{"difference",
                            {{{"box", {{"size", {0.04, 0.04, 0.02}}}}},
                             {{"cylinder", {{"radius", 0.00501}, {"height", 0.03}}}}}}}}}};
  Json contact = Volumetric("peg", "plate", 1e13, 0.5);
  contact["geometry"] = {{"tolerance", 1e-8}};
  if (!division.is_null()) contact["geometry"]["division"] = division;
  contact["friction"] = {{"law", "none"}};
  document["contacts"] = {contact};
  document["integrator"] = {{"method", "implicit"}, {"tolerance", 1e-7}};
  return document;
}

std::string ReadingOf(const Json& document) {
  try {
    ScenarioOf(document);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing is wrong";
}

TEST(Division, IsFoundForAPegInItsBoreAndTold) {
  Simulation around(PegInBore(nullptr));
  const std::vector<std::string> notes = around.simulator().Warnings();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("contact \"contact\" goes around a body: divided into 24 sectors"),
            std::string::npos)
      << notes[0];
  Simulation whole(PegInBore("none"));
  EXPECT_EQ(whole.simulator().Warnings(), std::vector<std::string>());
  // What is asked for needs no note.
  EXPECT_TRUE(Simulation(PegInBore(8)).simulator().Warnings().empty());
}

TEST(Division, IsOffAlongTheEigenvectorAndForPatches) {
  Json document = PegInBore(nullptr);
  document["contacts"][0]["direction"] = "eigenvector";
  EXPECT_EQ(Simulation(document).simulator().Warnings(), std::vector<std::string>());
  document = PegInBore(nullptr);
  document["contacts"][0]["geometry"]["per_patch"] = true;
  EXPECT_EQ(Simulation(document).simulator().Warnings(), std::vector<std::string>());
}

// The pieces carry the weight together, each on its own part of the wall: an arc of the bore is
// pressed, whatever its number of sectors.
TEST(Division, PiecesCarryTheWeight) {
  for (const Json& division : {Json(12), Json(24)}) {
    Simulation lies(PegInBore(division));
    lies.Run(0.02, 2);
    const double weight = 8000 * std::acos(-1.0) * 0.005 * 0.005 * 0.05 * 9.81;
    EXPECT_NEAR(lies("contact.fy"), weight, 0.02 * weight);
    EXPECT_NEAR(lies("contact.fx"), 0.0, 0.02 * weight);
    EXPECT_GE(lies("contact.cells"), 2);
    EXPECT_LT(lies.LedgerError(), 5e-4);
  }
}

TEST(Division, GoesOnFromASavedState) {
  Simulation first(PegInBore(24));
  first.AdvanceTo(0.002);
  const std::string saved = first.simulator().Save();
  Simulation second(PegInBore(24));
  second.simulator().Load(saved);
  first.simulator().Load(saved);
  first.AdvanceTo(0.003);
  second.AdvanceTo(0.003);
  for (const char* column : {"peg.y", "peg.vy", "contact.fy", "energy.residual"}) {
    EXPECT_EQ(first(column), second(column)) << column;
  }
}

// A peg flies into its bore from above, and meets the wall within.
Json PegFliesIn(const Json& division) {
  Json document = PegInBore(division);
  document["gravity"] = {0, 0, 0};
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.0365}}};
  document["bodies"][0]["velocity"] = {2e-4, 1e-4, -0.2};
  return document;
}

TEST(Division, IsFoundWhereAContactBegins) {
  constexpr double kEnd = 0.06;
  Simulation found(PegFliesIn(nullptr)), given(PegFliesIn(24));
  EXPECT_TRUE(found.simulator().Warnings().empty());
  found.AdvanceTo(kEnd);
  given.AdvanceTo(kEnd);
  const std::vector<std::string> notes = found.simulator().Warnings();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("goes around a body from t = 0.0"), std::string::npos) << notes[0];
  EXPECT_NE(notes[0].find("divided into 24 sectors"), std::string::npos) << notes[0];
  EXPECT_GT(found("contact.touches"), 0);
  ExpectNear(found.Position("peg"), given.Position("peg"), 1e-7);
  ExpectNear(found.Velocity("peg"), given.Velocity("peg"), 1e-5);
  ExpectNear(found.Spin("peg"), given.Spin("peg"), 1e-3);
  EXPECT_LT(found.LedgerError(), 1e-4);
  // What is saved since goes on alike where nothing was divided yet.
  const std::string saved = found.simulator().Save();
  Simulation second(PegFliesIn(nullptr));
  second.simulator().Load(saved);
  found.simulator().Load(saved);
  found.AdvanceTo(kEnd + 0.005);
  second.AdvanceTo(kEnd + 0.005);
  for (const char* column : {"peg.y", "peg.vy", "contact.fy", "energy.residual"}) {
    EXPECT_EQ(found(column), second(column)) << column;
  }
}

// A peg slides under its weight from a trough, the lower half of a bore, into the bore.
Json PegSlidesIn(const Json& division) {
  Json document = PegInBore(division);
  const Json bore = {{"cylinder", {{"radius", 0.00501}, {"height", 0.2}}}};
  const auto block = [&](const Json& size, const Json& place) {
    const Json box = {{"box", {{"size", size}}}, {"pose", {{"t", place}}}};
    return Json{{"difference", {box, bore}}};
  };
  document["gravity"] = {0, -9.81, -1.962};
  document["bodies"][0]["pose"] = {{"t", {0, -1e-5, 0.0255}}};
  document["bodies"][0]["velocity"] = {0, 0, -0.1};
  document["bodies"][1]["solid"] = {
      {"union",
       {block({0.04, 0.04, 0.02}, {0, 0, -0.01}), block({0.04, 0.02, 0.06}, {0, -0.01, 0.03})}}};
  document["contacts"][0]["normal"] = {{"stiffness", 1e12}, {"restitution", 0.5}};
  document["integrator"] = {{"method", "implicit"}, {"tolerance", 1e-5}};
  return document;
}

TEST(Division, ComesUnderLoadWhereABoreFollowsATrough) {
  const double weight = 8000 * std::acos(-1.0) * 0.005 * 0.005 * 0.05 * 9.81;
  Simulation found(PegSlidesIn(nullptr));
  found.AdvanceTo(0.01);
  EXPECT_TRUE(found.simulator().Warnings().empty());
  // What is saved before goes on alike: where it was looked at is known.
  const std::string saved = found.simulator().Save();
  Simulation second(PegSlidesIn(nullptr));
  second.simulator().Load(saved);
  found.simulator().Load(saved);
  for (Simulation* each : {&found, &second}) each->AdvanceTo(0.105);
  EXPECT_EQ(found("peg.z"), second("peg.z"));
  EXPECT_EQ(found("contact.fy"), second("contact.fy"));
  const std::vector<std::string> notes = found.simulator().Warnings();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("goes around a body from t = 0.0"), std::string::npos) << notes[0];
  EXPECT_GE(found("contact.cells"), 2);
  EXPECT_EQ(found("contact.touches"), 1);
  EXPECT_NEAR(found("contact.fy"), weight, 0.05 * weight);
  // The sectors hold what the whole held: the ledger closes.
  EXPECT_LT(found.LedgerError(), 1e-4);
}

// By multistep methods, too, within their tolerance.
TEST(Division, KeepsTheLedgerOfStiffIntegrators) {
  Json document = PegSlidesIn(nullptr);
  document["bodies"][0]["pose"] = {{"t", {0, -1e-5, 0.0175}}};
  document["integrator"] = {{"method", "stiff"}, {"tolerance", 1e-7}};
  Simulation found(document);
  EXPECT_TRUE(found.simulator().Warnings().empty());
  found.AdvanceTo(0.04);
  EXPECT_EQ(found.simulator().Warnings().size(), 1u);
  EXPECT_GE(found("contact.cells"), 2);
  EXPECT_LT(found.LedgerError(), 1e-5);
}

TEST(Division, RefusesWhatIsNone) {
  const auto says = [](const Json& division, const std::string& part) {
    const std::string text = ReadingOf(PegInBore(division));
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(2, "give 3 to 360 sectors, \"auto\" or \"none\"");
  says(361, "give 3 to 360 sectors");
  says("some", "division");
  says({{"sectors", 8}, {"point", {0, 0, 0}}}, "it goes with \"axis\"");
  says({{"sectors", 8}, {"axis", {0, 0, 0}}}, "an axis must not be zero");
  Json document = PegInBore(24);
  document["contacts"][0]["geometry"]["per_patch"] = true;
  EXPECT_NE(ReadingOf(document).find("three ways; choose one"), std::string::npos);
  document = PegInBore(24);
  document["contacts"][0]["friction"] = {{"law", "patch_coulomb"}, {"mu", 0.1}};
  EXPECT_THROW(Simulation{document}, InvalidInput);
}

}  // namespace
}  // namespace volcontact::scenario::testing
