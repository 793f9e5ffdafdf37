// What the hull of an outline consists of: arcs of its circles, and corners.
#pragma once

#include <Eigen/Core>
#include <numbers>
#include <optional>
#include <vector>

#include "io/outlines/outline.h"

namespace volcontact {

/// Points of a circle, counterclockwise from an angle [rad]; a corner where there is no radius.
struct HullArc {
  Eigen::Vector2d center;
  double radius = 0.0;
  double from = 0.0, sweep = 2.0 * std::numbers::pi;

  bool IsWhole() const { return radius == 0.0 || sweep >= 2.0 * std::numbers::pi; }
  /// Whether the arc has a point in this direction from the centre.
  bool Faces(double angle) const;
  Eigen::Vector2d At(double angle) const;
  /// The image under p -> A·p + b, where A is a rotation or mirror times a number.
  HullArc Mapped(const Eigen::Matrix2d& A, const Eigen::Vector2d& b) const;
};

/// Arcs and corners that have the hull of an outline; nothing if one of its discs is not round.
/// Cost: the number of edges and circles, to the third power.
std::optional<std::vector<HullArc>> HullArcsOf(const Outline& outline);

/// Whether the hull of the arcs is that of their whole circles: each circle bounds it along its arc
/// only.
bool IsHullOfCircles(const std::vector<HullArc>& arcs);

}  // namespace volcontact
