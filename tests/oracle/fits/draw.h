// Random numbers that are the same everywhere, with few digits so that files stay short.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "real.h"

namespace fits {

// A double of few digits.
inline double Short(double x, int digits = 5) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return std::strtod(text, nullptr);
}

inline std::string Text(double x) {
  char text[40];
  for (int digits = 5; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    if (std::strtod(text, nullptr) == x) break;
  }
  return text;
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed * 7919 + 20261125) {}
  double Unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double Between(double low, double high) { return Short(low + (high - low) * Unit()); }
  double PowerBetween(double low, double high) { return Short(low * std::pow(high / low, Unit())); }
  double Angle() { return 6.283185307179586 * Unit(); }
  std::array<double, 3> Direction() {
    const double z = 2 * Unit() - 1, angle = Angle(), s = std::sqrt(1 - z * z);
    return {s * std::cos(angle), s * std::sin(angle), z};
  }

 private:
  std::mt19937_64 engine_;
};

// A turn by a rotation vector, then a move.
inline Pose Moved(std::array<double, 3> t, std::array<double, 3> turn) {
  Pose pose;
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    pose.t[k] = Short(t[k]);
    square += turn[k] * turn[k];
  }
  const double angle = std::sqrt(square), part = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
  double rest = 1;
  for (int k = 0; k < 3; ++k) {
    pose.q[k + 1] = Short(part * turn[k]);
    rest -= pose.q[k + 1] * pose.q[k + 1];
  }
  pose.q[0] = std::sqrt(rest);
  return pose;
}

}  // namespace fits
