#include "io/scad/scad_outlines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "io/outlines/offset_outline.h"
#include "io/scad/scad_arguments.h"
#include "io/scad/scad_extrusions.h"
#include "io/scad/scad_facets.h"
#include "io/scad/scad_projection.h"
#include "io/scad/scad_resize.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

constexpr std::string_view kOutlineModules[] = {
    "square",     "circle", "polygon", "multmatrix", "union",  "group",      "intersection",
    "difference", "color",  "render",  "hull",       "offset", "projection", "resize"};
// Edges are compared with each other, all with all.
constexpr std::size_t kMostCornersRead = 1000;

// Rings that do not meet, by the rule of even and odd: an even number of rings around a ring makes
// it an outer one, and those right inside it are its holes.
Outline EvenOdd(std::vector<PolygonRing> rings) {
  const auto depth = [&](std::size_t i) {
    return std::count_if(rings.begin(), rings.end(), [&](const PolygonRing& ring) {
      return &ring != &rings[i] && IsInside(ring, rings[i].front());
    });
  };
  std::vector<Outline> all;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const auto level = depth(i);
    if (level % 2 != 0) continue;
    std::vector<Outline> part = {Outline::Polygon(rings[i])};
    for (std::size_t k = 0; k < rings.size(); ++k) {
      if (depth(k) == level + 1 && IsInside(rings[i], rings[k].front())) {
        part.push_back(Outline::Polygon(rings[k]));
      }
    }
    all.push_back(Outline::Combined(Outline::Kind::kDifference, std::move(part)));
  }
  return Outline::Combined(Outline::Kind::kUnion, std::move(all));
}

}  // namespace

bool CollectDiscs(const Outline& outline, std::vector<Eigen::Vector2d>* centers,
                  std::vector<double>* radii) {
  if (outline.kind == Outline::Kind::kDisc) {
    const auto radius = outline.Radius();
    if (!radius) return false;
    centers->push_back(outline.center);
    radii->push_back(*radius);
    return true;
  }
  for (const Eigen::Vector2d& p : outline.ring) {
    centers->push_back(p);
    radii->push_back(0.0);
  }
  if (outline.kind > Outline::Kind::kUnion) return false;
  return std::ranges::all_of(
      outline.parts, [&](const Outline& part) { return CollectDiscs(part, centers, radii); });
}

Outline ScadOutlines::Read(const std::vector<ScadStatement>& statements) const {
  return Combined(Outline::Kind::kUnion, statements);
}

Outline ScadOutlines::Combined(Outline::Kind kind,
                               const std::vector<ScadStatement>& statements) const {
  std::vector<Outline> parts;
  for (const ScadStatement& statement : statements) {
    if (!reading_.Ignores(statement)) parts.push_back(ReadOne(statement));
  }
  return Outline::Combined(kind, std::move(parts));
}

Outline ScadOutlines::ReadOne(const ScadStatement& statement) const {
  const std::string& name = statement.name;
  if (name == "square") return Square(statement);
  if (name == "circle") return Circle(statement);
  if (name == "polygon") return Polygon(statement);
  if (name == "multmatrix") return Transformed(statement);
  if (name == "difference") return Combined(Outline::Kind::kDifference, statement.children);
  if (name == "intersection") return Combined(Outline::Kind::kIntersection, statement.children);
  if (name == "hull") return Hull(statement);
  if (name == "offset") return Offset(statement);
  if (name == "projection") return ReadProjection(statement, &reading_);
  if (name == "resize") return Resized(statement);
  if (IsScadGroup(name)) return Read(statement.children);
  reading_.FailUnsupported(statement, kOutlineModules);
}

Outline ScadOutlines::Square(const ScadStatement& statement) const {
  constexpr std::string_view kParameters[] = {"size", "center"};
  reading_.RequireNoChildren(statement);
  const ScadArguments arguments(statement, reading_.source(), kParameters);
  const Eigen::Vector2d size =
      arguments.Vector2Or("size", 1.0).unaryExpr([this](double x) { return reading_.ToMetres(x); });
  if (!(size.minCoeff() > 0.0)) {
    reading_.Fail(statement, fmt::format("square() is {} m by {} m; both must be positive",
                                         size.x(), size.y()));
  }
  const bool centred = arguments.BoolOr("center", false);
  const Eigen::Vector2d low = centred ? Eigen::Vector2d(-0.5 * size) : Eigen::Vector2d::Zero();
  const Eigen::Vector2d high = low + size;
  return Outline::Polygon({low, {high.x(), low.y()}, high, {low.x(), high.y()}});
}

Outline ScadOutlines::Circle(const ScadStatement& statement) const {
  constexpr std::string_view kParameters[] = {"r"};
  reading_.RequireNoChildren(statement);
  const ScadArguments arguments(statement, reading_.source(), kParameters);
  const double radius = reading_.ToMetres(arguments.NumberOr("r", 1.0));
  if (!(radius > 0.0)) {
    reading_.Fail(statement,
                  fmt::format("circle() has the radius {} m; it must be positive", radius));
  }
  if (const int facets = FacetsOf(arguments.Fn()); facets > 0) {
    return Outline::Polygon(FacetedCircle(facets, radius));
  }
  reading_.NoteCurve();
  return Outline::Disc(radius);
}

Outline ScadOutlines::Polygon(const ScadStatement& statement) const {
  constexpr std::string_view kParameters[] = {"points", "paths"};
  reading_.RequireNoChildren(statement);
  const ScadArguments arguments(statement, reading_.source(), kParameters);
  std::vector<Eigen::Vector2d> points = arguments.Points2("points");
  for (Eigen::Vector2d& p : points) {
    p = p.unaryExpr([this](double x) { return reading_.ToMetres(x); });
  }
  std::vector<PolygonRing> rings;
  if (!arguments.IsGiven("paths")) {
    rings.push_back(points);
  } else {
    for (const std::vector<int>& path : arguments.IndexLists("paths")) {
      PolygonRing& ring = rings.emplace_back();
      for (const int i : path) {
        if (static_cast<std::size_t>(i) >= points.size()) {
          reading_.Fail(statement, fmt::format("a path names point {}; there are {} (from 0)", i,
                                               points.size()));
        }
        ring.push_back(points[static_cast<std::size_t>(i)]);
      }
    }
  }
  std::size_t corners = 0;
  for (const PolygonRing& ring : rings) corners += ring.size();
  if (corners > kMostCornersRead) {
    reading_.Fail(statement, fmt::format("polygon() has {} corners, the limit is {}; export this "
                                         "part as STL",
                                         corners, kMostCornersRead));
  }
  for (PolygonRing& ring : rings) ring = CleanRing(std::move(ring));
  std::erase_if(rings, [](const PolygonRing& ring) { return ring.size() < 3; });
  if (rings.empty()) reading_.Fail(statement, "polygon() has no area; it needs three corners");
  for (std::size_t i = 0; i < rings.size(); ++i) {
    bool meets = !IsSimple(rings[i]);
    for (std::size_t k = 0; k < i; ++k) meets = meets || RingsMeet(rings[i], rings[k]);
    if (meets) {
      reading_.Fail(statement,
                    "the edges of polygon() meet each other; draw it as several polygons, or "
                    "export this part as STL");
    }
  }
  return EvenOdd(std::move(rings));
}

Outline ScadOutlines::Transformed(const ScadStatement& statement) const {
  const auto [linear, translation] = reading_.MapOf(statement);
  const bool in_plane = linear(2, 0) == 0.0 && linear(2, 1) == 0.0;
  if (!in_plane) reading_.Fail(statement, "the matrix rotates the outline out of its plane");
  return Read(statement.children).Mapped(linear.topLeftCorner<2, 2>(), translation.head<2>());
}

// As the plate is whose outline this is.
Outline ScadOutlines::Resized(const ScadStatement& statement) const {
  const Outline outline = Read(statement.children);
  if (outline.IsEmpty()) return outline;
  ScadStatement plate;
  plate.name = "linear_extrude";
  plate.children = statement.children;
  ScadReading unheard = reading_;
  const MaybeSolid solid = ReadLinearExtrude(plate, Eigen::Matrix3d::Identity(), &unheard);
  const Eigen::Vector3d scale = ResizeScale(statement, {plate}, *solid, &reading_);
  return outline.Mapped(scale.head<2>().asDiagonal(), Eigen::Vector2d::Zero());
}

Outline ScadOutlines::Hull(const ScadStatement& statement) const {
  const Outline inner = Read(statement.children);
  std::vector<Eigen::Vector2d> centers;
  std::vector<double> radii;
  if (!CollectDiscs(inner, &centers, &radii)) {
    reading_.Fail(statement,
                  "hull() of a plane shape takes circles, squares, polygons and their unions; "
                  "export this part as STL");
  }
  if (centers.size() > kMostHullDiscs) {
    reading_.Fail(statement,
                  fmt::format("the hull() is of {} circles and corners, the limit is {}; "
                              "export this part as STL",
                              centers.size(), kMostHullDiscs));
  }
  return HullOfDiscs(centers, radii);
}

Outline ScadOutlines::Offset(const ScadStatement& statement) const {
  constexpr std::string_view kParameters[] = {"r", "delta", "chamfer"};
  const ScadArguments arguments(statement, reading_.source(), kParameters);
  const bool is_mitred = !arguments.IsGiven("r") && arguments.IsGiven("delta");
  const double distance =
      reading_.ToMetres(arguments.NumberOr(is_mitred ? "delta" : "r", is_mitred ? 0.0 : 1.0));
  if (is_mitred && arguments.BoolOr("chamfer", false)) {
    reading_.Fail(statement,
                  "offset() with chamfer is not supported; draw the part with the chamfer");
  }
  if (!is_mitred && FacetsOf(arguments.Fn()) > 0) {
    reading_.Fail(
        statement,
        "offset() with $fn of 12 or less has no exact form; leave $fn out, or export this "
        "part as STL");
  }
  const Outline inner = Read(statement.children);
  const std::optional<Outline> offset =
      is_mitred ? OffsetMitred(inner, distance) : OffsetRound(inner, distance);
  if (!offset) {
    reading_.Fail(statement,
                  "offset() of this shape has no exact form; export this part as STL from "
                  "OpenSCAD, and use it instead of the .csg file");
  }
  if (!is_mitred) reading_.NoteCurve();
  return *offset;
}

}  // namespace volcontact
