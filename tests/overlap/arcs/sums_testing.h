// Sums over the edges of overlaps, and their results in A's frame, for the tests of arcs.
#pragma once

#include "overlap/arcs/arc_method.h"
#include "overlap/region_testing.h"

namespace volcontact::testing {

inline Aabb CommonBox(const Solid& A, const Solid& B) { return Intersect(A.Bounds(), B.Bounds()); }

inline ArcMethodResult SumEdgesOf(const Solid& A, const Solid& B, const ArcMethodOptions& options) {
  return ArcMethod().Run(RegionOf(A, B), CommonBox(A, B), options);
}

/// Integrals in A's frame, about its origin.
struct SumsInA {
  VolumeMoments moments;
  Eigen::Vector3d area = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();

  SumsInA() = default;
  explicit SumsInA(const RawMetrics& raw) { Add(1.0, raw); }

  void Add(double factor, const RawMetrics& raw) {
    const Eigen::Matrix3d R = raw.X_AC.RotationDouble();
    const Eigen::Vector3d p = Round(raw.X_AC.t);
    const VolumeMoments moved = raw.moments.Transformed(R, p);
    moments.volume += factor * moved.volume;
    moments.first += factor * moved.first;
    moments.second += factor * moved.second;
    area += factor * (R * raw.area);
    torque += factor * (R * raw.torque + p.cross(R * raw.area));
  }
};

}  // namespace volcontact::testing
