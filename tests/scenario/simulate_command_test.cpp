// volcontact simulate: the files it writes, what it prints, what it refuses.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/run_tool.h"
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

namespace fs = std::filesystem;

// A ball that bounces once.
Json Bounce() {
  Json document = Document();
  document["title"] = "A ball bounces";
  document["source"] = "nowhere";
  document["notes"] = {"a note"};
  document["gravity"] = {0, 0, -9.81};
  document["bodies"] = {Ball("ball"), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.12}}};
  document["contacts"] = Json::array({Hertz("ball", "plane", 1e7, 0.5)});
  document["end_time"] = 0.1;
  document["output_interval"] = 0.001;
  document["measures"] = {
      {{"name", "spring"}, {"value", "min(ball.z)"}, {"unit", "m"}, {"paper", {0.09, 0.1}}},
      {{"name", "wrong"},
       {"value", "max(ball.z)"},
       {"paper", 7},
       {"tolerance", 1},
       {"reason", "it is a test"},
       {"reason_range", {0, 1}},
       {"source", "page 1"}},
      {{"name", "never"}, {"value", "when(ball.z - 5)"}}};
  return document;
}

class SimulateTool : public ToolTest {
 protected:
  Json ReadJson(const std::string& name) const {
    std::ifstream stream(directory_ / name);
    return Json::parse(stream, nullptr, false);
  }
};

TEST_F(SimulateTool, WritesTheTimeSeries) {
  Write("s.json", Bounce().dump());
  const ToolRun run = Run("simulate s.json --out new/run --no-plots");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  ExpectContains(run.out, "spring");
  const TimeSeries series = ReadTimeSeries(directory_ / "new/run/timeseries.csv");
  EXPECT_EQ(series.names.front(), "t");
  EXPECT_EQ(series.names.back(), "energy.residual");
  EXPECT_EQ(series.names.size(), 1u + 13 + 31 + 14);
  ASSERT_EQ(series.columns[0].size(), 101u);
  for (std::size_t i = 0; i <= 100; ++i) {
    EXPECT_NEAR(series.columns[0][i], 1e-3 * static_cast<double>(i), 1e-15);
  }
  EXPECT_EQ(series.columns[0].back(), 0.1);
  // Before the impact, a fall.
  EXPECT_NEAR(series.Column("ball.z")[50], 0.12 - 4.905 * 0.0025, 1e-9);
  for (const auto& entry : fs::recursive_directory_iterator(directory_ / "new")) {
    EXPECT_NE(entry.path().extension(), ".png");
    EXPECT_NE(entry.path().filename(), "checkpoint.json");
  }
}

TEST_F(SimulateTool, TheLastRowIsTheEndTime) {
  Json document = Bounce();
  document["end_time"] = 0.0105;
  Write("s.json", document.dump());
  ASSERT_EQ(Run("simulate s.json --out run --no-plots").status, 0);
  const TimeSeries series = ReadTimeSeries(directory_ / "run/timeseries.csv");
  ASSERT_EQ(series.columns[0].size(), 12u);
  EXPECT_EQ(series.columns[0].back(), 0.0105);
}

TEST_F(SimulateTool, TheSummaryHasStatisticsLedgerAndMeasures) {
  Write("s.json", Bounce().dump());
  const ToolRun run = Run("simulate s.json --out run --no-plots --json");
  EXPECT_EQ(run.status, 0) << run.err;
  const Json summary = ReadJson("run/summary.json");
  ASSERT_TRUE(summary.is_object());
  EXPECT_EQ(Json::parse(run.out), summary);  // exactly one object, and the same
  EXPECT_EQ(summary["title"], "A ball bounces");
  EXPECT_EQ(summary["source"], "nowhere");
  EXPECT_EQ(summary["notes"], Json::array({"a note"}));
  EXPECT_EQ(summary["rows"], 101);
  EXPECT_EQ(summary["end_time"], 0.1);
  EXPECT_GT(summary["stats"]["steps"], 10);
  EXPECT_GE(summary["stats"]["attempts"], summary["stats"]["steps"]);
  EXPECT_GT(summary["stats"]["evaluations"], summary["stats"]["steps"]);
  EXPECT_GT(summary["stats"]["seconds"], 0);
  EXPECT_LT(summary["energy"]["residual_relative"], 1e-6);
  const double lost = summary["energy"]["dissipated_damping"];
  EXPECT_NEAR(lost, 0.7 * 9.81 * 0.02 * 0.75, 0.05 * lost);  // 1 − e², and the depth
  const Json& measures = summary["measures"];
  ASSERT_EQ(measures.size(), 3u);
  EXPECT_EQ(measures[0]["name"], "spring");
  EXPECT_EQ(measures[0]["unit"], "m");
  EXPECT_EQ(measures[0]["agrees"], true);
  EXPECT_EQ(measures[1]["agrees"], false);
  EXPECT_EQ(measures[1]["reason"], "it is a test");
  EXPECT_TRUE(measures[2]["value"].is_null());
  EXPECT_FALSE(measures[2].contains("agrees"));
}

TEST_F(SimulateTool, ComparesWithTheSourceOnlyWhatIsItsExperiment) {
  Write("s.json", Bounce().dump());
  const std::string simulate = "simulate s.json --no-plots --set output_interval=0.002 --out ";
  EXPECT_EQ(Run(simulate + "coarse").status, 0);
  const Json compared = ReadJson("coarse/summary.json")["measures"];
  EXPECT_EQ(compared[0]["agrees"], true);
  ExpectContains(Run(simulate + "light --set bodies.0.mass=0.4").out,
                 "not compared: --set changed the experiment");
  const Json measures = ReadJson("light/summary.json")["measures"];
  EXPECT_EQ(measures[0]["paper"], compared[0]["paper"]);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(measures[i]["agrees"].is_null());
    EXPECT_FALSE(measures[i].contains("reason"));
  }
}

TEST_F(SimulateTool, VariantsGoIntoFoldersOfTheirOwn) {
  Json document = Bounce();
  document["end_time"] = 0.002;
  document["variants"] = {{{"name", "low"}}, {{"name", "high"}, {"set", {{"end_time", 0.005}}}}};
  document["measures"][1]["variant"] = "high";
  Write("s.json", document.dump());
  const ToolRun both = Run("simulate s.json --out run --no-plots --json");
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_TRUE(Json::parse(both.out).is_object());
  EXPECT_EQ(ReadJson("run/low/summary.json")["rows"], 3);
  EXPECT_EQ(ReadJson("run/low/summary.json")["measures"].size(), 2u);
  EXPECT_EQ(ReadJson("run/high/summary.json")["rows"], 6);
  EXPECT_EQ(ReadJson("run/high/summary.json")["measures"].size(), 3u);
  const ToolRun one = Run("simulate s.json --out one --no-plots --json --variant high");
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_TRUE(fs::exists(directory_ / "one/high/timeseries.csv"));
  EXPECT_FALSE(fs::exists(directory_ / "one/low"));
  ExpectRefusal("simulate s.json --out one --no-plots --variant hgh", "(did you mean \"high\"?)");
}

// Names are data: they are neither markup nor addresses.
TEST_F(SimulateTool, ThePageShowsTheRunAndEscapesNames) {
  Json document = Bounce();
  document["title"] = "<script>alert(1)</script> & \"more\"";
  document["measures"][0]["name"] = "<b>x</b>";
  document["variants"] = {{{"name", "javascript:alert(1)"}}, {{"name", "a b#<i>"}}};
  Write("s.json", document.dump());
  ASSERT_EQ(Run("simulate s.json --out run --no-plots").status, 0);
  const std::string all = Contents("run/index.html"), one = Contents("run/a b#<i>/index.html");
  ExpectContains(all, "href=\"javascript%3Aalert%281%29/index.html\"");
  ExpectContains(all, "href=\"a%20b%23%3Ci%3E/index.html\">a b#&lt;i&gt;</a>");
  for (const std::string& page : {all, one}) {
    ExpectContains(page, "<h1>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;");
    ExpectContains(page, "&lt;b&gt;x&lt;/b&gt;");
    ExpectContains(page, "default-src 'none'");
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(page.find("http://"), std::string::npos);
    EXPECT_EQ(page.find("https://"), std::string::npos);
  }
  ExpectContains(one, "href=\"../index.html\"");
  ExpectContains(one, "href=\"timeseries.csv\"");
  EXPECT_EQ(one.find("href=\"view.html\""), std::string::npos);
  // A page of the motion beside it is linked, where nothing is run again, too.
  Write("run/a b#<i>/view.html", "");
  ASSERT_EQ(Run("simulate s.json --out run --no-plots --resume").status, 0);
  ExpectContains(Contents("run/a b#<i>/index.html"), "href=\"view.html\"");
}

// Every cell names its column, which narrow windows show; a ratio has no unit, and a value that was
// never there is a dash.
TEST_F(SimulateTool, ThePageReadsInNarrowWindows) {
  Json document = Bounce();
  document["measures"][1]["unit"] = "1";
  Write("s.json", document.dump());
  ASSERT_EQ(Run("simulate s.json --out run --no-plots").status, 0);
  const std::string page = Contents("run/index.html");
  ExpectContains(page, "<td data-label=\"measure\">wrong</td>");
  ExpectContains(page, "<td data-label=\"unit\">m</td>");
  EXPECT_EQ(page.find("<td data-label=\"unit\">1</td>"), std::string::npos);
  ExpectContains(page, "<td data-label=\"ours\">–</td>");
  EXPECT_EQ(page.find(">none<"), std::string::npos);
}

TEST_F(SimulateTool, CurvesOfPlotsHaveLabels) {
  Json document = Bounce();
  document["plots"] = {
      {{"title", "p"}, {"y", {"ball.z", "ball.vz"}}, {"labels", {"height", "speed"}}}};
  Write("s.json", document.dump());
  ASSERT_EQ(Run("simulate s.json --out run --no-plots").status, 0);
  const Json curve = ReadJson("run/plots.json")[0]["curves"][1];
  EXPECT_EQ(curve["label"], "speed");
  EXPECT_EQ(curve["expression"], "ball.vz");
  document["plots"][0]["labels"] = {"height"};
  Write("s.json", document.dump());
  ExpectRefusal("simulate s.json --out other", "plots[0].labels: there must be as many as y has");
}

TEST_F(SimulateTool, SetOverridesValues) {
  Write("s.json", Bounce().dump());
  ASSERT_EQ(Run("simulate s.json --out run --no-plots --set end_time=0.002 "
                "--set 'bodies.0.velocity=[1,0,0]' --set integrator.max_step=1e-3")
                .status,
            0);
  const TimeSeries series = ReadTimeSeries(directory_ / "run/timeseries.csv");
  EXPECT_EQ(series.columns[0].size(), 3u);
  EXPECT_NEAR(series.Column("ball.x").back(), 0.002, 1e-12);
}

TEST_F(SimulateTool, RefusesBadInputBeforeItBegins) {
  Write("s.json", Bounce().dump());
  ExpectRefusal("simulate absent.json --out run", "absent.json");
  ExpectRefusal("simulate s.json --out run --set end_time=-1", "end_time");
  ExpectRefusal("simulate s.json --out run --set end_time", "--set");
  ExpectRefusal("simulate s.json --out run --set contacts.3.name=x", "contacts.3.name");
  ExpectRefusal("simulate s.json --out s.json", "s.json");
  ExpectRefusal("simulate s.json --out /proc/nothing/run", "/proc/nothing/run");
  ExpectRefusal("simulate s.json --out run --resume --overwrite", "--resume");
  ExpectRefusal("simulate s.json --out run --no-plots --plots svg", "exclude each other");
  ExpectRefusal("simulate s.json --out run --plots png,gif", "choose png, svg or png,svg");
  ExpectRefusal("simulate s.json --out run --variant low", "has no variants; drop the option");
  ExpectRefusal("simulate s.json --out run --set contacts.0.a=bal", "(did you mean \"ball\"?)");
  ExpectRefusal("simulate s.json --out run --set gravty=3", "(did you mean \"gravity\"?)");
  ExpectRefusal("simulate s.json --out run --set volcontact=2", "format version 2 is not known");
  EXPECT_EQ(Run("simulate s.json").status, 2);
  EXPECT_EQ(Run("simulate s.json --out run --colour red").status, 2);
  EXPECT_FALSE(fs::exists(directory_ / "run/timeseries.csv"));
  // A measure that cannot be taken must not cost a whole run.
  Json document = Bounce();
  document["end_time"] = 1e3;
  document["measures"][0]["value"] = "min(bal.z)";
  Write("wrong.json", document.dump());
  ExpectRefusal("simulate wrong.json --out run --no-plots", "spring");
  document = Bounce();
  document["end_time"] = 1e3;
  document["plots"] = {{{"title", "p"}, {"y", {"bal.z"}}}};
  Write("wrong.json", document.dump());
  ExpectRefusal("simulate wrong.json --out run --no-plots", "bal.z");
  EXPECT_FALSE(fs::exists(directory_ / "run/timeseries.csv"));
}

TEST_F(SimulateTool, OutputsMustSuitTheSteps) {
  Write("s.json", Bounce().dump());
  ExpectRefusal("simulate s.json --out run --set output_interval=1e-300", "output_interval");
  const std::string fixed = R"( --set 'integrator={"method":"rk4","step":3e-4}')";
  ExpectRefusal("simulate s.json --out run --set output_interval=1e-3" + fixed, "multiple");
  EXPECT_EQ(Run("simulate s.json --out run --no-plots --set output_interval=3e-3" + fixed).status,
            0);
}

TEST_F(SimulateTool, AMotionThatIsNoLongerFiniteEndsTheRun) {
  // A spring that explicit Euler cannot follow with this step.
  Write("s.json", R"({"bodies": [{"name": "b", "mass": 1, "joint": {"type": "slider"},
                                  "coordinates": [1]}],
                      "springs": [{"body": "b", "stiffness": 1e12}],
                      "integrator": {"method": "euler", "step": 0.01}, "end_time": 100,
                      "output_interval": 1})");
  const ToolRun run = Run("simulate s.json --out run --no-plots");
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(run.err.starts_with("volcontact: the motion is no longer finite")) << run.err;
  EXPECT_TRUE(run.out.starts_with("FAILED: the motion is no longer finite")) << run.out;
  EXPECT_FALSE(fs::exists(directory_ / "run/summary.json"));
  const Json answer =
      Json::parse(Run("simulate s.json --out run --no-plots --overwrite --json").out);
  EXPECT_EQ(answer["ok"], false);
  ExpectContains(answer["failure"], "no longer finite");
}

// A force without bounds under error control: steps would have no end.
TEST_F(SimulateTool, AForceBeyondAllBoundsEndsTheRun) {
  for (const char* force : {"[0, 0, -1e20]", "[1e20, 0, 0]", "[0, 0, 1e20]"}) {
    Write("s.json", std::string(R"({
      "bodies": [{"name": "b", "solid": {"box": {"size": [0.1, 0.1, 0.1]}}, "density": 1000,
                  "pose": {"t": [0, 0, 0.0501]}},
                 {"name": "floor", "solid": {"half_space": {}}, "fixed": true}],
      "contacts": [{"name": "c", "a": "b", "b": "floor",
                    "normal": {"stiffness": 1e9, "restitution": 0.5},
                    "friction": {"mu_c": 0.4, "sigma0": 1e4, "sigma1": 300}}],
      "integrator": {"method": "adaptive", "tolerance": 1e-8}, "end_time": 0.1,
      "output_interval": 0.01, "loads": [{"body": "b", "force": )") +
                        force + "}]}");
    const ToolRun run = Run("simulate s.json --out run --no-plots --overwrite");
    EXPECT_EQ(run.status, 1) << force;
    ExpectContains(run.err, "the body \"b\" would move faster than light");
  }
}

// A step of a fifth of its period sees this contact far too late.
TEST_F(SimulateTool, ALedgerThatDoesNotCloseIsAFailure) {
  Json document = Bounce();
  document["integrator"] = {{"method", "euler"}, {"step", 1e-3}};
  document["variants"] = {{{"name", "coarse"}},
                          {{"name", "fine"}, {"set", {{"integrator", {{"method", "adaptive"}}}}}}};
  document["measures"] = Json::array();
  Write("s.json", document.dump());
  const ToolRun run = Run("simulate s.json --out run --no-plots");
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(run.out.starts_with("FAILED, variant coarse: the energy ledger does not close"))
      << run.out;
  ExpectContains(run.err, "volcontact: variant coarse: the energy ledger does not close");
  EXPECT_EQ(ReadJson("run/coarse/summary.json")["ok"], false);
  EXPECT_EQ(ReadJson("run/fine/summary.json")["ok"], true);
  EXPECT_TRUE(ReadJson("run/fine/summary.json")["failure"].is_null());
  EXPECT_EQ(Run("simulate s.json --out one --no-plots --variant fine").status, 0);
  // A run that had failed fails again when nothing is left to run.
  EXPECT_EQ(Run("simulate s.json --out run --no-plots --resume").status, 1);
}

// Fixed steps are as long as they are said to be, and outputs lie on them.
TEST_F(SimulateTool, StepsAndOutputsAreAsDocumented) {
  Json document = Bounce();
  document["contacts"] = Json::array();
  document["measures"] = Json::array();
  document["end_time"] = 0.5;
  for (const char* method : {"rk4", "rk3", "euler"}) {
    document["integrator"] = {{"method", method}, {"step", 1e-3}};
    document["output_interval"] = 0.01;
    Write("s.json", document.dump());
    ASSERT_EQ(Run("simulate s.json --out run --no-plots --overwrite").status, 0) << method;
    EXPECT_EQ(ReadJson("run/summary.json")["stats"]["steps"], 500) << method;
    EXPECT_EQ(ReadJson("run/summary.json")["rows"], 51) << method;
  }
  // Without an interval, the multiple of the step next to a thousandth of the end.
  document.erase("output_interval");
  document["integrator"]["step"] = 2e-4;
  Write("s.json", document.dump());
  ASSERT_EQ(Run("simulate s.json --out run --no-plots --overwrite").status, 0);
  const TimeSeries series = ReadTimeSeries(directory_ / "run/timeseries.csv");
  EXPECT_NEAR(series.columns[0][1], 6e-4, 1e-15);  // of 5e-4, 4e-4 and 6e-4 are as near
  // An interval below the step has no multiple.
  ExpectRefusal("simulate s.json --out two --no-plots --set output_interval=1e-10", "multiple");
  ExpectRefusal("simulate s.json --out two --no-plots --set output_interval=1e-4", "multiple");
}

// A mesh in millimetres that passes for one in metres.
TEST_F(SimulateTool, SizesOfSolidsAreWarnedOf) {
  Write("part.obj", "v 0 0 0\nv 50 0 0\nv 0 50 0\nv 0 0 50\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const auto scenario = [](const std::string& solid) {
    return R"({"bodies": [{"name": "b", "density": 1000, "solid": )" + solid +
           R"(}], "end_time": 0.01})";
  };
  Write("s.json", scenario(R"({"file": "part.obj"})"));
  const ToolRun run = Run("simulate s.json --out run --no-plots --json");
  EXPECT_EQ(run.status, 0) << run.err;
  ExpectContains(run.err, "names no unit");
  const Json warnings = Json::parse(run.out)["warnings"];
  ASSERT_EQ(warnings.size(), 1u);
  ExpectContains(warnings[0], "names no unit");
  for (const char* solid :
       {R"({"file": "part.obj", "units": "mm"})",
        R"({"volcontact": 1, "units": "mm", "solid": {"mesh": {"file": "part.obj"}}})"}) {
    Write("s.json", scenario(solid));
    const ToolRun told = Run("simulate s.json --out run --no-plots --json --overwrite");
    EXPECT_EQ(told.err, "");
    EXPECT_EQ(Json::parse(told.out)["warnings"], Json::array());
  }
  Write("s.json", scenario(R"({"file": "part.obj", "units": "ft"})"));
  ExpectRefusal("simulate s.json --out run --no-plots", "at bodies[0].solid.units: unknown unit");
}

TEST_F(SimulateTool, NeitherTheScenarioNorAnotherRunIsOverwritten) {
  const std::string text = Bounce().dump();
  Write("scenario.json", text);
  ASSERT_EQ(Run("simulate scenario.json --out . --no-plots --set end_time=0.01").status, 0);
  EXPECT_EQ(Contents("scenario.json"), text);
  ExpectRefusal("simulate scenario.json --out . --no-plots --set end_time=0.02", "--overwrite");
  EXPECT_EQ(Run("simulate scenario.json --out . --no-plots --set end_time=0.02 --overwrite").status,
            0);
}

TEST_F(SimulateTool, AFinishedRunMayBeRunAgain) {
  Write("s.json", Bounce().dump());
  ASSERT_EQ(Run("simulate s.json --out run --no-plots").status, 0);
  const std::string first = Contents("run/timeseries.csv");
  ASSERT_EQ(Run("simulate s.json --out run --no-plots").status, 0);
  EXPECT_EQ(Contents("run/timeseries.csv"), first);  // the same numbers, to the digit
  ASSERT_EQ(Run("simulate s.json --out run --no-plots --resume").status, 0);
  EXPECT_EQ(Contents("run/timeseries.csv"), first);
  // With --resume, other values are another scenario.
  ExpectRefusal("simulate s.json --out run --no-plots --resume --set end_time=0.05", "--overwrite");
  EXPECT_EQ(Contents("run/timeseries.csv"), first);
}

TEST_F(SimulateTool, TheTimeSeriesReadsBackAsTheSameDoubles) {
  const fs::path path = directory_ / "t.csv";
  const std::vector<double> row = {0.1, 1.0 / 3.0, -1e-300, 4.9e-324, 1.7976931348623157e308, -0.0};
  TimeSeriesWriter writer(path, {"t", "a", "b", "c", "d", "e"});
  writer.Write(row);
  const std::uintmax_t size = writer.Flush();
  EXPECT_EQ(size, fs::file_size(path));
  writer.Write(std::vector<double>(6, 7.0));
  writer.Flush();
  {
    TimeSeriesWriter again(path, size);  // drops what came after
    again.Write(std::vector<double>(6, 8.0));
    again.Flush();
  }
  const TimeSeries series = ReadTimeSeries(path);
  for (std::size_t i = 0; i < row.size(); ++i) {
    ASSERT_EQ(series.columns[i].size(), 2u);
    EXPECT_EQ(series.columns[i][0], row[i]);
    EXPECT_EQ(series.columns[i][1], 8.0);
  }
  RefusalOf([&] { TimeSeriesWriter beyond(path, 10'000); });
  std::ofstream(path, std::ios::app) << "1,2\n";
  ExpectContains(RefusalOf([&] { ReadTimeSeries(path); }), "line 4");
  RefusalOf([&] { ReadTimeSeries(directory_ / "absent.csv"); });
}

}  // namespace
}  // namespace volcontact::scenario::testing
