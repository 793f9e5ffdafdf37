#include "solids/mesh/face_sums.h"

#include <Eigen/Geometry>

namespace volcontact {
namespace {

int Pair(int i, int j) { return i == j ? i : i + j + 2; }

}  // namespace

void FaceSums::AddTriangle(const Eigen::Vector3d& p, const Eigen::Vector3d& q,
                           const Eigen::Vector3d& r) {
  const Eigen::Vector3d N = 0.5 * (q - p).cross(r - p);
  const Eigen::Vector3d s = p + q + r;
  const double h = p.dot(N);
  area += N;
  first += s * N.transpose() / 3.0;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetric[k];
    const double mean = (s[i] * s[j] + p[i] * p[j] + q[i] * q[j] + r[i] * r[j]) / 12.0;
    second.row(k) += mean * N.transpose();
    flux_2[k] += mean * h;
  }
}

// With y = z + d: y_i n_j = z_i n_j + d_i n_j, and so on.
void FaceSums::AddShifted(const FaceSums& other, const Eigen::Vector3d& d) {
  const double h = other.first.trace() + d.dot(other.area);
  Eigen::Vector3d zh;  // ∫ z (y·n)
  for (int i = 0; i < 3; ++i) {
    zh[i] = d.dot(other.first.row(i));
    for (int j = 0; j < 3; ++j) zh[i] += other.second(Pair(i, j), j);
  }
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetric[k];
    flux_2[k] += other.flux_2[k] + other.second.row(k).dot(d) + d[i] * zh[j] + d[j] * zh[i] +
                 d[i] * d[j] * h;
    second.row(k) += other.second.row(k) + d[i] * other.first.row(j) + d[j] * other.first.row(i) +
                     d[i] * d[j] * other.area.transpose();
  }
  first += other.first + d * other.area.transpose();
  area += other.area;
}

void SetMoments(const SurfaceSums& sums, double volume, VolumeMoments* moments) {
  moments->volume = volume;
  moments->first = sums.flux_1 / 4.0;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetric[k];
    moments->second(i, j) = moments->second(j, i) = sums.flux_2[k] / 5.0;
  }
}

// With the integrals of y·n and of z (y·n) as above.
SurfaceSums FaceSums::About(const Eigen::Vector3d& d) const {
  const double h = first.trace() + d.dot(area);
  Eigen::Vector3d zh = first * d;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) zh[i] += second(Pair(i, j), j);
  }
  const Eigen::Matrix<double, 6, 1> zzd = second * d;  // ∫ z zᵀ (d·n)
  SurfaceSums sums;
  sums.flux_0 = h;
  sums.flux_1 = zh + h * d;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetric[k];
    sums.flux_2[k] = flux_2[k] + zzd[k] + d[i] * zh[j] + d[j] * zh[i] + d[i] * d[j] * h;
  }
  sums.area = area;
  const Eigen::Matrix3d& m = first;
  sums.torque =
      d.cross(area) + Eigen::Vector3d(m(1, 2) - m(2, 1), m(2, 0) - m(0, 2), m(0, 1) - m(1, 0));
  return sums;
}

}  // namespace volcontact
