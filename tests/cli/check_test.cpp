// volcontact check: tables, JSON, exit status and repaired files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/run_tool.h"

namespace volcontact {
namespace {

using Json = nlohmann::json;

constexpr char kVertices[] =
    "v 0 0 0\nv 0 0 1\nv 0 1 0\nv 0 1 1\nv 1 0 0\nv 1 0 1\nv 1 1 0\nv 1 1 1\n";
constexpr char kOpen[] =
    "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\nf 1 3 7\nf 1 7 5\n"
    "f 2 6 8\n";

class CheckTool : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    const std::string open = std::string(kVertices) + kOpen;
    Write("open.obj", open);
    Write("cube.obj", open + "f 2 8 4\n");
    Write("flipped.obj", open + "f 2 4 8\n");
    Write("doubled.obj", open + "f 2 8 4\nf 2 8 4\n");
    Write("strange.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  }

  Json Answer(const std::string& arguments, int status) const {
    const ToolRun run = Run("check " + arguments + " --json");
    EXPECT_EQ(run.status, status) << arguments << ' ' << run.err;
    EXPECT_EQ(run.err, "");
    return Json::parse(run.out);
  }
};

TEST_F(CheckTool, SoundMeshHasEveryKeyOfTheContract) {
  const Json answer = Answer("cube.obj", 0);
  std::set<std::string> keys;
  for (const auto& [key, value] : answer.items()) keys.insert(key);
  EXPECT_EQ(keys,
            (std::set<std::string>{"schema", "closed", "oriented", "ok", "vertices", "faces",
                                   "shells", "bounds", "volume", "centroid", "inertia", "defects",
                                   "counts", "notes", "repairs", "volume_change", "area_change"}));
  EXPECT_EQ(answer["ok"], true);
  EXPECT_EQ(answer["closed"], true);
  EXPECT_EQ(answer["oriented"], true);
  EXPECT_EQ(answer["vertices"], 8);
  EXPECT_EQ(answer["faces"], 12);
  EXPECT_EQ(answer["shells"], Json::parse(R"([{"faces": 12, "volume": 1.0, "depth": 0}])"));
  EXPECT_EQ(answer["bounds"], Json::parse("[[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]"));
  EXPECT_NEAR(answer["volume"].get<double>(), 1.0, 1e-15);
  EXPECT_NEAR(answer["inertia"][0][0].get<double>(), 1.0 / 6.0, 1e-15);
  EXPECT_EQ(answer["defects"], Json::array());
  EXPECT_EQ(answer["repairs"], Json::array());
}

TEST_F(CheckTool, DefectsAreNamed) {
  const Json open = Answer("open.obj", 1);
  EXPECT_EQ(open["ok"], false);
  EXPECT_EQ(open["volume"], nullptr);
  EXPECT_EQ(open["shells"][0]["volume"], nullptr);
  EXPECT_EQ(open["counts"], Json::parse(R"({"open_boundary": 1})"));
  ASSERT_EQ(open["defects"].size(), 1u);
  EXPECT_EQ(open["defects"][0]["kind"], "open_boundary");
  EXPECT_EQ(open["defects"][0]["vertices"].size(), 3u);
  const Json flipped = Answer("flipped.obj", 1);
  EXPECT_EQ(flipped["defects"][0]["kind"], "flipped_face");
  EXPECT_EQ(flipped["defects"][0]["faces"], Json::parse("[11]"));
  EXPECT_EQ(Answer("doubled.obj", 1)["counts"]["duplicate_face"], 1);
}

TEST_F(CheckTool, ScaleIsApplied) {
  EXPECT_NEAR(Answer("cube.obj --scale 0.001", 0)["volume"].get<double>(), 1e-9, 1e-23);
  EXPECT_EQ(Answer("cube.obj --scale 1000", 0)["notes"].size(), 0u);
}

TEST_F(CheckTool, RepairedFilesAreSound) {
  for (const char* file : {"cube.obj", "open.obj", "flipped.obj", "doubled.obj"}) {
    for (const char* result : {"out.stl", "out.obj", "out.ply", "out.off"}) {
      const std::string both = std::string(file) + " --repair " + result;
      // A twelfth of the open cube was filled in, which deserves a look.
      const bool open = std::string(file) == "open.obj";
      const Json answer = Answer(both, open ? 1 : 0);
      EXPECT_NEAR(answer["volume_change"].get<double>(), open ? 1.0 / 12.0 : 0.0, 1e-12);
      EXPECT_NEAR(answer["area_change"].get<double>(), open ? 1.0 / 12.0 : 0.0, 1e-12);
      EXPECT_EQ(answer["ok"], true);
      EXPECT_EQ(answer["repairs"].empty(), std::string(file) == "cube.obj") << both;
      EXPECT_NEAR(Answer(result, 0)["volume"].get<double>(), 1.0, 1e-12) << both;
    }
  }
  // In the unit of the file that was read, so that it may take its place.
  EXPECT_NEAR(Answer("open.obj --units mm --repair mended.off", 1)["volume"].get<double>(), 1e-9,
              1e-24);
  EXPECT_NEAR(Answer("mended.off", 0)["volume"].get<double>(), 1.0, 1e-15);
  EXPECT_NEAR(Answer("open.obj --scale 0.001 --repair small.off", 1)["volume"].get<double>(), 1e-9,
              1e-22);
}

TEST_F(CheckTool, WhatCannotBeRepairedIsReported) {
  const Json answer = Answer("strange.obj --repair out.off", 1);
  EXPECT_EQ(answer["counts"], Json::parse(R"({"open_boundary": 1})"));
}

TEST_F(CheckTool, TableIsForReading) {
  const ToolRun sound = Run("check cube.obj");
  EXPECT_EQ(sound.status, 0);
  EXPECT_NE(sound.out.find("sound             yes\n"), std::string::npos) << sound.out;
  EXPECT_NE(sound.out.find("volume            1 m^3\n"), std::string::npos) << sound.out;
  const ToolRun open = Run("check open.obj");
  EXPECT_EQ(open.status, 1);
  EXPECT_NE(open.out.find("open_boundary: 1\n  a hole of 3 edges"), std::string::npos) << open.out;
  const ToolRun repaired = Run("check open.obj --repair out.ply");
  EXPECT_NE(repaired.out.find("repaired          filled 1 holes of 3 edges with 1 faces\n"),
            std::string::npos)
      << repaired.out;
}

TEST_F(CheckTool, TheInputIsNotReplacedUnasked) {
  const std::string before = Contents("open.obj");
  ExpectRefusal("check open.obj --repair open.obj",
                "--repair open.obj: is the input file; choose another name");
  ExpectRefusal("check open.obj --repair ./open.obj", "--repair ./open.obj: is the input file");
  EXPECT_EQ(Contents("open.obj"), before);
  EXPECT_EQ(Answer("open.obj --repair open.obj --force", 1)["ok"], true);
  EXPECT_NE(Contents("open.obj"), before);
  ExpectRefusal("check cube.obj --force", "--force: works with --repair only");
}

TEST_F(CheckTool, AWeldThatLeavesNothingKeepsTheInput) {
  const std::string before = Contents("strange.obj");
  ExpectRefusal("check strange.obj --weld 2 --repair strange.obj --force",
                "--weld 2: joins all vertices, and no face remains; choose a smaller H");
  EXPECT_EQ(Contents("strange.obj"), before);
}

TEST_F(CheckTool, TinyGapsAreProposedForWelding) {
  // The cube with the corner of its last face off by 1e-6.
  Write("gap.obj", std::string(kVertices) + kOpen + "v 1.000001 1 1\nf 2 9 4\n");
  const ToolRun run = Run("check gap.obj --repair out.off");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.out.find("--weld 1.1e-06 with --repair joins them, and leaves 0 of 4 edges open"),
            std::string::npos)
      << run.out;
  const Json answer = Answer("gap.obj --weld 1.1e-6 --repair out.off", 0);
  EXPECT_EQ(answer["ok"], true);
  EXPECT_LT(answer["volume_change"].get<double>(), 1e-5);
  EXPECT_NEAR(answer["volume"].get<double>(), 1.0, 1e-12);
  ExpectRefusal("check gap.obj --weld 1e-6", "--weld: needs --repair FILE for the changed mesh");
  ExpectRefusal("check gap.obj --repair out.off --weld -1", "--weld -1: must be a distance");
}

// A folder of meshes at once: each is mended under its own name, and none is lost.
TEST_F(CheckTool, ManyFilesGoToAFolder) {
  Write("text.obj", "no mesh");
  const ToolRun run =
      Run("check --repair --out mended cube.obj doubled.obj open.obj strange.obj text.obj");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.err, "");
  const auto state = [&](const std::string& file) {
    const std::size_t at = run.out.find(file);
    return run.out.substr(at + 40, run.out.find(' ', at + 40) - at - 40);
  };
  EXPECT_EQ(state("cube.obj"), "sound") << run.out;
  EXPECT_EQ(state("doubled.obj"), "mended");
  EXPECT_EQ(state("open.obj"), "changed");
  EXPECT_EQ(state("strange.obj"), "defective");
  EXPECT_EQ(state("text.obj"), "unread");
  EXPECT_EQ(Answer("mended/doubled.obj", 0)["ok"], true);
  EXPECT_EQ(Run("check --repair --out other cube.obj doubled.obj").status, 0);
  // Files that are there are not replaced unasked.
  EXPECT_NE(Run("check --repair --out mended cube.obj").out.find("replace it with --force"),
            std::string::npos);
  EXPECT_EQ(Run("check --force --repair --out mended cube.obj").status, 0);
  EXPECT_NE(Run("check --repair --out . cube.obj").out.find("unread"), std::string::npos);
}

TEST_F(CheckTool, ManyFilesAreOnlyLookedAt) {
  const Json answer = Answer("cube.obj open.obj none.obj", 1);
  ASSERT_EQ(answer["files"].size(), 3u);
  EXPECT_EQ(answer["files"][0]["state"], "sound");
  EXPECT_EQ(answer["files"][0]["check"]["volume"], Answer("cube.obj", 0)["volume"]);
  EXPECT_EQ(answer["files"][1]["state"], "defective");
  EXPECT_EQ(answer["files"][2]["check"], nullptr);
  ExpectRefusal("check cube.obj open.obj --repair out.obj", "for several name a folder");
  ExpectRefusal("check cube.obj --repair", "--repair: name the file to write");
  ExpectRefusal("check cube.obj open.obj --repair", "name a folder for the files with --out");
  ExpectRefusal("check cube.obj --out folder", "--out: needs --repair");
  ExpectRefusal("check --repair --out cube.obj/x open.obj", "--out cube.obj/x: is not a folder");
}

TEST_F(CheckTool, Refusals) {
  Write("broken.off", "OFF\n3 1 0\n0 0 0\n");
  ExpectRefusal("check", "A is required; see volcontact check --help");
  ExpectRefusal("check missing.stl", "missing.stl: ");
  ExpectRefusal("check broken.off", "broken.off: ");
  ExpectRefusal("check cube.obj --scale 0", "--scale 0: must be positive");
  ExpectRefusal("check cube.obj --scale -1", "--scale -1: must be positive");
  ExpectRefusal("check cube.obj --scale nan", "--scale nan: must be positive");
  ExpectRefusal("check cube.obj --repair out.docx", "out.docx");
  ExpectRefusal("check cube.obj --repair no/such/directory.stl", "no/such/directory.stl: ");
}

}  // namespace
}  // namespace volcontact
