// Four numbers at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace volcontact {

/// Numbers of four places at once, in vector instructions where the processor has them. Each place
/// has the bits that a plain number has. The functions below serve both.
struct Lanes {
  static constexpr std::size_t kCount = 4;
  using Values [[gnu::vector_size(kCount * sizeof(double))]] = double;

  Values x{};

  Lanes() = default;
  Lanes(double all) : x{all, all, all, all} {}  // NOLINT: mixes with plain numbers
  Lanes(double a, double b, double c, double d) : x{a, b, c, d} {}

  /// In the order of the places.
  double Sum() const { return (x[0] + x[1]) + (x[2] + x[3]); }

  Lanes& operator+=(const Lanes& b) {
    x += b.x;
    return *this;
  }
  Lanes& operator-=(const Lanes& b) {
    x -= b.x;
    return *this;
  }
  Lanes& operator*=(const Lanes& b) {
    x *= b.x;
    return *this;
  }
  Lanes& operator/=(const Lanes& b) {
    x /= b.x;
    return *this;
  }
  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a) += b; }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a) -= b; }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a) *= b; }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a) /= b; }
  friend Lanes operator-(const Lanes& a) { return -1.0 * a; }
};

/// `a` where the condition is below zero, else `b`.
inline double WhereNegative(double condition, double a, double b) {
  return condition < 0.0 ? a : b;
}
inline Lanes WhereNegative(const Lanes& condition, const Lanes& a, const Lanes& b) {
  Lanes result;
  result.x = condition.x < Lanes::Values{} ? a.x : b.x;
  return result;
}

inline double AbsoluteOf(double a) { return std::abs(a); }
inline Lanes AbsoluteOf(const Lanes& a) {
  using Bits [[gnu::vector_size(sizeof(Lanes::Values))]] = std::int64_t;
  Lanes result;
  result.x = (Lanes::Values)((Bits)a.x & std::numeric_limits<std::int64_t>::max());
  return result;
}

/// The square root of a number, of 0 for one below that.
inline double RootOf(double a) { return std::sqrt(std::max(0.0, a)); }
inline Lanes RootOf(const Lanes& a) {
  Lanes root;
  for (std::size_t n = 0; n < Lanes::kCount; ++n) root.x[n] = RootOf(a.x[n]);
  return root;
}

}  // namespace volcontact
