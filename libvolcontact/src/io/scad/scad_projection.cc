#include "io/scad/scad_projection.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "io/scad/hulls/scad_hull.h"
#include "io/scad/hulls/scad_hull_parts.h"
#include "io/scad/hulls/scad_sections.h"
#include "io/scad/hulls/scad_upright.h"
#include "io/scad/scad_arguments.h"
#include "io/scad/scad_facets.h"
#include "io/scad/scad_leaves.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

constexpr char kCure[] = "; draw the outline with circles and polygons, or export this part as STL";

class SectionReader {
 public:
  explicit SectionReader(ScadReading* reading) : reading_(*reading) {}

  SectionedSolid Read(const std::vector<ScadStatement>& statements, Outline::Kind kind,
                      const Eigen::Matrix3d& M, const Eigen::Vector3d& t) const {
    SectionedSolid all;
    all.kind = kind;
    for (const ScadStatement& statement : statements) {
      if (!reading_.Ignores(statement)) all.parts.push_back(ReadOne(statement, M, t));
    }
    return all;
  }

 private:
  SectionedSolid ReadOne(const ScadStatement& statement, const Eigen::Matrix3d& M,
                         const Eigen::Vector3d& t) const {
    using Kind = Outline::Kind;
    const std::string& name = statement.name;
    if (IsScadGroup(name)) return Read(statement.children, Kind::kUnion, M, t);
    if (name == "difference") return Read(statement.children, Kind::kDifference, M, t);
    if (name == "intersection") return Read(statement.children, Kind::kIntersection, M, t);
    if (name == "multmatrix") {
      const ScadMap map = reading_.MapOf(statement);
      return Read(statement.children, Kind::kUnion, M * map.linear, M * map.translation + t);
    }
    if (IsFlat(statement, &reading_)) return {};
    std::optional<SectionedSolid> solid = Primitive(statement, M, t);
    if (!solid) {
      reading_.Fail(statement,
                    name + "() has no exact sections in projection() as it is placed" + kCure);
    }
    return *std::move(solid);
  }

  std::optional<SectionedSolid> Primitive(const ScadStatement& statement, const Eigen::Matrix3d& M,
                                          const Eigen::Vector3d& t) const {
    const std::string& name = statement.name;
    if (IsUprightMap(M)) {
      if (std::optional<UprightPart> part = ReadUpright(statement, &reading_)) {
        return UprightSections(part->Mapped(M, t));
      }
    }
    if (name == "cylinder") {
      const ScadCylinder cylinder = ScadCylinderOf(statement, &reading_);
      if (cylinder.facets == 0) return ConeSections(cylinder.size, cylinder.middle, M, t);
    }
    if (name == "sphere") {
      const auto [radius, facets] = ScadSphereOf(statement, &reading_);
      if (facets == 0) return BallSections(radius, M, t);
    }
    if (name != "cube" && name != "cylinder" && name != "sphere" && name != "hull") {
      return std::nullopt;
    }
    const bool is_hull = name == "hull";
    HullParts parts =
        HullPartsOf(is_hull ? statement.children : std::vector{statement}, M, &reading_);
    if (parts.only_points) {
      for (Eigen::Vector3d& p : parts.points) p += t;
      return CornerSections(std::move(parts.points));
    }
    std::optional<UprightPart> upright = UprightHullOf(parts);
    if (!upright) return std::nullopt;
    return UprightSections(upright->Mapped(Eigen::Matrix3d::Identity(), t));
  }

  ScadReading& reading_;
};

}  // namespace

Outline ReadProjection(const ScadStatement& statement, ScadReading* reading) {
  constexpr std::string_view kParameters[] = {"cut"};
  const bool cut = ScadArguments(statement, reading->source(), kParameters).BoolOr("cut", false);
  const SectionedSolid solid =
      SectionReader(reading).Read(statement.children, Outline::Kind::kUnion,
                                  Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero());
  if (cut) return SectionAt(solid, 0.0);
  const std::optional<Outline> image = ImageOf(solid);
  if (!image) {
    reading->Fail(statement,
                  std::string("projection() of a difference or intersection takes upright parts, "
                              "balls and cones, of which none hides the hole of another") +
                      kCure);
  }
  return *image;
}

}  // namespace volcontact
