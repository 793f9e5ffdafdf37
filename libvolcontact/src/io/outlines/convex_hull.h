// Hulls of points and of balls.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "io/outlines/outline_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

inline constexpr std::size_t kMostHullPoints = 5000;

/// The faces of the hull of points, counterclockwise from outside, as numbers of the points; empty
/// where all points lie in a plane. Exact. Cost: points times faces.
std::vector<std::array<int, 3>> HullFaces(const std::vector<Eigen::Vector3d>& points);

/// The closed mesh of the hull of points, which stands for a hull that goes beyond it by up to
/// `deviation` [m]. Throws InvalidInput, without a place, for more than kMostHullPoints
/// points, or for points in a plane.
Solid HullOfPoints(const std::vector<Eigen::Vector3d>& points, double deviation = 0.0);

/// The hull of balls of one radius whose centres lie in a line: a ball or a capsule. Nothing where
/// they do not.
MaybeSolid CapsuleOf(const std::vector<Eigen::Vector3d>& centers, double radius);

/// Points of the unit sphere, and by how much their hull falls short of it.
struct UnitBallPoints {
  std::vector<Eigen::Vector3d> points;
  double deviation = 0.0;
};
UnitBallPoints SpreadOverBall();

/// The hull of two balls of different radii: both, and the cone that touches them.
Solid HullOfTwoBalls(const Eigen::Vector3d& a, double radius_a, const Eigen::Vector3d& b,
                     double radius_b);

}  // namespace volcontact
