// volcontact: help, version, and everything that is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/run_tool.h"

namespace volcontact {
namespace {

class Usage : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Write("ground.json", R"({"half_space": {}})");
    Write("ball.json", R"({"sphere": {"radius": 0.1}})");
  }
};

TEST_F(Usage, HelpAndVersionGoToStandardOutput) {
  for (const char* arguments :
       {"--help", "query --help", "mass --help", "check --help", "estimate --help"}) {
    const ToolRun run = Run(arguments);
    EXPECT_EQ(run.status, 0) << arguments;
    EXPECT_EQ(run.err, "") << arguments;
    EXPECT_NE(run.out.find("Example"), std::string::npos) << arguments;
  }
  const ToolRun version = Run("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("volcontact 0.")) << version.out;
}

TEST_F(Usage, WrongCommandLines) {
  ExpectRefusal("", "no subcommand is given");
  ExpectRefusal("weigh ball.json", "\"weigh\" is not a subcommand");
  ExpectRefusal("--json", "\"--json\" is not an option");
  ExpectRefusal("query", "A is required; see volcontact query --help");
  ExpectRefusal("query ball.json", "B is required");
  ExpectRefusal("query ball.json ground.json ball.json",
                "\"ball.json\" is one argument too many for volcontact query; see");
  ExpectRefusal("query ball.json ground.json --tolerable 1e-3", "\"--tolerable\" is not an option");
  ExpectRefusal("query ball.json ground.json --hesian", "(did you mean \"--hessian\"?)");
  ExpectRefusal("query ball.json ground.json $'--two\\nlines'", "--two");
  ExpectRefusal("query ball.json ground.json --tol", "--tol");
  ExpectRefusal("query ball.json ground.json --tol abc", "abc");
  ExpectRefusal("query ball.json ground.json --tolerance 2", "must lie between");
  ExpectRefusal("query ball.json ground.json --tol 1e-3 --tol 1e-4",
                "--tol: is given more than once; give it once");
  ExpectRefusal("query ball.json ground.json --threads x", "--threads x: is not a value");
  ExpectRefusal("query ball.json ground.json --json=maybe", "--json");
  ExpectRefusal("mass", "A is required; see volcontact mass --help");
  ExpectRefusal(
      "mass ball.json --pose-a 0,0,0,1,0,0,0",
      "\"--pose-a\" is not an option of volcontact mass; it is an option of query, force");
}

// A build may leave out the components that these need.
TEST_F(Usage, CommandsOfComponentsAreThereOrSayHowToHaveThem) {
  for (const char* name : {"simulate", "reproduce", "sweep", "identify", "view", "fmu"}) {
    if (Run(std::string(name) + " --help").status == 0) continue;
    ExpectRefusal(name, std::string(name) + " is not in this build; install lib");
    ExpectRefusal(std::string(name) + " --help", "VOLCONTACT_CORE_ONLY=OFF");
  }
}

TEST_F(Usage, ValuesOutOfRange) {
  const std::string query = "query ball.json ground.json ";
  for (const char* value : {"0", "-1", "1", "1e-14", "nan", "inf", "1e999"}) {
    ExpectRefusal(query + "--tol " + value, "--tol");
  }
  for (const char* value : {"0", "-1", "1.5", "100000", "99999999999999"}) {
    ExpectRefusal(query + "--threads " + value, "--threads");
  }
  ExpectRefusal(query + "--repeat -1", "--repeat -1: must be 1 to");
  ExpectRefusal(query + "--repeat 0", "--repeat 0: must be 1 to");
  for (const char* value : {"0", "-1", "nan"}) {
    for (const std::string& command : {query, std::string("check ball.stl ")}) {
      ExpectRefusal(command + "--max-seconds " + value, "--max-seconds");
    }
  }
  ExpectRefusal(query + "--method boundry", "(did you mean \"boundary\"?)");
  ExpectRefusal(query + "--method euler",
                "--method euler: not a method; choose one of auto, closed_form, boundary, "
                "columns, voxel");
  ExpectRefusal(query + "--method voxel", "--voxel-size 0: --method voxel needs");
  ExpectRefusal(query + "--method voxel --voxel-size -1", "--voxel-size");
  ExpectRefusal(query + "--method voxel --voxel-size nan", "--voxel-size");
  ExpectRefusal(query + "--method voxel --voxel-size inf", "--voxel-size");
  ExpectRefusal(query + "--voxel-size 1", "--voxel-size: works with --method voxel only");
  ExpectRefusal("mass ball.json --method voxel",
                "--method voxel: not a method; choose one of auto, closed_form, boundary, columns");
}

TEST_F(Usage, WrongPoses) {
  const std::string query = "query ball.json ground.json --pose-b ";
  ExpectRefusal(query + "1,2", "--pose-b: has 2 numbers, not 7; give x,y,z or x,y,z,qw,qx,qy,qz");
  ExpectRefusal(query + "1,2,nan", "--pose-b");
  ExpectRefusal(query + "1,2,3,1,0,0,0,0", "--pose-b: has 8 numbers");
  ExpectRefusal(query + "1,2,3,1,0,0,", "--pose-b: \"\" is not a number");
  ExpectRefusal(query + "1,2,x,1,0,0,0", "--pose-b: \"x\" is not a number");
  ExpectRefusal(query + "1,2,3e999,1,0,0,0", "--pose-b: \"3e999\" is not a number");
  ExpectRefusal(query + "1,2,nan,1,0,0,0", "--pose-b: ");
  ExpectRefusal(query + "-1,2,3,0,0,0,0", "--pose-b: the quaternion has length 0");
  ExpectRefusal(query + "1,2,3,1,0.1,0,0", "--pose-b: the quaternion has length 1.00");
}

TEST_F(Usage, WrongFiles) {
  Write("typo.json", R"({"volcontact": 1, "solid": {"union": [{"sphere": {"radus": 1}}]}})");
  Write("empty.json", "");
  Write("infinite.json", R"({"sphere": {"radius": 1e999}})");
  Write("twice.json", R"({"sphere": {"radius": 1, "radius": 2}})");
  Write("deep.json", std::string(1'000'000, '['));
  Write("sum.csg", "group() {\n projection() { cube(1); }\n}");
  ExpectRefusal("mass typo.json", "typo.json: at /solid/union/0/sphere: unknown key \"radus\"");
  ExpectRefusal("query ball.json typo.json", "typo.json: at /solid/union/0/sphere");
  ExpectRefusal("mass empty.json", "empty.json: the file is empty");
  ExpectRefusal("mass infinite.json", "infinite.json: line 1, column");
  ExpectRefusal("mass twice.json", "twice.json: at /sphere: key \"radius\" stands twice");
  ExpectRefusal("mass deep.json", "deep.json: nested deeper");
  ExpectRefusal("mass sum.csg", "sum.csg: line 2, column 2: projection() is a plane shape");
  // With the component for such files, or without.
  Write("part.step", "ISO-10303-21;\nHEADER;\n");
  ExpectRefusal("mass part.step", "part.step: ");
  ExpectRefusal("mass part.stl", "part.stl: cannot be opened: No such file");
  ExpectRefusal("mass missing.json", "missing.json: cannot be opened: No such file");
  ExpectRefusal("mass .", ".: is a directory");
  ExpectRefusal("mass ''", "has no extension");
}

TEST_F(Usage, UnboundedVolumesNameTheFiles) {
  ExpectRefusal("mass ground.json", "ground.json: ");
  ExpectRefusal("query ground.json ground.json", "ground.json with ground.json: ");
}

TEST_F(Usage, FullDeviceIsReported) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const ToolRun run = Run("query ball.json ground.json", "/dev/full");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err, "volcontact: cannot write to standard output\n");
}

}  // namespace
}  // namespace volcontact
