// volcontact query and mass: the answers and their form.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <string>

#include "cli/run_tool.h"

namespace volcontact {
namespace {

using Json = nlohmann::json;

class QueryTool : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Write("ground.json", R"({"half_space": {}})");
    Write("ball.json", R"({"sphere": {"radius": 0.1}})");
    Write("raised.json", R"({"sphere": {"radius": 0.1}, "pose": {"t": [0, 0, 0.5]}})");
    Write("box.json", R"({"box": {"size": [0.3, 0.2, 0.1]}})");
    Write("ball.csg", "sphere($fn = 60, r = 100);");
  }

  // The answer, where one is expected.
  Json Answer(const std::string& arguments) const {
    const ToolRun run = Run(arguments + " --json");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return Json::parse(run.out);
  }
};

std::set<std::string> Keys(const Json& json) {
  std::set<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.insert(key);
  return keys;
}

Eigen::Vector3d Vector(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

constexpr double kRadius = 0.1;
constexpr double kDepth = 0.002;
constexpr char kPressed[] = "query ball.json ground.json --pose-a 0,0,0.098,1,0,0,0";

double CapVolume() { return std::numbers::pi * kDepth * kDepth * (kRadius - kDepth / 3); }

TEST_F(QueryTool, OverlapHasEveryKeyOfTheContract) {
  const Json answer = Answer(kPressed);
  EXPECT_EQ(Keys(answer),
            (std::set<std::string>{"schema", "overlap", "volume", "volume_bounds", "volume_error",
                                   "centroid", "inertia", "normal", "area_normal", "area_vector",
                                   "area_moment", "contact_area", "mean_height", "gyration_radius",
                                   "converged", "tolerance", "method", "stats", "warnings"}));
  EXPECT_EQ(Keys(answer["stats"]),
            (std::set<std::string>{"cells", "edges", "fallback", "leaves", "seconds", "threads"}));
  EXPECT_EQ(answer["schema"], 1);
  EXPECT_EQ(answer["overlap"], true);
  EXPECT_EQ(answer["converged"], true);
  EXPECT_EQ(answer["tolerance"], 1e-6);
  EXPECT_EQ(answer["stats"]["threads"], 1);
  EXPECT_EQ(answer["warnings"], Json::array());
}

TEST_F(QueryTool, OverlapIsRight) {
  const Json answer = Answer(std::string(kPressed) + " --tol 1e-8");
  const double volume = answer["volume"];
  EXPECT_NEAR(volume, CapVolume(), 1e-8 * CapVolume());
  // Height of the centroid of a cap over its base, seen from below.
  const double height = kDepth * (4 * kRadius - kDepth) / (4 * (3 * kRadius - kDepth));
  EXPECT_LT((Vector(answer["centroid"]) - Eigen::Vector3d(0, 0, -height)).norm(), 1e-8 * kRadius);
  EXPECT_LT((Vector(answer["normal"]) - Eigen::Vector3d::UnitZ()).norm(), 1e-8);
  const double area = std::numbers::pi * kDepth * (2 * kRadius - kDepth);
  EXPECT_LT((Vector(answer["area_vector"]) - Eigen::Vector3d(0, 0, area)).norm(), 1e-6 * area);
  EXPECT_NEAR(answer["contact_area"], area, 1e-6 * area);
  EXPECT_NEAR(answer["mean_height"], volume / area, 1e-6 * volume / area);
  ASSERT_EQ(answer["inertia"].size(), 3u);
  EXPECT_EQ(answer["inertia"][0][1], answer["inertia"][1][0]);
  EXPECT_LE(answer["volume_error"], 1e-8 * volume);
}

// V = π h² (3R − h)/3, turned about the centroid below the ball's centre.
TEST_F(QueryTool, HessianIsThatOfTheCap) {
  EXPECT_FALSE(Answer(kPressed).contains("hessian"));
  const Json rows = Answer(std::string(kPressed) + " --hessian").at("hessian");
  const double curvature = 2.0 * std::numbers::pi * (kRadius - kDepth);
  const double area = std::numbers::pi * kDepth * (2 * kRadius - kDepth);
  const double below =
      kRadius - kDepth + kDepth * (4 * kRadius - kDepth) / (4 * (3 * kRadius - kDepth));
  const double expected[6] = {0.0, 0.0, curvature, area * below, area * below, 0.0};
  ASSERT_EQ(rows.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    ASSERT_EQ(rows[i].size(), 6u);
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(rows[i][j], rows[j][i]);
      const double scale = curvature * (i < 3 ? 1.0 : 0.02) * (j < 3 ? 1.0 : 0.02);
      EXPECT_NEAR(rows[i][j], i == j ? expected[i] : 0.0, 1e-9 * scale) << i << ", " << j;
    }
  }
}

TEST_F(QueryTool, HessianIsNullWhereThereIsNone) {
  const Json apart = Answer("query raised.json ground.json --hessian");
  EXPECT_TRUE(apart.at("hessian").is_null());
  EXPECT_EQ(apart["warnings"], Json::array());
}

TEST_F(QueryTool, BoundsHoldTheVolume) {
  for (const char* method : {"auto", "boundary", "columns --certify"}) {
    const Json answer = Answer(std::string(kPressed) + " --method " + method);
    ASSERT_TRUE(answer["volume_bounds"].is_array()) << method;
    EXPECT_LE(answer["volume_bounds"][0], CapVolume()) << method;
    EXPECT_GE(answer["volume_bounds"][1], CapVolume()) << method;
  }
}

TEST_F(QueryTool, NoOverlapHasNoVectorsButADistance) {
  const Json answer = Answer("query raised.json ground.json");
  EXPECT_EQ(answer["overlap"], false);
  EXPECT_EQ(answer["volume"], 0.0);
  for (const char* key : {"centroid", "inertia", "normal", "area_vector"}) {
    EXPECT_TRUE(answer.at(key).is_null()) << key;
  }
  const double distance = answer.at("distance_lower_bound");
  EXPECT_EQ(answer.at("distance"), distance) << "as it was called";
  EXPECT_GT(distance, 0.3);
  EXPECT_LE(distance, 0.4);
  EXPECT_TRUE(answer.contains("nearest_points"));
  EXPECT_FALSE(Answer(kPressed).contains("distance"));
  EXPECT_FALSE(Answer(kPressed).contains("nearest_points"));
}

TEST_F(QueryTool, PosesApplyOnTopOfTheFiles) {
  // Half a turn about x takes the raised ball from z = 0.5 to z = -0.5, then up by 0.598.
  const Json turned = Answer("query raised.json ground.json --pose-a 0,0,0.598,0,1,0,0");
  EXPECT_NEAR(turned["volume"], CapVolume(), 1e-6 * CapVolume());
  const Json both = Answer(
      "query ball.json ground.json --pose-a 5,6,7.098,1,0,0,0 --pose-b '0, 0, +7, 1, 0, 0, 0'");
  EXPECT_NEAR(both["volume"], CapVolume(), 1e-6 * CapVolume());
}

TEST_F(QueryTool, RepeatReportsTime) {
  const Json answer = Answer(std::string(kPressed) + " --repeat 5 --threads 2");
  EXPECT_GT(answer["stats"]["seconds"], 0.0);
  EXPECT_EQ(answer["stats"]["threads"], 2);
  EXPECT_EQ(answer["volume"], Answer(kPressed)["volume"]);
}

TEST_F(QueryTool, MethodsAreNamedInTheAnswer) {
  for (const std::string method : {"closed_form", "boundary", "columns"}) {
    EXPECT_EQ(Answer(std::string(kPressed) + " --method " + method)["method"], method);
  }
}

// Old names are read for one version, with one warning on standard error.
TEST_F(QueryTool, ReplacedMethodsAreReadWithOneWarning) {
  for (const std::string name : {"octree", "mesh", "patch"}) {
    const ToolRun run = Run(std::string(kPressed) + " --json --method " + name);
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(Json::parse(run.out)["method"], "boundary");
    const std::string warning = "the method " + name + " is called boundary now";
    const std::size_t first = run.err.find(warning);
    ASSERT_NE(first, std::string::npos) << run.err;
    EXPECT_EQ(run.err.find(warning, first + 1), std::string::npos) << run.err;
  }
}

// Voxels half as high as the cap are far from ten digits.
TEST_F(QueryTool, NotConvergedIsStatusOne) {
  const ToolRun run =
      Run(std::string(kPressed) + " --method voxel --voxel-size 0.001 --tol 1e-10 --json");
  EXPECT_EQ(run.status, 1) << run.err;
  const Json answer = Json::parse(run.out);
  EXPECT_EQ(answer["converged"], false);
  EXPECT_EQ(answer["method"], "voxel");
}

TEST_F(QueryTool, NotesOfFilesAreWarnings) {
  const Json answer = Answer("query ball.csg ground.json --pose-a 0,0,0.098,1,0,0,0");
  EXPECT_NEAR(answer["volume"], CapVolume(), 1e-6 * CapVolume());
  ASSERT_EQ(answer["warnings"].size(), 1u);
  EXPECT_NE(answer["warnings"][0].get<std::string>().find("kept exact"), std::string::npos);
}

TEST_F(QueryTool, TablesReadWell) {
  const ToolRun query = Run(kPressed);
  EXPECT_EQ(query.status, 0);
  EXPECT_EQ(query.err, "");
  for (const char* name : {"overlap ", "volume ", "normal (B to A)", "method ", "converged "}) {
    EXPECT_NE(query.out.find(name), std::string::npos) << query.out;
  }
  EXPECT_NE(Run("query raised.json ground.json").out.find("at least "), std::string::npos);
  EXPECT_NE(Run("mass box.json").out.find("principal moments"), std::string::npos);
}

TEST_F(QueryTool, MassOfABox) {
  const Json answer = Answer("mass box.json");
  for (const char* key :
       {"volume", "volume_bounds", "volume_error", "centroid", "inertia", "principal_moments",
        "principal_axes", "converged", "tolerance", "method", "stats", "warnings"}) {
    EXPECT_TRUE(answer.contains(key)) << key;
  }
  EXPECT_FALSE(answer.contains("normal"));
  const double volume = 0.3 * 0.2 * 0.1;
  EXPECT_NEAR(answer["volume"], volume, 1e-12 * volume);
  const Eigen::Vector3d square = Eigen::Vector3d(0.3, 0.2, 0.1).array().square();
  const Eigen::Vector3d moments =
      volume / 12 *
      Eigen::Vector3d(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
  EXPECT_LT((Vector(answer["principal_moments"]) - moments).norm(), 1e-12 * moments.norm());
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::abs(answer["principal_axes"][i][i].get<double>()), 1.0, 1e-12);
    EXPECT_NEAR(answer["inertia"][i][i], moments[i], 1e-12 * moments.norm());
  }
}

// Two feet of a bridge in the ground.
TEST_F(QueryTool, PatchesAreListedOnRequest) {
  Write("feet.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 0 0\nv 7 0 0\nv 5 1 0\nv 5 0 1\n"
        "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 5 8 7\n");
  const std::string query = "query feet.obj ground.json --pose-a 0,0,-0.5,1,0,0,0";
  EXPECT_FALSE(Answer(query).contains("patches"));
  const Json answer = Answer(query + " --patches");
  const Json& patches = answer["patches"];
  ASSERT_EQ(patches.size(), 2u);
  EXPECT_EQ(Keys(patches[0]),
            (std::set<std::string>{"volume", "volume_bounds", "volume_error", "centroid", "inertia",
                                   "normal", "area_normal", "area_vector", "area_moment",
                                   "contact_area", "mean_height", "gyration_radius", "converged"}));
  const double volume = 7.0 / 48.0;
  EXPECT_NEAR(patches[0]["volume"], 2.0 * volume, 1e-14);
  EXPECT_NEAR(patches[1]["volume"], volume, 1e-14);
  EXPECT_NEAR(answer["volume"], 3.0 * volume, 1e-14);
  const ToolRun table = Run(query + " --patches");
  EXPECT_EQ(table.status, 0);
  EXPECT_NE(table.out.find("patches           2\n\npatch 1"), std::string::npos) << table.out;
  const Json apart = Answer("query feet.obj ground.json --pose-a 0,0,1,1,0,0,0 --patches");
  EXPECT_EQ(apart["patches"], Json::array());
  const Json of_ball = Answer("query feet.obj ball.json --patches");
  double of_patches = 0.0;
  for (const Json& patch : of_ball["patches"]) of_patches += patch["volume"].get<double>();
  EXPECT_NEAR(of_patches, of_ball["volume"].get<double>(), 1e-6 * of_patches);
}

}  // namespace
}  // namespace volcontact
