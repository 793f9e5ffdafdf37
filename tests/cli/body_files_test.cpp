// Files of several meshes by name, as the commands take them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_tool.h"

namespace volcontact {
namespace {

// Two tetrahedra of 1 m³ each, the second 0.5 m beside the first, so that they overlap.
constexpr char kPair[] = R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}],
"nodes": [{"mesh": 0, "name": "left"}, {"mesh": 0, "name": "../right", "translation": [0.5, 0, 0]}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
  {"bufferView": 1, "componentType": 5121, "count": 12, "type": "SCALAR"}],
"bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
"buffers": [{"byteLength": 60,
  "uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAEBAAAIBAAEDAAMCAQID"}]})";

class BodyFilesTest : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Write("pair.gltf", kPair);
    Write("ground.json", R"({"half_space": {}})");
  }

  nlohmann::json Answer(const std::string& arguments, int status = 0) const {
    const ToolRun run = Run(arguments + " --json");
    EXPECT_EQ(run.status, status) << run.err;
    return nlohmann::json::parse(run.out, nullptr, false);
  }
};

TEST_F(BodyFilesTest, MassAndQuery) {
  // The common part of the two is the tetrahedron above x = 0.5, half as large in each direction.
  const auto all = Answer("mass pair.gltf");
  EXPECT_NEAR(all["volume"], 2.0 - 0.125, 1e-12);
  EXPECT_NE(all["warnings"].dump().find("holds 2 bodies"), std::string::npos);
  EXPECT_NEAR(Answer("mass pair.gltf --body left")["centroid"][0], 0.25, 1e-12);
  EXPECT_NEAR(Answer("mass 'pair.gltf#../right'")["centroid"][0], 0.75, 1e-12);
  EXPECT_NEAR(Answer("mass 'pair.gltf#2'")["volume"], 1.0, 1e-12);
  EXPECT_NEAR(Answer("query pair.gltf pair.gltf --body-a 1 --body-b 2")["volume"], 0.125, 1e-12);
  EXPECT_NEAR(Answer("mass - --format gltf --body left < pair.gltf")["volume"], 1.0, 1e-12);
  Write("part.json", R"({"file": "pair.gltf#left"})");
  EXPECT_NEAR(Answer("mass part.json")["volume"], 1.0, 1e-12);
  Write("mesh.json", R"({"mesh": {"file": "pair.gltf#left"}})");
  EXPECT_NEAR(Answer("mass mesh.json")["volume"], 1.0, 1e-12);
  ExpectRefusal("mass pair.gltf --body lfet", R"(no body is called "lfet" (did you mean "left"?))");
  const auto units = Answer("mass pair.gltf --body left --units mm");
  EXPECT_NEAR(units["volume"], 1.0, 1e-12);
  EXPECT_NE(units["warnings"].dump().find("has its own unit"), std::string::npos);
}

TEST_F(BodyFilesTest, Assembly) {
  const auto answer = Answer("assembly pair.gltf");
  EXPECT_EQ(answer["bodies"].size(), 2u);
  ASSERT_EQ(answer["pairs"].size(), 1u);
  EXPECT_EQ(answer["pairs"][0]["relation"], "interfering");
  EXPECT_NEAR(answer["pairs"][0]["volume"], 0.125, 1e-12);
}

// Each body by itself: that two overlap is no defect. No name of a body becomes that of a file.
TEST_F(BodyFilesTest, CheckAndRepair) {
  const auto checked = Answer("check pair.gltf");
  ASSERT_EQ(checked["files"].size(), 2u);
  EXPECT_EQ(checked["files"][0]["file"], "pair.gltf#left");
  EXPECT_EQ(checked["files"][1]["state"], "sound");
  EXPECT_NEAR(Answer("check 'pair.gltf#left'")["volume"], 1.0, 1e-12);
  const auto repaired = Answer("check --repair --out mended pair.gltf");
  EXPECT_EQ(repaired["files"][0]["repaired"], "mended/pair_1.obj");
  EXPECT_EQ(repaired["files"][1]["repaired"], "mended/pair_2.obj");
  EXPECT_NEAR(Answer("mass mended/pair_2.obj")["centroid"][0], 0.75, 1e-12);
  ExpectRefusal("check pair.gltf --repair mended.obj", "pair.gltf holds 2 bodies; name a folder");
}

}  // namespace
}  // namespace volcontact
