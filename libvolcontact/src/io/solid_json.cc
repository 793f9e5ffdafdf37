// The project's own solid format.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json_cursor.h"
#include "io/json_document.h"
#include "io/malformed_input.h"
#include "io/mesh_size.h"
#include "io/messages.h"
#include "io/sound_mesh.h"
#include "io/text_file.h"
#include "solids/tree/solid_node.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Keys = std::vector<std::string_view>;

Solid ReadNode(const JsonCursor& at);

// Makes a solid; what its factory objects to is put at the place it was read from.
template <class Make>
Solid MakeAt(const JsonCursor& at, Make make) {
  try {
    return make();
  } catch (const InvalidInput& error) {
    const std::string& unit = at.source().unit_name;
    at.Fail(error.what() + (unit == "m" ? "" : fmt::format(" (in m; the file is in {})", unit)));
  }
}

Solid ReadSphere(const JsonCursor& at) {
  at.ExpectObject(Keys{"radius"});
  const double radius = at.Member("radius").Length();
  return MakeAt(at, [&] { return Sphere(radius); });
}

Solid ReadEllipsoid(const JsonCursor& at) {
  at.ExpectObject(Keys{"semi_axes"});
  const Eigen::Vector3d semi_axes = at.Member("semi_axes").Lengths3();
  return MakeAt(at, [&] { return Ellipsoid(semi_axes); });
}

Solid ReadBox(const JsonCursor& at) {
  at.ExpectObject(Keys{"size"});
  const Eigen::Vector3d size = at.Member("size").Lengths3();
  return MakeAt(at, [&] { return Box(size); });
}

Solid ReadCylinder(const JsonCursor& at) {
  at.ExpectObject(Keys{"radius", "height"});
  const double radius = at.Member("radius").Length();
  const auto height = at.Find("height");
  if (!height) return MakeAt(at, [&] { return InfiniteCylinder(radius); });
  const double length = height->Length();
  return MakeAt(at, [&] { return Cylinder(radius, length); });
}

Solid ReadCone(const JsonCursor& at) {
  at.ExpectObject(Keys{"radius", "height", "radius_top"});
  const double radius = at.Member("radius").Length();
  const double height = at.Member("height").Length();
  const auto top = at.Find("radius_top");
  const double radius_top = top ? top->Length() : 0.0;
  return MakeAt(at, [&] { return Cone(radius, height, radius_top); });
}

Solid ReadCapsule(const JsonCursor& at) {
  at.ExpectObject(Keys{"radius", "height"});
  const double radius = at.Member("radius").Length();
  const double height = at.Member("height").Length();
  return MakeAt(at, [&] { return Capsule(radius, height); });
}

Solid ReadTorus(const JsonCursor& at) {
  at.ExpectObject(Keys{"major_radius", "minor_radius"});
  const double major_radius = at.Member("major_radius").Length();
  const double minor_radius = at.Member("minor_radius").Length();
  return MakeAt(at, [&] { return Torus(major_radius, minor_radius); });
}

Solid ReadHalfSpace(const JsonCursor& at) {
  at.ExpectObject({});
  return HalfSpace();
}

Solid ReadSlab(const JsonCursor& at) {
  at.ExpectObject(Keys{"thickness"});
  const double thickness = at.Member("thickness").Length();
  return MakeAt(at, [&] { return Slab(thickness); });
}

Eigen::Matrix4d ReadMatrix(const JsonCursor& at) {
  Eigen::Matrix4d matrix;
  at.ExpectArray(4, "rows");
  for (int i = 0; i < 4; ++i) {
    const JsonCursor row = at.Item(i);
    row.ExpectArray(4, "numbers");
    for (int j = 0; j < 4; ++j) matrix(i, j) = row.Item(j).Number();
  }
  return matrix;
}

// With lengths in units of n/d metres, x = (d/n) x_m. The form is multiplied by n², which leaves
// its sign alone: the factors d², n d and n² are integers and round short coefficients not at all.
Solid ReadQuadric(const JsonCursor& at) {
  at.ExpectObject(Keys{"matrix"});
  const Eigen::Matrix4d matrix = ReadMatrix(at.Member("matrix"));
  // First as given, so that complaints show the file's numbers.
  Solid solid = MakeAt(at, [&] { return Quadric(matrix); });
  const LengthUnit unit = at.unit();
  if (unit.IsMetre()) return solid;
  const Eigen::Vector4d scale(unit.denominator, unit.denominator, unit.denominator, unit.numerator);
  return MakeAt(at, [&] { return Quadric(scale.asDiagonal() * matrix * scale.asDiagonal()); });
}

PolynomialTerm ReadTerm(const JsonCursor& at) {
  at.ExpectObject(Keys{"c", "e"});
  PolynomialTerm term;
  term.coefficient = at.Member("c").Number();
  const JsonCursor exponents = at.Member("e");
  exponents.ExpectArray(3, "exponents");
  for (int i = 0; i < 3; ++i) term.exponents[i] = exponents.Item(i).Integer();
  return term;
}

int Degree(const PolynomialTerm& term) {
  return term.exponents[0] + term.exponents[1] + term.exponents[2];
}

// As for the quadric: a term of degree k of a polynomial of degree m is multiplied by d^k n^(m−k).
Solid ReadPolynomial(const JsonCursor& at) {
  at.ExpectObject(Keys{"terms"});
  const JsonCursor list = at.Member("terms");
  std::vector<PolynomialTerm> terms(list.ExpectNonEmptyArray("terms"));
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = ReadTerm(list.Item(i));
  // First as given: exponents out of range have no meaningful scale.
  Solid solid = MakeAt(at, [&] { return PolynomialSolid(terms); });
  const LengthUnit unit = at.unit();
  if (unit.IsMetre()) return solid;
  int degree = 0;
  for (const PolynomialTerm& term : terms) degree = std::max(degree, Degree(term));
  for (PolynomialTerm& term : terms) {
    term.coefficient *=
        std::pow(unit.denominator, Degree(term)) * std::pow(unit.numerator, degree - Degree(term));
  }
  return MakeAt(at, [&] { return PolynomialSolid(terms); });
}

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

struct ShapeKey {
  std::string_view key;
  Solid (*read)(const JsonCursor&);
};

constexpr ShapeKey kShapes[] = {
    {"sphere", ReadSphere},
    {"ellipsoid", ReadEllipsoid},
    {"box", ReadBox},
    {"cylinder", ReadCylinder},
    {"cone", ReadCone},
    {"capsule", ReadCapsule},
    {"torus", ReadTorus},
    {"half_space", ReadHalfSpace},
    {"slab", ReadSlab},
    {"quadric", ReadQuadric},
    {"polynomial", ReadPolynomial},
    {"mesh", ReadMeshNode},
    {"file", ReadFileNode},
    {"union", ReadUnion},
    {"intersection", ReadIntersection},
    {"difference", ReadDifference},
    {"complement", ReadComplement},
};

Keys ShapeKeys() {
  Keys keys;
  for (const ShapeKey& shape : kShapes) keys.push_back(shape.key);
  return keys;
}

const Keys& NodeKeys() {
  static const Keys keys = [] {
    Keys all = ShapeKeys();
    all.insert(all.end(), {"pose", "name"});
    return all;
  }();
  return keys;
}

const ShapeKey& FindShape(const JsonCursor& at) {
  const ShapeKey* found = nullptr;
  for (const ShapeKey& shape : kShapes) {
    if (!at.value().contains(shape.key)) continue;
    if (found) {
      throw MalformedInput(at.Message(
          fmt::format("two shape keys, \"{}\" and \"{}\"; keep one, or list both in a \"union\"",
                      found->key, shape.key)));
    }
    found = &shape;
  }
  if (!found) {
    throw MalformedInput(at.Message("no shape key; give one of: " + Listed(ShapeKeys())));
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
  at.Member("volcontact");
  at.ExpectVersion();
  if (const auto units = at.Find("units")) ReadUnits(*units, source);
  return at.Member("solid");
}

}  // namespace

SolidFile ParseSolidJson(const std::string& text, const std::string& origin,
                         const std::filesystem::path& folder, const ReadOptions& options) {
  const nlohmann::json document = ParseJson(text, origin, JsonDialect::kSolid);
  JsonSource source;
  source.origin = origin;
  source.folder = folder;
  source.options = options;
  if (!options.units.empty()) {
    source.unit = UnitOr(options.units, {});
    source.unit_name = options.units;
    source.has_unit = true;
  }
  JsonCursor root(document, source);
  if (document.is_object()) {
    if (document.contains("volcontact") || document.contains("solid")) {
      root = Unwrap(root, &source);
    } else if (document.contains("units")) {
      root.Fail(R"("units" needs the wrapper {"volcontact": 1, "units": ..., "solid": {...}})");
    }
  }
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
