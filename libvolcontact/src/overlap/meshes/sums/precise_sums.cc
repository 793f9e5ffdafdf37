#include "overlap/meshes/sums/precise_sums.h"

namespace volcontact {
namespace {

constexpr DoubleDouble kTwelfth = {1.0 / 12.0, 0x1.5555555555555p-58};

}  // namespace

Eigen::Vector3d PreciseSums::AddTriangle(const Vector3dd& p, const Vector3dd& q,
                                         const Vector3dd& r) {
  Vector3dd N = Cross(Minus(q, p), Minus(r, p)), s;
  DoubleDouble h = 0.0;
  for (int i = 0; i < 3; ++i) {
    N[i] = N[i] * 0.5;
    s[i] = p[i] + q[i] + r[i];
    h += p[i] * N[i];
  }
  flux_0 += h;
  const DoubleDouble twelfth = h * kTwelfth;
  const Vector3dd moment = Cross(s, N);
  for (int i = 0; i < 3; ++i) {
    flux_1[i] += 4.0 * (twelfth * s[i]);
    area[i] += N[i];
    torque[i] += 4.0 * (kTwelfth * moment[i]);
  }
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetric[k];
    flux_2[k] += twelfth * (s[i] * s[j] + p[i] * p[j] + q[i] * q[j] + r[i] * r[j]);
  }
  return Round(N);
}

PreciseSums& PreciseSums::operator+=(const PreciseSums& other) {
  flux_0 += other.flux_0;
  for (int i = 0; i < 3; ++i) {
    flux_1[i] += other.flux_1[i];
    area[i] += other.area[i];
    torque[i] += other.torque[i];
  }
  for (int k = 0; k < 6; ++k) flux_2[k] += other.flux_2[k];
  return *this;
}

SurfaceSums PreciseSums::Rounded() const {
  SurfaceSums sums;
  sums.flux_0 = flux_0.hi;
  sums.flux_1 = Round(flux_1);
  sums.area = Round(area);
  sums.torque = Round(torque);
  for (int k = 0; k < 6; ++k) sums.flux_2[k] = flux_2[k].hi;
  return sums;
}

}  // namespace volcontact
