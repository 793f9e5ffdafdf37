#include "view/gltf_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <utility>

#include "view/valid_utf8.h"
#include "volcontact/math/error.h"
#include "volcontact/version.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

using nlohmann::json;

// A file, and a chunk of it, has its length in 32 bits, which readers take for signed ones.
constexpr std::size_t kMostBytes = (std::size_t{1} << 31) - 1;
constexpr char kUnlit[] = "KHR_materials_unlit";

// As tinygltf has JSON. Nothing is left of null: what is not there reads as undefined.
tinygltf::Value ValueOf(const json& from) {
  if (from.is_object()) {
    tinygltf::Value::Object object;
    for (const auto& [key, value] : from.items()) {
      if (!value.is_null()) object.emplace(key, ValueOf(value));
    }
    return tinygltf::Value(std::move(object));
  }
  if (from.is_array()) {
    tinygltf::Value::Array array;
    array.reserve(from.size());
    for (const json& value : from) array.push_back(ValueOf(value));
    return tinygltf::Value(std::move(array));
  }
  if (from.is_string()) return tinygltf::Value(ValidUtf8(from.get<std::string>()));
  if (from.is_boolean()) return tinygltf::Value(from.get<bool>());
  if (from.is_number_integer()) {
    const auto value = from.get<std::int64_t>();
    if (std::abs(value) < static_cast<std::int64_t>(kMostBytes))
      return tinygltf::Value(static_cast<int>(value));
  }
  if (from.is_number()) return tinygltf::Value(from.get<double>());
  return {};
}

// Linear light, as glTF counts colours, of a colour as screens do.
double Linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

std::vector<float> Floats(const std::vector<Eigen::Vector3d>& vectors) {
  std::vector<float> values;
  values.reserve(3 * vectors.size());
  for (const Eigen::Vector3d& v : vectors) {
    for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(v[i]));
  }
  return values;
}

}  // namespace

std::string ValidUtf8(const std::string& text) {
  // nlohmann's writer knows what is valid; a string's own text stands between its quotes.
  const std::string safe = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(safe).get<std::string>();
}

GltfBuilder::GltfBuilder() {
  model_.asset.version = "2.0";
  model_.asset.generator = "volcontact " VOLCONTACT_VERSION;
  model_.buffers.emplace_back();
  model_.scenes.emplace_back();
  model_.scenes[0].nodes = {0};
  model_.defaultScene = 0;
  model_.nodes.emplace_back();
  model_.nodes[0].name = "world";
  model_.nodes[0].rotation = {-std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5)};
  animation_.name = "motion";
}

int GltfBuilder::AddAccessor(const void* data, std::size_t bytes, std::size_t count, int type,
                             int component, int target) {
  std::vector<unsigned char>& buffer = model_.buffers[0].data;
  buffer.resize((buffer.size() + 3) / 4 * 4);
  if (buffer.size() + bytes > kMostBytes) {
    throw InvalidInput(
        "the scene is larger than 2 GiB; ask for a greater --deviation, or for fewer times");
  }
  tinygltf::BufferView view;
  view.buffer = 0;
  view.byteOffset = buffer.size();
  view.byteLength = bytes;
  view.target = target;
  buffer.resize(buffer.size() + bytes);
  std::memcpy(buffer.data() + view.byteOffset, data, bytes);
  tinygltf::Accessor accessor;
  accessor.bufferView = static_cast<int>(model_.bufferViews.size());
  accessor.componentType = component;
  accessor.count = count;
  accessor.type = type;
  model_.bufferViews.push_back(std::move(view));
  model_.accessors.push_back(std::move(accessor));
  return static_cast<int>(model_.accessors.size()) - 1;
}

int GltfBuilder::AddFloats(const std::vector<float>& values, int type, int parts, int target) {
  return AddAccessor(values.data(), values.size() * sizeof(float),
                     values.size() / static_cast<std::size_t>(parts), type,
                     TINYGLTF_COMPONENT_TYPE_FLOAT, target);
}

void GltfBuilder::SetBounds(int accessor, const std::vector<float>& values, int parts) {
  tinygltf::Accessor& a = model_.accessors[static_cast<std::size_t>(accessor)];
  for (int i = 0; i < parts; ++i) {
    float least = values[static_cast<std::size_t>(i)], greatest = least;
    for (std::size_t k = static_cast<std::size_t>(i); k < values.size();
         k += static_cast<std::size_t>(parts)) {
      least = std::min(least, values[k]);
      greatest = std::max(greatest, values[k]);
    }
    a.minValues.push_back(least);
    a.maxValues.push_back(greatest);
  }
}

int GltfBuilder::AddPoints(const std::vector<Eigen::Vector3d>& points) {
  const std::vector<float> values = Floats(points);
  const int accessor = AddFloats(values, TINYGLTF_TYPE_VEC3, 3, TINYGLTF_TARGET_ARRAY_BUFFER);
  SetBounds(accessor, values, 3);
  return accessor;
}

int GltfBuilder::AddNormals(const std::vector<Eigen::Vector3d>& normals) {
  return AddFloats(Floats(normals), TINYGLTF_TYPE_VEC3, 3, TINYGLTF_TARGET_ARRAY_BUFFER);
}

int GltfBuilder::AddColors(const std::vector<Color>& colors) {
  std::vector<float> values;
  values.reserve(3 * colors.size());
  for (const Color& color : colors) {
    for (const double c : color) values.push_back(static_cast<float>(Linear(c)));
  }
  return AddFloats(values, TINYGLTF_TYPE_VEC3, 3, TINYGLTF_TARGET_ARRAY_BUFFER);
}

int GltfBuilder::AddScalars(const std::vector<double>& values) {
  return AddFloats({values.begin(), values.end()}, TINYGLTF_TYPE_SCALAR, 1,
                   TINYGLTF_TARGET_ARRAY_BUFFER);
}

int GltfBuilder::AddIndices(const std::vector<std::uint32_t>& indices, std::size_t points) {
  constexpr std::size_t kShort = 65535;  // which itself would mean "a new strip"
  if (points > kShort) {
    return AddAccessor(indices.data(), indices.size() * sizeof(std::uint32_t), indices.size(),
                       TINYGLTF_TYPE_SCALAR, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,
                       TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
  }
  std::vector<std::uint16_t> shorts(indices.begin(), indices.end());
  return AddAccessor(shorts.data(), shorts.size() * sizeof(std::uint16_t), shorts.size(),
                     TINYGLTF_TYPE_SCALAR, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
                     TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
}

int GltfBuilder::AddMaterial(const std::string& name, const Color& color, double alpha, bool lit) {
  tinygltf::Material material;
  material.name = ValidUtf8(name);
  material.doubleSided = true;
  if (alpha < 1.0) material.alphaMode = "BLEND";
  tinygltf::PbrMetallicRoughness& pbr = material.pbrMetallicRoughness;
  pbr.baseColorFactor = {Linear(color[0]), Linear(color[1]), Linear(color[2]), alpha};
  pbr.metallicFactor = 0.0;
  pbr.roughnessFactor = 0.6;
  if (!lit) {
    material.extensions[kUnlit] = tinygltf::Value(tinygltf::Value::Object());
    if (model_.extensionsUsed.empty()) model_.extensionsUsed.emplace_back(kUnlit);
  }
  model_.materials.push_back(std::move(material));
  return static_cast<int>(model_.materials.size()) - 1;
}

int GltfBuilder::AddMesh(const std::string& name, tinygltf::Primitive primitive) {
  tinygltf::Mesh mesh;
  mesh.name = ValidUtf8(name);
  mesh.primitives.push_back(std::move(primitive));
  model_.meshes.push_back(std::move(mesh));
  return static_cast<int>(model_.meshes.size()) - 1;
}

int GltfBuilder::AddNode(const std::string& name, int mesh, const json& extras, int parent) {
  tinygltf::Node node;
  node.name = ValidUtf8(name);
  node.mesh = mesh;
  node.extras = ValueOf({{"volcontact", extras}});
  const auto index = static_cast<int>(model_.nodes.size());
  model_.nodes.push_back(std::move(node));
  model_.nodes[static_cast<std::size_t>(parent)].children.push_back(index);
  return index;
}

void GltfBuilder::SetPose(int node, const Eigen::Vector3d& t, const std::array<double, 4>& q,
                          double scale) {
  tinygltf::Node& n = model_.nodes[static_cast<std::size_t>(node)];
  n.translation = {t[0], t[1], t[2]};
  n.rotation = {q[1], q[2], q[3], q[0]};
  if (scale != 1.0) n.scale = {scale, scale, scale};
}

void GltfBuilder::SetTimes(const std::vector<double>& times) {
  const std::vector<float> values(times.begin(), times.end());
  times_ = AddFloats(values, TINYGLTF_TYPE_SCALAR, 1, 0);
  SetBounds(times_, values, 1);
}

void GltfBuilder::AddChannel(int node, const char* path, int output) {
  tinygltf::AnimationSampler sampler;
  sampler.input = times_;
  sampler.output = output;
  sampler.interpolation = "LINEAR";
  tinygltf::AnimationChannel channel;
  channel.sampler = static_cast<int>(animation_.samplers.size());
  channel.target_node = node;
  channel.target_path = path;
  animation_.samplers.push_back(std::move(sampler));
  animation_.channels.push_back(std::move(channel));
}

void GltfBuilder::Animate(int node, const NodeMotion& motion) {
  if (!motion.translations.empty()) {
    AddChannel(node, "translation",
               AddFloats(Floats(motion.translations), TINYGLTF_TYPE_VEC3, 3, 0));
  }
  if (!motion.rotations.empty()) {
    std::vector<float> values;
    for (const std::array<double, 4>& q : motion.rotations) {
      for (const int i : {1, 2, 3, 0}) {
        values.push_back(static_cast<float>(q[static_cast<std::size_t>(i)]));
      }
    }
    AddChannel(node, "rotation", AddFloats(values, TINYGLTF_TYPE_VEC4, 4, 0));
  }
  if (!motion.scales.empty()) {
    std::vector<float> values;
    for (const double s : motion.scales) values.insert(values.end(), 3, static_cast<float>(s));
    AddChannel(node, "scale", AddFloats(values, TINYGLTF_TYPE_VEC3, 3, 0));
  }
}

std::string GltfBuilder::Finish(const json& scene_extras) {
  if (!animation_.channels.empty()) model_.animations.push_back(animation_);
  model_.scenes[0].extras = ValueOf({{"volcontact", scene_extras}});
  if (model_.buffers[0].data.empty()) model_.buffers.clear();
  std::ostringstream stream;
  tinygltf::TinyGLTF writer;
  if (!writer.WriteGltfSceneToStream(&model_, stream, false, true)) {
    throw InvalidInput("the scene cannot be written as glTF");
  }
  return std::move(stream).str();
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
