#include "overlap/frame/raw_metrics.h"

#include "volcontact/overlap/contact_normal.h"

namespace volcontact {

Eigen::Vector3d NormalOf(const RawMetrics& raw, const Eigen::Vector3d& previous) {
  const bool vanishes = raw.area.norm() <= raw.area_noise;
  const Eigen::Vector3d area = vanishes ? Eigen::Vector3d::Zero().eval() : raw.area;
  ContactNormalOptions options;
  options.previous = previous;
  return ComputeContactNormal(raw.moments.CentralInertia(), area, options).normal;
}

Eigen::Vector3d ProjectionAxis(const RawMetrics& raw) {
  const Eigen::Vector3d n = NormalOf(raw);
  return n.isZero() ? Eigen::Vector3d::UnitZ().eval() : n;
}

}  // namespace volcontact
