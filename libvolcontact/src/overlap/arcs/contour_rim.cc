#include "overlap/arcs/contour_rim.h"

#include <Eigen/Geometry>

namespace volcontact {
namespace {

// Layers whose rim closes to this part of its area are right.
constexpr double kClosed = 1e-6;

}  // namespace

std::optional<double> ContourRim::Run(const Eigen::Vector3d& along,
                                      const std::vector<ContourPart>& contour,
                                      const RimSweep& sweep, bool is_sure, int threads) {
  if (contour.empty()) return std::nullopt;
  crossings_.Run(along, contour, threads);
  std::optional<RimSweep::Swept> layers;
  if (is_sure && crossings_.AreAllFound())
    layers = layers_.Run(along, contour, crossings_, sweep, threads);
  if (layers && along.cross(layers->way).norm() <= kClosed * layers->area)
    return 0.5 * layers->area;
  const std::optional<double> twice = slabs_.Run(along, contour, crossings_, sweep, !is_sure);
  if (!twice) return std::nullopt;
  return 0.5 * *twice;
}

}  // namespace volcontact
