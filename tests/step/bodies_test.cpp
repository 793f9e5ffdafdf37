// Bodies of STEP files, one by one: what they are called, and where assemblies place them.
#include <gtest/gtest.h>

#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "step/assembly_file.h"
#include "step/written_file.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/step/step_file.h"

namespace volcontact::bodies_test {
namespace {

constexpr double kPi = std::numbers::pi, kCubicMillimetre = 1e-9;

class StepBodyFiles : public WrittenStepFile {
 protected:
  void SetUp() override {
    WrittenStepFile::SetUp();
    EnableStepFiles();
  }

  // A box, and twice the same pair of pins, the first one turned.
  void WritePins(const std::string& box = "box", const std::string& pin = "pin") const {
    const TopoDS_Shape pins =
        AssemblyOf({PlacedAt(pin_, Placement(0, 0, 0)), PlacedAt(pin_, Placement(5, 0, 0))});
    WriteAssembly(AssemblyOf({PlacedAt(box_, Placement(0, 0, 0)),
                              PlacedAt(pins, Placement(30, 0, 0, 0.5 * kPi)),
                              PlacedAt(pins, Placement(60, 0, 0))}),
                  {{"1", box}, {"2.1", pin}}, file_);
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const StepBody& body : ReadStepBodies(file_)) names.push_back(body.name);
    return names;
  }

  std::string Refusal(const std::string& body) const {
    StepOptions options;
    options.body = body;
    try {
      ReadStep(file_, options);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  }

  const TopoDS_Shape box_ = BRepPrimAPI_MakeBox(10, 20, 30).Shape();
  const TopoDS_Shape pin_ = BRepPrimAPI_MakeCylinder(2, 12).Shape();
};

TEST_F(StepBodyFiles, AreWhereNestedAssembliesPlaceThem) {
  WritePins();
  const std::vector<StepBody> bodies = ReadStepBodies(file_);
  ASSERT_EQ(bodies.size(), 5u);
  const std::vector<std::string> names = {"box", "pin:1", "pin:2", "pin:3", "pin:4"};
  const Eigen::Vector3d places[] = {{5, 10, 15}, {30, 0, 6}, {30, 5, 6}, {60, 0, 6}, {65, 0, 6}};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(bodies[i].number, static_cast<int>(i) + 1);
    EXPECT_EQ(bodies[i].name, names[i]);
    EXPECT_TRUE(bodies[i].exact && bodies[i].why.empty()) << bodies[i].why;
    ASSERT_TRUE(bodies[i].solid);
    const double volume = (i == 0 ? 6000.0 : 48.0 * kPi) * kCubicMillimetre;
    const MassProperties mass = ComputeMassProperties(*bodies[i].solid);
    EXPECT_NEAR(mass.volume, volume, 1e-9 * volume);
    EXPECT_NEAR(bodies[i].volume, volume, 1e-8 * volume);
    EXPECT_LT((mass.centroid_W - 1e-3 * places[i]).norm(), 1e-9) << names[i];
    EXPECT_LT((bodies[i].centroid - 1e-3 * places[i]).norm(), 1e-9) << names[i];
  }
}

// A quarter turn of the file is one of the solid: faces stay flush.
TEST_F(StepBodyFiles, QuarterTurnsAreExact) {
  WriteAssembly(AssemblyOf({PlacedAt(box_, Placement(0, 0, 0)),
                            PlacedAt(box_, Placement(20, 20, 0, 0.5 * kPi))}),
                {}, file_);
  const std::vector<StepBody> bodies = ReadStepBodies(file_);
  ASSERT_EQ(bodies.size(), 2u);
  for (const double z : {0.0, 0.005, 0.03}) {
    EXPECT_EQ(bodies[1].solid->Locate({0.0, 0.025, z}), Membership::kBoundary) << z;
    EXPECT_EQ(bodies[1].solid->Locate({0.008, 0.02, z}), Membership::kBoundary) << z;
  }
}

TEST_F(StepBodyFiles, AreChosenByNameOrNumber) {
  WritePins();
  StepOptions options;
  for (const char* const choice : {"pin:2", "3"}) {
    options.body = choice;
    const SolidFile file = ReadStep(file_, options);
    EXPECT_EQ(file.name, "pin:2");
    EXPECT_EQ(file.solid.Locate({0.03, 0.005, 0.001}), Membership::kInside);
    EXPECT_EQ(file.solid.Locate({0.03, 0.0, 0.001}), Membership::kOutside);
    EXPECT_EQ(file.notes.size(), 1u) << file.notes.back();
  }
  options.body = "all";
  EXPECT_EQ(ReadStep(file_, options).notes.size(), 1u);
  options.body = "";
  const SolidFile all = ReadStep(file_, options);
  ASSERT_EQ(all.notes.size(), 2u);
  EXPECT_NE(all.notes[1].find(R"(1 "box", 2 "pin:1", 3 "pin:2")"), std::string::npos);
  for (const double x : {0.005, 0.03, 0.06}) {
    EXPECT_EQ(all.solid.Locate({x, 0.001, 0.001}), Membership::kInside) << x;
  }
}

TEST_F(StepBodyFiles, WhatIsNoneIsRefusedWithAList) {
  WritePins();
  for (const char* const choice : {"0", "6", "-1", "1.0", "99999999999", "bx", "box "}) {
    const std::string refusal = Refusal(choice);
    EXPECT_TRUE(refusal.starts_with(file_.string() + ": no body is called")) << refusal;
    EXPECT_NE(refusal.find(R"(1 "box", 2 "pin:1")"), std::string::npos) << refusal;
  }
  EXPECT_NE(Refusal("bx").find(R"((did you mean "box"?))"), std::string::npos) << Refusal("bx");
  const std::string several = Refusal("pin");
  EXPECT_NE(several.find(R"(4 bodies are called "pin"; name one of 2 "pin:1", 3 "pin:2")"),
            std::string::npos)
      << several;
}

// Blanks, slashes, number signs, quotes, and the escapes of STEP's texts.
TEST_F(StepBodyFiles, NamesMayHoldAnything) {
  WritePins(R"( M\X2\00FC\X0\ller \S\d #1''s a/b )", "box");
  const std::string odd = "M\u00fcller \u00e4 #1's a/b";
  EXPECT_EQ(Names(), (std::vector<std::string>{odd, "box:1", "box:2", "box:3", "box:4"}));
  EXPECT_EQ(ReadSolid(file_.string() + "#" + odd).name, odd);
  // A name that looks like another one's number, or like a number.
  WritePins("3", "3");
  EXPECT_EQ(Names(), (std::vector<std::string>{"3:1", "3:2", "3:3", "3:4", "3:5"}));
  WritePins("pin:1", "pin");
  EXPECT_EQ(Names(), (std::vector<std::string>{"pin:1", "pin:2", "pin:3", "pin:4", "pin:5"}));
  EXPECT_NEAR(ComputeMassProperties(ReadSolid(file_.string() + "#pin:1").solid).volume, 6e-6,
              1e-14);
  WritePins("3", "pin");
  EXPECT_EQ(ReadSolid(file_.string() + "#3").name, "3");
  EXPECT_EQ(ReadSolid(file_.string() + "#4").name, "pin:3");
}

TEST_F(StepBodyFiles, PathsNameThem) {
  WritePins("box/1", "pin");
  EXPECT_EQ(ReadSolid(file_.string() + "#box/1").name, "box/1");
  ReadOptions options;
  options.body = "pin:1";
  EXPECT_EQ(ReadSolid(file_.string() + "#box/1", options).name, "box/1");
  EXPECT_EQ(ReadSolid(file_, options).name, "pin:1");
  EXPECT_THROW(ReadSolid(file_.string() + "#"), InvalidInput);
  EXPECT_THROW(ReadSolid("none.step#box/1"), InvalidInput);
  // A file that is called so is that file.
  const std::filesystem::path hash = file_.string() + "#4.step";
  std::filesystem::copy_file(file_, hash);
  EXPECT_TRUE(ReadSolid(hash).name.empty());
  std::filesystem::remove(hash);
}

TEST_F(StepBodyFiles, SolidFilesNameThem) {
  WritePins();
  const std::string name = file_.filename().string();
  const auto parse = [&](const std::string& text) {
    return ParseSolidJson(text, "part.json", file_.parent_path());
  };
  const SolidFile part =
      parse(R"({"difference": [{"file": ")" + name + R"(#box"}, {"sphere": {"radius": 0.001}}]})");
  EXPECT_EQ(part.solid.Locate({0.005, 0.01, 0.01}), Membership::kInside);
  EXPECT_EQ(part.solid.Locate({0.06, 0.0, 0.001}), Membership::kOutside);
  EXPECT_NE(part.notes.at(0).find("1 of 1 solids are exact"), std::string::npos);
  const SolidFile posed =
      parse(R"({"file": ")" + name + R"(#1", "pose": {"t": [1, 0, 0], "q": [1, 0, 0, 0]}})");
  EXPECT_EQ(posed.solid.Locate({1.005, 0.01, 0.01}), Membership::kInside);
  for (const std::string& wrong : {name + "#nut", std::string("part.json"), std::string("x.txt")}) {
    try {
      parse(R"({"file": ")" + wrong + R"("})");
      ADD_FAILURE() << wrong;
    } catch (const InvalidInput& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("part.json: at /file: ")) << error.what();
    }
  }
}

// Other files hold one solid.
TEST_F(StepBodyFiles, NoBodyOfOtherFiles) {
  const std::filesystem::path ball = file_.string() + ".json";
  std::ofstream(ball) << R"({"sphere": {"radius": 1}})";
  ReadOptions options;
  options.body = "ball";
  EXPECT_THROW(ReadSolid(ball, options), InvalidInput);
  std::filesystem::remove(ball);
}

// A mesh is made once, and placed as often as it is used.
TEST_F(StepBodyFiles, MeshesArePlaced) {
  const TopoDS_Shape ring = BRepPrimAPI_MakeTorus(8, 3).Shape();
  WriteAssembly(
      AssemblyOf({PlacedAt(ring, Placement(0, 0, 0)), PlacedAt(ring, Placement(40, 0, 0, 0.3))}),
      {{"1", "ring"}}, file_);
  StepOptions options;
  options.only_meshes = true;
  const std::vector<StepBody> rings = ReadStepBodies(file_, options);
  ASSERT_EQ(rings.size(), 2u);
  for (const StepBody& body : rings) {
    EXPECT_FALSE(body.exact);
    EXPECT_EQ(body.why, "meshes were asked for");
    EXPECT_GT(body.deviation, 0.0);
    EXPECT_LT(body.deviation, 1e-5);
  }
  EXPECT_EQ(rings[1].solid->Locate({0.048, 0, 0}), Membership::kInside);
  EXPECT_EQ(rings[1].solid->Locate({0.04, 0, 0}), Membership::kOutside);
  const SolidFile both = ReadStep(file_, options);
  EXPECT_NEAR(ComputeMassProperties(both.solid).volume, 288.0 * kPi * kPi * kCubicMillimetre,
              1e-3 * 288.0 * kPi * kPi * kCubicMillimetre);
}

// Placements count in the unit, too.
TEST_F(StepBodyFiles, AnotherUnit) {
  WritePins();
  StepOptions options;
  options.units = "cm";
  options.override_units = true;
  const std::vector<StepBody> bodies = ReadStepBodies(file_),
                              larger = ReadStepBodies(file_, options);
  ASSERT_EQ(larger.size(), bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_TRUE(larger[i].exact);
    EXPECT_NEAR(larger[i].volume, 1e3 * bodies[i].volume, 1e-9 * larger[i].volume);
    EXPECT_LT((larger[i].centroid - 10.0 * bodies[i].centroid).norm(), 1e-12);
    const MassProperties mass = ComputeMassProperties(*larger[i].solid);
    EXPECT_LT((mass.centroid_W - larger[i].centroid).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace volcontact::bodies_test
