// STEP files written by Open CASCADE here: exact where that is certain, meshed elsewhere, refused
// in one line where they are none.
#include <gtest/gtest.h>

#include <BRepAdaptor_Curve.hxx>
#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRep_Builder.hxx>
#include <Eigen/Geometry>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <cmath>
#include <fstream>
#include <gp_Ax2.hxx>
#include <gp_Lin.hxx>
#include <gp_Trsf.hxx>
#include <iterator>
#include <numbers>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "math/minimal_rotation.h"
#include "step/written_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/step/step_file.h"

namespace volcontact {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kCubicMillimetre = 1e-9;

gp_Ax2 Along(double x, double y, double z, const gp_Dir& axis = gp_Dir(0, 0, 1)) {
  return gp_Ax2(gp_Pnt(x, y, z), axis);
}

class StepFiles : public WrittenStepFile {
 protected:
  SolidFile Read(const TopoDS_Shape& shape, const StepOptions& options = {}) const {
    Write(shape);
    return ReadStep(file_, options);
  }

  // Exact, and of this volume [mm³].
  void ExpectExact(const TopoDS_Shape& shape, double volume) const {
    const SolidFile file = Read(shape);
    ASSERT_EQ(file.notes.size(), 1u) << file.notes.back();
    EXPECT_NE(file.notes[0].find("1 of 1 solids are exact"), std::string::npos) << file.notes[0];
    QueryOptions options;
    options.tolerance = 1e-10;
    const MassProperties mass = ComputeMassProperties(file.solid, options);
    EXPECT_TRUE(mass.converged);
    EXPECT_NEAR(mass.volume / (volume * kCubicMillimetre), 1.0, 1e-9);
  }
};

TEST_F(StepFiles, PrimitivesAreExact) {
  ExpectExact(BRepPrimAPI_MakeBox(10, 20, 30).Shape(), 6000.0);
  ExpectExact(BRepPrimAPI_MakeSphere(gp_Pnt(1, 2, 3), 5).Shape(), 500.0 / 3.0 * kPi);
  ExpectExact(BRepPrimAPI_MakeCylinder(Along(1, 2, 3, gp_Dir(1, 1, 0)), 2, 7).Shape(), 28.0 * kPi);
  ExpectExact(BRepPrimAPI_MakeCone(Along(0, 0, 0), 3, 1, 6).Shape(), 26.0 * kPi);
  ExpectExact(BRepPrimAPI_MakeCone(Along(0, 0, 0), 3, 0, 6).Shape(), 18.0 * kPi);
  ExpectExact(BRepPrimAPI_MakeTorus(Along(3, 0, 0, gp_Dir(0, 1, 2)), 8, 3).Shape(),
              144.0 * kPi * kPi);
}

// A bracket's usual features: holes through and blind, counterbored; bosses; pockets.
TEST_F(StepFiles, PartsAreExact) {
  const TopoDS_Shape plate = BRepPrimAPI_MakeBox(40, 20, 6).Shape();
  const auto bore = [](double x, double z, double r, double depth) {
    return BRepPrimAPI_MakeCylinder(Along(x, 10, z), r, depth).Shape();
  };
  const TopoDS_Shape through = BRepAlgoAPI_Cut(plate, bore(8, -1, 3, 9)).Shape();
  ExpectExact(through, 4800.0 - 54.0 * kPi);
  const TopoDS_Shape blind = BRepAlgoAPI_Cut(through, bore(20, 2, 2, 9)).Shape();
  ExpectExact(blind, 4800.0 - 54.0 * kPi - 16.0 * kPi);
  const TopoDS_Shape bored = BRepAlgoAPI_Cut(blind, bore(32, -1, 2, 9)).Shape();
  const TopoDS_Shape counterbored = BRepAlgoAPI_Cut(bored, bore(32, 4, 4, 9)).Shape();
  const double holes = (54.0 + 16.0 + 16.0 + 32.0) * kPi;
  ExpectExact(counterbored, 4800.0 - holes);
  const TopoDS_Shape boss = BRepAlgoAPI_Fuse(plate, bore(20, 6, 5, 8)).Shape();
  ExpectExact(boss, 4800.0 + 200.0 * kPi);
  const TopoDS_Shape pocket =
      BRepAlgoAPI_Cut(plate, BRepPrimAPI_MakeBox(gp_Pnt(5, 5, 2), 12, 8, 9).Shape()).Shape();
  ExpectExact(pocket, 4800.0 - 384.0);
  const TopoDS_Shape cavity =
      BRepAlgoAPI_Cut(plate, BRepPrimAPI_MakeSphere(gp_Pnt(20, 10, 3), 2).Shape()).Shape();
  ExpectExact(cavity, 4800.0 - 32.0 / 3.0 * kPi);
  const TopoDS_Shape angle =
      BRepAlgoAPI_Fuse(plate, BRepPrimAPI_MakeBox(gp_Pnt(0, 0, 0), 6, 20, 30).Shape()).Shape();
  ExpectExact(angle, 4800.0 + 6.0 * 20.0 * 24.0);
}

// A hole in one wall of a channel: its cylinder goes on into the other wall, where no hole is.
TEST_F(StepFiles, SurfacesThatGoOnIntoOtherMaterial) {
  const TopoDS_Shape channel =
      BRepAlgoAPI_Cut(BRepPrimAPI_MakeBox(30, 20, 20).Shape(),
                      BRepPrimAPI_MakeBox(gp_Pnt(-1, 4, 4), 32, 12, 30).Shape())
          .Shape();
  const TopoDS_Shape bored =
      BRepAlgoAPI_Cut(channel,
                      BRepPrimAPI_MakeCylinder(Along(15, -1, 12, gp_Dir(0, 1, 0)), 3, 6).Shape())
          .Shape();
  ExpectExact(bored, 12000.0 - 30.0 * 12.0 * 16.0 - 36.0 * kPi);
}

TEST_F(StepFiles, UnitsAndSeveralSolids) {
  const TopoDS_Shape ball = BRepPrimAPI_MakeSphere(25).Shape();
  Write(ball);
  EXPECT_EQ(ReadStep(file_).solid.Locate({0.025, 0, 0}), Membership::kBoundary);
  // The same file in metres.
  std::string text = Contents();
  const std::string millimetre = "SI_UNIT(.MILLI.,.METRE.)";
  ASSERT_NE(text.find(millimetre), std::string::npos);
  text.replace(text.find(millimetre), millimetre.size(), "SI_UNIT($,.METRE.)");
  std::ofstream(file_, std::ios::binary) << text;
  EXPECT_NEAR(ComputeMassProperties(ReadStep(file_).solid).volume,
              4.0 / 3.0 * kPi * std::pow(25.0, 3), 1e-9);
  gp_Trsf far;
  far.SetTranslation(gp_Vec(100, 0, 0));
  const TopoDS_Shape two =
      BRepAlgoAPI_Fuse(ball, BRepBuilderAPI_Transform(ball, far).Shape()).Shape();
  const SolidFile file = Read(two);
  EXPECT_NE(file.notes[0].find("2 of 2 solids are exact"), std::string::npos) << file.notes[0];
  EXPECT_EQ(file.solid.Locate({0.1, 0, 0}), Membership::kInside);
}

TopoDS_Shape Rounded(const TopoDS_Shape& shape, double radius, const gp_Dir* along = nullptr) {
  BRepFilletAPI_MakeFillet rounded(shape);
  for (TopExp_Explorer e(shape, TopAbs_EDGE); e.More(); e.Next()) {
    const BRepAdaptor_Curve curve(TopoDS::Edge(e.Current()));
    if (along == nullptr || curve.Line().Direction().IsParallel(*along, 1e-9)) {
      rounded.Add(radius, TopoDS::Edge(e.Current()));
    }
  }
  return rounded.Shape();
}

// Faces that go over into each other without a bend: fillets along edges and around corners, and a
// wire of cylinders and a quarter of a torus.
TEST_F(StepFiles, FilletedPartsAreExact) {
  const TopoDS_Shape box = BRepPrimAPI_MakeBox(10, 20, 30).Shape();
  ExpectExact(Rounded(box, 2.0), 6 * 16 * 26 + 2 * 2 * (6 * 16 + 16 * 26 + 6 * 26) +
                                     kPi * 4 * (6 + 16 + 26) + 32.0 / 3.0 * kPi);
  const gp_Dir up(0, 0, 1);
  const TopoDS_Shape plate = Rounded(BRepPrimAPI_MakeBox(40, 20, 6).Shape(), 4.0, &up);
  const double of_plate = 6.0 * (800.0 - (4.0 - kPi) * 16.0);
  ExpectExact(plate, of_plate);
  const auto bore = [](double x, double y, double r) {
    return BRepPrimAPI_MakeCylinder(Along(x, y, -1), r, 9).Shape();
  };
  const TopoDS_Shape bored = BRepAlgoAPI_Cut(
      BRepAlgoAPI_Cut(BRepAlgoAPI_Cut(plate, bore(8, 10, 3)).Shape(), bore(20, 7, 2)).Shape(),
      bore(32, 12, 3.5));
  ExpectExact(bored, of_plate - 6.0 * kPi * (9.0 + 4.0 + 12.25));
  const double r = 0.5, R = 2.0;
  const TopoDS_Shape bend =
      BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 1, 0), gp_Dir(1, 0, 0)), R, r,
                            0.5 * kPi)
          .Shape();
  // The bend goes from the axis x, its own, by a quarter turn about y: to −z.
  const TopoDS_Shape first =
      BRepPrimAPI_MakeCylinder(Along(R, 0, 0, gp_Dir(0, 0, 1)), r, 5).Shape();
  const TopoDS_Shape last =
      BRepPrimAPI_MakeCylinder(Along(0, 0, -R, gp_Dir(-1, 0, 0)), r, 7).Shape();
  const TopoDS_Shape wire = BRepAlgoAPI_Fuse(BRepAlgoAPI_Fuse(bend, first).Shape(), last).Shape();
  ExpectExact(wire, kPi * r * r * (0.5 * kPi * R + 12.0));
}

// Some programs write flat and round faces as splines.
TEST_F(StepFiles, SplinesThatAreQuadricsAndToriAreExact) {
  const TopoDS_Shape box = BRepPrimAPI_MakeBox(10, 20, 30).Shape();
  ExpectExact(BRepBuilderAPI_NurbsConvert(box).Shape(), 6000.0);
  const TopoDS_Shape rod = BRepPrimAPI_MakeCylinder(Along(1, 2, 3, gp_Dir(1, 1, 0)), 2, 7).Shape();
  ExpectExact(BRepBuilderAPI_NurbsConvert(rod).Shape(), 28.0 * kPi);
  // Parts of a cone and of a torus.
  const TopoDS_Shape half = BRepPrimAPI_MakeBox(gp_Pnt(-20, 0, -20), 40, 40, 40).Shape();
  const TopoDS_Shape cone = BRepPrimAPI_MakeCone(Along(0, 0, 0), 3, 1, 6).Shape();
  ExpectExact(BRepBuilderAPI_NurbsConvert(BRepAlgoAPI_Common(cone, half).Shape()).Shape(),
              13.0 * kPi);
  const TopoDS_Shape ring = BRepPrimAPI_MakeTorus(8, 3).Shape();
  ExpectExact(BRepBuilderAPI_NurbsConvert(BRepAlgoAPI_Common(ring, half).Shape()).Shape(),
              72.0 * kPi * kPi);
}

// Nor do edges of such faces say what they are. Here walls go over into domes.
TEST_F(StepFiles, SplinesThatGoOverIntoEachOtherAreExact) {
  const auto bullet = [](double r) {
    const TopoDS_Shape dome = BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 15), r).Shape();
    return BRepAlgoAPI_Fuse(BRepPrimAPI_MakeCylinder(r, 15).Shape(), dome).Shape();
  };
  const TopoDS_Shape thimble = BRepAlgoAPI_Cut(bullet(10), bullet(9)).Shape();
  ExpectExact(BRepBuilderAPI_NurbsConvert(thimble).Shape(), 285.0 * kPi + 2.0 / 3.0 * kPi * 271.0);
}

// An edge that is rounded dips into the ground as a cylinder does, however little.
TEST_F(StepFiles, FilletsTouchAsTheyAre) {
  const TopoDS_Shape box = BRepPrimAPI_MakeBox(10, 10, 10).Shape();
  BRepFilletAPI_MakeFillet rounded(box);
  TopExp_Explorer edge(box, TopAbs_EDGE);
  rounded.Add(2.0, TopoDS::Edge(edge.Current()));
  const SolidFile file = Read(rounded.Shape());
  const double r = 2e-3, length = 10e-3;
  const Eigen::Quaterniond turn =
      MinimalRotation(Eigen::Vector3d(-1.0, -1.0, 0.0).normalized(), -Eigen::Vector3d::UnitZ());
  const Eigen::Vector3d axis = turn * Eigen::Vector3d(r, r, 0.0);
  for (const double depth : {1e-6, 1e-5, 1e-4}) {
    const Pose X{{0.0, 0.0, r - depth - axis.z()}, {turn.w(), turn.x(), turn.y(), turn.z()}};
    const double half = std::acos(1.0 - depth / r);
    const double truth = length * r * r * (half - std::sin(half) * std::cos(half));
    const Metrics found = PreparedPair(file.solid, HalfSpace()).Query(X, Pose());
    EXPECT_TRUE(found.converged) << depth;
    EXPECT_NEAR(found.volume / truth, 1.0, 1e-6) << depth;
  }
}

// What is not certain is a mesh, and says how far it is off.
TEST_F(StepFiles, TheRestIsMeshed) {
  for (const double deviation : {1e-2, 1e-3}) {
    const SolidFile mesh = Read(BRepPrimAPI_MakeTorus(8, 3).Shape(), {{}, deviation, true});
    ASSERT_EQ(mesh.notes.size(), 2u);
    EXPECT_NE(mesh.notes[0].find("0 of 1 solids are exact"), std::string::npos);
    EXPECT_NE(mesh.notes[1].find("solid 1 is a mesh of"), std::string::npos) << mesh.notes[1];
    EXPECT_NEAR(ComputeMassProperties(mesh.solid).volume / (144 * kPi * kPi * kCubicMillimetre),
                1.0, 5.0 * deviation + 0.01);
  }
}

// Conical bottoms of drilled holes, as flat as drills and steeper: cut off askew and in two, too.
TEST_F(StepFiles, ApexesAreMeshed) {
  for (const double height : {1.2, 3.0, 12.0}) {
    for (const gp_Dir& axis : {gp_Dir(0, 0, 1), gp_Dir(1, 1, -1), gp_Dir(-0.3, 0.1, 1)}) {
      const gp_Pnt apex(1, 2, 3);
      TopoDS_Shape cone = BRepPrimAPI_MakeCone(gp_Ax2(apex, axis), 0, 2 * height, height).Shape();
      const double radius = 2 * height, whole = kPi * radius * radius * height / 3;
      const TopoDS_Shape half = BRepPrimAPI_MakeBox(gp_Ax2(apex, axis), 50, 50, 50).Shape();
      const StepOptions options{{}, 1e-3, true};
      for (const bool cut : {false, true}) {
        if (cut) cone = BRepAlgoAPI_Common(cone, half).Shape();
        const SolidFile file = Read(cone, options);
        const MassProperties mass = ComputeMassProperties(file.solid);
        const double volume = (cut ? whole / 4 : whole) * kCubicMillimetre;
        EXPECT_NEAR(mass.volume, volume, mass.volume_error) << height << cut;
        EXPECT_LT(mass.volume_error, 0.02 * volume);
      }
    }
  }
}

// A mesh of a part makes no claim that the part breaks: pressed into a plane by its fillet, by less
// than the mesh deviates and by more; by an exact face it is as good as that.
TEST_F(StepFiles, MeshesStateWhatTheyLeaveOpen) {
  const TopoDS_Shape box = BRepPrimAPI_MakeBox(10, 10, 10).Shape();
  BRepFilletAPI_MakeFillet rounded(box);
  TopExp_Explorer edge(box, TopAbs_EDGE);
  rounded.Add(2.0, TopoDS::Edge(edge.Current()));
  const SolidFile file = Read(rounded.Shape(), {{}, 1e-4, true});
  const MassProperties mass = ComputeMassProperties(file.solid);
  const double volume = (1000.0 - (4.0 - kPi) * 10.0) * kCubicMillimetre;
  EXPECT_FALSE(mass.converged);
  EXPECT_NEAR(mass.volume, volume, mass.volume_error);
  ASSERT_TRUE(mass.volume_bounds);
  EXPECT_LE((*mass.volume_bounds)[0], volume);
  EXPECT_GE((*mass.volume_bounds)[1], volume);
  EXPECT_LT(mass.volume_error, 1e-3 * volume);
  // The edge is the first one of the box: along z at x = y = 0. Turned so that its fillet points
  // down, it dips by `depth` into the ground as a cylinder does.
  const double r = 2e-3, length = 10e-3;
  const Eigen::Quaterniond turn =
      MinimalRotation(Eigen::Vector3d(-1.0, -1.0, 0.0).normalized(), -Eigen::Vector3d::UnitZ());
  const Eigen::Vector3d axis = turn * Eigen::Vector3d(r, r, 0.0);
  for (const double depth : {1e-7, 1e-6, 1e-5, 1e-4}) {
    const Pose X{{0.0, 0.0, r - depth - axis.z()}, {turn.w(), turn.x(), turn.y(), turn.z()}};
    const double half = std::acos(1.0 - depth / r);
    const double truth = length * r * r * (half - std::sin(half) * std::cos(half));
    const Metrics found = PreparedPair(file.solid, HalfSpace()).Query(X, Pose());
    EXPECT_FALSE(found.converged) << depth;
    EXPECT_NEAR(found.volume, truth, found.volume_error) << depth;
    ASSERT_TRUE(found.volume_bounds) << depth;
    EXPECT_LE((*found.volume_bounds)[0], truth) << depth;
    EXPECT_GE((*found.volume_bounds)[1], truth) << depth;
  }
  // Far from the fillet.
  const Eigen::Quaterniond over(Eigen::AngleAxisd(0.5 * kPi, Eigen::Vector3d::UnitY()));
  const double depth = 1e-6;
  const Metrics flat =
      PreparedPair(file.solid, HalfSpace())
          .Query(Pose{{0.0, 0.0, length - depth}, {over.w(), over.x(), over.y(), over.z()}},
                 Pose());
  EXPECT_TRUE(flat.converged);
  EXPECT_NEAR(flat.volume, length * length * depth, 1e-9 * flat.volume);
}

// Colours, styles and names that cannot be read are none of the shape; points are.
TEST_F(StepFiles, NamesDoNotMatter) {
  Write(BRepPrimAPI_MakeBox(10, 20, 30).Shape());
  const std::string text = Contents();
  const auto with = [&](const std::string& pattern, const std::string& instead) {
    const std::string changed = std::regex_replace(text, std::regex(pattern), instead);
    EXPECT_NE(changed, text) << pattern;
    std::ofstream(file_, std::ios::binary) << changed;
    return ReadStep(file_);
  };
  for (const std::string entity :
       {"CARTESIAN_POINT", "ADVANCED_FACE", "PRODUCT", "MANIFOLD_SOLID_BREP"}) {
    const SolidFile file = with("= " + entity + R"(\('[^']*')", "= " + entity + "($");
    EXPECT_EQ(file.solid.Locate({0.005, 0.01, 0.015}), Membership::kInside) << entity;
    EXPECT_NE(file.notes.back().find("the shapes do not need them"), std::string::npos);
  }
  const std::string style =
      "#9001 = COLOUR_RGB('',.RED.,0.,0.);\n#9002 = "
      "FILL_AREA_STYLE_COLOUR(7,#9001);\nENDSEC;\nEND-";
  EXPECT_EQ(with("ENDSEC;\\s*END-", style).solid.Locate({0.005, 0.01, 0.015}), Membership::kInside);
  EXPECT_THROW(with(R"(CARTESIAN_POINT\('',\(10\.)", "CARTESIAN_POINT('',(x"), InvalidInput);
  EXPECT_THROW(with(R"(MANIFOLD_SOLID_BREP\('',#\d+)", "MANIFOLD_SOLID_BREP('',#1"), InvalidInput);
}

// Many meshes in one file that touch or are apart are one.
TEST_F(StepFiles, ManyMeshesAreOne) {
  BRep_Builder builder;
  TopoDS_Compound all;
  builder.MakeCompound(all);
  const TopoDS_Shape ring = BRepPrimAPI_MakeTorus(8, 3).Shape();
  for (int i = 0; i < 9; ++i) {
    gp_Trsf far;
    far.SetTranslation(gp_Vec(0, 0, 6.0 * i));
    builder.Add(all, BRepBuilderAPI_Transform(ring, far).Shape());
  }
  const SolidFile file = Read(all, {{}, 1e-3, true});
  const MassProperties mass = ComputeMassProperties(file.solid);
  EXPECT_EQ(mass.method, Method::kBoundary);
  EXPECT_NEAR(mass.volume, 9.0 * 144.0 * kPi * kPi * kCubicMillimetre, mass.volume_error);
  EXPECT_NO_THROW(PreparedPair(file.solid, Sphere(0.01)));
}

TEST_F(StepFiles, ReadingKeepsItsTime) {
  Write(BRepPrimAPI_MakeTorus(8, 3).Shape());
  StepOptions options;
  options.max_seconds = 1e-6;
  EXPECT_THROW(ReadStep(file_, options), OutOfTime);
  options.max_seconds = 0.0;
  EXPECT_THROW(ReadStep(file_, options), InvalidInput);
}

// The plane of a face lies elsewhere than its edges.
TEST_F(StepFiles, MeshesOfAnotherVolumeAreRefused) {
  Write(BRepPrimAPI_MakeBox(10, 20, 30).Shape());
  const std::string text = Contents();
  const auto referred = [&](const std::string& pattern) {
    std::smatch match;
    return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "none";
  };
  const std::string placement = referred(R"(= PLANE\('',(#\d+)\))");
  const std::string point = referred(placement + R"( = AXIS2_PLACEMENT_3D\('',(#\d+),)");
  const std::string wrong =
      std::regex_replace(text, std::regex(point + R"( = CARTESIAN_POINT[^;]*;)"),
                         point + " = CARTESIAN_POINT('',(-2.,0.,0.));");
  ASSERT_TRUE(wrong != text);
  std::ofstream(file_, std::ios::binary) << wrong;
  try {
    ADD_FAILURE() << ReadStep(file_, {{}, 1e-4, true}).notes.back();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("the volume of its mesh is off by"), std::string::npos)
        << error.what();
  }
}

TEST_F(StepFiles, ReadSolidReadsThemWhenAsked) {
  Write(BRepPrimAPI_MakeBox(10, 20, 30).Shape());
  EnableStepFiles();
  EXPECT_EQ(ReadSolid(file_).solid.Locate({0.005, 0.01, 0.015}), Membership::kInside);
  ReadOptions centimetres;
  centimetres.units = "cm";
  const SolidFile file = ReadSolid(file_, centimetres);
  EXPECT_EQ(file.solid.Locate({0.005, 0.01, 0.015}), Membership::kInside);
  EXPECT_TRUE(file.notes.back().ends_with("the units cm were not used")) << file.notes.back();
}

// A random one of the places that match, if there is any, has this instead.
std::string WithReplaced(const std::string& text, const std::regex& place, const std::string& by,
                         std::mt19937* random) {
  std::vector<std::smatch> found;
  for (std::sregex_iterator at(text.begin(), text.end(), place), end; at != end; ++at) {
    found.push_back(*at);
  }
  if (found.empty()) return text;
  const std::smatch& match = found[(*random)() % found.size()];
  return text.substr(0, static_cast<std::size_t>(match.position())) + by + match.suffix().str();
}

// Damaged files are read, or refused in one line.
TEST_F(StepFiles, DamagedFiles) {
  EXPECT_THROW(ReadStep("none.step"), InvalidInput);
  EXPECT_THROW(ReadStep(file_, {{}, 0.0}), InvalidInput);
  const TopoDS_Shape part =
      BRepAlgoAPI_Cut(BRepPrimAPI_MakeBox(10, 10, 10).Shape(),
                      BRepPrimAPI_MakeCylinder(Along(5, 5, -1), 2, 12).Shape())
          .Shape();
  Write(part);
  const std::string text = Contents();
  const std::regex number(R"(-?\d+\.\d*(E-?\d+)?)"), entity(R"(#\d+ = [^;]*;)"), name(R"(#\d+)");
  const std::string numbers[] = {"1.E300", "-1.", "0.", "nan", "1.E-300", "1.E20"};
  std::mt19937 random(9);
  int refused = 0;
  StepOptions options;
  options.max_seconds = 10.0;
  for (int i = 0; i < 120; ++i) {
    std::string damaged = text;
    for (int k = 0; k < 1 + i % 8; ++k) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 7) {
        case 0:
          damaged.resize(at);
          break;
        case 1:
          damaged.erase(at, 1 + random() % 30);
          break;
        case 2:
          damaged[at] = static_cast<char>('0' + random() % 10);
          break;
        case 3:
          damaged = WithReplaced(damaged, number, numbers[random() % 6], &random);
          break;
        case 4:
          damaged = WithReplaced(damaged, entity, "", &random);
          break;
        case 5:
          damaged = WithReplaced(damaged, name, "#" + std::to_string(random() % 300), &random);
          break;
        default:
          damaged.insert(at, "#1,");
      }
      if (damaged.empty()) damaged = " ";
    }
    std::ofstream(file_, std::ios::binary) << damaged;
    try {
      ReadStep(file_, options);
    } catch (const InvalidInput& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_TRUE(message.starts_with(file_.string() + ": ")) << message;
      ++refused;
    }
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace volcontact
