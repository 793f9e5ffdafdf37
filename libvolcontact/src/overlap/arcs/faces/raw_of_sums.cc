#include "overlap/arcs/faces/raw_of_sums.h"

#include <algorithm>
#include <cmath>

namespace volcontact {

using Eigen::Matrix3d;
using Eigen::Vector3d;

double OpenPart(const BoundarySums& sums) {
  const Matrix3d moment = sums.Moment() - sums.s[BoundarySums::kVolume] * Matrix3d::Identity();
  return std::max(moment.cwiseAbs().maxCoeff(), sums.Area().cwiseAbs().maxCoeff());
}

RawMetrics ToRaw(const LocalFrame& frame, const BoundarySums& all, const BoundarySums& of_B) {
  const Vector3d& h = frame.half;
  const double scale = h.prod();
  RawMetrics raw;
  raw.X_AC = frame.X_AC;
  raw.moments.volume = scale * all.s[BoundarySums::kVolume];
  raw.moments.first = scale * h.cwiseProduct(all.First());
  raw.moments.second = scale * (h.asDiagonal() * all.Second() * h.asDiagonal());
  raw.area = scale * of_B.Area().cwiseQuotient(h);
  const Matrix3d moment = scale * (h.asDiagonal() * of_B.Moment() * h.cwiseInverse().asDiagonal());
  raw.torque = {moment(1, 2) - moment(2, 1), moment(2, 0) - moment(0, 2),
                moment(0, 1) - moment(1, 0)};
  return raw;
}

}  // namespace volcontact
