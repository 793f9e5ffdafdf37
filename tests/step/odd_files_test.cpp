// STEP files that people have and that hold no solid, or not what they say.
#include <gtest/gtest.h>

#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRep_Builder.hxx>
#include <Interface_Static.hxx>
#include <STEPControl_Controller.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Shape.hxx>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "step/written_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/step/step_file.h"

namespace volcontact::testing::odd_files_test {
namespace {

class OddStepFiles : public WrittenStepFile {
 protected:
  void WriteText(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }

  // One line that names the file and says this.
  void ExpectRefusal(const std::string& part) const {
    try {
      ReadStep(file_, {});
      FAIL() << "read";
    } catch (const InvalidInput& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(part), std::string::npos) << message;
      EXPECT_NE(message.find(file_.filename().string()), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
};

// The faces of a shape without what joins them, but for the last of them.
TopoDS_Compound LooseFaces(const TopoDS_Shape& shape, int left_out) {
  BRep_Builder builder;
  TopoDS_Compound faces;
  builder.MakeCompound(faces);
  int left = -left_out;
  for (TopExp_Explorer face(shape, TopAbs_FACE); face.More(); face.Next()) ++left;
  for (TopExp_Explorer face(shape, TopAbs_FACE); left > 0; face.Next(), --left) {
    builder.Add(faces, face.Current());
  }
  return faces;
}

TEST_F(OddStepFiles, SurfacesThatCloseAreSolids) {
  const TopoDS_Shape box = BRepPrimAPI_MakeBox(10, 20, 30).Shape();
  for (const TopoDS_Shape& surfaces :
       {TopExp_Explorer(box, TopAbs_SHELL).Current(), TopoDS_Shape(LooseFaces(box, 0))}) {
    Write(surfaces);
    const SolidFile file = ReadStep(file_, {});
    EXPECT_NEAR(ComputeMassProperties(file.solid).volume, 6e-6, 1e-18);
    ASSERT_EQ(file.notes.size(), 2u);
    EXPECT_NE(file.notes[1].find("joined along their edges to 1 closed solid"), std::string::npos)
        << file.notes[1];
  }
}

TEST_F(OddStepFiles, SurfacesThatAreOpen) {
  Write(LooseFaces(BRepPrimAPI_MakeBox(10, 20, 30).Shape(), 1));
  ExpectRefusal("holds no solid, but 5 faces, which leave an opening along 4 edges");
  Write(BRepBuilderAPI_MakePolygon(gp_Pnt(0, 0, 0), gp_Pnt(0, 0, 20), gp_Pnt(5, 5, 5)).Wire());
  ExpectRefusal("holds no solids and no surfaces");
}

TEST_F(OddStepFiles, DamagedDownloads) {
  Write(BRepPrimAPI_MakeBox(10, 20, 30).Shape());
  const std::string text = Contents();
  for (const double part : {0.3, 0.6, 0.99}) {
    WriteText(text.substr(0, static_cast<std::size_t>(part * static_cast<double>(text.size()))));
    ExpectRefusal("ends before END-ISO-10303-21; the file is truncated");
  }
  WriteText("<html><body>404</body></html>");
  ExpectRefusal("is a web page");
  WriteText("version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
  ExpectRefusal("git lfs pull");
  WriteText("solid cube\nendsolid\n");
  ExpectRefusal("does not begin with ISO-10303-21");
  WriteText("");
  ExpectRefusal("is empty");
}

// Millimetres that a program calls metres.
TEST_F(OddStepFiles, UnitsThatMayBeWrong) {
  STEPControl_Controller::Init();  // before that the writer's parameters cannot be set
  Interface_Static::SetCVal("write.step.unit", "M");
  Write(BRepPrimAPI_MakeBox(1e4, 2e4, 3e4).Shape());
  Interface_Static::SetCVal("write.step.unit", "MM");
  const SolidFile file = ReadStep(file_, {});
  ASSERT_EQ(file.notes.size(), 2u);
  EXPECT_NE(file.notes[1].find("is 30 m long by its unit"), std::string::npos) << file.notes[1];
  const double named = ComputeMassProperties(file.solid).volume;
  EXPECT_NEAR(named, 6e3, 1e-9);
  StepOptions options;
  options.units = "mm";
  const SolidFile kept = ReadStep(file_, options);
  EXPECT_EQ(ComputeMassProperties(kept.solid).volume, named);
  EXPECT_NE(kept.notes[0].find("the units mm were not used"), std::string::npos) << kept.notes[0];
  options.override_units = true;
  for (const auto& [units, metres] : {std::pair{"mm", 1e-3}, {"in", 0.0254}, {"m", 1.0}}) {
    options.units = units;
    const SolidFile read = ReadStep(file_, options);
    EXPECT_NEAR(ComputeMassProperties(read.solid).volume / (metres * metres * metres), 6e3, 1e-8);
    EXPECT_NE(read.notes[0].find(std::string("overridden by ") + units), std::string::npos)
        << read.notes[0];
  }
  options.units.clear();
  EXPECT_THROW(ReadStep(file_, options), InvalidInput);
  options.units = "ft";
  EXPECT_THROW(ReadStep(file_, options), InvalidInput);
}

TEST_F(OddStepFiles, TextsOfOtherPrograms) {
  Write(BRepPrimAPI_MakeBox(10.5, 20, 30).Shape());
  const std::string text = Contents();
  WriteText("\xEF\xBB\xBF" + text);
  EXPECT_NEAR(ComputeMassProperties(ReadStep(file_, {}).solid).volume, 6.3e-6, 1e-17);
  // Annotations of AP242 are drawn by long lists, which have no part in the shape.
  std::string drawn = text;
  drawn.insert(drawn.rfind("ENDSEC;"),
               "#9001=COORDINATES_LIST('it''s = (a;',2,((0.,0.,0.),(1.,0.,0.)));\n"
               "#9002=TESSELLATED_CURVE_SET('',#9001,((1,2)));\n");
  WriteText(drawn);
  EXPECT_NEAR(ComputeMassProperties(ReadStep(file_, {}).solid).volume, 6.3e-6, 1e-17);
  std::string commas = text;
  for (std::size_t i = 1; i < commas.size(); ++i) {
    if (commas[i] == '.' && std::isdigit(static_cast<unsigned char>(commas[i - 1])))
      commas[i] = ',';
  }
  WriteText(commas);
  ExpectRefusal("decimal commas");
}

}  // namespace
}  // namespace volcontact::testing::odd_files_test
