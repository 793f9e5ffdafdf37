// Solids from OpenSCAD's .csg export.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "io/length_unit.h"
#include "io/linear_map.h"
#include "io/meshes/sound_mesh.h"
#include "io/outlines/outline_solid.h"
#include "io/scad/hulls/scad_hull.h"
#include "io/scad/scad_arguments.h"
#include "io/scad/scad_extrusions.h"
#include "io/scad/scad_facets.h"
#include "io/scad/scad_leaves.h"
#include "io/scad/scad_primitives.h"
#include "io/scad/scad_reading.h"
#include "io/scad/scad_resize.h"
#include "io/scad/scad_syntax.h"
#include "math/pose_of_rotation.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/mesh_repair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr std::string_view kSupported[] = {
    "cube",       "sphere",       "cylinder",   "polyhedron", "linear_extrude", "rotate_extrude",
    "hull",       "minkowski",    "union",      "group",      "color",          "render",
    "difference", "intersection", "multmatrix", "resize"};
constexpr std::string_view kPlane[] = {"square", "circle", "polygon", "projection"};

using Statements = std::vector<ScadStatement>;

// The image of a primitive, moved by L·offset.
Solid Shifted(const Solid& solid, const Eigen::Matrix3d& L, const Eigen::Vector3d& offset) {
  return offset.isZero(0.0) ? solid : solid.Posed(Pose{L * offset});
}

// A polyhedron as OpenSCAD takes it: points that are equal are one, whatever their numbers, and
// which way its faces are turned does not matter. Where more is wrong it stays as it is.
TriangleMesh Mended(const TriangleMesh& mesh, std::size_t offset, ScadReading* reading) {
  if (CheckMesh(mesh).ok()) return mesh;
  RepairResult repair = RepairMesh(mesh);
  const bool is_the_same = repair.volume_change && *repair.volume_change == 0.0;
  if (!is_the_same || !CheckMesh(repair.mesh).ok()) return mesh;
  reading->NoteMended(offset, fmt::format("{}", fmt::join(repair.changes, "; ")));
  return std::move(repair.mesh);
}

// With the file's unit; cylinders and balls without few facets are noted as kept exact.
Solid BuildPrimitive(const ScadStatement& statement, const Eigen::Matrix3d& L,
                     const ReadOptions& options, ScadReading* reading) {
  const std::string& name = statement.name;
  if (name == "sphere") {
    const auto [radius, facets] = ScadSphereOf(statement, reading);
    return facets > 0 ? FacetedSphere(L, radius, facets) : MappedSphere(L, radius);
  }
  if (name == "cylinder") {
    const ScadCylinder cylinder = ScadCylinderOf(statement, reading);
    const Solid centred = cylinder.facets > 0 ? FacetedCone(L, cylinder.size, cylinder.facets)
                                              : MappedCone(L, cylinder.size);
    return Shifted(centred, L, {0.0, 0.0, cylinder.middle});
  }
  if (name == "polyhedron") {
    const ScadPolyhedron polyhedron = ScadPolyhedronOf(statement, *reading);
    const std::string place = reading->source().Place(statement.offset);
    std::vector<std::string> notes;
    const TriangleMesh mesh =
        Mended(MappedPolyhedron(L, polyhedron.points, polyhedron.faces), statement.offset, reading);
    const Solid solid = SoundMesh(mesh, options, place, &notes);
    for (std::string& note : notes) reading->Note(std::move(note));
    return solid;
  }
  const ScadCube cube = ScadCubeOf(statement, *reading);
  const Eigen::Vector3d offset =
      cube.centred ? Eigen::Vector3d::Zero() : Eigen::Vector3d(0.5 * cube.size);
  return Shifted(MappedBox(L, cube.size), L, offset);
}

// Builds solids from statements. The linear part of the enclosing matrices that is not rigid is
// passed down to the primitives, as the map L; rigid parts stay poses of whole groups, so that
// faces that are flush in a group's frame are so exactly in any pose of the group.
class Builder {
 public:
  Builder(const ScadSource& source, LengthUnit unit, const ReadOptions& options)
      : reading_(source, unit, options.deviation), options_(options) {}

  MaybeSolid Build(const Statements& file) {
    if (const ScadStatement* root = FindRoot(file)) {
      reading_.Note(
          fmt::format("{}: only the part marked ! is read", reading_.source().Place(root->offset)));
      return BuildStatement(*root, Eigen::Matrix3d::Identity());
    }
    return BuildUnion(file, Eigen::Matrix3d::Identity());
  }

  std::vector<std::string> Notes() const { return reading_.Notes(); }

 private:
  // The first statement marked "!", which stands for the whole file.
  static const ScadStatement* FindRoot(const Statements& statements);

  MaybeSolid BuildStatement(const ScadStatement& statement, const Eigen::Matrix3d& L);
  // A primitive, or what is made of a plane part.
  MaybeSolid BuildLeaf(const ScadStatement& statement, const Eigen::Matrix3d& L);
  // The solids of the statements that count, in order.
  std::vector<MaybeSolid> BuildAll(const Statements& statements, const Eigen::Matrix3d& L);
  MaybeSolid BuildUnion(const Statements& statements, const Eigen::Matrix3d& L);
  MaybeSolid BuildIntersection(const Statements& statements, const Eigen::Matrix3d& L);
  MaybeSolid BuildDifference(const Statements& statements, const Eigen::Matrix3d& L);
  MaybeSolid BuildTransformed(const ScadStatement& statement, const Eigen::Matrix3d& L);
  MaybeSolid BuildResized(const ScadStatement& statement, const Eigen::Matrix3d& L);
  // The children under a linear map, shifted by `translation` in the file's unit.
  MaybeSolid BuildMapped(const ScadStatement& statement, const Eigen::Matrix3d& linear,
                         const Eigen::Vector3d& translation);

  ScadReading reading_;
  const ReadOptions& options_;
};

const ScadStatement* Builder::FindRoot(const Statements& statements) {
  for (const ScadStatement& statement : statements) {
    if (statement.modifiers.find_first_of("%*") != std::string::npos) continue;
    if (statement.modifiers.find('!') != std::string::npos) return &statement;
    if (const ScadStatement* root = FindRoot(statement.children)) return root;
  }
  return nullptr;
}

MaybeSolid Builder::BuildStatement(const ScadStatement& statement, const Eigen::Matrix3d& L) {
  const std::string& name = statement.name;
  if (name == "multmatrix") return BuildTransformed(statement, L);
  if (name == "resize") return BuildResized(statement, L);
  if (name == "difference") return BuildDifference(statement.children, L);
  if (name == "intersection") return BuildIntersection(statement.children, L);
  if (IsScadGroup(name)) return BuildUnion(statement.children, L);
  try {
    return BuildLeaf(statement, L);
  } catch (const InvalidInput& error) {
    // Those of readers name the place already.
    const std::string_view what = error.what();
    if (what.starts_with(reading_.source().origin + ": line ")) throw;
    reading_.Fail(statement, std::string(what));
  }
}

MaybeSolid Builder::BuildLeaf(const ScadStatement& statement, const Eigen::Matrix3d& L) {
  const std::string& name = statement.name;
  if (name == "linear_extrude") return ReadLinearExtrude(statement, L, &reading_);
  if (name == "rotate_extrude") return ReadRotateExtrude(statement, L, &reading_);
  if (name == "hull") return ReadScadHull(statement, L, &reading_);
  if (name == "minkowski") return ReadScadMinkowski(statement, L, &reading_);
  if (std::ranges::find(kPlane, name) != std::end(kPlane)) {
    reading_.Fail(statement,
                  name + "() is a plane shape; put it into linear_extrude() or rotate_extrude()");
  }
  if (name != "cube" && name != "sphere" && name != "cylinder" && name != "polyhedron") {
    reading_.FailUnsupported(statement, kSupported);
  }
  reading_.RequireNoChildren(statement);
  if (IsFlat(statement, &reading_)) {
    reading_.Note(fmt::format("{}: {}() has no extent and is ignored",
                              reading_.source().Place(statement.offset), name));
    return std::nullopt;
  }
  return BuildPrimitive(statement, L, options_, &reading_);
}

std::vector<MaybeSolid> Builder::BuildAll(const Statements& statements, const Eigen::Matrix3d& L) {
  std::vector<MaybeSolid> solids;
  for (const ScadStatement& statement : statements) {
    if (!reading_.Ignores(statement)) solids.push_back(BuildStatement(statement, L));
  }
  return solids;
}

MaybeSolid Builder::BuildUnion(const Statements& statements, const Eigen::Matrix3d& L) {
  std::vector<Solid> solids;
  for (const MaybeSolid& solid : BuildAll(statements, L)) {
    if (solid) solids.push_back(*solid);
  }
  if (solids.empty()) return std::nullopt;
  return solids.size() == 1 ? solids.front() : Union(std::move(solids));
}

MaybeSolid Builder::BuildIntersection(const Statements& statements, const Eigen::Matrix3d& L) {
  std::vector<Solid> solids;
  for (const MaybeSolid& solid : BuildAll(statements, L)) {
    if (!solid) return std::nullopt;
    solids.push_back(*solid);
  }
  if (solids.empty()) return std::nullopt;
  return solids.size() == 1 ? solids.front() : Intersection(std::move(solids));
}

MaybeSolid Builder::BuildDifference(const Statements& statements, const Eigen::Matrix3d& L) {
  const std::vector<MaybeSolid> solids = BuildAll(statements, L);
  if (solids.empty() || !solids.front()) return std::nullopt;
  std::vector<Solid> cuts;
  for (std::size_t i = 1; i < solids.size(); ++i) {
    if (solids[i]) cuts.push_back(*solids[i]);
  }
  return cuts.empty() ? *solids.front() : Difference(*solids.front(), cuts);
}

MaybeSolid Builder::BuildTransformed(const ScadStatement& statement, const Eigen::Matrix3d& L) {
  constexpr std::string_view kParameters[] = {"m"};
  const Eigen::Matrix4d matrix =
      ScadArguments(statement, reading_.source(), kParameters).Matrix4("m");
  return BuildMapped(statement, L * reading_.LinearPart(statement, matrix),
                     L * matrix.topRightCorner<3, 1>());
}

MaybeSolid Builder::BuildResized(const ScadStatement& statement, const Eigen::Matrix3d& L) {
  Builder unheard = *this;  // who builds the scaled solid notes what there is to note
  const MaybeSolid present = unheard.BuildUnion(statement.children, Eigen::Matrix3d::Identity());
  if (!present) return std::nullopt;
  const Eigen::Vector3d scale = ResizeScale(statement, statement.children, *present, &reading_);
  return BuildMapped(statement, L * scale.asDiagonal(), Eigen::Vector3d::Zero());
}

MaybeSolid Builder::BuildMapped(const ScadStatement& statement, const Eigen::Matrix3d& linear,
                                const Eigen::Vector3d& translation) {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d rest = linear;
  if (const auto factors = FactorRotationAndScale(linear, kProductRounding)) {
    rotation = factors->rotation;
    rest = factors->scale.asDiagonal();
  }
  MaybeSolid solid = BuildUnion(statement.children, rest);
  if (!solid || (rotation.isIdentity(0.0) && translation.isZero(0.0))) return solid;
  const Eigen::Vector3d t =
      translation.unaryExpr([this](double x) { return reading_.ToMetres(x); });
  try {
    return solid->Posed(PoseOfRotation(rotation, t));
  } catch (const InvalidInput& error) {
    reading_.Fail(statement, error.what());
  }
}

}  // namespace

SolidFile ParseOpenScad(const std::string& text, const std::string& origin, double unit,
                        const ReadOptions& options) {
  if (!(unit > 0.0) || !std::isfinite(unit)) {
    throw InvalidInput(fmt::format("{}: the unit is {} m; it must be positive", origin, unit));
  }
  const Statements statements = ParseScadSyntax(text, origin);
  const ScadSource source{text, origin};
  Builder builder(source, LengthUnit::FromMetres(unit), options);
  const MaybeSolid solid = builder.Build(statements);
  if (!solid) {
    throw InvalidInput(origin + ": holds no solid; export a model with at least one part");
  }
  return {*solid, {}, builder.Notes()};
}

VOLCONTACT_NAMESPACE_END
