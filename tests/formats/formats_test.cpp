// 3MF and AMF files: against meshes whose volume and centroid are known, and hostile ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>
#include <utility>

#include "formats/model_files.h"
#include "formats/zip_reader.h"
#include "support/message_of.h"
#include "support/mutator.h"
#include "volcontact/formats/mesh_formats.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

const Vector3d kCentroid(0.25, 0.5, 0.75);

class FormatsTest : public ::testing::Test {
 protected:
  void SetUp() override { EnableMeshFormats(); }

  static SolidFile Read(const std::string& format, const std::string& data,
                        const std::string& body = "") {
    ReadOptions options;
    options.body = body;
    return ParseSolid(data, format, "file", options);
  }
  static void ExpectMass(const std::string& format, const std::string& data, double volume,
                         const Vector3d& centroid) {
    const MassProperties mass = ComputeMassProperties(Read(format, data).solid);
    EXPECT_NEAR(mass.volume, volume, 1e-13 * volume);
    EXPECT_NEAR((mass.centroid_W - centroid).norm(), 0.0, 1e-13 * centroid.norm());
  }
  static std::string MessageOf(const std::string& format, const std::string& data) {
    return volcontact::MessageOf([&] { Read(format, data); });
  }
  static void ExpectRefused(const std::string& format, const std::string& data,
                            const std::string& part) {
    const std::string message = MessageOf(format, data);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_TRUE(message.starts_with("file: ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
};

TEST_F(FormatsTest, Units) {
  const std::pair<const char*, double> of_3mf[] = {{"micron", 1e-6},     {"millimeter", 1e-3},
                                                   {"centimeter", 1e-2}, {"inch", 0.0254},
                                                   {"foot", 0.3048},     {"meter", 1.0}};
  for (const auto& [name, metres] : of_3mf) {
    ExpectMass(
        "3mf",
        ThreeMf(ThreeMfObject("1"), R"(<item objectid="1"/>)", fmt::format(" unit=\"{}\"", name)),
        metres * metres * metres, metres * kCentroid);
  }
  ExpectMass("3mf", ThreeMf(ThreeMfObject("1"), R"(<item objectid="1"/>)", ""), 1e-9,
             1e-3 * kCentroid);
  ExpectMass("amf", Amf(AmfObject("1"), "inch"), std::pow(0.0254, 3), 0.0254 * kCentroid);
  ExpectMass("amf", Amf(AmfObject("1"), "feet"), std::pow(0.3048, 3), 0.3048 * kCentroid);
  ExpectRefused("3mf", ThreeMf("", "", R"( unit="ell")"), R"(unknown unit "ell")");
  ExpectRefused("amf", Amf("", "ell"), R"(file: line 2: unknown unit "ell")");
}

// A row of coordinates is multiplied by the matrix of the component, then by that of the item.
TEST_F(FormatsTest, Transformations) {
  const double component[] = {0, 2, 0, -1, 0, 0, 0, 0, 1, 5, 0, 0};
  const double item[] = {1, 0.25, 0, 0, 3, 0, 0, 0, -1, 0, 7, 0};
  Eigen::RowVector3d expected = kCentroid.transpose();
  double volume = 1.0;
  std::string texts[2];
  int i = 0;
  for (const double* m : {component, item}) {
    const Eigen::Map<const Eigen::Matrix<double, 4, 3, Eigen::RowMajor>> M(m);
    expected = expected * M.topRows<3>() + M.row(3);
    volume *= std::abs(M.topRows<3>().determinant());
    for (int k = 0; k < 12; ++k) texts[i] += fmt::format("{} ", m[k]);
    ++i;
  }
  ExpectMass("3mf",
             ThreeMf(ThreeMfObject("1") + R"(<object id="2"><components><component objectid="1" )" +
                         "transform=\"" + texts[0] + "\"/></components></object>",
                     R"(<item objectid="2" transform=")" + texts[1] + "\"/>"),
             volume, expected.transpose());
}

TEST_F(FormatsTest, BodiesOf3mf) {
  const std::string file =
      ThreeMf(ThreeMfObject("1", R"(name="plate")") + ThreeMfObject("2", R"(name="bolt")") +
                  ThreeMfObject("3", R"(type="support" name="prop")") +
                  R"(<object id="4" name="set"><components><component objectid="1"/>
             <component objectid="2" transform="1 0 0 0 1 0 0 0 1 9 0 0"/>
             <component objectid="2" transform="1 0 0 0 1 0 0 0 1 0 9 0"/></components></object>)",
              R"(<item objectid="4"/><item objectid="3"/>)");
  const SolidFile all = Read("3mf", file);
  EXPECT_NEAR(ComputeMassProperties(all.solid).volume, 3.0, 1e-13);
  ASSERT_EQ(all.notes.size(), 2u);
  EXPECT_NE(all.notes[0].find(R"(holds 3 bodies, read as one solid: 1 "plate", 2 "bolt:1")"),
            std::string::npos)
      << all.notes[0];
  EXPECT_NE(all.notes[1].find("1 objects that only support others"), std::string::npos);
  EXPECT_NEAR(ComputeMassProperties(Read("3mf", file, "bolt:2").solid).centroid_W.y(), 9.5, 1e-13);
  EXPECT_NEAR(ComputeMassProperties(Read("3mf", file, "2").solid).centroid_W.x(), 9.25, 1e-13);
  EXPECT_EQ(Read("3mf", file, "plate").name, "plate");
  EXPECT_THROW(Read("3mf", file, "plat"), InvalidInput);
}

// Objects in other models of the package, where ids may be the same.
TEST_F(FormatsTest, ProductionExtension) {
  const std::string root = ThreeMfModelText(
      R"(<object id="1"><components><component objectid="1" p:path="/3D/Objects/a.model"/>
         </components></object>)",
      R"(<item objectid="1"/>)", R"( unit="centimeter" requiredextensions="p")");
  const std::string relations =
      R"(<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
         <Relationship Target="/3D/root.model" Id="r"
         Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>)";
  const std::string part = ThreeMfModelText(ThreeMfObject("1"), "");
  ExpectMass(
      "3mf",
      Zipped({{"_rels/.rels", relations}, {"3D/root.model", root}, {"3D/Objects/a.model", part}}),
      1e-6, 1e-2 * kCentroid);
  ExpectRefused("3mf", Zipped({{"_rels/.rels", relations}, {"3D/root.model", root}}),
                "3D/Objects/a.model: is not in the file");
}

// Slicers mark negative volumes beside the model, which has them as any other mesh.
TEST_F(FormatsTest, MeshesThatAreNoMaterialAreNoted) {
  const std::string model =
      ThreeMfModelText(ThreeMfObject("1"), R"(<item objectid="1"/>)", R"( unit="meter")");
  const std::string settings = R"(<config><part id="1" subtype="negative_part"/></config>)";
  const std::string file =
      Zipped({{"3D/3dmodel.model", model}, {"Metadata/model_settings.config", settings}});
  EXPECT_NE(Read("3mf", file).notes.at(0).find("negative volumes"), std::string::npos);
  EXPECT_TRUE(Read("3mf", Zipped({{"3D/3dmodel.model", model}})).notes.empty());
}

TEST_F(FormatsTest, Refused3mf) {
  const auto of_mesh = [](const std::string& mesh) {
    return ThreeMf("<object id=\"1\">" + mesh + "</object>", R"(<item objectid="1"/>)");
  };
  ExpectRefused("3mf", "solid", "is no zip file");
  ExpectRefused("3mf", "PK", "is a damaged zip file");
  ExpectRefused("3mf", Zipped({{"a", "b"}}), "3D/3dmodel.model: is not in the file");
  ExpectRefused("3mf", ThreeMf("", ""), "holds no triangles");
  ExpectRefused("3mf", ThreeMf(ThreeMfObject("1"), R"(<item objectid="2"/>)"),
                "object 2 of /3D/3dmodel.model is placed, but the file does not have it");
  ExpectRefused("3mf", ThreeMf(ThreeMfObject("1") + ThreeMfObject("1"), ""), "stands twice");
  ExpectRefused("3mf",
                of_mesh(R"(<mesh><vertices><vertex x="0" y="nan" z="0"/></vertices></mesh>)"),
                R"(line 4: y is "nan"; it must be a finite number)");
  ExpectRefused("3mf", of_mesh(R"(<mesh><vertices><vertex x="0" z="0"/></vertices></mesh>)"),
                R"(the attribute "y" is missing)");
  ExpectRefused("3mf", of_mesh(R"(<mesh><triangle v1="-1" v2="0" v3="2"/></mesh>)"),
                R"(v1 is "-1"; it must be an integer from 0)");
  ExpectRefused("3mf", of_mesh(R"(<mesh><vertices><vertex x="0" y="0" z="0"/></vertices><triangles>
                           <triangle v1="0" v2="0" v3="1"/></triangles></mesh>)"),
                "a triangle names vertex 1; there are 1 (from 0)");
  ExpectRefused("3mf", of_mesh(R"(<components><component objectid="1"/></components>)"),
                "contains itself");
  ExpectRefused(
      "3mf",
      ThreeMf(ThreeMfObject("1"), R"(<item objectid="1" transform="1 0 0 0 1 0 0 0 0 0 0 0"/>)"),
      "flattens it");
  ExpectRefused("3mf", ThreeMf(ThreeMfObject("1"), R"(<item objectid="1" transform="1 0"/>)"),
                "the transformation has 2 numbers");
  ExpectRefused("3mf", ThreeMf("", "", R"( xmlns:b="urn:beams" requiredextensions="b")"),
                R"(needs the extension "urn:beams")");
  ExpectRefused("3mf", Zipped({{"3D/3dmodel.model", "<model><a></model>"}}), "not valid XML");
  // An open mesh is refused as in other files, and the body is named.
  ExpectRefused("3mf",
                of_mesh(R"(<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>
                  <vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/>
                  </triangles></mesh>)"),
                R"(body 1 "body": )");
}

// Few bytes that would grow without limit end soon.
TEST_F(FormatsTest, Bombs) {
  std::string objects = ThreeMfObject("0");
  for (int i = 1; i <= 60; ++i) {
    objects += fmt::format(
        R"(<object id="{}"><components><component objectid="{}"/><component objectid="{}"/>
           </components></object>)",
        i, i - 1, i - 1);
  }
  ExpectRefused("3mf", ThreeMf(objects, R"(<item objectid="60"/>)"), "more than 100000 objects");
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "<a>";
  ExpectRefused("3mf", ThreeMf(deep, ""), "nested deeper than");
  const std::string entities =
      R"(<!DOCTYPE amf [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><amf>&b;</amf>)";
  ExpectRefused("amf", entities, "has a document type (DOCTYPE)");
  ExpectRefused("amf", R"(<!DOCTYPE amf SYSTEM "file:///etc/hostname"><amf/>)", "DOCTYPE");

  const std::string zip = Zipped({{"a", std::string(1'000'000, ' ')}});
  EXPECT_LT(zip.size(), 2000u);
  std::size_t unpacked = 0;
  const auto count = [&](std::string_view piece) { unpacked += piece.size(); };
  EXPECT_TRUE(ZipReader(zip, "file", 1'000'000).Read("A", count));
  EXPECT_EQ(unpacked, 1'000'000u);
  EXPECT_THROW(ZipReader(zip, "file", 999'999).Read("a", count), InvalidInput);
}

TEST_F(FormatsTest, AmfPlainAndZipped) {
  const std::string text = Amf(AmfObject("1", R"(<metadata type="name"> plate </metadata>)"));
  ExpectMass("amf", text, 1.0, kCentroid);
  ExpectMass("amf", Zipped({{"read.me", "x"}, {"Part.AMF", text}}), 1.0, kCentroid);
  EXPECT_EQ(Read("amf", text).name, "plate");
}

// Each volume is a body; curved triangles and supports are noted.
TEST_F(FormatsTest, VolumesOfAmf) {
  const std::string text =
      Amf(std::string("<object id=\"a\"><metadata type=\"name\">part</metadata><mesh>") +
          kAmfVertices + "<volume><metadata type=\"name\">core</metadata>" + kAmfTriangles +
          "</volume><volume type=\"support\">" + kAmfTriangles + "</volume></mesh></object>" +
          "<object id=\"b\"><mesh>" + kAmfVertices + "<volume>" + kAmfTriangles +
          "</volume></mesh></object>");
  const SolidFile file = Read("amf", text);
  ASSERT_EQ(file.notes.size(), 2u);
  EXPECT_NE(file.notes[0].find(R"(holds 2 bodies, read as one solid: 1 "core", 2 "body")"),
            std::string::npos)
      << file.notes[0];
  std::string curved = Amf(AmfObject("1"));
  curved.insert(curved.find("</coordinates>") + 14, "<normal><nx>0</nx></normal>");
  EXPECT_NE(Read("amf", curved).notes.at(0).find("curved triangles were taken as flat"),
            std::string::npos);
}

// Turned about x, then y, then z, and moved.
TEST_F(FormatsTest, ConstellationsOfAmf) {
  const Eigen::Matrix3d R =
      (Eigen::AngleAxisd(0.5, Vector3d::UnitZ()) * Eigen::AngleAxisd(-0.3, Vector3d::UnitY()) *
       Eigen::AngleAxisd(1.1, Vector3d::UnitX()))
          .toRotationMatrix();
  constexpr double kDegrees = 57.29577951308232;
  const std::string text =
      Amf(AmfObject("1") +
          fmt::format(R"(<constellation id="2"><instance objectid="1"><deltax>10</deltax>
                     <deltaz>-2</deltaz><rx>{}</rx><ry>{}</ry><rz>{}</rz></instance>
                     </constellation>)",
                      1.1 * kDegrees, -0.3 * kDegrees, 0.5 * kDegrees));
  ExpectMass("amf", text, 1.0, R * kCentroid + Vector3d(10, 0, -2));
  // Right angles are exact, so that faces stay flush.
  const std::string turned =
      Amf(AmfObject("1") + R"(<constellation id="2"><instance objectid="1"><rz>90</rz></instance>
                              </constellation>)");
  EXPECT_EQ(ParseMesh(turned, "amf", "file").mesh.vertices.at(1), Vector3d(-2, 0, 0));
}

TEST_F(FormatsTest, RefusedAmf) {
  ExpectRefused("amf", "", "not valid XML");
  ExpectRefused("amf", "<model/>", "line 1: is no AMF file");
  ExpectRefused("amf", Amf(""), "holds no triangles");
  ExpectRefused("amf", Zipped({{"a.txt", "b"}}), "has no .amf file in it");
  ExpectRefused("amf", Amf("<object><mesh/></object>"), R"(the attribute "id" is missing)");
  ExpectRefused("amf", Amf(R"(<constellation id="1"><instance objectid="2"/></constellation>
                              <constellation id="2"><instance objectid="1"/></constellation>)"),
                "contain each other");
  std::string text = Amf(AmfObject("1"));
  text.replace(text.find("<v1>1"), 5, "<v1>4");
  ExpectRefused("amf", text, "a triangle names vertex 4; there are 4 (from 0)");
  text = Amf(AmfObject("1"));
  text.replace(text.find("<x>1"), 4, "<x>1e999");
  ExpectRefused("amf", text, R"(x is "1e999"; it must be a finite number)");
  text = Amf(AmfObject("1"));
  text.replace(text.find("<x>1</x>"), 8, "");
  ExpectRefused("amf", text, "a vertex lacks a coordinate");
}

TEST_F(FormatsTest, Mutations) {
  const std::string model = ThreeMfModelText(ThreeMfObject("1") + R"(<object id="2"><components>
        <component objectid="1" transform="1 0 0 0 1 0 0 0 1 9 0 0"/></components></object>)",
                                             R"(<item objectid="2"/>)");
  const std::string amf = Amf(AmfObject("1") + R"(<constellation id="2"><instance objectid="1">
                                                  <rz>30</rz></instance></constellation>)");
  const std::string zip = Zipped({{"3D/3dmodel.model", model}});
  Mutator mutator(3);
  int accepted = 0;
  constexpr int kRuns = 3000;
  for (int i = 0; i < kRuns; ++i) {
    const bool is_amf = i % 3 == 0;
    const std::string data = is_amf       ? mutator.Mutated(amf)
                             : i % 3 == 1 ? mutator.Mutated(zip)
                                          : Zipped({{"3D/3dmodel.model", mutator.Mutated(model)}});
    const std::string message = MessageOf(is_amf ? "amf" : "3mf", data);
    if (message == "accepted") {
      ++accepted;
      continue;
    }
    ASSERT_TRUE(message.starts_with("file: ")) << message;
    ASSERT_EQ(message.find('\n'), std::string::npos) << message;
    ASSERT_LT(message.size(), 1000u) << message;
  }
  EXPECT_GT(accepted, kRuns / 1000);
  EXPECT_LT(accepted, kRuns / 2);
}

}  // namespace
}  // namespace volcontact
