// Polynomial integrals over sets of oriented faces, in a form that can be shifted.
#pragma once

#include <Eigen/Core>
#include <array>

#include "volcontact/math/volume_moments.h"

namespace volcontact {

/// Index pairs of a symmetric matrix in the order xx, yy, zz, xy, xz, yz.
inline constexpr std::array<std::array<int, 2>, 6> kSymmetric = {
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

/// Integrals over faces S with outward normal n, y from an origin O:
///   flux_0 = ∫ y·n dS, flux_1 = ∫ y (y·n) dS, flux_2 = ∫ y yᵀ (y·n) dS,
///   area = ∫ n dS, torque = ∫ y × n dS.
/// Over a closed surface the divergence theorem gives from them the moments of the volume inside:
/// V = flux_0/3, first moments flux_1/4, second moments flux_2/5. Over an open one they are those
/// of the cone from O.
struct SurfaceSums {
  double flux_0 = 0.0;
  Eigen::Vector3d flux_1 = Eigen::Vector3d::Zero();
  std::array<double, 6> flux_2{};
  Eigen::Vector3d area = Eigen::Vector3d::Zero();
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();

  /// Adds the triangle p, q, r, counterclockwise from outside. Its area vector is returned.
  Eigen::Vector3d AddTriangle(const Eigen::Vector3d& p, const Eigen::Vector3d& q,
                              const Eigen::Vector3d& r) {
    Eigen::Vector3d N = 0.5 * (q - p).cross(r - p);
    const Eigen::Vector3d s = p + q + r;
    const double h = p.dot(N);
    flux_0 += h;
    flux_1 += (h / 3.0) * s;
    for (int k = 0; k < 6; ++k) {
      const auto [i, j] = kSymmetric[k];
      flux_2[k] += (h / 12.0) * (s[i] * s[j] + p[i] * p[j] + q[i] * q[j] + r[i] * r[j]);
    }
    area += N;
    torque += s.cross(N) / 3.0;
    return N;
  }

  SurfaceSums& operator+=(const SurfaceSums& other) {
    flux_0 += other.flux_0;
    flux_1 += other.flux_1;
    for (int k = 0; k < 6; ++k) flux_2[k] += other.flux_2[k];
    area += other.area;
    torque += other.torque;
    return *this;
  }
};

/// The moments about O of what a closed surface bounds, given its volume too.
void SetMoments(const SurfaceSums& sums, double volume, VolumeMoments* moments);

/// Integrals of n, y_i n_j, y_i y_j n_k and y_i y_j (y·n) over faces, y from a centre c; enough to
/// give SurfaceSums about any other origin.
struct FaceSums {
  Eigen::Vector3d area = Eigen::Vector3d::Zero();
  Eigen::Matrix3d first = Eigen::Matrix3d::Zero();  ///< ∫ y_i n_j
  Eigen::Matrix<double, 6, 3, Eigen::DontAlign> second =
      Eigen::Matrix<double, 6, 3, Eigen::DontAlign>::Zero();  ///< ∫ y_i y_j n_k, pairs ij by rows
  std::array<double, 6> flux_2{};                             ///< ∫ y_i y_j (y·n)

  /// Adds the triangle with vertices p, q, r from the centre.
  void AddTriangle(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& r);

  /// Adds sums about another centre c' with d = c' − c.
  void AddShifted(const FaceSums& other, const Eigen::Vector3d& d);

  /// The surface sums about an origin O with d = c − O.
  SurfaceSums About(const Eigen::Vector3d& d) const;
};

}  // namespace volcontact
