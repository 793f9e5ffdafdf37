// The STEP files of data/step, made anew by Open CASCADE: a bracket, and the bracket with a bushing
// that is pressed into its bore, and a pin that is loose in the bushing.
#include <gtest/gtest.h>

#include <BRepAdaptor_Curve.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPControl_Controller.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <filesystem>
#include <gp_Ax2.hxx>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "cli/run_tool.h"
#include "step/assembly_file.h"
#include "support/paths.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/step/step_file.h"

namespace volcontact::examples_test {
namespace {

constexpr double kPi = std::numbers::pi, kCubicMillimetre = 1e-9;
// Lengths [mm]: of the legs, of the inner fillet and the round corners, of the countersunk holes
// and the bore, and of what is put into it.
constexpr double kLength = 60, kWidth = 40, kHeight = 46, kThickness = 6;
constexpr double kFillet = 8, kCorner = 6;
constexpr double kHole = 3.3, kHead = 6.3, kSink = 3;
constexpr double kBore = 8, kBushing = 8.01, kInner = 5, kPin = 4.99;
constexpr double kBushingLength = 12, kPinLength = 30;

double AreaOfCorner(double radius) { return (1.0 - 0.25 * kPi) * radius * radius; }

double BracketVolume() {
  const double sunk = kPi / 3 * kSink * (kHead * kHead + kHead * kHole + kHole * kHole);
  const double hole = sunk + kPi * kHole * kHole * (kThickness - kSink);
  return kThickness * kWidth * (kLength + kHeight - kThickness) + AreaOfCorner(kFillet) * kWidth -
         2 * AreaOfCorner(kCorner) * kThickness - 2 * hole - kPi * kBore * kBore * kThickness;
}

// Along x, through the middle of the bore.
TopoDS_Shape Round(double radius, double from, double length) {
  const gp_Ax2 axis(gp_Pnt(from, kWidth / 2, 30), gp_Dir(1, 0, 0));
  return BRepPrimAPI_MakeCylinder(axis, radius, length).Shape();
}

TopoDS_Shape Cut(const TopoDS_Shape& part, const TopoDS_Shape& hole) {
  return TopExp_Explorer(BRepAlgoAPI_Cut(part, hole).Shape(), TopAbs_SOLID).Current();
}

// Of the edges along `axis` through p.
TopoDS_Shape Rounded(const TopoDS_Shape& part, double radius, const gp_Pnt& p, const gp_Dir& axis) {
  BRepFilletAPI_MakeFillet fillet(part);
  for (TopExp_Explorer edge(part, TopAbs_EDGE); edge.More(); edge.Next()) {
    const BRepAdaptor_Curve curve(TopoDS::Edge(edge.Current()));
    if (curve.GetType() == GeomAbs_Line && curve.Line().Direction().IsParallel(axis, 1e-9) &&
        curve.Line().Distance(p) < 1e-9) {
      fillet.Add(radius, TopoDS::Edge(edge.Current()));
      break;
    }
  }
  return fillet.Shape();
}

TopoDS_Shape Bracket() {
  const TopoDS_Shape base = BRepPrimAPI_MakeBox(kLength, kWidth, kThickness).Shape();
  const TopoDS_Shape wall = BRepPrimAPI_MakeBox(kThickness, kWidth, kHeight).Shape();
  BRepAlgoAPI_Fuse fuse(base, wall);
  fuse.SimplifyResult();
  const gp_Dir y(0, 1, 0), z(0, 0, 1);
  TopoDS_Shape part = Rounded(fuse.Shape(), kFillet, gp_Pnt(kThickness, 0, kThickness), y);
  for (const double side : {0.0, kWidth}) {
    part = Rounded(part, kCorner, gp_Pnt(kLength, side, 0), z);
  }
  for (const double side : {10.0, 30.0}) {
    part = Cut(part, BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(40, side, -1), z), kHole, 9).Shape());
    const gp_Ax2 sink(gp_Pnt(40, side, kThickness - kSink), z);
    part = Cut(part, BRepPrimAPI_MakeCone(sink, kHole, kHead, kSink).Shape());
  }
  return Cut(part, Round(kBore, -1, kThickness + 2));
}

TopoDS_Shape Assembly() {
  const TopoDS_Shape bushing =
      Cut(Round(kBushing, -3, kBushingLength), Round(kInner, -4, kBushingLength + 2));
  const gp_Trsf here;
  return AssemblyOf({PlacedAt(Bracket(), here), PlacedAt(bushing, here),
                     PlacedAt(Round(kPin, -10, kPinLength), here)});
}

struct Part {
  std::string name;
  double volume;  // [mm³]
};

class StepExamples : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Message::DefaultMessenger()->ChangePrinters().Clear();
    STEPControl_Controller::Init();
    Interface_Static::SetIVal("write.surfacecurve.mode", 0);  // much shorter files
  }

  void TearDown() override {
    Interface_Static::SetIVal("write.surfacecurve.mode", 1);
    ToolTest::TearDown();
  }

  // The parts of the file in data/step, and those of the file that is made here, are the same.
  void ExpectParts(const std::filesystem::path& made, const std::vector<Part>& parts) const {
    const std::filesystem::path given =
        std::filesystem::path(DataFolder()) / "step" / made.filename();
    for (const std::filesystem::path& file : {made, given}) {
      const std::vector<StepBody> bodies = ReadStepBodies(file);
      ASSERT_EQ(bodies.size(), parts.size()) << file;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_EQ(bodies[i].name, parts[i].name) << file;
        ASSERT_TRUE(bodies[i].exact) << file << ": " << bodies[i].why;
        QueryOptions options;
        options.tolerance = 1e-10;
        const MassProperties mass = ComputeMassProperties(*bodies[i].solid, options);
        EXPECT_NEAR(mass.volume / (parts[i].volume * kCubicMillimetre), 1.0, 1e-10) << file;
      }
    }
  }

  const Part bracket_ = {"bracket", BracketVolume()};
  const Part bushing_ = {"bushing", kPi*(kBushing* kBushing - kInner * kInner) * kBushingLength};
  const Part pin_ = {"pin", kPi* kPin* kPin* kPinLength};
};

TEST_F(StepExamples, AreTheBracket) {
  const std::filesystem::path file = directory_ / "bracket.step";
  WriteAssembly(AssemblyOf({Bracket()}), {{"1", "bracket"}}, file);
  ExpectParts(file, {bracket_});
}

TEST_F(StepExamples, AreItsAssembly) {
  const std::filesystem::path file = directory_ / "bracket_and_bushing.step";
  WriteAssembly(Assembly(), {{"1", "bracket"}, {"2", "bushing"}, {"3", "pin"}}, file);
  ExpectParts(file, {bracket_, bushing_, pin_});
}

TEST_F(StepExamples, TheBushingIsPressedAndThePinIsLoose) {
  const std::string file =
      (std::filesystem::path(DataFolder()) / "step" / "bracket_and_bushing.step").string();
  const ToolRun run = Run("assembly " + file + " --near 1e-3 --json");
  EXPECT_EQ(run.status, 0) << run.err;
  const nlohmann::json pairs = nlohmann::json::parse(run.out, nullptr, false).at("pairs");
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].at("names"), nlohmann::json({"bracket", "bushing"}));
  EXPECT_EQ(pairs[0].at("relation"), "interfering");
  const double pressed = kPi * (kBushing * kBushing - kBore * kBore) * kThickness;
  EXPECT_NEAR(pairs[0].at("volume").get<double>() / (pressed * kCubicMillimetre), 1.0, 1e-9);
  EXPECT_EQ(pairs[1].at("names"), nlohmann::json({"bushing", "pin"}));
  EXPECT_EQ(pairs[1].at("relation"), "apart");
  EXPECT_NEAR(pairs[1].at("distance").get<double>(), (kInner - kPin) * 1e-3, 1e-9);
}

}  // namespace
}  // namespace volcontact::examples_test
