// Solids from OpenSCAD's .csg export.
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "io/length_unit.h"
#include "io/linear_map.h"
#include "io/messages.h"
#include "io/scad_arguments.h"
#include "io/scad_primitives.h"
#include "io/scad_syntax.h"
#include "math/pose_of_rotation.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// The export writes six digits; a rotation that is further off than this was not meant as one.
constexpr double kMatrixRounding = 1e-4;
// Deviations worth a note: more than the rounding of doubles.
constexpr double kNotedDeviation = 1e-12;

constexpr std::string_view kSupported[] = {"cube",  "sphere",     "cylinder",     "multmatrix",
                                           "union", "difference", "intersection", "group",
                                           "color", "render",     "polyhedron"};

// No solid at all, as an empty group is, or one.
using MaybeSolid = std::optional<Solid>;
using Statements = std::vector<ScadStatement>;

bool IsIgnored(const ScadStatement& statement) {
  return statement.modifiers.find_first_of("%*") != std::string::npos;
}

// Builds solids from statements. The linear part of the enclosing matrices that is not rigid is
// passed down to the primitives, as the map L; rigid parts stay poses of whole groups, so that
// faces that are flush in a group's frame are so exactly in any pose of the group.
class Builder {
 public:
  Builder(const ScadSource& source, LengthUnit unit) : source_(source), unit_(unit) {}

  MaybeSolid Build(const Statements& file) {
    if (const ScadStatement* root = FindRoot(file)) {
      notes_.push_back(
          fmt::format("{}: only the part marked ! is read", source_.Place(root->offset)));
      return BuildStatement(*root, Eigen::Matrix3d::Identity());
    }
    return BuildUnion(file, Eigen::Matrix3d::Identity());
  }

  std::vector<std::string> Notes() const;

 private:
  // The first statement marked "!", which stands for the whole file.
  static const ScadStatement* FindRoot(const Statements& statements);

  MaybeSolid BuildStatement(const ScadStatement& statement, const Eigen::Matrix3d& L);
  // The solids of the statements that count, in order.
  std::vector<MaybeSolid> BuildAll(const Statements& statements, const Eigen::Matrix3d& L);
  MaybeSolid BuildUnion(const Statements& statements, const Eigen::Matrix3d& L);
  MaybeSolid BuildIntersection(const Statements& statements, const Eigen::Matrix3d& L);
  MaybeSolid BuildDifference(const Statements& statements, const Eigen::Matrix3d& L);
  MaybeSolid BuildTransformed(const ScadStatement& statement, const Eigen::Matrix3d& L);
  Solid BuildCube(const ScadStatement& statement, const Eigen::Matrix3d& L);
  Solid BuildSphere(const ScadStatement& statement, const Eigen::Matrix3d& L);
  Solid BuildCylinder(const ScadStatement& statement, const Eigen::Matrix3d& L);
  Solid BuildPolyhedron(const ScadStatement& statement, const Eigen::Matrix3d& L);

  // A matrix of the file, cleaned of its rounding.
  Eigen::Matrix3d CleanLinearPart(const ScadStatement& statement, const Eigen::Matrix4d& matrix);
  // The primitive that `map` yields, moved by L·offset.
  template <class Map>
  Solid Place(const ScadStatement& statement, const Eigen::Matrix3d& L,
              const Eigen::Vector3d& offset, Map map);
  [[noreturn]] void FailUnsupported(const ScadStatement& statement) const;
  double ToMetres(double length) const { return unit_.ToMetres(length); }

  const ScadSource& source_;
  const LengthUnit unit_;
  std::vector<std::string> notes_;
  bool has_curved_ = false;
  int ignored_ = 0;
  double largest_deviation_ = 0.0;
  std::size_t largest_deviation_offset_ = 0;
};

const ScadStatement* Builder::FindRoot(const Statements& statements) {
  for (const ScadStatement& statement : statements) {
    if (IsIgnored(statement)) continue;
    if (statement.modifiers.find('!') != std::string::npos) return &statement;
    if (const ScadStatement* root = FindRoot(statement.children)) return root;
  }
  return nullptr;
}

MaybeSolid Builder::BuildStatement(const ScadStatement& statement, const Eigen::Matrix3d& L) {
  const std::string& name = statement.name;
  const bool is_leaf =
      name == "cube" || name == "sphere" || name == "cylinder" || name == "polyhedron";
  if (is_leaf && !statement.children.empty()) {
    source_.Fail(statement.offset, name + "() takes no children; end it with ';'");
  }
  if (name == "cube") return BuildCube(statement, L);
  if (name == "sphere") return BuildSphere(statement, L);
  if (name == "cylinder") return BuildCylinder(statement, L);
  if (name == "polyhedron") return BuildPolyhedron(statement, L);
  if (name == "multmatrix") return BuildTransformed(statement, L);
  if (name == "difference") return BuildDifference(statement.children, L);
  if (name == "intersection") return BuildIntersection(statement.children, L);
  if (name == "union" || name == "group" || name == "color" || name == "render") {
    return BuildUnion(statement.children, L);
  }
  FailUnsupported(statement);
}

void Builder::FailUnsupported(const ScadStatement& statement) const {
  source_.Fail(statement.offset,
               fmt::format("{}() is not supported{}; supported: {}", statement.name,
                           Suggestion(statement.name, kSupported), Listed(kSupported)));
}

std::vector<MaybeSolid> Builder::BuildAll(const Statements& statements, const Eigen::Matrix3d& L) {
  std::vector<MaybeSolid> solids;
  for (const ScadStatement& statement : statements) {
    if (IsIgnored(statement)) {
      ++ignored_;
    } else {
      solids.push_back(BuildStatement(statement, L));
    }
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

Eigen::Matrix3d Builder::CleanLinearPart(const ScadStatement& statement,
                                         const Eigen::Matrix4d& matrix) {
  if (matrix.row(3) != Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0)) {
    source_.Fail(statement.offset,
                 "the matrix is a perspective map; its last row must be 0, 0, 0, 1");
  }
  const Eigen::Matrix3d linear = matrix.topLeftCorner<3, 3>();
  for (int i = 0; i < 3; ++i) {
    if (linear.col(i).isZero(0.0)) {
      source_.Fail(statement.offset,
                   fmt::format("the matrix flattens the solid: its column {} is zero", i));
    }
  }
  const auto factors = FactorRotationAndScale(linear, kMatrixRounding);
  if (!factors) {
    source_.Fail(statement.offset,
                 "the matrix shears: its columns are not perpendicular to 1e-4; only rotations, "
                 "mirrors, translations and scalings along the axes are supported");
  }
  if (factors->deviation > largest_deviation_) {
    largest_deviation_ = factors->deviation;
    largest_deviation_offset_ = statement.offset;
  }
  return factors->rotation * factors->scale.asDiagonal();
}

MaybeSolid Builder::BuildTransformed(const ScadStatement& statement, const Eigen::Matrix3d& L) {
  constexpr std::string_view kParameters[] = {"m"};
  const Eigen::Matrix4d matrix = ScadArguments(statement, source_, kParameters).Matrix4("m");
  const Eigen::Matrix3d linear = L * CleanLinearPart(statement, matrix);
  const Eigen::Vector3d translation = L * matrix.topRightCorner<3, 1>();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d rest = linear;
  if (const auto factors = FactorRotationAndScale(linear, kProductRounding)) {
    rotation = factors->rotation;
    rest = factors->scale.asDiagonal();
  }
  MaybeSolid solid = BuildUnion(statement.children, rest);
  if (!solid || (rotation.isIdentity(0.0) && translation.isZero(0.0))) return solid;
  const Eigen::Vector3d t = translation.unaryExpr([this](double x) { return ToMetres(x); });
  try {
    return solid->Posed(PoseOfRotation(rotation, t));
  } catch (const InvalidInput& error) {
    source_.Fail(statement.offset, error.what());
  }
}

template <class Map>
Solid Builder::Place(const ScadStatement& statement, const Eigen::Matrix3d& L,
                     const Eigen::Vector3d& offset, Map map) {
  MaybeSolid solid;
  try {
    solid = map();
    if (solid && !offset.isZero(0.0)) solid = solid->Posed(Pose{L * offset});
  } catch (const InvalidInput& error) {
    source_.Fail(statement.offset, error.what());
  }
  if (!solid) {
    source_.Fail(statement.offset,
                 fmt::format("the enclosing matrices together shear this {}(); scale it before "
                             "turning it, not after",
                             statement.name));
  }
  return *solid;
}

Solid Builder::BuildCube(const ScadStatement& statement, const Eigen::Matrix3d& L) {
  constexpr std::string_view kParameters[] = {"size", "center"};
  const ScadArguments arguments(statement, source_, kParameters);
  const Eigen::Vector3d size =
      arguments.Vector3Or("size", 1.0).unaryExpr([this](double x) { return ToMetres(x); });
  const bool centred = arguments.BoolOr("center", false);
  const Eigen::Vector3d offset = centred ? Eigen::Vector3d::Zero() : Eigen::Vector3d(0.5 * size);
  return Place(statement, L, offset, [&] { return MappedBox(L, size); });
}

Solid Builder::BuildSphere(const ScadStatement& statement, const Eigen::Matrix3d& L) {
  constexpr std::string_view kParameters[] = {"r"};
  const ScadArguments arguments(statement, source_, kParameters);
  const double radius = ToMetres(arguments.NumberOr("r", 1.0));
  has_curved_ = true;
  return Place(statement, L, Eigen::Vector3d::Zero(), [&] { return MappedSphere(L, radius); });
}

Solid Builder::BuildPolyhedron(const ScadStatement& statement, const Eigen::Matrix3d& L) {
  constexpr std::string_view kParameters[] = {"points", "faces"};
  const ScadArguments arguments(statement, source_, kParameters);
  std::vector<Eigen::Vector3d> points = arguments.Points("points");
  for (Eigen::Vector3d& p : points) p = p.unaryExpr([this](double x) { return ToMetres(x); });
  const std::vector<std::vector<int>> faces = arguments.IndexLists("faces");
  return Place(statement, L, Eigen::Vector3d::Zero(),
               [&]() -> MaybeSolid { return MappedPolyhedron(L, points, faces); });
}

Solid Builder::BuildCylinder(const ScadStatement& statement, const Eigen::Matrix3d& L) {
  constexpr std::string_view kParameters[] = {"h", "r1", "r2", "center", "r"};
  const ScadArguments arguments(statement, source_, kParameters);
  if (arguments.Has("r") && (arguments.Has("r1") || arguments.Has("r2"))) {
    source_.Fail(statement.offset, "cylinder() has both r and r1 or r2; keep one way");
  }
  const double r = arguments.NumberOr("r", 1.0);
  const ConeSize size{ToMetres(arguments.NumberOr("r1", r)), ToMetres(arguments.NumberOr("r2", r)),
                      ToMetres(arguments.NumberOr("h", 1.0))};
  const double base = arguments.BoolOr("center", false) ? 0.0 : 0.5 * size.height;
  has_curved_ = true;
  return Place(statement, L, {0.0, 0.0, base}, [&] { return MappedCone(L, size); });
}

std::vector<std::string> Builder::Notes() const {
  std::vector<std::string> notes = notes_;
  if (has_curved_) {
    notes.push_back(source_.origin +
                    ": spheres, cylinders and cones are kept exact; $fn, $fa and $fs are ignored");
  }
  if (largest_deviation_ > kNotedDeviation) {
    notes.push_back(fmt::format(
        "{}: matrices were rounded in the file, this one by {:.2g} of its scale, the most; the "
        "nearest rotations are used",
        source_.Place(largest_deviation_offset_), largest_deviation_));
  }
  if (ignored_ > 0) {
    notes.push_back(
        fmt::format("{}: parts marked % or * are ignored: {}", source_.origin, ignored_));
  }
  return notes;
}

}  // namespace

SolidFile ParseOpenScad(const std::string& text, const std::string& origin, double unit) {
  if (!(unit > 0.0) || !std::isfinite(unit)) {
    throw InvalidInput(fmt::format("{}: the unit is {} m; it must be positive", origin, unit));
  }
  const Statements statements = ParseScadSyntax(text, origin);
  const ScadSource source{text, origin};
  Builder builder(source, LengthUnit::FromMetres(unit));
  const MaybeSolid solid = builder.Build(statements);
  if (!solid) {
    throw InvalidInput(origin + ": holds no solid; export a model with at least one part");
  }
  return {*solid, {}, builder.Notes()};
}

VOLCONTACT_NAMESPACE_END
