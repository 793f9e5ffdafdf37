// volcontact view: what it answers, and what it refuses.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_tool.h"

namespace volcontact {
namespace {

using Json = nlohmann::json;

class ViewTool : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Write("ball.json", R"({"sphere": {"radius": 0.1}})");
    Write("ground.json", R"({"half_space": {}})");
    Write("contact.json", R"({"normal": {"stiffness": 1e9}})");
  }

  // The scene's own data in a GLB.
  Json Extras(const std::string& file) const {
    const std::string glb = Contents(file);
    std::uint32_t length = 0;
    std::memcpy(&length, glb.data() + 12, sizeof length);
    return Json::parse(glb.substr(20, length))["scenes"][0]["extras"]["volcontact"];
  }
};

constexpr char kPair[] = "view ball.json ground.json --pose-a 0,0,0.098,1,0,0,0 ";

TEST_F(ViewTool, SaysWhatItWrote) {
  const ToolRun run = Run(std::string(kPair) + "--out a.glb --json");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const Json answer = Json::parse(run.out);
  EXPECT_EQ(answer["schema"], 1);
  EXPECT_EQ(answer["bytes"], std::filesystem::file_size(directory_ / "a.glb"));
  EXPECT_EQ(Extras("a.glb")["legend"]["quantity"], "height");
  const ToolRun table = Run(std::string(kPair) + "--stiffness 1e9 --out a.glb");
  EXPECT_NE(table.out.find("a.glb"), std::string::npos);
  const Json legend = Extras("a.glb")["legend"];
  EXPECT_EQ(legend["unit"], "Pa");
  EXPECT_NEAR(legend["max"], 1e9 * 0.002, 1e9 * 0.002 * 1e-3);
}

// Bodies apart have nearest points; without bounds there is nothing to draw.
TEST_F(ViewTool, ShowsBodiesApart) {
  const ToolRun run = Run("view ball.json ground.json --pose-a 0,0,0.2,1,0,0,0 --out a.glb");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_FALSE(Extras("a.glb").contains("legend"));
  // Two planes that face each other are drawn around the gap between them.
  EXPECT_EQ(Run("view ground.json ground.json --pose-a 0,0,1,0,1,0,0 --out b.glb").status, 0);
}

TEST_F(ViewTool, NamesWhatIsWrong) {
  ExpectRefusal("view ball.json ground.json", "--out");
  ExpectRefusal(std::string(kPair) + "--out a.obj", "--out a.obj: must end in");
  ExpectRefusal(std::string(kPair) + "--out a.glb --every 2", "--every: works with runs only");
  ExpectRefusal(std::string(kPair) + "--out a.glb --deviation 0", "--deviation 0: must be above");
  ExpectRefusal(std::string(kPair) + "--out a.glb --stiffness -1", "--stiffness -1: must be above");
  ExpectRefusal(std::string(kPair) + "--out a.glb --stiffness 1 --params contact.json",
                "--stiffness: the file of --params has one");
  ExpectRefusal(std::string(kPair) + "--out a.glb --state s.json", "--state: only contacts with");
  ExpectRefusal(std::string(kPair) + "--out a.glb --repeat 2", "--repeat");
  ExpectRefusal(std::string(kPair) + "--out a.glb --page p.html", "--page: works with");
  ExpectRefusal(std::string(kPair) + "--out a.html --page p.html", "--page p.html: is not a file");
  ExpectRefusal("view ball.json --out a.glb", "ball.json: is not a folder; name one");
  ExpectRefusal("view . --out a.glb", "holds no run; name a folder that `volcontact simulate`");
  ExpectRefusal("view . --out a.glb --pose-a 0,0,0,1,0,0,0",
                "--pose-a: works with two solids only");
  ExpectRefusal("view . --out a.glb --every 0", "--every 0: must be 1 or more");
  EXPECT_FALSE(std::filesystem::exists(directory_ / "a.glb"));
}

// A folder of a run, as `simulate` leaves it, of a ball that falls.
class ViewRuns : public ViewTool {
 protected:
  void WriteRun(const std::string& rows) const {
    std::filesystem::create_directories(directory_ / "run");
    Write("run/run_scenario.json",
          R"({"title": "Fall", "end_time": 3, "integrator": {"method": "adaptive"},
      "bodies": [{"name": "ball", "solid": {"sphere": {"radius": 0.1}}, "mass": 1,
                  "inertia": [1, 1, 1]}],
      "contacts": []})");
    Write("run/timeseries.csv",
          "t,ball.x,ball.y,ball.z,ball.qw,ball.qx,ball.qy,ball.qz,ball.vx,ball.vy,ball.vz,"
          "ball.wx,ball.wy,ball.wz\n" +
              rows);
  }
};

TEST_F(ViewRuns, AreCutWhereTheyCannotBeDrawn) {
  WriteRun(
      "0,0,0,0,1,0,0,0,0,0,0,0,0,0\n1,0,0,1,1,0,0,0,0,0,0,0,0,0\n"
      "2,0,nan,0,1,0,0,0,0,0,0,0,0,0\n");
  const ToolRun run = Run("view run --out a.glb");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.err.find("run/timeseries.csv: row 3: ball.y is nan"), std::string::npos) << run.err;
  EXPECT_EQ(Extras("a.glb")["run"]["times"], Json({0.0, 1.0}));
  WriteRun("0,1e300,0,0,1,0,0,0,0,0,0,0,0,0\n");
  ExpectRefusal("view run --out b.glb", "row 1: ball.x is 1e+300, which cannot be drawn");
  WriteRun("0,0,0,0,1,0,0,0,0,0,0,0,0,0\n");
  Write("run/checkpoint.json", "{}");
  EXPECT_EQ(Run("view run --out c.glb").status, 0);
  const Json extras = Extras("c.glb");
  EXPECT_EQ(extras["run"]["times"].size(), 1u);
  EXPECT_EQ(extras["title"], "Fall (interrupted at 0 s of 3 s)");
  ExpectRefusal("view run --out d.glb --solids nowhere", "--solids nowhere: is not a folder");
}

// Files of others stay, by any form of a scene, unless one says so; our own are written anew.
TEST_F(ViewTool, AsksBeforeItReplacesFilesOfOthers) {
  for (const std::string name : {"a.glb", "a.vtp", "a.vtm", "a.pvd"}) {
    SCOPED_TRACE(name);
    const std::string out = kPair + ("--out " + name);
    Write(name, "glTF of somebody else");
    ExpectRefusal(out, "--out " + name + ": a file is there, and view did not write it");
    EXPECT_EQ(Contents(name), "glTF of somebody else");
    EXPECT_EQ(Run(out + " --force").status, 0);
    EXPECT_NE(Contents(name), "glTF of somebody else");
    EXPECT_EQ(Run(out).status, 0);
    Write(name, "");
    EXPECT_EQ(Run(out).status, 0);
  }
  // The folder beside, too.
  Write("a/01_mine.vtp", "mine");
  ExpectRefusal(std::string(kPair) + "--out a.vtm", "a/01_mine.vtp is there, and view did not");
  EXPECT_EQ(Contents("a/01_mine.vtp"), "mine");
}

// A limit of the size of files is an error with its cure, and leaves nothing half written.
TEST_F(ViewTool, TellsOfTheLimitOfFileSizes) {
  const ToolRun run = Run("--version >/dev/null && ulimit -f 8 && '" + std::string(ToolPath()) +
                          "' " + kPair + "--out big.glb");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("big.glb: cannot be written: File too large; raise the limit"),
            std::string::npos)
      << run.err;
  EXPECT_FALSE(std::filesystem::exists(directory_ / "big.glb"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "big.glb.new"));
}

// What was there stays where the new cannot be written.
TEST_F(ViewTool, KeepsAnOldFileThatItCannotReplace) {
  Write("a.glb", "old");
  ExpectRefusal("view ball.json nothing.json --out a.glb --force", "nothing.json");
  EXPECT_EQ(Contents("a.glb"), "old");
  ExpectRefusal(std::string(kPair) + "--out no/such/folder/a.glb",
                "no/such/folder/a.glb: cannot be written: No such file or directory");
  Write("p.html", "no place");
  ExpectRefusal(std::string(kPair) + "--out a.HTML --page p.html", "p.html: is not a template");
}

}  // namespace
}  // namespace volcontact
