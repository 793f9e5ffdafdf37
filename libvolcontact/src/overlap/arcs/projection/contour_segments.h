// Straight edges as curves of a contour.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "overlap/arcs/projection/contour.h"

namespace volcontact {

/// Segments by number, each from 0 to 1.
class ContourSegments : public ContourCurves {
 public:
  std::vector<std::array<Eigen::Vector3d, 2>> segments;
  bool PointOn(int curve, double u, CurvePoint* point) const override {
    const auto& [p, q] = segments[curve];
    *point = {p + u * (q - p), q - p};
    return true;
  }
  int ArcsOf(int, double, double) const override { return 1; }
  std::optional<Eigen::Vector3d> SweptBy(int curve, double from, double to) const override {
    const auto& [p, q] = segments[curve];
    return (to - from) * p.cross(q);
  }
};

}  // namespace volcontact
