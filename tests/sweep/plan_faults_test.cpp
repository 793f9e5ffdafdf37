// What a plan reads, and what it leaves to the rows: files with their hashes, rows that fail,
// names.
#include <cmath>
#include <cstring>
#include <limits>

#include "support/message_of.h"
#include "sweep/plan_files.h"

namespace volcontact::sweep {
namespace {

using nlohmann::json;

constexpr char kOff[] =
    "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";

json Parse(const char* text) { return json::parse(text); }

std::vector<std::string> InputsOf(const Plan& plan) {
  std::vector<std::string> paths;
  for (const InputFile& file : plan.inputs()) paths.push_back(file.path);
  return paths;
}

std::string HashOf(const Plan& plan, const std::string& path) {
  for (const InputFile& file : plan.inputs()) {
    if (file.path == path) return file.sha256;
  }
  return "none";
}

std::string RefusalOf(const PlanFolder& folder, const json& document) {
  return MessageOf([&] { folder.Read(document); });
}

void ExpectPart(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text.substr(0, 1000);
}

TEST(PlanFaults, HashesFilesThatSetNames) {
  const PlanFolder folder;
  folder.Write("sp1.json", R"({"sphere": {"radius": 0.1}})");
  folder.Write("sp2.json", R"({"mesh": {"file": "parts.off"}})");
  folder.Write("parts.off", kOff);
  folder.Write("soft.json", R"({"normal": {"stiffness": 1e6}})");
  folder.Write("hard.json", R"({"normal": {"stiffness": 1e9}})");
  json document = Parse(R"({
    "run": {"force": {"a": {"file": "sp1.json"}, "b": {"half_space": {}}, "contact": "soft.json",
                      "options": {"bound_distance": false}}},
    "over": {"rows": 1, "variables": {"k": {"uniform": [1e6, 1e7]}}}, "keep": ["force.z"]})");
  EXPECT_EQ(InputsOf(folder.Read(document)), (std::vector<std::string>{"soft.json", "sp1.json"}));
  document["set"] = {{"a.file", "sp2.json"}};
  const Plan one = folder.Read(document);
  EXPECT_EQ(InputsOf(one), (std::vector<std::string>{"parts.off", "soft.json", "sp2.json"}));
  document["set"] = {{"a", {{"file", "sp2.json"}}}};
  const Plan other = folder.Read(document);
  EXPECT_EQ(InputsOf(other), InputsOf(one));
  folder.Write("parts.off", std::string(kOff) + "\n");
  const Plan changed = folder.Read(document);
  EXPECT_NE(HashOf(changed, "parts.off"), HashOf(one, "parts.off"));
  EXPECT_EQ(HashOf(changed, "sp2.json"), HashOf(one, "sp2.json"));
  // Another contact by "set", with a value in it.
  document["run"]["force"]["a"] = BallJson(0.1);
  document["set"] = {{"contact", "hard.json"}, {"contact.normal.restitution", 0.5}};
  const Plan hard = folder.Read(document);
  ExpectPart(json(InputsOf(hard)).dump(), "hard.json");
  document["set"] = {{"contact.normal.stiffness", 1e9}, {"contact.normal.restitution", 0.5}};
  EXPECT_EQ(AllRows(hard).columns[0], AllRows(folder.Read(document)).columns[0]);
  document["set"] = {{"a.file", "none.json"}};
  document["run"]["force"]["a"] = {{"file", "sp1.json"}};
  ExpectPart(RefusalOf(folder, document), "none.json");
}

// Paths within a scenario start at its own folder, where another file has the same name.
TEST(PlanFaults, HashesFilesOfScenariosBesideThem) {
#if VOLCONTACT_TEST_HAS_SIMULATOR
  const PlanFolder folder;
  std::filesystem::create_directories(folder.path() / "deep");
  folder.Write("ball.json", "not JSON at all");
  folder.Write("deep/ball.json", R"({"sphere": {"radius": 0.2}})");
  folder.Write("deep/first.json", R"({"sphere": {"radius": 0.1}})");
  folder.Write("deep/third.json", R"({"sphere": {"radius": 0.3}})");
  folder.Write("deep/fall.json", R"j({
    "bodies": [{"name": "b", "density": 1000, "solid": {"file": "first.json"}}],
    "end_time": 0.01, "output_interval": 0.01, "measures": [{"name": "z", "value": "last(b.z)"}],
    "variants": [{"name": "one"},
                 {"name": "two", "set": {"bodies.0.solid": {"file": "third.json"}}}]})j");
  json document = Parse(R"({"run": {"simulate": {"scenario": "deep/fall.json"}},
                            "over": {"variables": {"g": {"grid": [1, 2]}}},
                            "set": {"gravity": [0, 0, "g"]}})");
  const std::string scenario = "deep/fall.json";
  EXPECT_EQ(InputsOf(folder.Read(document)),
            (std::vector<std::string>{scenario, "deep/first.json"}));
  document["run"]["simulate"]["variant"] = "two";
  EXPECT_EQ(InputsOf(folder.Read(document)),
            (std::vector<std::string>{scenario, "deep/third.json"}));
  const std::vector<std::string> set = {"deep/ball.json", scenario};
  document["run"]["simulate"]["set"] = {{"bodies.0.solid", {{"file", "ball.json"}}}};
  const Plan whole = folder.Read(document);
  EXPECT_EQ(InputsOf(whole), set);
  EXPECT_TRUE(AllRows(whole).reasons.empty());
  document["run"]["simulate"]["set"] = {{"bodies.0.solid.file", "ball.json"}};
  EXPECT_EQ(InputsOf(folder.Read(document)), set);
  EXPECT_EQ(HashOf(folder.Read(document), "deep/ball.json"), HashOf(whole, "deep/ball.json"));
  document["run"]["simulate"]["set"] = {{"bodies.0.solid.file", "none.json"}};
  ExpectPart(RefusalOf(folder, document), "none.json");
  document["run"]["simulate"]["set"] = {{"bodies.0.jiont", "g"}};
  ExpectPart(RefusalOf(folder, document), "did you mean \"joint\"");
  document["run"]["simulate"]["set"] = {{"bodies.7.mass", "g"}};
  ExpectPart(RefusalOf(folder, document), "not an item of a list");
#else
  GTEST_SKIP() << "without a simulator";
#endif
}

// A derived variable may be called as it likes.
TEST(PlanFaults, OpensNoFileForAVariableOfThatName) {
  const PlanFolder folder;
  const Plan plan = folder.Read(TwoBalls({{"rows", 2},
                                          {"variables", {{"x", {{"uniform", {0, 1}}}}}},
                                          {"derived", {{"file", "2*x"}}}}));
  EXPECT_TRUE(plan.inputs().empty());
  EXPECT_EQ(ColumnOf(plan, AllRows(plan), "file")[1], 2.0 * ColumnOf(plan, AllRows(plan), "x")[1]);
}

TEST(PlanFaults, ValuesOutOfRangeFailInTheirRows) {
  const PlanFolder folder;
  json document = Parse(R"({
    "run": {"mass": {"a": {"union": [{"sphere": {"radius": "r"}}, {"box": {"size": [1, 1, 1]}}]}}},
    "over": {"variables": {"r": {"grid": {"from": -49.5, "to": 2.5, "count": 53}}}},
    "keep": ["volume"]})");
  const Plan some = folder.Read(document);
  EXPECT_TRUE(some.notes().empty());
  EXPECT_EQ(AllRows(some).reasons.size(), 50u);
  // Even all of them, of which the plan remarks what is wrong in the first.
  document["over"] = {{"rows", 3}, {"variables", {{"r", {{"uniform", {-2, -1}}}}}}};
  const Plan none = folder.Read(document);
  ASSERT_EQ(none.notes().size(), 1u);
  ExpectPart(none.notes()[0], "row 0");
  ExpectPart(none.notes()[0], "run.mass.a");
  const ChunkRows rows = AllRows(none);
  ASSERT_EQ(rows.reasons.size(), 3u);
  EXPECT_TRUE(std::isnan(rows.columns[0][2]));
  ExpectPart(none.notes()[0], rows.reasons[0].text);
  // So do whole numbers, and pairs.
  document = TwoBalls({{"rows", 2}, {"variables", {{"n", {{"uniform", {-0.9, -0.1}}}}}}});
  document["run"]["query"]["options"] = {{"max_cells", "n"}};
  EXPECT_EQ(AllRows(folder.Read(document)).reasons.size(), 2u);
}

// What no value mends is refused, though a value before it is out of range in each row.
TEST(PlanFaults, RefusesFormsWhateverTheValuesAre) {
  const PlanFolder folder;
  const json good = Parse(R"({
    "run": {"force": {"a": {"union": [{"sphere": {"radius": "r"}}, {"box": {"size": [1, 1, 1]}}]},
                      "b": {"half_space": {}},
                      "contact": {"normal": {"stiffness": "k"}}}},
    "over": {"variables": {"r": {"grid": {"from": -50, "to": 2, "count": 53}},
                           "k": {"uniform": [1, 2]}}}})");
  folder.Read(good);
  struct Case {
    const char *place, *value, *message;
  };
  const std::vector<Case> cases = {
      {"/run/force/a/union/0/spehre", "{}", "did you mean \"sphere\""},
      {"/run/force/a/union/1", R"({"bxo": {}})", "did you mean \"box\""},
      {"/run/force/a/union/1/box/size", "[1, 1]", "array of 3"},
      {"/run/force/a/union/1/box", R"({"siez": "r"})", "did you mean \"size\""},
      {"/run/force/a/union/1", "{}", "no shape key"},
      {"/run/force/a/union/1/name", "7", "string"},
      {"/run/force/a/union/1/sphere", R"({"radius": 1})", "two shape keys"},
      {"/run/force/a/union/1", R"({"mesh": {"file": "none.off"}})", "none.off"},
      {"/run/force/contact/normal/law", "\"volumetirc\"", "did you mean \"volumetric\""},
      {"/run/force/options", R"({"certify": "r"})", "true or false"},
      {"/run/force/options", R"({"max_cels": "r"})", "did you mean \"max_cells\""},
      {"/run/force/a/union/1/box/size", R"([1, "rr", 1])", "number"}};
  for (const Case& wrong : cases) {
    json document = good;
    document[json::json_pointer(wrong.place)] = json::parse(wrong.value);
    ExpectPart(RefusalOf(folder, document), wrong.message);
  }
}

TEST(PlanFaults, DerivedValuesWithoutMeaningAreNamedAlikeEverywhere) {
  const PlanFolder folder;
  json document = TwoBalls({{"rows", 2},
                            {"variables", {{"x", {{"uniform", {1, 2}}}}}},
                            {"derived", {{"nan", "sqrt(-x)"}, {"more", "1/(x - x)"}}}});
  document["keep"] = {"nan", "volume"};
  const Plan plan = folder.Read(document);
  const ChunkRows rows = AllRows(plan);
  ASSERT_EQ(rows.reasons.size(), 2u);
  // In the order of the columns: derived variables by the alphabet.
  EXPECT_EQ(rows.reasons[0].text, "over.derived.more: not finite in this row");
  document["over"]["derived"] = {{"nan", "sqrt(-x)"}};
  const Plan other = folder.Read(document);
  const ChunkRows nan = AllRows(other);
  EXPECT_EQ(nan.reasons[1].text, "over.derived.nan: not a number in this row");
  const double quiet = std::numeric_limits<double>::quiet_NaN();
  for (const auto& column : nan.columns) {
    EXPECT_EQ(std::memcmp(&column[1], &quiet, sizeof(double)), 0);
  }
}

TEST(PlanFaults, UnitsOfDerivedVariablesAreSi) {
  const PlanFolder folder;
  json document = TwoBalls({{"rows", 2}, {"variables", {{"x", {{"uniform", {1, 2}}}}}}});
  document["over"]["derived"] = {{"y", {{"value", "2*x"}, {"unit", "mm"}}}};
  const std::string refusal = RefusalOf(folder, document);
  ExpectPart(refusal, "over.derived.y.unit");
  ExpectPart(refusal, "not converted");
  document["over"]["derived"]["y"]["unit"] = "m";
  EXPECT_EQ(folder.Read(document).columns()[1].unit, "m");
}

TEST(PlanFaults, MessagesQuoteNoWholeBook) {
  const PlanFolder folder;
  json document = TwoBalls({{"rows", 2}, {"variables", {{"x", {{"uniform", {1, 2}}}}}}});
  std::string sum = "x";
  while (sum.size() < 200000) sum += " + x";
  // Signs of two and more bytes are cut between them.
  std::string signs;
  while (signs.size() < 200000) signs += "±";
  for (const std::string& text :
       {sum + " +", std::string(200000, 'y'), std::string(200000, 'f') + "(x)", "x " + signs}) {
    document["over"]["derived"] = {{"d", text}};
    const std::string refusal = RefusalOf(folder, document);
    ExpectPart(refusal, "over.derived.d");
    EXPECT_LT(refusal.size(), 1000u);
    EXPECT_NO_THROW(json(refusal).dump()) << "is not in UTF-8";
  }
}

// Texts that happen to be names of variables stay where no number can be meant.
TEST(PlanFaults, TextsOfKeysForTextsAreNoVariables) {
  const PlanFolder folder;
  folder.Write("peg.json", R"({"sphere": {"radius": 0.1}})");
  const json range = {{"uniform", {0.05, 0.1}}};
  json document =
      TwoBalls({{"rows", 2},
                {"variables",
                 {{"auto", range}, {"peg.json", range}, {"volumetric", range}, {"peg", range}}}});
  document["run"] = {{"force",
                      {{"a", {{"file", "peg.json"}}},
                       {"b", {{"sphere", {{"radius", "auto"}}}, {"name", "peg"}}},
                       {"contact", {{"normal", {{"law", "volumetric"}, {"stiffness", "peg"}}}}},
                       {"options", {{"method", "auto"}}}}}};
  document["keep"] = {"auto", "volume"};
  for (const bool by_set : {false, true}) {
    if (by_set) {
      document["set"] = {{"a.file", "peg.json"}, {"options.method", "auto"}};
      document["run"]["force"]["a"] = json::object();
      document["run"]["force"].erase("options");
    }
    const Plan plan = folder.Read(document);
    EXPECT_EQ(InputsOf(plan), std::vector<std::string>{"peg.json"});
    const ChunkRows rows = AllRows(plan);
    EXPECT_TRUE(rows.reasons.empty());
    const double volume = 4.0 / 3.0 * M_PI * std::pow(rows.columns[0][1], 3.0);
    EXPECT_NEAR(rows.columns[1][1], volume, 1e-12 * volume);
  }
}

TEST(PlanFaults, ARotationSharesItsNameWithNoOther) {
  const PlanFolder folder;
  folder.Write("t.csv", "R\n1\n");
  json document = TwoBalls({{"rows", 1},
                            {"variables", {{"R", {{"rotation", "uniform"}}}}},
                            {"derived", {{"R", "2*R.qw"}}}});
  ExpectPart(RefusalOf(folder, document), "two variables \"R\"");
  document["over"].erase("derived");
  document["over"].erase("rows");
  document["over"]["csv"] = "t.csv";
  ExpectPart(RefusalOf(folder, document), "two variables \"R\"");
}

TEST(PlanFaults, VoxelsBeyondTheLimitSaySo) {
  const PlanFolder folder;
  json document = TwoBalls({{"rows", 1}, {"variables", {{"x", {{"uniform", {0.05, 0.1}}}}}}});
  document["run"]["query"]["pose_a"] = {{"t", {"x", 0, 0}}};
  document["run"]["query"]["options"] = {
      {"method", "voxel"}, {"voxel_size", 1e-12}, {"max_cells", 1000}};
  const ChunkRows rows = AllRows(folder.Read(document));
  ASSERT_EQ(rows.reasons.size(), 1u);
  EXPECT_EQ(rows.reasons[0].text,
            "the tolerance 1e-06 was not reached by the method voxel with max_cells 1000");
}

}  // namespace
}  // namespace volcontact::sweep
