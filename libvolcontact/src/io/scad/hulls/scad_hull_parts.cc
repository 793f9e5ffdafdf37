#include "io/scad/hulls/scad_hull_parts.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

#include "io/outlines/convex_hull.h"
#include "io/scad/hulls/scad_upright.h"
#include "io/scad/scad_arguments.h"
#include "io/scad/scad_extrusions.h"
#include "io/scad/scad_facets.h"
#include "io/scad/scad_leaves.h"
#include "io/scad/scad_outlines.h"

namespace volcontact {
namespace {

constexpr std::string_view kHullModules[] = {
    "cube",  "sphere", "cylinder", "polyhedron", "linear_extrude", "multmatrix",
    "union", "group",  "color",    "render",     "hull",           "intersection"};

// What is left of an outline that nothing is cut from.
Outline Uncut(Outline outline) {
  if (outline.kind == Outline::Kind::kDifference) outline.parts.resize(1);
  for (Outline& part : outline.parts) part = Uncut(std::move(part));
  return outline.kind == Outline::Kind::kDifference ? outline.parts.front() : outline;
}

class HullReader {
 public:
  HullReader(ScadReading* reading, ScadDifferences differences)
      : reading_(*reading), cuts_count_(differences == ScadDifferences::kRefused) {}

  HullParts parts;

  void Read(const std::vector<ScadStatement>& statements, const Eigen::Matrix3d& M,
            const Eigen::Vector3d& t) {
    for (const ScadStatement& statement : statements) {
      if (!reading_.Ignores(statement)) ReadOne(statement, M, t);
    }
  }

 private:
  void ReadOne(const ScadStatement& statement, const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
    const std::string& name = statement.name;
    if (IsScadGroup(name) || name == "hull") return Read(statement.children, M, t);
    if (name == "multmatrix") {
      const auto [linear, translation] = reading_.MapOf(statement);
      return Read(statement.children, M * linear, M * translation + t);
    }
    if (name == "linear_extrude") return ReadPrism(statement, M, t);
    if (name == "intersection") return ReadIntersection(statement, M, t);
    if (name == "difference" && !cuts_count_) return ReadUncut(statement, M, t);
    if (std::ranges::find(kHullModules, name) == std::end(kHullModules)) {
      reading_.FailUnsupported(statement, kHullModules);
    }
    reading_.RequireNoChildren(statement);
    if (name == "cube") return ReadCube(statement, M, t);
    if (name == "sphere") return ReadBall(statement, M, t);
    if (name == "cylinder") return ReadCylinder(statement, M, t);
    ReadPolyhedron(statement, M, t);
  }

  void ReadUncut(const ScadStatement& statement, const Eigen::Matrix3d& M,
                 const Eigen::Vector3d& t) {
    for (const ScadStatement& child : statement.children) {
      if (!reading_.Ignores(child)) return ReadOne(child, M, t);
    }
  }

  void ReadCube(const ScadStatement& statement, const Eigen::Matrix3d& M,
                const Eigen::Vector3d& t) {
    const ScadCube cube = ScadCubeOf(statement, reading_);
    const auto corner = [&](int i) {
      const Eigen::Vector3d sign(i % 2, i / 2 % 2, i / 4);
      return Eigen::Vector3d(cube.low + sign.cwiseProduct(cube.size));
    };
    parts.only_balls = false;
    for (int i = 0; i < 4; ++i)
      AddPrism({{corner(i).head<2>()}, cube.low.z(), corner(7).z()}, M, t);
    for (int i = 0; i < 8; ++i) parts.points.emplace_back(M * corner(i) + t);
  }

  void ReadBall(const ScadStatement& statement, const Eigen::Matrix3d& M,
                const Eigen::Vector3d& t) {
    const auto [radius, facets] = ScadSphereOf(statement, &reading_);
    if (facets > 0) {
      parts.only_prisms = parts.only_balls = false;
      for (const Eigen::Vector3d& p : FacetedSphereCorners(facets, radius)) {
        parts.points.emplace_back(M * p + t);
      }
      return;
    }
    static const UnitBallPoints unit = SpreadOverBall();
    const Eigen::Matrix3d map = radius * M;
    for (const Eigen::Vector3d& u : unit.points) parts.points.emplace_back(map * u + t);
    const Eigen::Vector3d scale = Eigen::JacobiSVD<Eigen::Matrix3d>(map).singularValues();
    parts.deviation = std::max(parts.deviation, unit.deviation * scale[0]);
    parts.only_points = parts.only_prisms = false;
    if (scale[0] - scale[2] > kSameSize * scale[0]) parts.only_balls = false;
    parts.centers.push_back(t);
    parts.radii.push_back(scale[0]);
  }

  void ReadCylinder(const ScadStatement& statement, const Eigen::Matrix3d& M,
                    const Eigen::Vector3d& t) {
    const ScadCylinder cylinder = ScadCylinderOf(statement, &reading_);
    if (cylinder.size.bottom != cylinder.size.top) parts.only_prisms = false;
    const double half = 0.5 * cylinder.size.height;
    if (cylinder.facets > 0) return AddFacets(cylinder, M, t);
    AddCircle(Eigen::Vector2d::Zero(), cylinder.size.bottom, cylinder.middle - half, M, t);
    AddCircle(Eigen::Vector2d::Zero(), cylinder.size.top, cylinder.middle + half, M, t);
    AddPrism({{Eigen::Vector2d::Zero(), cylinder.size.bottom},
              cylinder.middle - half,
              cylinder.middle + half},
             M, t);
  }

  // The corners of a cylinder of few facets, each an upright prism without a radius.
  void AddFacets(const ScadCylinder& cylinder, const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
    const double half = 0.5 * cylinder.size.height;
    const double low = cylinder.middle - half, high = cylinder.middle + half;
    for (const Eigen::Vector2d& u : FacetedCircle(cylinder.facets, 1.0)) {
      AddCircle(cylinder.size.bottom * u, 0.0, low, M, t);
      AddCircle(cylinder.size.top * u, 0.0, high, M, t);
      AddPrism({{cylinder.size.bottom * u}, low, high}, M, t);
    }
  }

  void ReadPolyhedron(const ScadStatement& statement, const Eigen::Matrix3d& M,
                      const Eigen::Vector3d& t) {
    const ScadPolyhedron polyhedron = ScadPolyhedronOf(statement, reading_);
    parts.only_prisms = parts.only_balls = false;
    for (const std::vector<int>& face : polyhedron.faces) {
      for (const int i : face) {
        if (static_cast<std::size_t>(i) >= polyhedron.points.size()) {
          reading_.Fail(statement, "a face of polyhedron() names a point that does not exist");
        }
        parts.points.emplace_back(M * polyhedron.points[static_cast<std::size_t>(i)] + t);
      }
    }
  }

  void ReadPrism(const ScadStatement& statement, const Eigen::Matrix3d& M,
                 const Eigen::Vector3d& t) {
    const LinearExtrude size = LinearExtrudeOf(statement, reading_);
    if (size.twist != 0.0) {
      reading_.Fail(statement, "hull() takes no linear_extrude() with a twist; export it as STL");
    }
    std::vector<Eigen::Vector2d> centers;
    std::vector<double> radii;
    Outline outline = ScadOutlines(&reading_).Read(statement.children);
    if (!cuts_count_) outline = Uncut(std::move(outline));
    if (!CollectDiscs(outline, &centers, &radii)) {
      reading_.Fail(statement,
                    "hull() takes outlines of circles, squares, polygons and their unions; export "
                    "this part as STL");
    }
    if (size.scale != 1.0) parts.only_prisms = false;
    const double top = size.base + size.height;
    for (std::size_t i = 0; i < centers.size(); ++i) {
      AddPrism({{centers[i], radii[i]}, size.base, top}, M, t);
      AddCircle(centers[i], radii[i], size.base, M, t);
      AddCircle(size.scale * centers[i], size.scale * radii[i], top, M, t);
    }
  }

  void ReadIntersection(const ScadStatement& statement, const Eigen::Matrix3d& M,
                        const Eigen::Vector3d& t) {
    const std::optional<UprightPart> part = ReadUpright(statement, &reading_);
    if (part && part->low >= part->high) return;
    const auto arcs = part ? HullArcsOf(part->outline) : std::nullopt;
    if (!arcs) {
      reading_.Fail(statement,
                    "intersection() in a hull() takes upright cubes, cylinders and extrusions; "
                    "export this part as STL");
    }
    for (const HullArc& arc : *arcs) {
      AddPrism({arc, part->low, part->high}, M, t);
      AddArc(arc, part->low, M, t);
      AddArc(arc, part->high, M, t);
    }
  }

  void AddArc(const HullArc& arc, double z, const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
    if (arc.IsWhole()) return AddCircle(arc.center, arc.radius, z, M, t);
    constexpr int kPieces = 96;
    parts.only_points = parts.only_balls = false;
    for (int i = 0; i <= kPieces; ++i) {
      const Eigen::Vector2d p = arc.At(arc.from + arc.sweep * i / kPieces);
      parts.points.emplace_back(M * Eigen::Vector3d(p.x(), p.y(), z) + t);
    }
    const double share = 1.0 - std::cos(0.5 * arc.sweep / kPieces);
    parts.deviation = std::max(parts.deviation, share * arc.radius * M.leftCols<2>().norm());
  }

  // Points of a circle, or its centre where there is no radius.
  void AddCircle(const Eigen::Vector2d& center, double radius, double z, const Eigen::Matrix3d& M,
                 const Eigen::Vector3d& t) {
    constexpr int kPoints = 96;
    parts.only_balls = false;
    const Eigen::Vector3d middle(center.x(), center.y(), z);
    if (!(radius > 0.0)) {
      parts.points.emplace_back(M * middle + t);
      return;
    }
    parts.only_points = false;
    for (int i = 0; i < kPoints; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kPoints;
      const Eigen::Vector3d round(std::cos(angle), std::sin(angle), 0.0);
      parts.points.emplace_back(M * (middle + radius * round) + t);
    }
    const double share = 1.0 - std::cos(std::numbers::pi / kPoints);
    parts.deviation = std::max(parts.deviation, share * radius * M.leftCols<2>().norm());
  }

  // Upright it is where M keeps the z axis and circles across it.
  void AddPrism(const HullPrism& prism, const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
    const Eigen::Matrix2d plane = M.topLeftCorner<2, 2>();
    const Eigen::Matrix2d gram = plane.transpose() * plane;
    const bool is_round = std::abs(gram(0, 1)) <= kSameSize * gram(0, 0) &&
                          std::abs(gram(0, 0) - gram(1, 1)) <= kSameSize * gram(0, 0);
    if (!is_round || !IsUprightMap(M)) parts.only_prisms = false;
    const double low = M(2, 2) * prism.low + t.z(), high = M(2, 2) * prism.high + t.z();
    parts.prisms.push_back(
        {prism.arc.Mapped(plane, t.head<2>()), std::min(low, high), std::max(low, high)});
  }

  ScadReading& reading_;
  const bool cuts_count_;
};

}  // namespace

HullParts HullPartsOf(const std::vector<ScadStatement>& statements, const Eigen::Matrix3d& M,
                      ScadReading* reading, ScadDifferences differences) {
  HullReader reader(reading, differences);
  reader.Read(statements, M, Eigen::Vector3d::Zero());
  return std::move(reader.parts);
}

}  // namespace volcontact
