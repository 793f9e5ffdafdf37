// A quadrature of regions with flat faces.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "volcontact/overlap/metrics.h"

namespace volcontact {

using FlatFace = std::array<Eigen::Vector3d, 3>;

/// Samples of the region that triangles bound, which are given from `origin` and counterclockwise
/// seen from outside; points in the origin's frame. Each triangle adds what lies between it and the
/// origin, and takes away what others have there too much: where the region is not convex about the
/// origin, which should lie in it, some volumes are negative. About an axis: for functions that are
/// smooth in half-planes from it and do not change along it, by what lies between a triangle and
/// the plane across the axis through the origin. Cost: 10 to 50 ns a sample, 10 to 1000 a triangle.
std::vector<VolumeSample> SampleFlatFaces(const std::vector<FlatFace>& faces,
                                          const Eigen::Vector3d& origin,
                                          const std::optional<SampleAxis>& axis);

}  // namespace volcontact
