// Four numbers at a time.
#pragma once

#include <array>
#include <cstddef>

namespace volcontact {

/// Numbers of four places at once: compilers turn the loops into vector instructions.
struct Lanes {
  static constexpr std::size_t kCount = 4;

  alignas(32) std::array<double, kCount> x{};

  Lanes() = default;
  Lanes(double all) { x.fill(all); }  // NOLINT: mixes with plain numbers
  Lanes(double a, double b, double c, double d) : x{a, b, c, d} {}

  /// In the order of the places.
  double Sum() const { return (x[0] + x[1]) + (x[2] + x[3]); }

  friend Lanes operator+(Lanes a, const Lanes& b) {
    for (std::size_t n = 0; n < kCount; ++n) a.x[n] += b.x[n];
    return a;
  }
  friend Lanes operator-(Lanes a, const Lanes& b) {
    for (std::size_t n = 0; n < kCount; ++n) a.x[n] -= b.x[n];
    return a;
  }
  friend Lanes operator*(Lanes a, const Lanes& b) {
    for (std::size_t n = 0; n < kCount; ++n) a.x[n] *= b.x[n];
    return a;
  }
  friend Lanes operator/(Lanes a, double b) {
    for (std::size_t n = 0; n < kCount; ++n) a.x[n] /= b;
    return a;
  }
  Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
};

}  // namespace volcontact
