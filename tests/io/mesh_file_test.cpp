#include "volcontact/io/mesh_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "support/folder_test.h"
#include "support/message_of.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact {
namespace {

// A tetrahedron of volume 4/3 with a vertex that takes all digits of a double.
TriangleMesh Tetrahedron() {
  return {{{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {0.0, 2.0, 0.0}, {0.1, 0.3, 2.0}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
}

class MeshFileTest : public FolderTest {
 protected:
  void ExpectMessage(const std::string& name, const std::string& content,
                     const std::string& part) const {
    const std::string message = MessageOf([&] { ReadSolid(Write(name, content)); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
};

std::string BinaryStl(const TriangleMesh& mesh) {
  std::string data(80, ' ');
  const auto append = [&](const void* bytes, std::size_t size) {
    data.append(static_cast<const char*>(bytes), size);
  };
  const auto count = static_cast<std::uint32_t>(mesh.faces.size());
  append(&count, 4);
  for (const auto& face : mesh.faces) {
    std::array<float, 12> facet{};
    for (int k = 0; k < 9; ++k) {
      facet[3 + k] = static_cast<float>(mesh.vertices[face[k / 3]][k % 3]);
    }
    append(facet.data(), sizeof(facet));
    const std::uint16_t attributes = 0;
    append(&attributes, 2);
  }
  return data;
}

TEST_F(MeshFileTest, WritesWhatItReads) {
  const TriangleMesh mesh = Tetrahedron();
  for (const char* name : {"part.obj", "part.ply", "part.off", "part.STL"}) {
    SCOPED_TRACE(name);
    WriteMesh(folder_ / name, mesh);
    const MeshFile file = ReadMesh(folder_ / name);
    ASSERT_EQ(file.mesh.faces.size(), 4u);
    ASSERT_EQ(file.mesh.vertices.size(), 4u);  // welded in the STL
    EXPECT_TRUE(file.notes.empty());
    const double exact = std::string(name) == "part.STL" ? 1e-7 : 0.0;
    for (int f = 0; f < 4; ++f) {
      for (int k = 0; k < 3; ++k) {
        const Eigen::Vector3d p = file.mesh.vertices[file.mesh.faces[f][k]];
        EXPECT_LE((p - mesh.vertices[mesh.faces[f][k]]).norm(), exact);
      }
    }
  }
}

TEST_F(MeshFileTest, ScalesAndWelds) {
  const auto path = Write("part.stl", BinaryStl(Tetrahedron()));
  EXPECT_EQ(ReadMesh(path).mesh.vertices.size(), 4u);
  EXPECT_DOUBLE_EQ(ReadMesh(path, 1e-3).mesh.vertices[1].maxCoeff(), 2e-3);
  EXPECT_THROW(ReadMesh(path, 0.0), InvalidInput);
  EXPECT_THROW(ReadMesh(path, std::numeric_limits<double>::quiet_NaN()), InvalidInput);
}

TEST_F(MeshFileTest, StlHeadersMayLie) {
  // Many binary files begin with "solid"; the size tells.
  std::string data = BinaryStl(Tetrahedron());
  data.replace(0, 5, "solid");
  EXPECT_EQ(ReadMesh(Write("part.stl", data)).mesh.faces.size(), 4u);
  ExpectMessage("cut.stl", data.substr(0, data.size() - 60), "more than its");
  ExpectMessage("text.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "truncated");
  ExpectMessage("words.stl", "no mesh at all", "neither a binary nor an ASCII STL");
}

TEST_F(MeshFileTest, JsonRefersToFilesBesideIt) {
  Write("part.stl", BinaryStl(Tetrahedron()));
  const auto metres = Write("m.json", R"({"mesh": {"file": "part.stl", "scale": 0.5}})");
  const auto millimetres = Write(
      "mm.json", R"({"volcontact": 1, "units": "mm", "solid": {"mesh": {"file": "part.stl"}}})");
  const double volume = 4.0 / 3.0;
  EXPECT_NEAR(ComputeMassProperties(ReadSolid(metres).solid).volume, volume / 8.0, 1e-7);
  EXPECT_NEAR(ComputeMassProperties(ReadSolid(millimetres).solid).volume, volume * 1e-9, 1e-16);
}

TEST_F(MeshFileTest, JsonScalesAlongAxesAndMirrors) {
  Write("part.stl", BinaryStl(Tetrahedron()));
  const auto mass = [&](const char* scale) {
    return ComputeMassProperties(
        ReadSolid(Write("m.json",
                        std::string(R"({"mesh": {"file": "part.stl", "scale": )") + scale + "}}"))
            .solid);
  };
  const Eigen::Vector3d centre = mass("1").centroid_W;
  for (const char* scale : {"[0.5, 2, 3]", "[-0.5, 2, 3]", "[-0.5, -2, 3]", "[-0.5, -2, -3]"}) {
    SCOPED_TRACE(scale);
    const MassProperties scaled = mass(scale);
    EXPECT_NEAR(scaled.volume, 3.0 * mass("1").volume, 1e-12);
    EXPECT_NEAR(std::abs(scaled.centroid_W[1]), 2.0 * centre[1], 1e-12);
  }
  ExpectMessage("m.json", R"({"mesh": {"file": "part.stl", "scale": [1, 0, 1]}})", "may be 0");
  ExpectMessage("m.json", R"({"mesh": {"file": "part.stl", "scale": [1, 1]}})", "scale");
}

TEST_F(MeshFileTest, UnitsOfFilesThatNameNone) {
  TriangleMesh large = Tetrahedron();
  for (Eigen::Vector3d& p : large.vertices) p *= 20.0;
  const auto path = Write("part.stl", BinaryStl(large));
  ASSERT_EQ(ReadSolid(path).notes.size(), 1u);
  EXPECT_NE(ReadSolid(path).notes[0].find("names no unit"), std::string::npos);
  for (const auto& [units, metres] :
       {std::pair{"m", 1.0}, {"mm", 1e-3}, {"cm", 1e-2}, {"in", 0.0254}}) {
    EXPECT_EQ(MetresPerUnit(units), metres);
    ReadOptions options;
    options.units = units;
    const SolidFile file = ReadSolid(path, options);
    EXPECT_TRUE(file.notes.empty());
    EXPECT_NEAR(file.solid.Bounds().max.maxCoeff(), 40.0 * metres, 1e-12 * metres);
    const SolidFile piped = ParseSolid(BinaryStl(large), "stl", "pipe", options);
    EXPECT_EQ(piped.solid.Bounds().max, file.solid.Bounds().max);
  }
  // 25 mm are the double 0.025 m.
  EXPECT_EQ(
      ReadMesh(Write("p.obj", "v 25 0 0\nv 0 7 0\nv 0 0 3\nf 1 2 3\n"), 1e-3).mesh.vertices[0].x(),
      0.025);
  ReadOptions options;
  options.units = "ft";
  EXPECT_THROW(ReadSolid(path, options), InvalidInput);
  EXPECT_THROW(MetresPerUnit("miles"), InvalidInput);
  EXPECT_THROW(ParseSolid("", "docx", "pipe"), InvalidInput);
}

TEST_F(MeshFileTest, PolygonsAreCutWithANote) {
  const auto path = Write("cube.off",
                          "OFF\n8 6 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
                          "4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n");
  const SolidFile file = ReadSolid(path);
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_NE(file.notes[0].find("6 faces"), std::string::npos);
  EXPECT_NEAR(ComputeMassProperties(file.solid).volume, 1.0, 1e-15);
}

// Editors put a mark before UTF-8, and programs in other languages commas into numbers.
TEST_F(MeshFileTest, TextsOfOtherPrograms) {
  const std::string tetrahedron =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const SolidFile file = ReadSolid(Write("bom.obj", "\xEF\xBB\xBF" + tetrahedron));
  EXPECT_NEAR(ComputeMassProperties(file.solid).volume, 1.0 / 6.0, 1e-15);
  EXPECT_NEAR(ComputeMassProperties(ReadSolid(Write("bom.csg",
                                                    "\xEF\xBB\xBF"
                                                    "cube(size = [1, 1, 1]);\n"))
                                        .solid)
                  .volume,
              1e-9, 1e-20);
  for (const auto& [name, text] :
       {std::pair<const char*, std::string>{"cr.obj", "# old\n" + tetrahedron},
        {"cr.off", "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n"},
        {"cr.ply",
         "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
         "property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n"}}) {
    std::string old = text;
    std::ranges::replace(old, '\n', '\r');
    EXPECT_NEAR(ComputeMassProperties(ReadSolid(Write(name, old)).solid).volume, 1.0 / 6.0, 1e-15)
        << name;
  }
  ExpectMessage("c.obj", "v 0,5 0,0 0,0\nv 1,5 0,0 0,0\nv 0 1,5 0,0\nf 1 2 3\n",
                "line 1 has numbers with decimal commas");
  ExpectMessage("p.stl", "<!DOCTYPE html>\n<html><body>404</body></html>\n", "is a web page");
  ExpectMessage("p.ply", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
                "git lfs pull");
}

TEST_F(MeshFileTest, ErrorsNameFilePlaceAndCure) {
  ExpectMessage("a.stl", "", "is empty");
  ExpectMessage("a.ply",
                "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty list uchar int "
                "vertex_indices\nend_header\n",
                "promises");
  ExpectMessage("c.ply", "ply\nformat ascii 1.0\nelement vertex 4\nend_header\n",
                "lists no vertices or no faces");
  ExpectMessage("b.ply", "plume", "no PLY header");
  ExpectMessage("d.ply", "ply\nproperty float x\nelement vertex 4\nend_header\n",
                "line \"property float x\" is not understood");
  ExpectMessage("e.ply",
                "ply\nformat ascii 1.0\nelement face 1\nproperty list int int vertex_indices\n"
                "element vertex 1\nend_header\n2000000000 0 1 2\n",
                "cannot be read as .ply");
  ExpectMessage("f.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty list float int x\n",
                "has no PLY header");
  ExpectMessage("g.ply",
                "ply\nformat ascii 1.0\nelement face 1\nproperty list float int x\nend_header\n",
                "line \"property list float int x\" is not understood");
  ExpectMessage("e.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4000000000 0 1 2\n", "cannot be read");
  ExpectMessage("a.off", "OFF\n1000000000 1 0\n0 0 0\n", "promises");
  ExpectMessage("b.off", "OFF\n-1 2\n", "cannot be read as .off");
  ExpectMessage("c.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n", "face 0 names vertex 7");
  ExpectMessage("d.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "a hole of 3 edges");
  ExpectMessage("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "cannot be read as .obj");
  ExpectMessage("b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "b.obj");
}

// In text and binary, with lengths and numbers of any type, and properties that are passed over.
TEST_F(MeshFileTest, PlyOfAnyTypes) {
  const std::string text =
      "ply\r\nformat ascii 1.0\r\ncomment a tetrahedron\r\nelement vertex 4\r\n"
      "property uchar red\r\nproperty double z\r\nproperty double y\r\nproperty float32 x\r\n"
      "element face 4\r\nproperty list int short note\r\nproperty list int int vertex_index\r\n"
      "element edge 1\r\nproperty int a\r\nend_header\r\n"
      "1 0 0 0\r\n1 0 0 1\r\n1 0 1 0\r\n1 1 0 0\r\n"
      "2 7 7 3 0 2 1\r\n0 3 0 1 3\r\n0 3 0 3 2\r\n0 3 1 2 3\r\n5\r\n";
  EXPECT_NEAR(ComputeMassProperties(ReadSolid(Write("a.ply", text)).solid).volume, 1.0 / 6.0,
              1e-15);
  for (const bool big : {false, true}) {
    std::string data =
        std::string("ply\nformat binary_") + (big ? "big" : "little") +
        "_endian 1.0\nelement vertex 4\nproperty double x\nproperty float y\n"
        "property int16 z\nelement face 4\nproperty list uint ushort vertex_indices\n"
        "end_header\n";
    const auto add = [&](auto value) {
      char bytes[sizeof(value)];
      std::memcpy(bytes, &value, sizeof(value));
      if (big) std::reverse(bytes, bytes + sizeof(value));
      data.append(bytes, sizeof(value));
    };
    for (int i = 0; i < 4; ++i) {
      add(i == 1 ? 1.0 : 0.0);
      add(i == 2 ? 1.0f : 0.0f);
      add(static_cast<std::int16_t>(i == 3 ? -1 : 0));
    }
    for (const auto& face : {std::array{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}) {
      add(std::uint32_t{3});
      for (const int v : face) add(static_cast<std::uint16_t>(v));
    }
    EXPECT_NEAR(ComputeMassProperties(ReadSolid(Write("b.ply", data)).solid).volume, 1.0 / 6.0,
                1e-15);
    data.pop_back();
    EXPECT_THROW(ReadSolid(Write("b.ply", data)), InvalidInput);
  }
}

// No mutation of a sound file may do worse than an InvalidInput.
TEST_F(MeshFileTest, DamagedFilesAreRefusedOrRead) {
  std::mt19937 random(20261120);
  const TriangleMesh mesh = Tetrahedron();
  for (const char* name : {"part.obj", "part.ply", "part.off", "part.stl"}) {
    WriteMesh(folder_ / name, mesh);
    std::ifstream stream(folder_ / name, std::ios::binary);
    const std::string sound((std::istreambuf_iterator<char>(stream)), {});
    for (int round = 0; round < 300; ++round) {
      std::string data = sound;
      for (unsigned k = 0; k <= random() % 4; ++k) {
        const std::size_t at = random() % data.size();
        switch (random() % 4) {
          case 0:
            data[at] = static_cast<char>(random());
            break;
          case 1:
            data.erase(at, random() % 20);
            break;
          case 2:
            data.insert(at, std::to_string(random()));
            break;
          default:
            data.resize(std::max<std::size_t>(1, at));
        }
        if (data.empty()) data.push_back(' ');
      }
      const auto path = Write(name, data);
      try {
        ReadSolid(path);
      } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
      }
    }
  }
}

// Corners that were rounded differently for each face are one; larger gaps name the cure.
TEST_F(MeshFileTest, GapsOfRoundingAreClosed) {
  const TriangleMesh sound = Tetrahedron();
  const auto soup = [&](double gap) {
    TriangleMesh mesh;
    for (const auto& face : sound.faces) {
      std::array<int, 3> corners;
      for (std::size_t i = 0; i < 3; ++i) {
        corners[i] = static_cast<int>(mesh.vertices.size());
        const double sign = mesh.faces.size() % 2 == 0 ? 1.0 : -1.0;
        mesh.vertices.push_back(sound.vertices[face[i]] +
                                Eigen::Vector3d::Constant(0.5 * sign * gap));
      }
      mesh.faces.push_back(corners);
    }
    return mesh;
  };
  for (const double gap : {1e-20, 1e-16, 1e-8}) {
    const SolidFile file = ReadSolid(Write("gap.stl", BinaryStl(soup(gap))));
    EXPECT_NEAR(ComputeMassProperties(file.solid).volume, 4.0 / 3.0, 1e-6) << gap;
  }
  ExpectMessage("open.stl", BinaryStl(soup(1e-4)), "--weld 0.0002 joins them, and closes the mesh");
}

}  // namespace
}  // namespace volcontact
