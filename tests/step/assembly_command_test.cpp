// `volcontact assembly` on assemblies made by Open CASCADE: nested, with bodies placed several
// times.
#include <gtest/gtest.h>

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <Geom_BezierCurve.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <TColgp_Array1OfPnt.hxx>
#include <TopoDS_Edge.hxx>
#include <gp_Ax1.hxx>
#include <gp_Ax2.hxx>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "cli/run_tool.h"
#include "step/assembly_file.h"

namespace volcontact::assembly_command_test {
namespace {

constexpr double kPi = std::numbers::pi;

class AssemblyCommandTest : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Message::DefaultMessenger()->ChangePrinters().Clear();
  }

  // Two bored blocks on each other, of which the second is turned; a pin is pressed into each bore
  // of radius 5, with 10 µm more. Blocks and pins are one product each.
  void WritePressed() const {
    const TopoDS_Shape block =
        BRepAlgoAPI_Cut(
            BRepPrimAPI_MakeBox(40, 20, 8).Shape(),
            BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(10, 10, -1), gp_Dir(0, 0, 1)), 5, 10).Shape())
            .Shape();
    const TopoDS_Shape pin = BRepPrimAPI_MakeCylinder(5.01, 6).Shape();
    const TopoDS_Shape unit =
        AssemblyOf({PlacedAt(block, Placement(0, 0, 0)), PlacedAt(pin, Placement(10, 10, 1))});
    WriteAssembly(
        AssemblyOf({PlacedAt(unit, Placement(0, 0, 0)), PlacedAt(unit, Placement(40, 20, 8, kPi))}),
        {{"1.1.1", "block"}, {"1.2", "pin"}}, directory_ / "pressed.step");
  }

  nlohmann::json Answer(const std::string& arguments, int status = 0) const {
    const ToolRun run = Run("assembly " + arguments + " --json");
    EXPECT_EQ(run.status, status) << run.err;
    return nlohmann::json::parse(run.out, nullptr, false);
  }
};

TEST_F(AssemblyCommandTest, PressFitsAndTouches) {
  WritePressed();
  const nlohmann::json answer = Answer("pressed.step --near 0.003");
  ASSERT_EQ(answer["bodies"].size(), 4u);
  EXPECT_EQ(answer["bodies"][3]["name"], "pin:2");
  EXPECT_EQ(answer["bodies"][3]["index"], 4);
  EXPECT_EQ(answer["bodies"][3]["form"], "exact");
  const double volume = kPi * 0.01 * 10.01 * 6.0 * 1e-9;
  int pressed = 0, touching = 0, near = 0;
  for (const nlohmann::json& pair : answer["pairs"]) {
    if (pair["relation"] == "interfering") {
      EXPECT_EQ(pair["b"].get<int>() - pair["a"].get<int>(), 1);
      EXPECT_NEAR(pair["volume"], volume, 1e-6 * volume);
      EXPECT_LE(pair["volume_error"], 1e-6 * volume);
      ++pressed;
    } else if (pair["relation"] == "touching") {
      EXPECT_EQ(pair["names"], nlohmann::json({"block:1", "block:2"}));
      ++touching;
    } else {
      EXPECT_EQ(pair["relation"], "apart");
      EXPECT_LE(pair["distance_lower_bound"], pair["distance"]);
      ++near;
    }
  }
  EXPECT_EQ(pressed, 2);
  EXPECT_EQ(touching, 1);
  EXPECT_EQ(near, 2);  // each pin, 1 mm below the top of its block, above the other block
  EXPECT_EQ(answer["interfering"], 2);
  EXPECT_EQ(answer["converged"], true);
  EXPECT_EQ(Answer("pressed.step")["apart"], 0);
  EXPECT_EQ(Answer("pressed.step --touch 1e-4")["interfering"], 0);
}

TEST_F(AssemblyCommandTest, TheTableNamesThem) {
  WritePressed();
  const ToolRun run = Run("assembly pressed.step");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("4 bodies; pairs: 2 interfering, 1 touching, 0 near, 0 undecided"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("interfering  1 block:1"), std::string::npos) << run.out;
}

// A turned cubic has no exact form: what is less than its mesh's deviation is undecided.
TEST_F(AssemblyCommandTest, MeshesAreNotBelievedBeyondTheirDeviation) {
  TColgp_Array1OfPnt points(1, 4);
  points(1) = gp_Pnt(0, 0, -6);
  points(2) = gp_Pnt(13, 0, -6);
  points(3) = gp_Pnt(13, 0, 6);
  points(4) = gp_Pnt(0, 0, 6);
  const TopoDS_Edge cubic = BRepBuilderAPI_MakeEdge(new Geom_BezierCurve(points));
  const TopoDS_Edge axis = BRepBuilderAPI_MakeEdge(points(4), points(1));
  const TopoDS_Shape egg =
      BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(BRepBuilderAPI_MakeWire(cubic, axis).Wire()),
                            gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)))
          .Shape();
  for (const double gap : {-1e-4, 1e-4, -1.0}) {
    const TopoDS_Shape plate = BRepPrimAPI_MakeBox(gp_Pnt(-20, -20, 6 + gap), 40, 40, 5).Shape();
    WriteAssembly(
        AssemblyOf({PlacedAt(egg, Placement(0, 0, 0)), PlacedAt(plate, Placement(0, 0, 0))}),
        {{"1", "egg"}, {"2", "plate"}}, directory_ / "egg.step");
    const nlohmann::json answer = Answer("egg.step", 1);
    ASSERT_EQ(answer["pairs"].size(), 1u) << gap;
    const nlohmann::json& pair = answer["pairs"][0];
    EXPECT_EQ(pair["relation"], gap < -0.5 ? "interfering" : "undecided") << gap;
    EXPECT_GT(pair["deviation"], 1e-7);
    EXPECT_NE(answer["bodies"][0]["why"], nullptr);
  }
}

TEST_F(AssemblyCommandTest, WritesAPicture) {
  WritePressed();
  const nlohmann::json answer = Answer("pressed.step --out pressed.glb");
  EXPECT_EQ(answer["interfering"], 2);
  EXPECT_GT(std::filesystem::file_size(directory_ / "pressed.glb"), 10'000u);
  const std::string text = Contents("pressed.glb");
  EXPECT_NE(text.find("block:1 with pin:1"), std::string::npos);
  EXPECT_NE(text.find("pin:2"), std::string::npos);
  Write("mine.glb", "something else");
  ExpectRefusal("assembly pressed.step --out mine.glb", "view did not write it");
}

TEST_F(AssemblyCommandTest, KeepsItsTime) {
  WritePressed();
  const ToolRun run = Run("assembly pressed.step --max-seconds 0.001");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("time limit"), std::string::npos) << run.err;
}

TEST_F(AssemblyCommandTest, WrongOptionsAreRefused) {
  Write("a.step", "no STEP");
  ExpectRefusal("assembly none.step", "none.step: ");
  ExpectRefusal("assembly a.step", "a.step: ");
  ExpectRefusal("assembly a.step --near -1", "--near -1: must be 0 or more");
  ExpectRefusal("assembly a.step --deviation 0", "--deviation 0: must be above 0");
  ExpectRefusal("assembly a.step --force", "--force: works with --out only");
  ExpectRefusal("assembly a.step --out a.txt", "--out a.txt: must end in");
}

}  // namespace
}  // namespace volcontact::assembly_command_test
