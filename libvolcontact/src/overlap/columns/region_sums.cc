#include "overlap/columns/region_sums.h"

#include <algorithm>

namespace volcontact {
namespace {

// The tolerance is on the moments. Errors of the area terms, relative to the projection, count a
// tenth as much, and not at all below a floor: on walls a little off the columns' direction the
// area element is a quotient of small numbers and cannot be had more accurately.
constexpr double kAreaWeight = 0.1, kAreaFloor = 1e-7;
// The same of a part of the region beside the projection of the whole: with a quarter of the
// tolerance for all (kToleranceMargin), area terms are held to some four times it.
constexpr double kPartWeight = 0.06;

}  // namespace

void RegionSums::AddSlice(double weight, const SliceSums& slice, const Eigen::Vector2d& base,
                          const Eigen::Vector2d& direction) {
  const auto& t = slice.s;
  const double bx = base.x(), by = base.y(), dx = direction.x(), dy = direction.y();
  const double m0 = t[SliceSums::kOne], mv = t[SliceSums::kV], mz = t[SliceSums::kZ];
  const double mvv = t[SliceSums::kVV], mvz = t[SliceSums::kVZ], mzz = t[SliceSums::kZZ];
  s[kOne] += weight * m0;
  s[kX] += weight * (bx * m0 + dx * mv);
  s[kY] += weight * (by * m0 + dy * mv);
  s[kZ] += weight * mz;
  s[kXX] += weight * (bx * bx * m0 + 2.0 * bx * dx * mv + dx * dx * mvv);
  s[kXY] += weight * (bx * by * m0 + (bx * dy + by * dx) * mv + dx * dy * mvv);
  s[kXZ] += weight * (bx * mz + dx * mvz);
  s[kYY] += weight * (by * by * m0 + 2.0 * by * dy * mv + dy * dy * mvv);
  s[kYZ] += weight * (by * mz + dy * mvz);
  s[kZZ] += weight * mzz;
  // Components along d, across d (towards (−d_y, d_x)) and z, turned into x, y, z.
  const auto cartesian = [&](const double* n) {
    return Eigen::Vector3d(dx * n[0] - dy * n[1], dy * n[0] + dx * n[1], n[2]);
  };
  const Eigen::Vector3d n = cartesian(&t[SliceSums::kN]);
  const Eigen::Vector3d vn = cartesian(&t[SliceSums::kVN]);
  const Eigen::Vector3d zn = cartesian(&t[SliceSums::kZN]);
  for (int i = 0; i < 3; ++i) {
    s[kN + i] += weight * n[i];
    s[kRN + i] += weight * (bx * n[i] + dx * vn[i]);
    s[kRN + 3 + i] += weight * (by * n[i] + dy * vn[i]);
    s[kRN + 6 + i] += weight * zn[i];
  }
  const Eigen::Vector3d top = cartesian(&t[SliceSums::kTop]);
  for (int i = 0; i < 3; ++i) s[kTop + i] += weight * top[i];
  for (int i = 0; i < 2; ++i) s[kFacing + i] += weight * t[SliceSums::kFacing + i];
  const double* spread = &t[SliceSums::kSpread];
  const double along = std::abs(weight * dx), across = std::abs(weight * dy);
  s[kSpread] += along * spread[0] + across * spread[1];
  s[kSpread + 1] += across * spread[0] + along * spread[1];
  s[kSpread + 2] += std::abs(weight) * spread[2];
}

double RegionSums::Distance(const RegionSums& other) const {
  double moments = 0.0, of_B = 0.0, top = 0.0, area = 0.0;
  for (int i = 0; i < kN; ++i) moments = std::max(moments, std::abs(s[i] - other.s[i]));
  for (int i = kN; i < kTop; ++i) of_B = std::max(of_B, std::abs(s[i] - other.s[i]));
  for (int i = kTop; i < kFacing; ++i) top = std::max(top, std::abs(s[i] - other.s[i]));
  const double projection = std::max(std::abs(s[kTop + 2]), std::abs(other.s[kTop + 2]));
  if (projection > 0.0) {
    area = std::max(top / projection, of_B > 0.0 ? of_B / AreaScale() : 0.0);
    area = kAreaWeight * std::max(0.0, area - kAreaFloor) * std::abs(s[kOne]);
  }
  const double facing = std::max(std::abs(s[kFacing] - other.s[kFacing]),
                                 std::abs(s[kFacing + 1] - other.s[kFacing + 1]));
  if (facing > 0.0) {
    const double scale = std::max(s[kFacing], s[kFacing + 1]);
    moments = std::max(moments, facing / scale * std::abs(s[kOne]));
  }
  return std::max(moments, area);
}

double RegionSums::AreaScale() const {
  const double spread = *std::max_element(&s[kSpread], &s[kSpread] + 3);
  const double projection = std::abs(s[kTop + 2]);
  return spread > 0.0 ? std::min(spread, projection) : projection;
}

double RegionSums::AreaDifference(const RegionSums& other) const {
  double difference = 0.0;
  for (int i = kN; i < kFacing; ++i) difference = std::max(difference, std::abs(s[i] - other.s[i]));
  return difference;
}

double RegionSums::LargestArea() const {
  double largest = 0.0;
  for (int i = kN; i < kFacing; ++i) largest = std::max(largest, std::abs(s[i]));
  return largest;
}

double RegionSums::AreaErrorAsMoment(double error) const {
  const double projection = std::abs(s[kTop + 2]);
  if (!(projection > 0.0)) return 0.0;
  return kPartWeight * std::max(0.0, error / projection - kAreaFloor) * std::abs(s[kOne]);
}

RawMetrics RegionSums::ToRaw(const LocalFrame& frame) const {
  const Eigen::Vector3d& h = frame.half;
  const double det = h.x() * h.y() * h.z();
  RawMetrics raw;
  raw.X_AC = frame.X_AC;
  raw.moments.volume = det * s[kOne];
  raw.moments.first = det * h.cwiseProduct(Eigen::Vector3d(s[kX], s[kY], s[kZ]));
  Eigen::Matrix3d second;
  second << s[kXX], s[kXY], s[kXZ], s[kXY], s[kYY], s[kYZ], s[kXZ], s[kYZ], s[kZZ];
  raw.moments.second = det * h.asDiagonal() * second * h.asDiagonal();
  // An area element is a covector times the volume factor: n_i dS = (det/h_i) N_i.
  Eigen::Matrix3d r_n;  // integral of r_i n_j dS
  for (int i = 0; i < 3; ++i) {
    raw.area[i] = det / h[i] * s[kN + i];
    for (int j = 0; j < 3; ++j) r_n(i, j) = h[i] * det / h[j] * s[kRN + 3 * i + j];
  }
  raw.torque = {r_n(1, 2) - r_n(2, 1), r_n(2, 0) - r_n(0, 2), r_n(0, 1) - r_n(1, 0)};
  for (int i = 0; i < 3; ++i) raw.top[i] = det / h[i] * s[kTop + i];
  raw.projected_area = raw.top.z();
  const Eigen::Vector3d spread =
      det * Eigen::Vector3d(s[kSpread], s[kSpread + 1], s[kSpread + 2]).cwiseQuotient(h);
  raw.area_scale = std::max(raw.projected_area, spread.norm());
  raw.area_noise = kAreaNoise * raw.area_scale;
  return raw;
}

}  // namespace volcontact
