// Doubles with a running bound on their error: the arithmetic of the membership filter.
#pragma once

#include <cmath>

namespace volcontact {

/// A number x known as |x − value| <= error. Every operation keeps that true, so a sign with
/// |value| > error is proven. An overflow, or a division by what may be zero, leaves an error that
/// is infinite or not a number, which proves nothing; so do NaNs.
///
/// Proof. Let u = 2^-53; let values a, b have errors α, β and let v = fl(op(a, b)).
///  - Sum: |v − (a + b)| <= u|v|, so |x + y − v| <= α + β + u|v|.
///  - Product: |v − ab| <= u|v| + 2^-1075 and |xy − ab| <= (|a| + α)β + |b|α.
///  - Quotient, β < |b|: |x/y − a/b| = |(x − a)b − a(y − b)| / |yb| <= (α + |a/b|β) / (|b| − β),
///  and
///    |v − a/b| <= u|v| + 2^-1075, hence |a/b| <= (1 + u)|v| + 2^-1075.
/// These bounds are evaluated in at most nine operations, all on non-negative numbers but for the
/// difference |b| − β of two doubles. Each errs by a relative u, or by 2^-1075 where a product
/// underflows. The factor kInflation = 1 + 32u covers the relative errors and the (1 + u) above;
/// the addends kTiny, one wherever products that may underflow are summed, cover the rest many
/// times.
class BoundedNumber {
 public:
  BoundedNumber() = default;
  /// The double itself, without error.
  explicit BoundedNumber(double exact) : value_(exact) {}
  /// Any number that is not farther from `value` than `error` >= 0.
  static BoundedNumber Within(double value, double error) { return {value, error, 1.0}; }

  double value() const { return value_; }
  double error() const { return error_; }
  bool IsNegative() const { return value_ < -error_; }
  bool IsPositive() const { return value_ > error_; }

  friend BoundedNumber operator+(const BoundedNumber& a, const BoundedNumber& b) {
    return {a.value_ + b.value_, a.error_ + b.error_, 1.0};
  }
  friend BoundedNumber operator-(const BoundedNumber& a, const BoundedNumber& b) {
    return {a.value_ - b.value_, a.error_ + b.error_, 1.0};
  }
  friend BoundedNumber operator*(const BoundedNumber& a, const BoundedNumber& b) {
    return {a.value_ * b.value_,
            (std::abs(a.value_) + a.error_) * b.error_ + std::abs(b.value_) * a.error_, 1.0};
  }
  friend BoundedNumber operator/(const BoundedNumber& a, const BoundedNumber& b) {
    const double quotient = a.value_ / b.value_;
    return {quotient, a.error_ + (std::abs(quotient) + kTiny) * b.error_ + kTiny,
            std::abs(b.value_) - b.error_};
  }

 private:
  static constexpr double kUnitRoundoff = 0x1p-53;
  static constexpr double kInflation = 1.0 + 32.0 * kUnitRoundoff;
  static constexpr double kTiny = 0x1p-1000;

  // `inherited`/`divisor` bounds what the operands' errors contribute.
  BoundedNumber(double value, double inherited, double divisor)
      : value_(value),
        error_(divisor > 0.0
                   ? (inherited / divisor + kUnitRoundoff * std::abs(value) + kTiny) * kInflation
                   : HUGE_VAL) {}

  double value_ = 0.0;
  double error_ = 0.0;
};

}  // namespace volcontact
