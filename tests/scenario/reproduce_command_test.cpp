// volcontact reproduce: the report on a folder of scenarios.
#include <filesystem>
#include <fstream>

#include "cli/run_tool.h"
#include "scenario/scenarios.h"
#include "support/paths.h"

namespace volcontact::scenario::testing::reproduce_command_test {
namespace {

namespace fs = std::filesystem;

// A fall of 0.1 s, beside what its source is said to state.
Json Fall(const char* title, double paper) {
  Json document = Document();
  document["title"] = title;
  document["source"] = "Galilei 1638, <On> falling & rolling";
  document["gravity"] = {0, 0, -9.81};
  document["bodies"] = Json::array({Ball("ball")});
  document["end_time"] = 0.1;
  document["output_interval"] = 0.01;
  document["measures"] = {{{"name", "speed"},
                           {"value", "-last(ball.vz)"},
                           {"paper", paper},
                           {"tolerance", 1e-6},
                           {"unit", "m/s"}}};
  return document;
}

class ReproduceTool : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    fs::create_directories(directory_ / "scenarios");
    Write("scenarios/good.json", Fall("A fall that agrees", 0.981).dump());
    Write("scenarios/bad.json", Fall("A fall that differs", 0.5).dump());
    Json explained = Fall("A fall that is explained", 0.5);
    explained["measures"][0]["reason"] = "the source has another planet";
    explained["measures"][0]["reason_range"] = {0.98, 0.99};
    Write("scenarios/explained.json", explained.dump());
  }
};

TEST_F(ReproduceTool, OnlyTheScenarioAskedFor) {
  const ToolRun run =
      Run("reproduce --scenarios scenarios --out report --only good --no-plots --json");
  EXPECT_EQ(run.status, 0) << run.err;
  const Json overview = Json::parse(run.out);  // exactly one object
  EXPECT_TRUE(overview.is_object());
  ASSERT_EQ(overview["scenarios"].size(), 1u);
  EXPECT_EQ(overview["scenarios"][0]["scenario"], "good");
  EXPECT_EQ(overview["scenarios"][0]["agree"], 1);
  EXPECT_EQ(overview["scenarios"][0]["differ"], 0);
  EXPECT_LT(overview["scenarios"][0]["worst_ledger"], 1e-6);
  for (const char* name : {"report/report.md", "report/report.html"}) {
    const std::string text = Contents(name);
    ExpectContains(text, "A fall that agrees");
    ExpectContains(text, "0.981");
    ExpectContains(text, "speed");
    EXPECT_EQ(text.find("A fall that differs"), std::string::npos);
  }
  // What is markup in HTML is escaped there.
  EXPECT_EQ(Contents("report/report.html").find("<On>"), std::string::npos);
  ExpectContains(Contents("report/report.html"), "&lt;On&gt;");
  EXPECT_TRUE(fs::exists(directory_ / "report/good/timeseries.csv"));
}

// Those that take less than a second.
TEST_F(ReproduceTool, MechanismsDoWhatTheorySays) {
  std::string only;
  for (const char* name : {"cam_and_follower", "chain", "dovetail_slide", "gear_pair", "gripper",
                           "ratchet", "snap_latch"}) {
    only += std::string(" --only ") + name;
  }
  const ToolRun run = Run("reproduce --scenarios " + std::string(volcontact::DataFolder()) +
                          "/scenarios --out report --no-plots --json" + only);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(Json::parse(run.out)["scenarios"].size(), 7u);
}

TEST_F(ReproduceTool, DifferencesCountUnlessExplained) {
  const ToolRun all = Run("reproduce --scenarios scenarios --out report --no-plots --json");
  EXPECT_EQ(all.status, 1) << all.err;
  const Json scenarios = Json::parse(all.out)["scenarios"];
  ASSERT_EQ(scenarios.size(), 3u);
  EXPECT_EQ(scenarios[0]["differ"], 1);
  EXPECT_EQ(scenarios[1]["explained"], 1);
  EXPECT_EQ(scenarios[1]["differ"], 0);
  EXPECT_EQ(scenarios[2]["agree"], 1);
  ExpectContains(Contents("report/report.md"), "another planet");
  ExpectContains(Contents("report/report.html"), "another planet");
  EXPECT_EQ(Run("reproduce --scenarios scenarios --out two --no-plots --only good "
                "--only explained")
                .status,
            0);
}

TEST_F(ReproduceTool, ResumesFinishedRunsWithoutRunningThemAgain) {
  ASSERT_EQ(Run("reproduce --scenarios scenarios --out r --only good --no-plots").status, 0);
  const auto written = fs::last_write_time(directory_ / "r/good/timeseries.csv");
  fs::remove(directory_ / "r/report.md");
  ASSERT_EQ(Run("reproduce --scenarios scenarios --out r --only good --no-plots --resume").status,
            0);
  EXPECT_EQ(fs::last_write_time(directory_ / "r/good/timeseries.csv"), written);
  EXPECT_TRUE(fs::exists(directory_ / "r/report.md"));
}

TEST_F(ReproduceTool, RefusesWhatIsNotThere) {
  ExpectRefusal("reproduce --scenarios scenarios --out r --only nothing", "scenarios");
  ExpectRefusal("reproduce --scenarios scenarios --out r --only good --only nothing", "scenarios");
  ExpectRefusal("reproduce --scenarios absent --out r", "absent");
  ExpectRefusal("reproduce --scenarios scenarios --out scenarios/good.json --no-plots",
                "good.json");
  Write("scenarios/zz_broken.json", "{");
  ExpectRefusal("reproduce --scenarios scenarios --out r --no-plots", "zz_broken.json");
  EXPECT_FALSE(fs::exists(directory_ / "r/good/timeseries.csv"));  // errors come first
}

}  // namespace
}  // namespace volcontact::scenario::testing::reproduce_command_test
