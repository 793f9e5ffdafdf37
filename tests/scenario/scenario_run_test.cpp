// Runs as a library makes them: hooks, interruption and resumption, summaries as values and files.
#include "volcontact/scenario/scenario_run.h"

#include <filesystem>
#include <fstream>

#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

namespace fs = std::filesystem;

// A ball that falls, and two measures of it.
Json Fall() {
  Json document = Document();
  document["title"] = "A fall";
  document["source"] = "Galilei 1638";
  document["notes"] = {"a note"};
  document["gravity"] = {0, 0, -9.81};
  document["bodies"] = Json::array({Ball("ball")});
  document["end_time"] = 0.1;
  document["output_interval"] = 0.001;
  document["measures"] = {{{"name", "speed"},
                           {"value", "-last(ball.vz)"},
                           {"unit", "m/s"},
                           {"paper", 0.981},
                           {"tolerance", 1e-6},
                           {"source", "page 1"}},
                          {{"name", "wrong"},
                           {"value", "last(ball.z)"},
                           {"paper", {1, 2}},
                           {"reason", "it is a test"},
                           {"reason_range", {-1, 0}}},
                          {{"name", "never"}, {"value", "when(ball.z - 5)"}}};
  return document;
}

class ScenarioRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / (std::string("volcontact_run_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "s.json") << Fall().dump();
    file_ = ReadScenarioFile((folder_ / "s.json").string());
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::optional<RunSummary> Run(const RunOptions& options) const {
    return RunVariant(file_, file_.variants[0], folder_ / "run", options);
  }

  fs::path folder_;
  ScenarioFile file_;
};

// By the default integrator, whose errors are more than the energies of so slow a start.
TEST_F(ScenarioRuns, HardlyMovingIsNoFailure) {
  Json document = Document();
  document.erase("integrator");
  document["bodies"] = Json::array({Ball("wheel")});
  document["bodies"][0]["joint"] = {{"type", "pin"}};
  document["motors"] = Json::parse(R"([{"name": "drive", "body": "wheel",
      "effort": {"sine": {"amplitude": 1e-3, "frequency": 2}}}])");
  document["end_time"] = document["output_interval"] = 0.001;
  std::ofstream(folder_ / "s.json") << document.dump();
  file_ = ReadScenarioFile((folder_ / "s.json").string());
  const auto summary = Run({});
  EXPECT_GT(summary->energy.residual_relative, 0.01);
  EXPECT_EQ(summary->failure, "");
}

TEST_F(ScenarioRuns, TheSummaryIsAValueAndReadsBackFromItsFile) {
  const auto summary = Run({});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->title, "A fall");
  EXPECT_EQ(summary->rows, 101);
  ASSERT_EQ(summary->measures.size(), 3u);
  EXPECT_NEAR(summary->measures[0].value, 0.981, 1e-9);
  EXPECT_TRUE(summary->measures[0].agrees);
  EXPECT_EQ(summary->measures[0].reason, "");
  EXPECT_FALSE(summary->measures[1].agrees);
  EXPECT_EQ(summary->measures[1].reason, "it is a test");
  EXPECT_TRUE(std::isnan(summary->measures[2].value));
  EXPECT_EQ(summary->energy.at_end.front().first, "kinetic");
  EXPECT_NEAR(summary->energy.put_in, 0.7 * 0.981 * 0.981 / 2, 1e-6);
  const RunSummary read = ReadRunSummary(folder_ / "run/summary.json");
  EXPECT_EQ(ToJson(read), ToJson(*summary));
  std::ofstream(folder_ / "run/summary.json") << R"({"title": 3})";
  ExpectContains(RefusalOf([&] { ReadRunSummary(folder_ / "run/summary.json"); }), "summary.json");
}

TEST_F(ScenarioRuns, AShorterRunThanTheFilesDoesNotReachItsMeasures) {
  file_ = ReadScenarioFile((folder_ / "s.json").string(), {"end_time=0.05"});
  const auto summary = Run({});
  ASSERT_TRUE(summary);
  for (const auto& measure : summary->measures) {
    EXPECT_FALSE(measure.reached) << measure.name;
    EXPECT_FALSE(measure.agrees) << measure.name;
    EXPECT_EQ(measure.reason, "") << measure.name;
  }
  EXPECT_EQ(ToJson(ReadRunSummary(folder_ / "run/summary.json")), ToJson(*summary));
}

// The greatest force of an elastic impact is that where the spring has taken all energy:
// k π (R δ³/3 − δ⁴/12) = m v²/2. Resumed or not.
TEST_F(ScenarioRuns, AnImpactBetweenRowsIsInTheSummary) {
  constexpr double kStiffness = 1e9, kRadius = 0.1, kMass = 0.7, kPi = 3.14159265358979323846;
  Json document = Document();
  document["bodies"] = Json::array({Ball("ball"), Plane()});
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.12}}};
  document["bodies"][0]["velocity"] = {0, 0, -1};
  document["contacts"] = Json::array({Volumetric("ball", "plane", kStiffness, 1.0)});
  document["end_time"] = 0.3;
  document["output_interval"] = 0.1;
  std::ofstream(folder_ / "s.json") << document.dump();
  file_ = ReadScenarioFile((folder_ / "s.json").string());
  RunOptions options;
  options.stop = [stops = 0, this]() mutable {
    return fs::exists(folder_ / "run") && ++stops == 40;
  };
  while (!fs::exists(folder_ / "run/summary.json")) {
    Run(options);
    options.resume = true;
  }
  const RunSummary summary = ReadRunSummary(folder_ / "run/summary.json");
  double depth = 1e-3;
  for (int i = 0; i < 50; ++i) {
    const double energy =
        kStiffness * kPi * (kRadius * std::pow(depth, 3) / 3 - std::pow(depth, 4) / 12);
    depth *= std::cbrt(0.5 * kMass / energy);
  }
  const double force = kStiffness * kPi * depth * depth * (kRadius - depth / 3);
  ASSERT_EQ(summary.contacts.size(), 1u);
  EXPECT_EQ(summary.contacts[0].name, "contact");
  EXPECT_EQ(summary.contacts[0].begun, 1);
  EXPECT_NEAR(summary.contacts[0].greatest_force, force, 1e-3 * force);
  EXPECT_LE(summary.contacts[0].greatest_force, force * (1 + 1e-6));
  EXPECT_EQ(summary.contacts[0].greatest_at_outputs, 0.0);
}

TEST_F(ScenarioRuns, HooksAreToldAndAsked) {
  RunOptions options;
  std::vector<double> shares;
  options.progress = [&](double share) { shares.push_back(share); };
  options.finish = [&](const fs::path& folder) {
    EXPECT_TRUE(fs::exists(folder / "summary.json"));
    return std::vector<std::string>{"a warning"};
  };
  const auto summary = Run(options);
  ASSERT_TRUE(summary);
  EXPECT_EQ(shares.size(), 100u);
  EXPECT_EQ(shares.back(), 1.0);
  EXPECT_EQ(summary->warnings, std::vector<std::string>{"a warning"});
  EXPECT_EQ(ReadRunSummary(folder_ / "run/summary.json").warnings, summary->warnings);
}

TEST_F(ScenarioRuns, AStoppedRunIsResumed) {
  RunOptions options;
  int outputs = 0;
  options.progress = [&](double) { ++outputs; };
  options.stop = [&] { return outputs == 30; };
  EXPECT_FALSE(Run(options));
  EXPECT_TRUE(fs::exists(folder_ / "run/checkpoint.json"));
  ExpectContains(RefusalOf([&] { Run({}); }), "--resume");
  RunOptions both;
  both.resume = both.overwrite = true;
  RefusalOf([&] { Run(both); });
  options.resume = true;
  options.stop = nullptr;
  const auto summary = Run(options);
  ASSERT_TRUE(summary);
  EXPECT_EQ(outputs, 100);
  EXPECT_NEAR(summary->measures[0].value, 0.981, 1e-9);
  EXPECT_FALSE(fs::exists(folder_ / "run/checkpoint.json"));
  EXPECT_EQ(ToJson(*Run(options)), ToJson(*summary));  // finished: not run again
  EXPECT_EQ(outputs, 100);
}

TEST_F(ScenarioRuns, ASeriesThatCouldNotBeReadBackIsRefusedAtTheStart) {
  ScenarioVariant variant = file_.variants[0];
  variant.document = WithValue(variant.document, "output_interval", "2e-8");
  ExpectContains(RefusalOf([&] { RunVariant(file_, variant, folder_ / "run", {}); }),
                 "output_interval");
}

TEST(WithValue, RefusesWhatIsNoJson) {
  EXPECT_EQ(Json::parse(WithValue("{\"a\": [1, 2]}", "a.1", "{\"b\": 3}")),
            Json::parse("{\"a\": [1, {\"b\": 3}]}"));
  ExpectContains(RefusalOf([] { WithValue("{", "a", "1"); }), "the document");
  ExpectContains(RefusalOf([] { WithValue("{}", "a", "x"); }), "the value for a");
}

}  // namespace
}  // namespace volcontact::scenario::testing
