// The part of a plane or a cone between a point and a curve.
#pragma once

#include <array>
#include <cstddef>

#include "math/arithmetic/vector3.h"
#include "overlap/arcs/faces/boundary_sums.h"

namespace volcontact {

/// Adds what the lines from `base`, a point of a plane or a cone's apex, to a point p of a curve on
/// it sweep as p moves, on the derivative of p. Over λ from 0 to 1 the element is λ line ×
/// derivative at base + λ line, and the flux through it is that through the base. T: double, or
/// Lanes for several points. N: all sums, or 1 for the volume alone.
template <class T, class Base, std::size_t N>
void AddFan(const Base& base, const std::array<T, 3>& p, const std::array<T, 3>& derivative,
            std::array<T, N>* sums) {
  const std::array<T, 3> line = {p[0] - base[0], p[1] - base[1], p[2] - base[2]};
  const std::array<T, 3> element = Cross(line, derivative);
  const T h = base[0] * element[0] + base[1] * element[1] + base[2] * element[2];
  auto& s = *sums;
  s[BoundarySums::kVolume] += h * (1.0 / 6.0);
  if constexpr (N > 1) {
    const T h4 = 0.25 * h, h5 = 0.2 * h;
    int second = BoundarySums::kSecond, moment = BoundarySums::kMoment;
    for (int i = 0; i < 3; ++i) {
      const T mean = 0.5 * base[i] + (1.0 / 3.0) * line[i];
      const T tilt = (1.0 / 3.0) * base[i] + 0.25 * line[i];
      s[BoundarySums::kFirst + i] += h4 * mean;
      s[BoundarySums::kArea + i] += 0.5 * element[i];
      for (int j = i; j < 3; ++j) s[second++] += h5 * (mean * base[j] + tilt * line[j]);
      for (int j = 0; j < 3; ++j) s[moment++] += mean * element[j];
    }
  }
}

}  // namespace volcontact
