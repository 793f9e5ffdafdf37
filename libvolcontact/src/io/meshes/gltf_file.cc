#include "io/meshes/gltf_file.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json/json_document.h"
#include "io/meshes/gltf_buffers.h"
#include "io/meshes/object_tree.h"
#include "io/messages.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr std::string_view kMagic = "glTF";
constexpr std::uint32_t kJsonChunk = 0x4e4f534a, kBinaryChunk = 0x004e4942, kVersion = 2;
constexpr std::size_t kHeader = 12, kChunkHeader = 8;
constexpr int kTriangles = 4, kFirstOfStrips = 5;  // modes of primitives; below 4 lines and points

// Extensions that change nothing about the shape, by how their names begin.
constexpr std::string_view kHarmless[] = {"KHR_materials",         "KHR_texture", "KHR_lights",
                                          "KHR_mesh_quantization", "KHR_xmp",     "EXT_texture",
                                          "KHR_animation",         "EXT_lights"};

struct Container {
  std::string json;
  std::string_view binary;
};

std::uint32_t WordAt(std::string_view data, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, data.data() + at, sizeof(word));
  return word;
}

Container Open(std::string_view data, const std::string& origin) {
  if (!data.starts_with(kMagic)) return {std::string(data), {}};
  const std::string damaged = ": is a damaged .glb file; export it again";
  if (data.size() < kHeader + kChunkHeader) throw InvalidInput(origin + damaged);
  if (WordAt(data, 4) != kVersion) {
    throw InvalidInput(
        fmt::format("{}: is glTF of version {}; export it as version 2", origin, WordAt(data, 4)));
  }
  Container container;
  for (std::size_t at = kHeader; data.size() - at >= kChunkHeader;) {
    const std::size_t size = WordAt(data, at);
    const std::uint32_t type = WordAt(data, at + 4);
    at += kChunkHeader;
    if (size > data.size() - at) throw InvalidInput(origin + damaged);
    const std::string_view chunk = data.substr(at, size);
    if (type == kJsonChunk && container.json.empty()) container.json = std::string(chunk);
    if (type == kBinaryChunk && container.binary.empty()) container.binary = chunk;
    at += size;
  }
  if (container.json.empty()) throw InvalidInput(origin + damaged);
  return container;
}

class GltfScene {
 public:
  GltfScene(const JsonCursor& root, std::string_view binary)
      : root_(root), buffers_(root, binary), tree_(root.source().origin) {}

  MeshBodies Read();

 private:
  void RefuseExtensions() const;
  void AddNode(int number, const JsonCursor& node);
  void AddMesh(int number, const JsonCursor& mesh);
  void AddPrimitive(const JsonCursor& primitive, TriangleMesh* mesh);
  std::vector<PlacedObject> SceneRoots() const;
  PlacedObject Placed(const JsonCursor& index) const;

  const JsonCursor root_;
  GltfBuffers buffers_;
  ObjectTree tree_;
  std::set<int> meshes_;
  std::size_t lines_ = 0, bent_ = 0;
};

std::string NodeKey(int number) { return fmt::format("node {}", number); }

// Where a node is in its parent.
Eigen::Affine3d PlaceOf(const JsonCursor& node) {
  Eigen::Affine3d X = Eigen::Affine3d::Identity();
  if (const auto matrix = node.Find("matrix")) {
    matrix->ExpectArray(16, "numbers");
    const std::vector<double> m = matrix->Numbers();
    X.matrix() = Eigen::Map<const Eigen::Matrix4d>(m.data());
    return X;
  }
  X.translation() = node.Numbers3("translation", Eigen::Vector3d::Zero());
  if (const auto rotation = node.Find("rotation")) {
    rotation->ExpectArray(4, "numbers");
    const std::vector<double> q = rotation->Numbers();
    const Eigen::Quaterniond R(q[3], q[0], q[1], q[2]);
    if (!(R.norm() > 0.0)) rotation->Fail("is no rotation; export the file again");
    X.linear() = R.normalized().toRotationMatrix();
  }
  X.linear() *= node.Numbers3("scale", Eigen::Vector3d::Ones()).asDiagonal();
  return X;
}

void GltfScene::RefuseExtensions() const {
  for (const JsonCursor& required : root_.Items("extensionsRequired")) {
    const std::string name = required.String();
    bool harmless = false;
    for (const std::string_view known : kHarmless) harmless = harmless || name.starts_with(known);
    if (harmless) continue;
    required.Fail(fmt::format("the file needs the extension {}, which is not read; {}",
                              Quoted(name),
                              name.find("compression") != std::string::npos
                                  ? "export the part without compression of meshes"
                                  : "export the part without it"));
  }
}

void GltfScene::AddPrimitive(const JsonCursor& primitive, TriangleMesh* mesh) {
  const auto mode_at = primitive.Find("mode");
  const int mode = mode_at ? mode_at->Integer() : kTriangles;
  if (mode >= 0 && mode < kTriangles) {
    ++lines_;
    return;
  }
  if (mode >= kFirstOfStrips || mode < 0) {
    mode_at->Fail("is a strip or fan of triangles; export the part with single triangles");
  }
  if (primitive.Has("targets")) ++bent_;
  const std::vector<double> points =
      buffers_.Numbers(primitive.Member("attributes").Member("POSITION"), "VEC3", 3);
  const std::size_t count = points.size() / 3, first = mesh->vertices.size();
  for (std::size_t i = 0; i < count; ++i) {
    mesh->vertices.emplace_back(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
    if (mesh->vertices.back().allFinite()) continue;
    primitive.Fail(fmt::format("vertex {} is not finite; repair the file", i));
  }
  std::vector<double> corners;
  if (const auto indices = primitive.Find("indices")) {
    corners = buffers_.Numbers(*indices, "SCALAR", 1);
  } else {
    for (std::size_t i = 0; i < count; ++i) corners.push_back(static_cast<double>(i));
  }
  if (corners.size() % 3 != 0) {
    primitive.Fail(fmt::format("has {} corners, which are no triangles; export the file again",
                               corners.size()));
  }
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    std::array<int, 3> face{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(corners[i + k] >= 0.0 && corners[i + k] < static_cast<double>(count))) {
        primitive.Fail(fmt::format("triangle {} names vertex {}; there are {} (from 0)", i / 3,
                                   corners[i + k], count));
      }
      face[k] = static_cast<int>(first + static_cast<std::size_t>(corners[i + k]));
    }
    mesh->faces.push_back(face);
  }
}

void GltfScene::AddMesh(int number, const JsonCursor& mesh) {
  if (!meshes_.insert(number).second) return;
  TriangleMesh triangles;
  for (const JsonCursor& primitive : mesh.Items("primitives")) AddPrimitive(primitive, &triangles);
  tree_.Add(fmt::format("mesh {}", number)).meshes.push_back({"", std::move(triangles)});
}

PlacedObject GltfScene::Placed(const JsonCursor& index) const {
  return {NodeKey(index.Integer()), PlaceOf(GltfItem(root_, "nodes", index))};
}

void GltfScene::AddNode(int number, const JsonCursor& node) {
  FileObject object;
  object.name = node.String("name", "");
  if (const auto mesh = node.Find("mesh")) {
    const JsonCursor item = GltfItem(root_, "meshes", *mesh);
    AddMesh(mesh->Integer(), item);
    if (object.name.empty()) object.name = item.String("name", "");
    object.parts.push_back({fmt::format("mesh {}", mesh->Integer()), Eigen::Affine3d::Identity()});
    if (node.Has("skin")) ++bent_;
  }
  for (const JsonCursor& child : node.Items("children")) object.parts.push_back(Placed(child));
  tree_.Add(NodeKey(number)) = std::move(object);
}

std::vector<PlacedObject> GltfScene::SceneRoots() const {
  const auto scenes = root_.Find("scenes");
  if (!scenes) return tree_.Roots();
  scenes->ExpectNonEmptyArray("scenes");
  const auto chosen = root_.Find("scene");
  const JsonCursor scene = chosen ? GltfItem(root_, "scenes", *chosen) : scenes->Item(0);
  std::vector<PlacedObject> roots;
  for (const JsonCursor& node : scene.Items("nodes")) roots.push_back(Placed(node));
  return roots;
}

MeshBodies GltfScene::Read() {
  const std::string version = root_.Member("asset").Member("version").String();
  if (!version.starts_with("2.")) {
    root_.Member("asset").Fail(
        fmt::format("is glTF of version {}; export it as version 2", Quoted(version)));
  }
  RefuseExtensions();
  int number = 0;
  for (const JsonCursor& node : root_.Items("nodes")) AddNode(number++, node);
  MeshBodies result{tree_.Placed(SceneRoots(), LengthUnit()), {}};
  const std::string& origin = root_.source().origin;
  if (lines_ > 0) {
    result.notes.push_back(
        fmt::format("{}: {} sets of lines or points were left out", origin, lines_));
  }
  if (bent_ > 0) {
    result.notes.push_back(fmt::format(
        "{}: skins and morph targets are not applied; the meshes are as the file stores them",
        origin));
  }
  return result;
}

}  // namespace

MeshBodies ParseGltf(const std::string& data, const std::string& origin,
                     const std::filesystem::path& folder) {
  const Container container = Open(data, origin);
  const nlohmann::json root = ParseJson(container.json, origin, JsonDialect::kSolid);
  JsonSource source;
  source.origin = origin;
  source.folder = folder;
  return GltfScene(JsonCursor(root, source), container.binary).Read();
}

VOLCONTACT_NAMESPACE_END
