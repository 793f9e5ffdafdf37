// Units of files, sizes that suggest another, masses, and solids from standard input.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "cli/run_tool.h"

namespace volcontact {
namespace {

using Json = nlohmann::json;

// A tetrahedron with edges of a length along the axes.
std::string Corner(double a) {
  const std::string n = std::to_string(a);
  return "v 0 0 0\nv " + n + " 0 0\nv 0 " + n + " 0\nv 0 0 " + n +
         "\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
}

class Units : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Write("part.obj", Corner(50.0));
    Write("corner.obj", Corner(0.05));
    Write("tiny.obj", Corner(0.00005));
    Write("part.json", R"({"mesh": {"file": "part.obj"}})");
    Write("told.json",
          R"({"volcontact": 1, "units": "mm", "solid": {"mesh": {"file": "part.obj"}}})");
    Write("ball.json", R"({"sphere": {"radius": 25}})");
    Write("part.csg", "sphere(r = 25);");
    Write("ground.json", R"({"half_space": {}})");
    Write("contact.json", R"({"normal": {"stiffness": 1e9}})");
  }

  Json Answer(const std::string& arguments) const {
    const ToolRun run = Run(arguments + " --json");
    EXPECT_EQ(run.status, 0) << arguments << ' ' << run.err;
    return Json::parse(run.out, nullptr, false);
  }
  double Volume(const std::string& arguments) const { return Answer(arguments).at("volume"); }
};

constexpr double kBall = 4.0 / 3.0 * std::numbers::pi * 25.0 * 25.0 * 25.0;
constexpr double kCorner = 50.0 * 50.0 * 50.0 / 6.0;

TEST_F(Units, AreThoseTheOptionNames) {
  for (const auto& [name, metres] :
       {std::pair{"m", 1.0}, {"mm", 1e-3}, {"cm", 1e-2}, {"in", 0.0254}}) {
    const double cubic = metres * metres * metres;
    const std::string units = std::string(" --units ") + name;
    for (const auto& [file, volume] : {std::pair{"part.obj", kCorner},
                                       {"part.json", kCorner},
                                       {"ball.json", kBall},
                                       {"part.csg", kBall}}) {
      EXPECT_NEAR(Volume(std::string("mass ") + file + units) / (volume * cubic), 1.0, 1e-12)
          << file << units;
    }
    EXPECT_NEAR(Volume("check part.obj" + units) / (kCorner * cubic), 1.0, 1e-12);
  }
  // The file itself has the last word, and OpenSCAD's are in millimetres.
  EXPECT_NEAR(Volume("mass told.json") / (kCorner * 1e-9), 1.0, 1e-12);
  EXPECT_NEAR(Volume("mass part.csg") / (kBall * 1e-9), 1.0, 1e-12);
  const Json contradicted = Answer("mass told.json --units in");
  EXPECT_NEAR(contradicted["volume"].get<double>() / (kCorner * 1e-9), 1.0, 1e-12);
  ASSERT_EQ(contradicted["warnings"].size(), 1u);
  EXPECT_NE(contradicted["warnings"][0].get<std::string>().find("names the unit mm"),
            std::string::npos);
}

TEST_F(Units, TwoFilesMayHaveTwo) {
  const std::string pair = "query ball.json corner.obj ";
  const double both = Volume("query part.obj ball.json --units mm");
  EXPECT_NEAR(Volume("query corner.obj ball.json --units-b mm"), both, 1e-12 * both);
  EXPECT_NEAR(Volume("query part.obj ball.json --units-a mm --units-b mm"), both, 1e-12 * both);
  EXPECT_NEAR(Volume("query part.obj ball.json --units mm --units-a mm"), both, 1e-12 * both);
}

TEST_F(Units, ImplausibleSizesAreWarnedOfInEveryCommand) {
  const auto warned = [](const Json& warnings) {
    return warnings.size() == 1 &&
           warnings[0].get<std::string>().find("names no unit") != std::string::npos;
  };
  for (const char* file : {"part.obj", "part.json", "ball.json", "tiny.obj"}) {
    const std::string name = file;
    EXPECT_TRUE(warned(Answer("mass " + name)["warnings"])) << name;
    EXPECT_TRUE(warned(Answer("query " + name + " ground.json")["warnings"])) << name;
    EXPECT_TRUE(warned(Answer("query ground.json " + name)["warnings"])) << name;
    EXPECT_TRUE(warned(
        Answer("force " + name + " ground.json --params contact.json")["metrics"]["warnings"]))
        << name;
    EXPECT_EQ(Answer("mass --units m " + name)["warnings"], Json::array()) << name;
  }
  EXPECT_TRUE(warned(Answer("check part.obj")["notes"]));
  EXPECT_EQ(Answer("check part.obj --scale 1")["notes"], Json::array());
  for (const char* file : {"corner.obj", "told.json"}) {
    EXPECT_EQ(Answer(std::string("mass ") + file)["warnings"], Json::array()) << file;
  }
}

TEST_F(Units, DensityMakesMassAndInertia) {
  const Json answer = Answer("mass ball.json --units mm --density 7800");
  const double mass = 7800 * kBall * 1e-9, inertia = 0.4 * mass * 0.025 * 0.025;
  EXPECT_EQ(answer["density"], 7800);
  EXPECT_NEAR(answer["mass"].get<double>() / mass, 1.0, 1e-12);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(answer["inertia"][i][i].get<double>() / inertia, 1.0, 1e-12);
    EXPECT_NEAR(answer["principal_moments"][i].get<double>() / inertia, 1.0, 1e-12);
  }
  EXPECT_FALSE(Answer("mass ball.json").contains("mass"));
  EXPECT_NE(Run("mass ball.json --density 7800").out.find("kg m^2"), std::string::npos);
  EXPECT_EQ(Answer("mass ball.json --density aluminum")["density"], 2700);
}

TEST_F(Units, SolidsComeThroughPipes) {
  EXPECT_NEAR(Volume("mass - --format obj --units mm < part.obj") / (kCorner * 1e-9), 1.0, 1e-12);
  EXPECT_NEAR(Volume("mass - --format csg < part.csg") / (kBall * 1e-9), 1.0, 1e-12);
  EXPECT_EQ(Volume("query - ground.json --format json < ball.json"),
            Volume("query ball.json ground.json"));
  ExpectRefusal("mass - < ball.json", "--format");
  ExpectRefusal("mass ball.json --format json", "--format: works with standard input (-) only");
  ExpectRefusal("mass - --format jsn < ball.json", "\"jsn\" is not a format of solids");
  ExpectRefusal("mass - --format json < part.obj", "standard input: line 1");
  ExpectRefusal("mass - --format stl < /dev/null", "standard input: is empty");
  ExpectRefusal("query - - --format json < ball.json", "standard input holds one solid");
}

TEST_F(Units, Refusals) {
  ExpectRefusal("mass part.obj --units ft", "--units ft: unknown unit \"ft\"; known units: m, mm");
  ExpectRefusal("query part.obj ball.json --units-b miles", "--units-b miles: unknown unit");
  ExpectRefusal("query part.obj ball.json --units mm --units-a m --units-b m",
                "--units: has no effect");
  ExpectRefusal("check part.obj --units mm --scale 0.001", "excludes");
  ExpectRefusal("check part.obj --units mmm", "--units mmm: unknown unit");
  for (const char* density : {"0", "-1", "nan", "inf"}) {
    ExpectRefusal(std::string("mass ball.json --density ") + density,
                  "must be positive and finite");
  }
  ExpectRefusal("mass ball.json --density 7800kg", "--density: \"7800kg\" is not a material");
  ExpectRefusal("mass ball.json --density soft_wood",
                "has no density in the built-in table; give a number");
}

}  // namespace
}  // namespace volcontact
