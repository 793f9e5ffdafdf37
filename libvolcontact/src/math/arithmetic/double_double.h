// Double-double numbers: unevaluated sums hi + lo of two doubles, about 106 bits.
//
// Poses and surface coefficients are carried in this form until a local frame inside the overlap is
// known. A depth of 1e-8 of the size, asked to ten digits, is 1e-18 of the size; doubles cannot
// hold it about a distant origin, double-doubles can, and after the shift doubles hold it again.
// Error bounds as in Joldes, Muller & Popescu, "Tight and rigorous error bounds for basic building
// blocks of double-word arithmetic", ACM TOMS 44 (2017): relative error of sum, product and
// quotient below 10 u² with u = 2^-53. Division and square root here are the usual one-step
// corrections.
#pragma once

#include <cmath>

namespace volcontact {

struct DoubleDouble {
  double hi = 0.0;
  double lo = 0.0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : hi(value) {}  // NOLINT: implicit by design
  constexpr DoubleDouble(double high, double low) : hi(high), lo(low) {}

  constexpr explicit operator double() const { return hi; }
};

/// a + b without error, |a| >= |b| or a == 0.
inline DoubleDouble FastTwoSum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

/// a + b without error.
inline DoubleDouble TwoSum(double a, double b) {
  const double s = a + b;
  const double b_part = s - a;
  return {s, (a - (s - b_part)) + (b - b_part)};
}

/// a · b without error (barring underflow).
inline DoubleDouble TwoProduct(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p)};
}

inline DoubleDouble operator-(const DoubleDouble& a) { return {-a.hi, -a.lo}; }

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  DoubleDouble s = TwoSum(a.hi, b.hi);
  const DoubleDouble t = TwoSum(a.lo, b.lo);
  s = FastTwoSum(s.hi, s.lo + t.hi);
  return FastTwoSum(s.hi, s.lo + t.lo);
}

inline DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + (-b); }

inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble p = TwoProduct(a.hi, b.hi);
  return FastTwoSum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline DoubleDouble operator*(const DoubleDouble& a, double b) {
  const DoubleDouble p = TwoProduct(a.hi, b);
  return FastTwoSum(p.hi, p.lo + a.lo * b);
}

inline DoubleDouble operator*(double a, const DoubleDouble& b) { return b * a; }

inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double q0 = a.hi / b.hi;
  DoubleDouble r = a - b * q0;
  const double q1 = r.hi / b.hi;
  r = r - b * q1;
  const double q2 = r.hi / b.hi;
  return FastTwoSum(q0, q1) + DoubleDouble(q2);
}

inline DoubleDouble& operator+=(DoubleDouble& a, const DoubleDouble& b) { return a = a + b; }
inline DoubleDouble& operator-=(DoubleDouble& a, const DoubleDouble& b) { return a = a - b; }
inline DoubleDouble& operator*=(DoubleDouble& a, const DoubleDouble& b) { return a = a * b; }

inline bool operator<(const DoubleDouble& a, const DoubleDouble& b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
inline bool operator>(const DoubleDouble& a, const DoubleDouble& b) { return b < a; }
inline bool operator<=(const DoubleDouble& a, const DoubleDouble& b) { return !(b < a); }
inline bool operator>=(const DoubleDouble& a, const DoubleDouble& b) { return !(a < b); }
inline bool operator==(const DoubleDouble& a, const DoubleDouble& b) {
  return a.hi == b.hi && a.lo == b.lo;
}

/// Square root; the argument must not be negative.
inline DoubleDouble Sqrt(const DoubleDouble& a) {
  if (a.hi <= 0.0) return {};
  const double root = std::sqrt(a.hi);
  const DoubleDouble residual = a - TwoProduct(root, root);
  return FastTwoSum(root, residual.hi / (2.0 * root));
}

inline DoubleDouble Abs(const DoubleDouble& a) { return a.hi < 0.0 ? -a : a; }

}  // namespace volcontact
