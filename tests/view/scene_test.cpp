// Scenes as values and as glTF: colours, arrows to scale, motion, names of any bytes.
#include "volcontact/view/scene.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "volcontact/math/error.h"
#include "volcontact/view/scene_files.h"

namespace volcontact::view {
namespace {

using Eigen::Vector3d;
using Json = nlohmann::json;

// The parts of a GLB.
struct Glb {
  explicit Glb(const std::string& bytes) {
    constexpr std::size_t kHeader = 12, kChunk = 8;
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + kHeader, sizeof length);
    json = Json::parse(bytes.substr(kHeader + kChunk, length));
    data = bytes.substr(kHeader + kChunk + length + kChunk);
  }

  // All numbers of an accessor of floats.
  std::vector<float> Floats(int accessor) const {
    const Json& at = json["accessors"][static_cast<std::size_t>(accessor)];
    const Json& view = json["bufferViews"][at["bufferView"].get<std::size_t>()];
    std::vector<float> values(view["byteLength"].get<std::size_t>() / sizeof(float));
    std::memcpy(values.data(), data.data() + view.value("byteOffset", 0),
                values.size() * sizeof(float));
    return values;
  }
  const Json* Node(const std::string& kind, const std::string& label) const {
    for (const Json& node : json["nodes"]) {
      if (!node.contains("extras")) continue;
      const Json& ours = node["extras"]["volcontact"];
      if (ours["kind"] == kind && ours["label"] == label) return &node;
    }
    return nullptr;
  }

  Json json;
  std::string data;
};

BodyItem Tetrahedron(const std::string& name) {
  BodyItem body;
  body.name = name;
  body.mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  body.mesh.normals.assign(4, Vector3d(-1, -1, -1));
  body.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return body;
}

ArrowItem Arrow(const char* quantity, const std::string& label, const Vector3d& v) {
  ArrowItem arrow;
  arrow.quantity = quantity;
  arrow.label = label;
  arrow.points = {{1, 2, 3}};
  arrow.vectors = {v};
  return arrow;
}

// The map is made so that lightness rises evenly: a grey print of it can be read, too.
TEST(Scene, ColoursGetLighterByEqualSteps) {
  const auto lightness = [](const Color& c) {
    double Y = 0.0;
    const double weights[] = {0.2126, 0.7152, 0.0722};
    for (std::size_t i = 0; i < 3; ++i) {
      Y += weights[i] * (c[i] <= 0.04045 ? c[i] / 12.92 : std::pow((c[i] + 0.055) / 1.055, 2.4));
    }
    return Y > 0.008856 ? 116.0 * std::cbrt(Y) - 16.0 : 903.3 * Y;
  };
  constexpr int kSteps = 64;
  const double whole = lightness(ScaleColor(1.0)) - lightness(ScaleColor(0.0));
  EXPECT_GT(whole, 70.0);
  for (int i = 0; i < kSteps; ++i) {
    const double step = lightness(ScaleColor((i + 1.0) / kSteps)) -
                        lightness(ScaleColor(static_cast<double>(i) / kSteps));
    EXPECT_NEAR(step, whole / kSteps, 0.25 * whole / kSteps) << i;
  }
  EXPECT_EQ(ScaleColor(-1.0), ScaleColor(0.0));
  EXPECT_EQ(ScaleColor(2.0), ScaleColor(1.0));
}

TEST(Scene, ArrowsOfAQuantityHaveOneScaleAndPointAlongTheirVectors) {
  Scene scene;
  scene.bodies = {Tetrahedron("t")};
  const Vector3d v(0.3, -0.4, 1.2), w(0.0, 0.0, -0.5);
  scene.arrows = {Arrow("force", "v", v), Arrow("force", "w", w), Arrow("velocity", "z", {0, 0, 0}),
                  Arrow("torque", "rounding", {0, 0, 1e-18})};
  FinishScene(&scene);
  const Glb glb(ToGlb(scene));
  for (const auto& [label, vector] : {std::pair{"v", v}, {"w", w}}) {
    const Json& node = *glb.Node("arrow", label);
    const auto q = node["rotation"].get<std::vector<double>>();
    const double scale = node["scale"][0];
    const Vector3d drawn = Eigen::Quaterniond(q[3], q[0], q[1], q[2]) * Vector3d(0, 0, scale);
    EXPECT_LT((drawn - scene.arrows[0].metres_per_unit * vector).norm(), 1e-12) << label;
    EXPECT_EQ(node["translation"], Json({1.0, 2.0, 3.0}));
  }
  EXPECT_EQ((*glb.Node("arrow", "z"))["scale"], Json({0.0, 0.0, 0.0}));
  EXPECT_EQ(glb.Node("arrow", "rounding"), nullptr);
  EXPECT_NEAR(scene.arrows[0].metres_per_unit * v.norm(), 0.25 * scene.size, 1e-12);
}

TEST(Scene, ForcesFarBeyondTheUsualAreShortenedAndSaySo) {
  Scene scene;
  scene.bodies = {Tetrahedron("t")};
  scene.times = {0.0, 1.0, 2.0, 3.0};
  ArrowItem arrow = Arrow("force", "f", {0, 0, 1});
  arrow.points.resize(4, Vector3d::Zero());
  arrow.vectors = {{0, 0, 1}, {0, 0, 1.1}, {0, 0, 0.9}, {0, 0, 1000}};
  scene.arrows = {arrow};
  FinishScene(&scene);
  const Glb glb(ToGlb(scene));
  const Json& ours = (*glb.Node("arrow", "f"))["extras"]["volcontact"];
  const double longest = ours["longest"], scale = ours["metres_per_unit"];
  EXPECT_LT(longest, scale * 1000.0);
  EXPECT_GT(longest, scale * 1.1);
  EXPECT_EQ(ours["vectors"][3], Json({0.0, 0.0, 1000.0}));
  int count = 0;
  for (const Json& channel : glb.json["animations"][0]["channels"]) {
    if (channel["target"]["path"] != "scale") continue;
    ++count;
    const Json& sampler = glb.json["animations"][0]["samplers"][channel["sampler"].get<size_t>()];
    const std::vector<float> scales = glb.Floats(sampler["output"]);
    EXPECT_EQ(scales[0], static_cast<float>(scale));
    EXPECT_EQ(scales[9], static_cast<float>(longest));
  }
  EXPECT_GE(count, 1);
}

TEST(Scene, TurningBodiesTakeTheShortWayBetweenTimes) {
  Scene scene;
  BodyItem body = Tetrahedron("t");
  constexpr int kTimes = 50;
  for (int i = 0; i < kTimes; ++i) {
    scene.times.push_back(0.1 * i);
    const double half = 0.2 * i, sign = i % 3 == 0 ? -1.0 : 1.0;  // as files may have it
    body.motion.push_back({{0, 0, 1.0 * i}, {sign * std::cos(half), sign * std::sin(half), 0, 0}});
  }
  body.X_WB = body.motion[0];
  scene.bodies = {body};
  FinishScene(&scene);
  const Glb glb(ToGlb(scene));
  const Json& samplers = glb.json["animations"][0]["samplers"];
  const std::vector<float> q = glb.Floats(samplers[1]["output"]);
  ASSERT_EQ(q.size(), 4u * kTimes);
  for (std::size_t i = 4; i < q.size(); i += 4) {
    double dot = 0.0;
    for (std::size_t k = 0; k < 4; ++k) dot += q[i + k] * q[i + k - 4];
    EXPECT_GT(dot, 0.9);
  }
  EXPECT_EQ(glb.Floats(samplers[0]["input"]).size(), static_cast<std::size_t>(kTimes));
}

// Thin overlaps far from the origin keep their digits, which floats of the world's would not.
TEST(Scene, PointsOfPatchesCountFromTheirMiddle) {
  Scene scene;
  PatchItem patch;
  patch.display.mesh = Tetrahedron("").mesh;
  const Vector3d far(3.0, 4.0, 5.0);
  for (Vector3d& p : patch.display.mesh.points) p = far + 1e-9 * p;
  patch.display.heights = {0.0, 1e-9, 2e-9, 3e-9};
  patch.pressure_per_height = 1e12;
  scene.patches = {patch};
  scene.legend = Legend{true, 0.0, 3000.0};
  FinishScene(&scene);
  const Glb glb(ToGlb(scene));
  const Json& node = *glb.Node("patch", "");
  const Json& primitive = glb.json["meshes"][node["mesh"].get<size_t>()]["primitives"][0];
  const std::vector<float> points = glb.Floats(primitive["attributes"]["POSITION"]);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double at = node["translation"][i % 3].get<double>() + static_cast<double>(points[i]);
    EXPECT_NEAR(at, patch.display.mesh.points[i / 3][static_cast<int>(i % 3)], 2e-15);
  }
  EXPECT_EQ(glb.Floats(primitive["attributes"]["_PRESSURE"]),
            (std::vector<float>{0.0F, 1000.0F, 2000.0F, 3000.0F}));
}

TEST(Scene, NamesAreDataOfAnyBytes) {
  Scene scene;
  const std::string name = "</script><b>\"&\xff\xfe\n\xe2\x80\xae";
  scene.title = name;
  scene.bodies = {Tetrahedron(name)};
  FinishScene(&scene);
  const Glb glb(ToGlb(scene));
  EXPECT_EQ(glb.json["scenes"][0]["extras"]["volcontact"]["title"],
            "</script><b>\"&\xef\xbf\xbd\xef\xbf\xbd\n\xe2\x80\xae");
  const std::string page = ToPage(scene, "<!--VOLCONTACT-SCENE-->");
  EXPECT_EQ(page.find('<', 1), page.rfind("</script>"));
  const std::string vtp = ToVtp(scene);
  EXPECT_EQ(vtp.find("<b>"), std::string::npos);
}

TEST(Scene, FilesThatCannotBeAreRefused) {
  Scene scene;
  EXPECT_THROW(ToPage(scene, "<p>no place</p>"), InvalidInput);
  EXPECT_THROW(WriteScene(scene, "scene.obj"), InvalidInput);
  scene.times = {0.0, 1.0};
  EXPECT_THROW(WriteScene(scene, "scene.vtp"), InvalidInput);
  EXPECT_THROW(WriteScene(scene, "scene.html", "no_such_template.html"), InvalidInput);
  EXPECT_FALSE(std::filesystem::exists("scene.html"));
}

}  // namespace
}  // namespace volcontact::view
