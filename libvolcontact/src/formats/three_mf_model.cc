#include "formats/three_mf_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "formats/model_unit.h"
#include "io/messages.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

constexpr std::string_view kCore = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02|";
constexpr std::string_view kProduction =
    "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";
// Extensions that change nothing about the shape, and the one that is read.
constexpr std::string_view kUnderstood[] = {
    kProduction, "http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
    "http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07"};

// Numbers of a transformation: rows of a matrix by which a row of coordinates is multiplied.
constexpr std::size_t kMatrixNumbers = 12;

// The name of an element of the core; empty for one of an extension, whose elements may have equal
// names. Some programs write no namespace.
std::string_view CoreName(std::string_view name) {
  if (name.starts_with(kCore)) return name.substr(kCore.size());
  return name.find('|') == std::string_view::npos ? name : std::string_view();
}

Eigen::Affine3d Transformation(const std::string& text) {
  const std::vector<std::string_view> words = XmlWords(text);
  if (words.size() != kMatrixNumbers) {
    throw InvalidInput(fmt::format("the transformation has {} numbers; it needs {}", words.size(),
                                   kMatrixNumbers));
  }
  Eigen::Affine3d X = Eigen::Affine3d::Identity();
  for (Eigen::Index i = 0; i < 4; ++i) {
    for (Eigen::Index k = 0; k < 3; ++k) {
      const double value =
          XmlNumber(words[static_cast<std::size_t>(3 * i + k)], "a number of the transformation");
      X(k, i) = value;
    }
  }
  return X;
}

}  // namespace

void ThreeMfHandler::BeginModel(const XmlAttributes& attributes) {
  model_.unit = ModelUnit(attributes.ValueOr("unit", "millimeter"));
  const std::string required = attributes.ValueOr("requiredextensions", "");
  for (const std::string_view prefix : XmlWords(required)) {
    const std::string space = spaces_[std::string(prefix)];
    if (std::ranges::find(kUnderstood, space) != std::end(kUnderstood)) continue;
    throw InvalidInput(fmt::format(
        "the file needs the extension {}, which is not read; export the part as plain triangles",
        Quoted(space.empty() ? prefix : std::string_view(space))));
  }
}

// Paths of models are absolute, and the same with small and capital letters only by chance.
PlacedObject ThreeMfHandler::Placed(const XmlAttributes& attributes) {
  const std::string path = attributes.ValueOr(fmt::format("{}|path", kProduction), path_);
  if (path != path_) model_.others.insert(path);
  PlacedObject placed;
  placed.object = fmt::format("object {} of {}", Shown(attributes.Value("objectid")), Shown(path));
  const std::string transform = attributes.ValueOr("transform", "");
  if (!transform.empty()) placed.X_PO = Transformation(transform);
  return placed;
}

void ThreeMfHandler::BeginObject(const XmlAttributes& attributes) {
  const std::string key =
      fmt::format("object {} of {}", Shown(attributes.Value("id")), Shown(path_));
  if (object_ != nullptr) throw InvalidInput(key + " is inside another one; export the file again");
  object_ = &tree_.Add(key);
  object_->name = attributes.ValueOr("name", "");
  const std::string type = attributes.ValueOr("type", "model");
  if (type == "support" || type == "solidsupport") model_.supports.insert(key);
}

TriangleMesh& ThreeMfHandler::OpenMesh() {
  if (object_ == nullptr || object_->meshes.empty()) {
    throw InvalidInput("stands outside of a mesh; export the file again");
  }
  return object_->meshes.back().mesh;
}

void ThreeMfHandler::AddVertex(const XmlAttributes& attributes) {
  Eigen::Vector3d p;
  constexpr const char* kAxes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) p[k] = XmlNumber(attributes.Value(kAxes[k]), kAxes[k]);
  OpenMesh().vertices.push_back(p);
}

void ThreeMfHandler::AddTriangle(const XmlAttributes& attributes) {
  constexpr const char* kCorners[] = {"v1", "v2", "v3"};
  TriangleMesh& mesh = OpenMesh();
  std::array<int, 3> face{};
  for (std::size_t k = 0; k < 3; ++k) {
    face[k] = XmlIndex(attributes.Value(kCorners[k]), kCorners[k]);
    if (static_cast<std::size_t>(face[k]) >= mesh.vertices.size()) {
      throw InvalidInput(fmt::format("a triangle names vertex {}; there are {} (from 0)", face[k],
                                     mesh.vertices.size()));
    }
  }
  mesh.faces.push_back(face);
}

void ThreeMfHandler::Begin(std::string_view name, const XmlAttributes& attributes) {
  const std::string_view element = CoreName(name);
  if (element == "vertex") {
    AddVertex(attributes);
  } else if (element == "triangle") {
    AddTriangle(attributes);
  } else if (element == "model") {
    BeginModel(attributes);
  } else if (element == "object") {
    BeginObject(attributes);
  } else if (element == "mesh" && object_ != nullptr) {
    object_->meshes.emplace_back();
  } else if (element == "component" && object_ != nullptr) {
    object_->parts.push_back(Placed(attributes));
  } else if (element == "item") {
    model_.built.push_back(Placed(attributes));
  }
}

void ThreeMfHandler::End(std::string_view name, std::string_view) {
  if (CoreName(name) == "object") object_ = nullptr;
}

}  // namespace volcontact
