// Sums over flat faces.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "overlap/arcs/boundary_sums.h"
#include "solids/mesh/face_sums.h"

namespace volcontact {

/// Adds a triangle, counterclockwise seen from outside.
void AddTriangle(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& r,
                 BoundarySums* sums);

/// The strip of a plane between a point of it and a curve's point p, times the derivative of p:
/// over λ from 0 to 1 the element is λ line × derivative at base + λ line, and the flux through it
/// is that through the base point.
inline void AddStrip(const Eigen::Vector3d& base, const Eigen::Vector3d& p,
                     const Eigen::Vector3d& derivative, BoundarySums* sums) {
  const Eigen::Vector3d line = p - base, element = line.cross(derivative);
  const double h = base.dot(element), h4 = 0.25 * h, h5 = 0.2 * h;
  const Eigen::Vector3d mean = 0.5 * base + (1.0 / 3.0) * line;
  const Eigen::Vector3d tilt = (1.0 / 3.0) * base + 0.25 * line;
  auto& s = sums->s;
  s[BoundarySums::kVolume] += h * (1.0 / 6.0);
  int second = BoundarySums::kSecond, moment = BoundarySums::kMoment;
  for (int i = 0; i < 3; ++i) {
    s[BoundarySums::kFirst + i] += h4 * mean[i];
    s[BoundarySums::kArea + i] += 0.5 * element[i];
    for (int j = i; j < 3; ++j) s[second++] += h5 * (mean[i] * base[j] + tilt[i] * line[j]);
    for (int j = 0; j < 3; ++j) s[moment++] += mean[i] * element[j];
  }
}

/// Of faces with the sums `faces` about their centre, about an origin d before that.
BoundarySums ToBoundarySums(const FaceSums& faces, const Eigen::Vector3d& d);

/// Sums about an origin, in the coordinates that a linear map makes of theirs.
BoundarySums Mapped(const BoundarySums& sums, const Eigen::Matrix3d& L);

}  // namespace volcontact
