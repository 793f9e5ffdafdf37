#include "io/scad/hulls/scad_upright.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/scad/scad_extrusions.h"
#include "io/scad/scad_facets.h"
#include "io/scad/scad_leaves.h"
#include "io/scad/scad_outlines.h"

namespace volcontact {
namespace {

UprightPart CubePart(const ScadStatement& statement, const ScadReading& reading) {
  const ScadCube cube = ScadCubeOf(statement, reading);
  const Eigen::Vector2d a = cube.low.head<2>(), b = a + cube.size.head<2>();
  return {Outline::Polygon({a, {b.x(), a.y()}, b, {a.x(), b.y()}}), cube.low.z(),
          cube.low.z() + cube.size.z()};
}

std::optional<UprightPart> CylinderPart(const ScadStatement& statement, ScadReading* reading) {
  const ScadCylinder cylinder = ScadCylinderOf(statement, reading);
  const double radius = cylinder.size.bottom, half = 0.5 * cylinder.size.height;
  if (radius != cylinder.size.top || radius == 0.0) return std::nullopt;
  Outline outline = cylinder.facets > 0 ? Outline::Polygon(FacetedCircle(cylinder.facets, radius))
                                        : Outline::Disc(radius);
  return UprightPart{std::move(outline), cylinder.middle - half, cylinder.middle + half};
}

std::optional<UprightPart> ExtrudedPart(const ScadStatement& statement, ScadReading* reading) {
  const LinearExtrude size = LinearExtrudeOf(statement, *reading);
  if (size.scale != 1.0 || size.twist != 0.0) return std::nullopt;
  Outline outline = ScadOutlines(reading).Read(statement.children);
  return UprightPart{std::move(outline), size.base, size.base + size.height};
}

// Groups and matrices of nothing else.
bool IsNothing(const ScadStatement& statement) {
  const bool is_group = IsScadGroup(statement.name) || statement.name == "multmatrix";
  return is_group && std::ranges::all_of(statement.children, IsNothing);
}

// The only child that is not empty: programs nest their groups.
const ScadStatement* OnlyChild(const ScadStatement& statement, ScadReading* reading) {
  const ScadStatement* only = nullptr;
  for (const ScadStatement& child : statement.children) {
    if (IsNothing(child) || reading->Ignores(child)) continue;
    if (only != nullptr) return nullptr;
    only = &child;
  }
  return only;
}

std::optional<UprightPart> MovedPart(const ScadStatement& statement, const ScadStatement& child,
                                     ScadReading* reading) {
  const auto [linear, translation] = reading->MapOf(statement);
  if (!IsUprightMap(linear)) return std::nullopt;
  const std::optional<UprightPart> part = ReadUpright(child, reading);
  return part ? std::optional(part->Mapped(linear, translation)) : std::nullopt;
}

std::optional<UprightPart> CommonPart(const ScadStatement& statement, ScadReading* reading) {
  std::optional<UprightPart> common;
  for (const ScadStatement& child : statement.children) {
    if (reading->Ignores(child)) continue;
    if (IsNothing(child)) return UprightPart();
    std::optional<UprightPart> part = ReadUpright(child, reading);
    if (!part) return std::nullopt;
    if (!common) {
      common = UprightPart{{}, part->low, part->high};
      common->outline.kind = Outline::Kind::kIntersection;
    }
    common->low = std::max(common->low, part->low);
    common->high = std::min(common->high, part->high);
    common->outline.parts.push_back(std::move(part->outline));
  }
  return common;
}

}  // namespace

bool IsUprightMap(const Eigen::Matrix3d& M) {
  return M.topRightCorner<2, 1>().isZero(0.0) && M.bottomLeftCorner<1, 2>().isZero(0.0);
}

UprightPart UprightPart::Mapped(const Eigen::Matrix3d& M, const Eigen::Vector3d& t) const {
  const double a = M(2, 2) * low + t.z(), b = M(2, 2) * high + t.z();
  return {outline.Mapped(M.topLeftCorner<2, 2>(), t.head<2>()), std::min(a, b), std::max(a, b)};
}

std::optional<UprightPart> ReadUpright(const ScadStatement& statement, ScadReading* reading) {
  const std::string& name = statement.name;
  if (name == "cube") return CubePart(statement, *reading);
  if (name == "cylinder") return CylinderPart(statement, reading);
  if (name == "linear_extrude") return ExtrudedPart(statement, reading);
  if (name == "intersection") return CommonPart(statement, reading);
  if (!IsScadGroup(name) && name != "multmatrix") return std::nullopt;
  const ScadStatement* child = OnlyChild(statement, reading);
  if (child == nullptr) return std::nullopt;
  return name == "multmatrix" ? MovedPart(statement, *child, reading)
                              : ReadUpright(*child, reading);
}

}  // namespace volcontact
