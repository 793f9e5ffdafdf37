// The tool's options that choose a body of a STEP file.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "cli/run_tool.h"

namespace volcontact {
namespace {

class BodyOptionTest : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    std::filesystem::copy_file(std::filesystem::path(TestsFolder()) / "step" / "data" / "pins.step",
                               directory_ / "pins.step");
    Write("ground.json", R"({"half_space": {}})");
  }

  nlohmann::json Answer(const std::string& arguments) const {
    const ToolRun run = Run(arguments + " --json");
    EXPECT_EQ(run.status, 0) << run.err;
    return nlohmann::json::parse(run.out, nullptr, false);
  }

  static constexpr double kPin = 48e-9 * std::numbers::pi, kBox = 1e-6;
};

TEST_F(BodyOptionTest, Mass) {
  EXPECT_NEAR(Answer("mass pins.step --body pin:3")["volume"], kPin, 1e-9 * kPin);
  EXPECT_NEAR(Answer("mass 'pins.step#1'")["volume"], kBox, 1e-9 * kBox);
  // However little that is in metres.
  EXPECT_TRUE(Answer("mass pins.step --body pin:3")["inertia"].is_array());
  const auto all = Answer("mass pins.step");
  EXPECT_NEAR(all["volume"], kBox + 4 * kPin, 1e-9 * kBox);
  EXPECT_NE(all["warnings"].dump().find("holds 5 bodies"), std::string::npos);
  EXPECT_EQ(Answer("mass pins.step --body all")["warnings"].dump().find("holds 5"),
            std::string::npos);
}

// Of two files, by one option or one each.
TEST_F(BodyOptionTest, Query) {
  EXPECT_NEAR(Answer("query pins.step ground.json --body 2 --pose-a 0,0,-0.001,1,0,0,0")["volume"],
              kPin / 12.0, 1e-9 * kPin);
  const std::string both = "query pins.step pins.step --pose-a 0.001,0,0,1,0,0,0";
  EXPECT_NEAR(Answer(both + " --body box")["volume"], 0.9 * kBox, 1e-9 * kBox);
  EXPECT_NEAR(Answer(both + " --body box --body-b pin:1")["volume"], 0.0, 0.0);
  EXPECT_NEAR(Answer(both + " --body-a 1 --body-b 1")["volume"], 0.9 * kBox, 1e-9 * kBox);
  EXPECT_NEAR(Answer("query 'pins.step#box' pins.step --body-b box")["volume"], kBox, 1e-9 * kBox);
}

// Of one file or one of two, and of all bodies of an assembly.
TEST_F(BodyOptionTest, UnitsThatReplaceThoseOfTheFile) {
  const std::string unit = " --units cm --override-units";
  EXPECT_NEAR(Answer("mass 'pins.step#1'" + unit)["volume"], 1e3 * kBox, 1e-6 * kBox);
  EXPECT_NEAR(Answer("mass 'pins.step#1' --units cm")["volume"], kBox, 1e-9 * kBox);
  EXPECT_NEAR(Answer("query 'pins.step#1' 'pins.step#1' --units-a cm --override-units")["volume"],
              kBox, 1e-9 * kBox);
  EXPECT_NEAR(Answer("assembly pins.step" + unit)["bodies"][0]["volume"], 1e3 * kBox, 1e-6 * kBox);
  ExpectRefusal("mass pins.step --override-units", "--override-units: needs a STEP file and its");
  ExpectRefusal("mass ground.json" + unit, "--override-units: needs a STEP file and its unit");
  ExpectRefusal("assembly pins.step --override-units",
                "--override-units: needs a STEP file and its");
}

// A tool that somebody has copied alone reads all other files.
TEST_F(BodyOptionTest, WithoutTheModuleTheToolSaysSo) {
  std::filesystem::copy_file(ToolPath(), directory_ / "volcontact");
  const std::string alone = "--version >version.txt; ./volcontact mass ";
  ExpectRefusal(alone + "pins.step",
                "the module that reads STEP files cannot be loaded: it is not");
  Write("ball.json", R"({"sphere": {"radius": 0.1}})");
  EXPECT_EQ(Run(alone + "ball.json").status, 0);
}

TEST_F(BodyOptionTest, WhatWouldDoNothingIsRefused) {
  ExpectRefusal("mass ground.json --body 1", "--body: no file is a STEP, 3MF, AMF or glTF file");
  ExpectRefusal("mass 'pins.step#1' --body 2", "--body: no file is a STEP, 3MF, AMF or glTF file");
  ExpectRefusal("query pins.step ground.json --body-b 1",
                "--body-b: ground.json is not a STEP, 3MF, AMF or glTF file");
  ExpectRefusal("query pins.step pins.step --body 1 --body-a 1 --body-b 2",
                "--body: has no effect beside --body-a and --body-b");
  ExpectRefusal("mass pins.step --body pim:1", R"(did you mean "pin:1"?)");
}

}  // namespace
}  // namespace volcontact
