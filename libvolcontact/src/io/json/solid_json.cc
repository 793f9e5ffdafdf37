// The project's own solid format.
#include "io/json/solid_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "io/body_choice.h"
#include "io/json/json_cursor.h"
#include "io/json/json_document.h"
#include "io/json/json_primitives.h"
#include "io/malformed_input.h"
#include "io/meshes/mesh_size.h"
#include "io/meshes/sound_mesh.h"
#include "io/messages.h"
#include "io/text_file.h"
#include "solids/mesh/mesh_deviation.h"
#include "solids/tree/mesh_leaves.h"
#include "solids/tree/solid_node.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Keys = std::vector<std::string_view>;

Solid ReadNode(const JsonCursor& at);

// Turned outward again where that mirrors.
void ScaleAlongAxes(const Eigen::Vector3d& factors, TriangleMesh* mesh) {
  for (Eigen::Vector3d& vertex : mesh->vertices) vertex = vertex.cwiseProduct(factors);
  if (factors.prod() > 0.0) return;
  for (auto& face : mesh->faces) std::swap(face[1], face[2]);
}

std::filesystem::path PathAt(const JsonCursor& at) {
  at.source().reads_files = true;
  const std::filesystem::path path = at.String();
  return path.is_relative() ? at.source().folder / path : path;
}

Solid ReadMeshFile(const JsonCursor& at) {
  const std::filesystem::path path = PathAt(at.Member("file"));
  std::optional<double> scale;
  std::optional<Eigen::Vector3d> along_axes;
  if (at.source().has_unit) scale = at.unit().ToMetres(1.0);
  if (const auto factor = at.Find("scale")) {
    const bool is_one = !factor->value().is_array();
    scale = at.unit().ToMetres(1.0) * (is_one ? factor->Number() : 1.0);
    if (!(*scale > 0.0 && std::isfinite(*scale))) factor->Fail("the scale must be positive");
    if (!is_one) along_axes = factor->Numbers3();
    if (along_axes && along_axes->prod() == 0.0) factor->Fail("no factor may be 0");
  }
  if (!IsMeshFile(path)) {
    at.Member("file").Fail("the extension must be one of .stl, .obj, .ply, .off");
  }
  return MakeAt(at, [&] {
    MeshFile file = ReadMesh(path, scale);
    if (along_axes) ScaleAlongAxes(*along_axes, &file.mesh);
    at.source().notes.insert(at.source().notes.end(), file.notes.begin(), file.notes.end());
    return SoundMesh(file.mesh, at.source().options, at.Place(), &at.source().notes);
  });
}

Solid ReadMeshNode(const JsonCursor& at) {
  at.ExpectObject(Keys{"file", "scale", "vertices", "faces", "deviations"});
  if (at.Find("file")) {
    if (at.Find("vertices") || at.Find("faces") || at.Find("deviations")) {
      throw MalformedInput(
          at.Message("a mesh has either \"file\" or \"vertices\" and \"faces\", not both"));
    }
    return ReadMeshFile(at);
  }
  if (at.Find("scale")) at.Fail("\"scale\" goes with \"file\" only; scale the vertices instead");
  TriangleMesh mesh;
  const JsonCursor vertices = at.Member("vertices"), faces = at.Member("faces");
  mesh.vertices.resize(vertices.ExpectNonEmptyArray("vertices"));
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    mesh.vertices[i] = vertices.Item(i).Lengths3();
  }
  mesh.faces.resize(faces.ExpectNonEmptyArray("faces"));
  for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
    const JsonCursor face = faces.Item(i);
    face.ExpectArray(3, "vertex numbers");
    for (std::size_t k = 0; k < 3; ++k) mesh.faces[i][k] = face.Item(k).Integer();
  }
  if (const auto deviations = at.Find("deviations")) {
    deviations->ExpectArray(mesh.faces.size(), "numbers, one for each face");
    for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
      mesh.deviations.push_back(deviations->Item(i).Length());
    }
  }
  return MakeAt(
      at, [&] { return SoundMesh(mesh, at.source().options, at.Place(), &at.source().notes); });
}

// A part of a STEP file, an OpenSCAD export or a mesh. No JSON: a file could name itself.
Solid ReadFileNode(const JsonCursor& at) {
  const std::filesystem::path path = PathAt(at);
  if (LowerCaseExtension(path) == ".json") {
    at.Fail("names another .json file; write its contents here");
  }
  ReadOptions options = at.source().options;
  options.units = at.source().has_unit ? at.source().unit_name : "";
  return MakeAt(at, [&] {
    SolidFile file = ReadSolid(path, options);
    at.source().notes.insert(at.source().notes.end(), file.notes.begin(), file.notes.end());
    return file.solid;
  });
}

std::vector<Solid> ReadChildren(const JsonCursor& at) {
  std::vector<Solid> children(at.ExpectNonEmptyArray("solids"));
  for (std::size_t i = 0; i < children.size(); ++i) children[i] = ReadNode(at.Item(i));
  return children;
}

Solid ReadUnion(const JsonCursor& at) {
  std::vector<Solid> children = ReadChildren(at);
  return MakeAt(at, [&] { return Union(std::move(children)); });
}

Solid ReadIntersection(const JsonCursor& at) {
  std::vector<Solid> children = ReadChildren(at);
  return MakeAt(at, [&] { return Intersection(std::move(children)); });
}

Solid ReadDifference(const JsonCursor& at) {
  const std::vector<Solid> children = ReadChildren(at);
  const std::vector<Solid> cuts(children.begin() + 1, children.end());
  return MakeAt(at, [&] { return Difference(children.front(), cuts); });
}

Solid ReadComplement(const JsonCursor& at) {
  const Solid child = ReadNode(at);
  return MakeAt(at, [&] { return Complement(child); });
}

const std::vector<ShapeKey>& Shapes() {
  static const std::vector<ShapeKey> shapes = [] {
    std::vector<ShapeKey> all(PrimitiveKeys().begin(), PrimitiveKeys().end());
    all.insert(all.end(), {{"mesh", ReadMeshNode},
                           {"file", ReadFileNode},
                           {"union", ReadUnion},
                           {"intersection", ReadIntersection},
                           {"difference", ReadDifference},
                           {"complement", ReadComplement}});
    return all;
  }();
  return shapes;
}

Keys ShapeNames() {
  Keys keys;
  for (const ShapeKey& shape : Shapes()) keys.push_back(shape.key);
  return keys;
}

const Keys& NodeKeys() {
  static const Keys keys = [] {
    Keys all = ShapeNames();
    all.insert(all.end(), {"pose", "name"});
    return all;
  }();
  return keys;
}

const ShapeKey& FindShape(const JsonCursor& at) {
  const ShapeKey* found = nullptr;
  for (const ShapeKey& shape : Shapes()) {
    if (!at.value().contains(shape.key)) continue;
    if (found) {
      throw MalformedInput(at.Message(
          fmt::format("two shape keys, \"{}\" and \"{}\"; keep one, or list both in a \"union\"",
                      found->key, shape.key)));
    }
    found = &shape;
  }
  if (!found) {
    throw MalformedInput(at.Message("no shape key; give one of: " + Listed(ShapeNames())));
  }
  return *found;
}

// One pose, or a list of them with the outermost first.
Solid PosedAt(const JsonCursor& at, const Solid& solid) {
  std::vector<Pose> poses;
  const auto read = [&](const JsonCursor& pose) {
    poses.push_back(pose.PoseValue());
    MakeAt(pose, [&] { return Solid().Posed(poses.back()); });
  };
  if (at.value().is_array()) {
    const std::size_t count = at.ExpectNonEmptyArray("poses");
    for (std::size_t i = 0; i < count; ++i) read(at.Item(i));
  } else {
    read(at);
  }
  return PosedByAll(solid, poses);
}

Solid ReadNode(const JsonCursor& at) {
  at.ExpectObject(NodeKeys());
  if (const auto name = at.Find("name")) name->String();
  const ShapeKey& shape = FindShape(at);
  const Solid solid = shape.read(at.Member(shape.key));
  const auto pose = at.Find("pose");
  return pose ? PosedAt(*pose, solid) : solid;
}

void ReadUnits(const JsonCursor& at, JsonSource* source) {
  const std::string name = at.String();
  const std::optional<LengthUnit> unit = LengthUnit::Named(name);
  if (!unit) throw MalformedInput(at.Message(UnknownUnit(name)));
  if (source->has_unit && name != source->unit_name) {
    source->notes.push_back(
        fmt::format("{}: the file names the unit {}; the units {} were not used", source->origin,
                    name, source->unit_name));
  }
  source->unit = *unit;
  source->unit_name = name;
  source->has_unit = true;
}

// The solid of a document with the wrapper {"volcontact": 1, ...}.
JsonCursor Unwrap(const JsonCursor& at, JsonSource* source) {
  at.ExpectObject(Keys{"volcontact", "units", "solid"});
  at.ExpectVersion();
  if (const auto units = at.Find("units")) ReadUnits(*units, source);
  return at.Member("solid");
}

JsonSource SourceOf(const std::string& origin, const std::filesystem::path& folder,
                    const ReadOptions& options) {
  JsonSource source;
  source.origin = origin;
  source.folder = folder;
  source.options = options;
  if (!options.units.empty()) {
    source.unit = UnitOr(options.units, {});
    source.unit_name = options.units;
    source.has_unit = true;
  }
  return source;
}

// The solid of a document, with a wrapper or without.
JsonCursor RootOf(const nlohmann::json& document, JsonSource* source) {
  const JsonCursor root(document, *source);
  if (!document.is_object()) return root;
  if (document.contains("volcontact")) return Unwrap(root, source);
  for (const char* key : {"solid", "units"}) {
    if (!document.contains(key)) continue;
    root.Fail(fmt::format(
        R"("{}" needs the wrapper {{"volcontact": 1, "units": ..., "solid": {{...}}}})", key));
  }
  return root;
}

double DeviationOf(const Solid& solid) {
  const Shape& shape = solid.node().shape;
  double greatest = 0.0;
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) {
    return mesh->deviation != nullptr ? mesh->deviation->greatest(0) : 0.0;
  }
  if (const auto* boolean = std::get_if<BooleanShape>(&shape)) {
    for (const Solid& child : boolean->children) {
      greatest = std::max(greatest, DeviationOf(child));
    }
  }
  return greatest;
}

// `notes` of the reader are those of this body from the number `first` on.
SolidBody BodyOf(const Solid& solid, const std::vector<std::string>& notes, std::size_t first) {
  SolidBody body;
  body.solid = solid;
  body.exact = !HoldsMesh(solid);
  body.deviation = DeviationOf(solid);
  if (!body.exact) body.why = "it holds a mesh";
  for (std::size_t n = first; n < notes.size(); ++n) body.why += "; " + notes[n];
  body.volume = std::numeric_limits<double>::infinity();
  if (solid.Bounds().IsBounded()) {
    const MassProperties mass = ComputeMassProperties(solid);
    body.volume = mass.volume;
    body.centroid = mass.centroid_W;
  }
  return body;
}

}  // namespace

std::vector<SolidBody> ParseJsonBodies(const std::string& text, const std::string& origin,
                                       const std::filesystem::path& folder,
                                       const ReadOptions& options) {
  const nlohmann::json document = ParseJson(text, origin, JsonDialect::kSolid);
  JsonSource source = SourceOf(origin, folder, options);
  const JsonCursor root = RootOf(document, &source);
  root.ExpectObject(NodeKeys());
  FindShape(root);
  std::vector<JsonCursor> parts = {root};
  const auto list = root.Find("union");
  if (list) {
    parts.clear();
    const std::size_t count = list->ExpectNonEmptyArray("solids");
    for (std::size_t i = 0; i < count; ++i) parts.push_back(list->Item(i));
  }
  std::vector<std::string> names;
  for (const JsonCursor& part : parts) {
    part.ExpectObject(NodeKeys());
    names.push_back(part.String("name", ""));
  }
  const BodyChoice choice(names);
  std::vector<SolidBody> bodies;
  for (const int i : choice.Chosen(options.body)) {
    const std::size_t first = source.notes.size();
    Solid solid = ReadNode(parts[i]);
    if (const auto pose = root.Find("pose"); pose && list) solid = PosedAt(*pose, solid);
    bodies.push_back(BodyOf(solid, source.notes, first));
    bodies.back().number = i + 1;
    bodies.back().name = choice.names()[i];
  }
  return bodies;
}

SolidFile ParseSolidJson(const std::string& text, const std::string& origin,
                         const std::filesystem::path& folder, const ReadOptions& options) {
  const nlohmann::json document = ParseJson(text, origin, JsonDialect::kSolid);
  JsonSource source = SourceOf(origin, folder, options);
  const JsonCursor root = RootOf(document, &source);
  SolidFile file;
  file.solid = ReadNode(root);
  file.notes = std::move(source.notes);
  if (!source.has_unit && !source.reads_files) {
    NoteImplausibleSize(file.solid.Bounds(), origin, &file.notes);
  }
  if (const auto name = root.Find("name")) file.name = name->String();
  return file;
}

VOLCONTACT_NAMESPACE_END
