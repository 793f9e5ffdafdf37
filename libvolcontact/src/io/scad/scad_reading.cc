#include "io/scad/scad_reading.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "io/linear_map.h"
#include "io/messages.h"

namespace volcontact {
namespace {

// The export writes six digits; a rotation that is further off than this was not meant as one.
constexpr double kMatrixRounding = 1e-4;
// Deviations worth a note: more than the rounding of doubles.
constexpr double kNotedDeviation = 1e-12;
// A volume so small against the columns is a plane, written with six digits.
constexpr double kFlat = 1e-5;

// What cannot be kept exact, and what a user may do about it.
constexpr std::string_view kMeshOnly[] = {"minkowski", "text", "import", "surface", "roof", "fill"};

}  // namespace

bool IsScadGroup(const std::string& name) {
  return name == "union" || name == "group" || name == "color" || name == "render";
}

bool ScadReading::Ignores(const ScadStatement& statement) {
  if (statement.modifiers.find_first_of("%*") == std::string::npos) return false;
  ++ignored_;
  return true;
}

Eigen::Matrix3d ScadReading::LinearPart(const ScadStatement& statement,
                                        const Eigen::Matrix4d& matrix) {
  if (matrix.row(3) != Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0)) {
    Fail(statement, "the matrix is a perspective map; its last row must be 0, 0, 0, 1");
  }
  const Eigen::Matrix3d linear = matrix.topLeftCorner<3, 3>();
  double product = 1.0;
  for (int i = 0; i < 3; ++i) {
    if (linear.col(i).isZero(0.0)) {
      Fail(statement, fmt::format("the matrix flattens the solid: its column {} is zero", i));
    }
    product *= linear.col(i).stableNorm();
  }
  const auto factors = FactorRotationAndScale(linear, kMatrixRounding);
  if (!factors) {
    if (!(std::abs(linear.determinant()) > kFlat * product)) {
      Fail(statement, "the matrix flattens the solid: its columns lie in a plane");
    }
    if (shears_++ == 0) first_shear_offset_ = statement.offset;
    return linear;
  }
  if (factors->deviation > largest_deviation_) {
    largest_deviation_ = factors->deviation;
    largest_deviation_offset_ = statement.offset;
  }
  return factors->rotation * factors->scale.asDiagonal();
}

ScadMap ScadReading::MapOf(const ScadStatement& statement) {
  constexpr std::string_view kParameters[] = {"m"};
  const Eigen::Matrix4d matrix = ScadArguments(statement, source_, kParameters).Matrix4("m");
  return {LinearPart(statement, matrix),
          matrix.topRightCorner<3, 1>().unaryExpr([this](double x) { return ToMetres(x); })};
}

void ScadReading::NoteMended(std::size_t offset, std::string changes) {
  if (mended_++ > 0) return;
  first_mended_ = offset;
  first_changes_ = std::move(changes);
}

std::vector<std::string> ScadReading::Notes() const {
  std::vector<std::string> notes = notes_;
  if (has_curved_) {
    notes.push_back(source_.origin +
                    ": spheres, cylinders, cones and circles are kept exact; $fn above 12, $fa and "
                    "$fs are ignored");
  }
  if (mended_ > 0) {
    const std::string others =
        mended_ > 1 ? fmt::format(" ({} more were repaired, too)", mended_ - 1) : "";
    notes.push_back(
        fmt::format("{}: polyhedron() is not a closed mesh that is oriented outward, and was "
                    "repaired as in OpenSCAD; its volume is the same: {}{}",
                    source_.Place(first_mended_), first_changes_, others));
  }
  if (largest_deviation_ > kNotedDeviation) {
    notes.push_back(
        fmt::format("{}: matrices in the file are rounded, this one most, by {:.2g} of its scale; "
                    "the nearest rotations are used",
                    source_.Place(largest_deviation_offset_), largest_deviation_));
  }
  if (shears_ > 0) {
    notes.push_back(fmt::format(
        "{}: the matrix shears{}; the sheared part is read as written, with the file's six digits",
        source_.Place(first_shear_offset_),
        shears_ > 1 ? fmt::format(", as {} in the file do", shears_) : std::string()));
  }
  if (ignored_ > 0) {
    notes.push_back(
        fmt::format("{}: parts marked % or * are ignored: {}", source_.origin, ignored_));
  }
  return notes;
}

void ScadReading::FailUnsupported(const ScadStatement& statement,
                                  std::span<const std::string_view> known) const {
  if (std::ranges::find(kMeshOnly, statement.name) != std::end(kMeshOnly)) {
    Fail(statement, fmt::format("{}() has no exact form; export this part as STL from OpenSCAD, "
                                "and use it instead of the .csg file",
                                statement.name));
  }
  Fail(statement, fmt::format("{}() is not supported here{}; supported: {}", statement.name,
                              Suggestion(statement.name, known), Listed(known)));
}

void ScadReading::RequireNoChildren(const ScadStatement& statement) const {
  if (statement.children.empty()) return;
  Fail(statement, statement.name + "() takes no children; end it with ';'");
}

}  // namespace volcontact
