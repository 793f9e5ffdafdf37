// Integrals over faces, which give the moments and the area vectors of a region.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>

#include "math/arithmetic/lanes.h"

namespace volcontact {

inline std::array<double, 3> ToArray(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

/// Of faces with outward normal n: the fluxes of the fields m(p) p / (3 + degree of m), one for
/// each monomial m, which over a closed boundary are the region's moments; the integrals of n, and
/// of p n'.
struct BoundarySums {
  static constexpr int kVolume = 0;   ///< m = 1
  static constexpr int kFirst = 1;    ///< m = x, y, z
  static constexpr int kSecond = 4;   ///< m = xx, xy, xz, yy, yz, zz
  static constexpr int kArea = 10;    ///< n
  static constexpr int kMoment = 13;  ///< p n', row by row
  static constexpr int kSize = 22;

  std::array<double, kSize> s{};

  void Add(double factor, const BoundarySums& other) {
    for (int k = 0; k < kSize; ++k) s[k] += factor * other.s[k];
  }

  /// Adds the element of area e = n dA at p.
  void AddElement(const Eigen::Vector3d& p, const Eigen::Vector3d& e) {
    AddElement(p.data(), e.data(), &s);
  }

  /// The same for numbers of a type, of one element or of several at once. N: kSize, or 1 for the
  /// volume alone.
  template <class T, std::size_t N>
  static void AddElement(const T* p, const T* e, std::array<T, N>* sums) {
    std::array<T, N>& s = *sums;
    const T h = p[0] * e[0] + p[1] * e[1] + p[2] * e[2];
    s[kVolume] += (1.0 / 3.0) * h;
    if constexpr (N > 1) {
      const T h4 = 0.25 * h, h5 = 0.2 * h;
      int second = kSecond;
      for (int i = 0; i < 3; ++i) {
        s[kFirst + i] += h4 * p[i];
        s[kArea + i] += e[i];
        for (int j = i; j < 3; ++j) s[second++] += h5 * (p[i] * p[j]);
        for (int j = 0; j < 3; ++j) s[kMoment + 3 * i + j] += p[i] * e[j];
      }
    }
  }

  Eigen::Vector3d First() const { return {s[kFirst], s[kFirst + 1], s[kFirst + 2]}; }
  Eigen::Vector3d Area() const { return {s[kArea], s[kArea + 1], s[kArea + 2]}; }
  Eigen::Matrix3d Second() const {
    Eigen::Matrix3d M;
    for (int i = 0, k = kSecond; i < 3; ++i) {
      for (int j = i; j < 3; ++j) M(i, j) = M(j, i) = s[k++];
    }
    return M;
  }
  Eigen::Matrix3d Moment() const {
    Eigen::Matrix3d M;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) M(i, j) = s[kMoment + 3 * i + j];
    }
    return M;
  }
};

/// What several points add to the sums.
using LaneSums = std::array<Lanes, BoundarySums::kSize>;

}  // namespace volcontact
