// glTF files: against meshes whose volume and centroid are known, and hostile ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>

#include "support/folder_test.h"
#include "support/message_of.h"
#include "support/mutator.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact {
namespace gltf_test {

// A tetrahedron with corners at the origin and at 1, 2, 3 on the axes: V = 1, centroid (1, 2, 3)/4.
constexpr float kPoints[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
constexpr std::uint16_t kCorners[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

template <class Number, std::size_t n>
std::string Bytes(const Number (&numbers)[n]) {
  return {reinterpret_cast<const char*>(numbers), sizeof(numbers)};
}

std::string Base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool is_there = i + k <= bytes.size();
      text += is_there ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

// What a test may change of a file with one tetrahedron.
struct Gltf {
  std::string nodes = R"([{"mesh": 0, "name": "part"}])", scene_nodes = "[0]";
  std::string points = Bytes(kPoints), corners = Bytes(kCorners);
  std::string uri;  // empty: the data themselves
  int point_type = 5126, corner_type = 5123, point_count = 4, corner_count = 12;
  std::string point_more, primitive_more, more;

  std::string Json(bool is_binary = false) const {
    const std::string data = points + corners;
    const std::string named =
        uri.empty() ? "data:application/octet-stream;base64," + Base64(data) : uri;
    const std::string buffer = is_binary ? "" : fmt::format(R"("uri": "{}", )", named);
    return fmt::format(
        R"({{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": {}}}], "nodes": {},
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1{}}}]}}],
"accessors": [{{"bufferView": 0, "componentType": {}, "count": {}, "type": "VEC3"{}}},
  {{"bufferView": 1, "componentType": {}, "count": {}, "type": "SCALAR"}}],
"bufferViews": [{{"buffer": 0, "byteLength": {}}},
  {{"buffer": 0, "byteOffset": {}, "byteLength": {}}}],
"buffers": [{{{}"byteLength": {}}}]{}}})",
        scene_nodes, nodes, primitive_more, point_type, point_count, point_more, corner_type,
        corner_count, points.size(), points.size(), corners.size(), buffer, data.size(), more);
  }

  std::string Binary() const {
    const auto word = [](std::size_t value) {
      const auto bits = static_cast<std::uint32_t>(value);
      return std::string(reinterpret_cast<const char*>(&bits), sizeof(bits));
    };
    const std::string json = Json(true), data = points + corners;
    return "glTF" + word(2) + word(28 + json.size() + data.size()) + word(json.size()) + "JSON" +
           json + word(data.size()) + std::string("BIN\0", 4) + data;
  }
};

SolidFile Read(const std::string& text, const ReadOptions& options = {}) {
  return ParseSolid(text, "gltf", "file", options);
}

void ExpectTetrahedron(const std::string& text, double volume = 1.0,
                       const Eigen::Vector3d& centroid = {0.25, 0.5, 0.75}) {
  const MassProperties mass = ComputeMassProperties(Read(text).solid);
  EXPECT_NEAR(mass.volume, volume, 1e-14 * volume);
  EXPECT_NEAR((mass.centroid_W - centroid).norm(), 0.0, 1e-14);
}

void ExpectRefused(const Gltf& file, const std::string& part) {
  const std::string message = MessageOf([&] { Read(file.Json()); });
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_TRUE(message.starts_with("file: ")) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(Gltf, TextAndBinary) {
  ExpectTetrahedron(Gltf().Json());
  ExpectTetrahedron(Gltf().Binary());
  EXPECT_EQ(Read(Gltf().Json()).name, "part");
}

TEST(Gltf, TypesOfNumbers) {
  Gltf bytes;
  bytes.corners = std::string("\0\2\1\0\1\3\0\3\2\1\2\3", 12);
  bytes.corner_type = 5121;
  ExpectTetrahedron(bytes.Json());
  Gltf words;
  constexpr std::uint32_t kWords[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  words.corners = Bytes(kWords);
  words.corner_type = 5125;
  ExpectTetrahedron(words.Json());
  // Normalized: the greatest number is 1.
  Gltf quantized;
  constexpr std::int16_t kShorts[] = {0, 0, 0, 32767, 0, 0, 0, 32767, 0, 0, 0, 32767};
  quantized.points = Bytes(kShorts);
  quantized.point_type = 5122;
  quantized.point_more = R"(, "normalized": true)";
  quantized.more = R"(, "extensionsRequired": ["KHR_mesh_quantization"])";
  ExpectTetrahedron(quantized.Json(), 1.0 / 6.0, {0.25, 0.25, 0.25});
}

// Faces that share no vertices, as normals at sharp edges split them, are joined again.
TEST(Gltf, CornersOfTheirOwn) {
  Gltf split;
  split.points.clear();
  split.corners.clear();
  for (std::uint16_t i = 0; i < 12; ++i) {
    split.points.append(reinterpret_cast<const char*>(kPoints + 3 * kCorners[i]), 12);
    split.corners.append(reinterpret_cast<const char*>(&i), 2);
  }
  split.point_count = 12;
  ExpectTetrahedron(split.Json());
}

TEST(Gltf, SparseNumbers) {
  Gltf file;
  file.points = Bytes({0.0f, 0.0f, 0.0f, 9.0f, 9.0f, 9.0f, 0.0f, 2.0f, 0.0f, 0.0f, 0.0f, 3.0f});
  // The second point is replaced by one of the data of the corners, after these.
  file.corners += Bytes({1.0f, 0.0f, 0.0f}) + std::string("\1", 1);
  file.corner_count = 12;
  std::string json = file.Json();
  const std::size_t at = json.find("\"type\": \"VEC3\"");
  json.insert(at, R"("sparse": {"count": 1,
    "indices": {"bufferView": 1, "byteOffset": 36, "componentType": 5121},
    "values": {"bufferView": 1, "byteOffset": 24}}, )");
  ExpectTetrahedron(json);
}

// Translation, rotation and scale; a matrix; nested nodes; and a mirror, which turns the faces.
TEST(Gltf, Nodes) {
  Gltf placed;
  placed.nodes = R"([{"mesh": 0, "translation": [1, 2, 3], "scale": [2, 1, 1],
                     "rotation": [0, 0, 0.70710678, 0.70710678]}])";
  // Scaled (0.5, 0.5, 0.75), turned by a right angle about z: (−0.5, 0.5, 0.75).
  ExpectTetrahedron(placed.Json(), 2.0, {0.5, 2.5, 3.75});
  Gltf matrix;
  matrix.nodes = R"([{"children": [1], "translation": [0, 0, 1]},
                     {"mesh": 0, "matrix": [0,2,0,0, -1,0,0,0, 0,0,1,0, 1,2,2,1]}])";
  ExpectTetrahedron(matrix.Json(), 2.0, {0.5, 2.5, 3.75});
  Gltf mirror;
  mirror.nodes = R"([{"mesh": 0, "scale": [-1, 1, 1]}])";
  ExpectTetrahedron(mirror.Json(), 1.0, {-0.25, 0.5, 0.75});
}

TEST(Gltf, Bodies) {
  Gltf two;
  two.nodes = R"([{"children": [1, 2], "name": "pair"}, {"mesh": 0, "name": "left"},
                  {"mesh": 0, "translation": [2, 0, 0]}])";
  const SolidFile both = Read(two.Json());
  EXPECT_NEAR(ComputeMassProperties(both.solid).volume, 2.0, 1e-14);
  ASSERT_EQ(both.notes.size(), 1u);
  EXPECT_NE(both.notes[0].find(R"(holds 2 bodies, read as one solid: 1 "left", 2 "pair")"),
            std::string::npos)
      << both.notes[0];
  ReadOptions options;
  options.body = "pair";
  EXPECT_NEAR(ComputeMassProperties(Read(two.Json(), options).solid).centroid_W.x(), 2.25, 1e-14);
  options.body = "rihgt";
  EXPECT_THROW(Read(two.Json(), options), InvalidInput);
  // Bodies that share volume count once.
  two.nodes = R"([{"children": [1, 2]}, {"mesh": 0}, {"mesh": 0}])";
  EXPECT_NEAR(ComputeMassProperties(Read(two.Json()).solid).volume, 1.0, 1e-9);
}

TEST(Gltf, LinesAndSkinsAreNoted) {
  Gltf file;
  file.primitive_more = R"(}, {"attributes": {"POSITION": 0}, "mode": 1)";
  file.nodes = R"([{"mesh": 0, "skin": 0}])";
  const SolidFile read = Read(file.Json());
  ASSERT_EQ(read.notes.size(), 2u);
  EXPECT_NE(read.notes[0].find("1 sets of lines or points were left out"), std::string::npos);
  EXPECT_NE(read.notes[1].find("skins and morph targets are not applied"), std::string::npos);
}

TEST(Gltf, Refused) {
  const auto with = [](auto change) {
    Gltf file;
    change(&file);
    return file;
  };
  ExpectRefused(
      with([](Gltf* f) { f->more = R"(, "extensionsRequired": ["KHR_draco_mesh_compression"])"; }),
      "at /extensionsRequired/0: the file needs the extension");
  ExpectRefused(with([](Gltf* f) { f->primitive_more = R"(, "mode": 5)"; }), "strip or fan");
  ExpectRefused(with([](Gltf* f) { f->corner_count = 11; }), "has 11 corners");
  ExpectRefused(with([](Gltf* f) { f->corner_count = 13; }), "at /accessors/1: reaches beyond");
  ExpectRefused(with([](Gltf* f) { f->point_count = 1'000'000'000; }), "reaches beyond");
  ExpectRefused(with([](Gltf* f) { f->point_count = -1; }), "must be 0 or more");
  ExpectRefused(with([](Gltf* f) { f->point_count = 3; }), "names vertex 3; there are 3");
  ExpectRefused(with([](Gltf* f) { f->point_type = 5130; }), "at /accessors/0/componentType");
  ExpectRefused(with([](Gltf* f) {
                  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
                  std::memcpy(f->points.data(), &kNan, sizeof(kNan));
                }),
                "vertex 0 is not finite");
  ExpectRefused(with([](Gltf* f) { f->scene_nodes = "[1]"; }), R"(names item 1 of "nodes")");
  ExpectRefused(with([](Gltf* f) { f->nodes = R"([{"mesh": 7}])"; }), R"(item 7 of "meshes")");
  ExpectRefused(with([](Gltf* f) { f->nodes = R"([{"children": [0]}])"; }), "contains itself");
  ExpectRefused(with([](Gltf* f) { f->nodes = R"([{"mesh": 0, "scale": [1, 0, 1]}])"; }),
                "flattens it");
  ExpectRefused(with([](Gltf* f) { f->nodes = "[{}]"; }), "holds no triangles");
  EXPECT_NE(MessageOf([] { Read("glTF"); }).find("damaged .glb"), std::string::npos);
  EXPECT_NE(MessageOf([] { Read(Gltf().Binary().substr(0, 400)); }).find("damaged .glb"),
            std::string::npos);
}

// Few bytes that ask for any number of copies end soon.
TEST(Gltf, TreesThatGrowWithoutLimit) {
  std::string nodes = R"([{"mesh": 0})";
  for (int i = 1; i <= 60; ++i) nodes += fmt::format(R"(, {{"children": [{}, {}]}})", i - 1, i - 1);
  Gltf doubled;
  doubled.nodes = nodes + "]";
  doubled.scene_nodes = "[60]";
  ExpectRefused(doubled, "places more than 100000 objects");
  std::string chain = R"([{"mesh": 0})";
  for (int i = 1; i <= 500; ++i) chain += fmt::format(R"(, {{"children": [{}]}})", i - 1);
  Gltf deep;
  deep.nodes = chain + "]";
  deep.scene_nodes = "[500]";
  ExpectRefused(deep, "nested deeper than");
}

using GltfFiles = FolderTest;

// A file reaches buffers in its own folder, and nothing else.
TEST_F(GltfFiles, Buffers) {
  std::filesystem::create_directories(folder_ / "in" / "sub dir");
  const Gltf sample;
  Write("in/sub dir/a.bin", sample.points + sample.corners);
  const std::filesystem::path outside = Write("out.bin", sample.points + sample.corners);
  std::filesystem::create_symlink(outside, folder_ / "in" / "link.bin");
  const auto message = [&](const std::string& uri) {
    Gltf file;
    file.uri = uri;
    return MessageOf([&] { ReadSolid(Write("in/part.gltf", file.Json())); });
  };
  EXPECT_EQ(message("sub%20dir/a.bin"), "accepted");
  for (const std::string& uri :
       {std::string("../out.bin"), outside.string(), std::string("sub dir/../../out.bin"),
        std::string("%2e%2e/out.bin"), std::string("file:///out.bin"), std::string("http://a/b")}) {
    const std::string text = message(uri);
    EXPECT_NE(text.find("must be in the folder of the file"), std::string::npos) << text;
  }
  EXPECT_NE(message("link.bin").find("a link out of the folder"), std::string::npos);
  EXPECT_NE(message("none.bin").find(R"(names "none.bin", which is no file)"), std::string::npos);
}

TEST(Gltf, Mutations) {
  Mutator mutator(5);
  const std::string seeds[] = {Gltf().Json(), Gltf().Binary()};
  int accepted = 0;
  constexpr int kRuns = 4000;
  for (int i = 0; i < kRuns; ++i) {
    const std::string text = mutator.Mutated(seeds[i % 2]);
    const std::string message = MessageOf([&] { Read(text); });
    if (message == "accepted") {
      ++accepted;
      continue;
    }
    ASSERT_TRUE(message.starts_with("file: ")) << message << "\n" << text;
    ASSERT_EQ(message.find('\n'), std::string::npos) << message << "\n" << text;
    ASSERT_LT(message.size(), 1000u) << message;
  }
  EXPECT_GT(accepted, kRuns / 1000);
  EXPECT_LT(accepted, kRuns / 2);
}

}  // namespace gltf_test
}  // namespace volcontact
