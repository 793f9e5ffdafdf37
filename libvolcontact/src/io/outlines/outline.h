// Outlines: regions of a plane made of discs and simple polygons.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "io/outlines/polygon_formula.h"

namespace volcontact {

/// A region of the plane as a tree of discs under affine maps, polygons and their combinations.
/// Empty where there are no parts of a combination.
struct Outline {
  enum class Kind { kDisc, kPolygon, kUnion, kIntersection, kDifference };

  Kind kind = Kind::kUnion;
  Eigen::Matrix2d disc = Eigen::Matrix2d::Identity();  ///< {disc·u + center, |u| <= 1} [m]
  Eigen::Vector2d center = Eigen::Vector2d::Zero();    ///< [m]
  PolygonRing ring;                                    ///< clean and simple [m]
  std::vector<Outline> parts;

  static Outline Disc(const Eigen::Matrix2d& disc, const Eigen::Vector2d& center);
  /// A round disc about the origin.
  static Outline Disc(double radius);
  static Outline Polygon(PolygonRing ring);
  /// Empty parts count as such.
  static Outline Combined(Kind kind, std::vector<Outline> parts);

  bool IsEmpty() const { return kind >= Kind::kUnion && parts.empty(); }
  /// The radius of a disc that is round, to rounding.
  std::optional<double> Radius() const;
  /// The image under p -> A·p + b. A is not singular.
  Outline Mapped(const Eigen::Matrix2d& A, const Eigen::Vector2d& b) const;
};

/// A rectangle that holds an outline; `min` beyond `max` where it is empty.
struct OutlineBounds {
  Eigen::Vector2d min, max;

  bool IsEmpty() const { return !(min.x() <= max.x() && min.y() <= max.y()); }
  Eigen::Vector2d Center() const { return 0.5 * (min + max); }
  Eigen::Vector2d Half() const { return 0.5 * (max - min); }
};
OutlineBounds BoundsOf(const Outline& outline);

/// The hull of discs (a radius of zero for a point): the polygon of the points in which tangents
/// touch, and the discs among these. Empty for points on a line. At most kMostHullDiscs discs.
Outline HullOfDiscs(const std::vector<Eigen::Vector2d>& centers, const std::vector<double>& radii);
inline constexpr std::size_t kMostHullDiscs = 400;

}  // namespace volcontact
