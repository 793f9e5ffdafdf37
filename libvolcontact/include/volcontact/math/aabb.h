// Axis-aligned boxes, possibly unbounded or empty.
#pragma once

#include <Eigen/Core>
#include <limits>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The set min <= x <= max, by component [m]; infinite where unbounded. Empty when some min > max.
/// A plain value of 48 bytes: any number of threads may read one.
struct Aabb {
  Eigen::Vector3d min = Eigen::Vector3d::Constant(-std::numeric_limits<double>::infinity());
  Eigen::Vector3d max = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());

  static Aabb Everything() { return {}; }
  static Aabb Nothing() {
    const double infinity = std::numeric_limits<double>::infinity();
    return {Eigen::Vector3d::Constant(infinity), Eigen::Vector3d::Constant(-infinity)};
  }

  bool IsEmpty() const { return (min.array() > max.array()).any(); }
  bool IsBounded() const { return min.allFinite() && max.allFinite(); }
  Eigen::Vector3d Center() const { return 0.5 * (min + max); }
  Eigen::Vector3d HalfExtents() const { return 0.5 * (max - min); }
};

/// The box common to both; empty when they do not meet.
inline Aabb Intersect(const Aabb& a, const Aabb& b) {
  return {a.min.cwiseMax(b.min), a.max.cwiseMin(b.max)};
}

/// The smallest box that holds both.
inline Aabb Hull(const Aabb& a, const Aabb& b) {
  if (a.IsEmpty()) return b;
  if (b.IsEmpty()) return a;
  return {a.min.cwiseMin(b.min), a.max.cwiseMax(b.max)};
}

VOLCONTACT_NAMESPACE_END
