#include "overlap/arcs/projection/contour_rim.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace volcontact {
namespace {

// Stretches whose rim closes to this part of its area are right.
constexpr double kClosed = 1e-6;

}  // namespace

std::optional<double> ContourRim::Run(const Eigen::Vector3d& along,
                                      const std::vector<ContourPart>& contour,
                                      const RimSweep& sweep, bool is_sure, int threads) {
  if (contour.empty()) return std::nullopt;
  if (is_sure) {
    crossings_.Run(along, contour, threads);
    const auto rim = stretches_.Run(along, contour, crossings_, sweep, threads);
    if (rim && along.cross(rim->way).norm() <= kClosed * rim->area) return 0.5 * rim->area;
  }
  // Slabs count the intervals that begin and end at all parts, inner ones, too.
  const auto is_inner = [](const ContourPart& part) { return part.is_inner; };
  if (!is_sure || std::any_of(contour.begin(), contour.end(), is_inner)) {
    all_ = contour;
    for (ContourPart& part : all_) part.is_inner = false;
    crossings_.Run(along, all_, threads);
  }
  const std::optional<double> twice = slabs_.Run(along, contour, crossings_, sweep, !is_sure);
  if (!twice) return std::nullopt;
  return 0.5 * *twice;
}

}  // namespace volcontact
