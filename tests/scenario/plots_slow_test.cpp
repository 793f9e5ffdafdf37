// Plots of a run and in the report. They need a Python with matplotlib; without it the run says so.
#include <filesystem>
#include <fstream>

#include "cli/run_tool.h"
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

namespace fs = std::filesystem;

class Plots : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Json document = Document();
    document["title"] = "A fall";
    document["gravity"] = {0, 0, -9.81};
    document["bodies"] = {Ball("ball"), Plane()};
    document["bodies"][0]["pose"] = {{"t", {0, 0, 0.11}}};
    document["contacts"] = Json::array({Volumetric("ball", "plane", 1e7, 0.5)});
    document["end_time"] = 0.1;
    document["plots"] = {{{"title", "Height"}, {"y", {"ball.z", "ball.z - 0.1"}}}};
    fs::create_directories(directory_ / "scenarios");
    Write("scenarios/fall.json", document.dump());
  }

  bool HasPictures(const std::string& folder) const {
    for (const auto& entry : fs::directory_iterator(directory_ / folder)) {
      if (entry.path().extension() == ".png" && fs::file_size(entry) > 1000) return true;
    }
    return false;
  }
};

TEST_F(Plots, ARunIsDrawnOrSaysWhyNot) {
  const ToolRun run = Run("simulate scenarios/fall.json --out run --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const Json warnings = Json::parse(run.out)["warnings"];
  EXPECT_NE(HasPictures("run"), !warnings.empty()) << warnings;
}

TEST_F(Plots, BothKindsAreDrawnAndShownByThePage) {
  const ToolRun run = Run("simulate scenarios/fall.json --out run --json --plots png,svg");
  ASSERT_EQ(run.status, 0) << run.err;
  if (!HasPictures("run")) GTEST_SKIP() << "no Python with matplotlib";
  const std::string page = Contents("run/index.html");
  for (const char* stem : {"trajectory", "velocities", "forces", "energies", "plot_0"}) {
    EXPECT_TRUE(fs::exists(directory_ / "run" / (std::string(stem) + ".svg"))) << stem;
    ExpectContains(page, "<img src=\"" + std::string(stem) + ".png\"");
    ExpectContains(page, "href=\"" + std::string(stem) + ".svg\"");
  }
  // All of them stand together, in as many columns as there is room for.
  const std::string grid = "<div class=\"pictures\">";
  const std::size_t first = page.find(grid);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(page.find(grid, first + 1), std::string::npos);
  EXPECT_LT(page.find("plot_0.png", first), page.find("</div>", first));
  // Its panels are shown already.
  EXPECT_EQ(page.find("<img src=\"overview"), std::string::npos);
  ExpectContains(page, "href=\"overview.png\"");
  // An earlier run's pictures would pass for those of the next one.
  ASSERT_EQ(Run("simulate scenarios/fall.json --out run --overwrite --no-plots").status, 0);
  EXPECT_FALSE(fs::exists(directory_ / "run/overview.svg") || HasPictures("run"));
}

TEST_F(Plots, AMissingPythonCostsThePlotsOnly) {
  setenv("VOLCONTACT_PYTHON", "/bin/false", 1);
  const ToolRun without =
      Run("simulate scenarios/fall.json --out without --json --set end_time=0.01");
  unsetenv("VOLCONTACT_PYTHON");
  EXPECT_EQ(without.status, 0) << without.err;
  EXPECT_TRUE(Json::parse(without.out).is_object());
  EXPECT_TRUE(fs::exists(directory_ / "without/timeseries.csv"));
}

TEST_F(Plots, TheReportShowsThem) {
  const ToolRun run = Run("reproduce --scenarios scenarios --only fall --out report --json");
  ASSERT_EQ(run.status, 0) << run.err;
  if (!HasPictures("report/fall")) GTEST_SKIP() << "no Python with matplotlib";
  for (const char* name : {"report/report.md", "report/report.html"}) {
    std::ifstream stream(directory_ / name);
    const std::string text{std::istreambuf_iterator<char>(stream),
                           std::istreambuf_iterator<char>()};
    ExpectContains(text, ".png");
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing
