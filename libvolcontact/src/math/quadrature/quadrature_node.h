// Quadrature nodes on intervals next to square-root branch points.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace volcontact {

inline constexpr double kNoBranchPoint = std::numeric_limits<double>::infinity();

struct QuadratureNode {
  double x, weight;
};

struct SineAndCosine {
  double sine, cosine;
};

/// Sine and cosine of an angle in [0, π] to rounding, by Taylor polynomials about π/2: without
/// branches or calls, so that loops over it are vectorised.
inline SineAndCosine HalfTurn(double angle) {
  const double x = 1.5707963267948966 - angle, y = x * x;
  // cos(angle) = sin(x), sin(angle) = cos(x).
  constexpr double kSine[11] = {1.0 / 1.0,
                                -1.0 / 6.0,
                                1.0 / 120.0,
                                -1.0 / 5040.0,
                                1.0 / 362880.0,
                                -1.0 / 39916800.0,
                                1.0 / 6227020800.0,
                                -1.0 / 1307674368000.0,
                                1.0 / 355687428096000.0,
                                -1.0 / 121645100408832000.0,
                                1.0 / 51090942171709440000.0};
  constexpr double kCosine[12] = {1.0 / 1.0,
                                  -1.0 / 2.0,
                                  1.0 / 24.0,
                                  -1.0 / 720.0,
                                  1.0 / 40320.0,
                                  -1.0 / 3628800.0,
                                  1.0 / 479001600.0,
                                  -1.0 / 87178291200.0,
                                  1.0 / 20922789888000.0,
                                  -1.0 / 6402373705728000.0,
                                  1.0 / 2432902008176640000.0,
                                  -1.0 / 1124000727777607680000.0};
  double sine = kCosine[11], cosine = kSine[10];
  for (int k = 10; k >= 0; --k) sine = sine * y + kCosine[k];
  for (int k = 9; k >= 0; --k) cosine = cosine * y + kSine[k];
  return {sine, cosine * x};
}

/// A change of variable on [x0, x1] that makes integrands analytic which behave like sqrt(x − xa)
/// or sqrt(xb − x), with branch points xa <= x0 and x1 <= xb at the ends or beyond them: x is a
/// square or a cosine of the new variable. Branch points further away than the interval is long do
/// no harm and are left alone.
class NodeMap {
 public:
  NodeMap(double x0, double x1, double xa, double xb) : x0_(x0), half_(0.5 * (x1 - x0)) {
    const double length = x1 - x0;
    const bool left = x0 - xa < 2.0 * length, right = xb - x1 < 2.0 * length;
    if (left && right) {
      kind_ = Kind::kCosine;
      center_ = 0.5 * (xa + xb);
      radius_ = 0.5 * (xb - xa);
      x0_ = std::acos(std::clamp((center_ - x0) / radius_, -1.0, 1.0));
      half_ = 0.5 * (std::acos(std::clamp((center_ - x1) / radius_, -1.0, 1.0)) - x0_);
    } else if (left || right) {
      kind_ = Kind::kSquare;
      center_ = left ? xa : xb;
      radius_ = left ? 1.0 : -1.0;
      x0_ = radius_ * std::sqrt(std::abs(x0 - center_));
      half_ = 0.5 * (radius_ * std::sqrt(std::abs(x1 - center_)) - x0_);
    }
  }

  /// The image of t in [-1, 1], and dx/dt.
  QuadratureNode operator()(double t) const {
    const double s = x0_ + half_ * (1.0 + t);
    switch (kind_) {
      case Kind::kCosine:
        return {center_ - radius_ * std::cos(s), radius_ * std::sin(s) * half_};
      case Kind::kSquare:
        return {center_ + radius_ * s * s, 2.0 * radius_ * s * half_};
      default:
        return {s, half_};
    }
  }

  /// Replaces values of t by their images, and multiplies factors by dx/dt.
  void Apply(int count, double* t, double* factor) const {
    if (kind_ == Kind::kCosine) {
      for (int n = 0; n < count; ++n) {
        const SineAndCosine s = HalfTurn(x0_ + half_ * (1.0 + t[n]));
        t[n] = center_ - radius_ * s.cosine;
        factor[n] *= radius_ * s.sine * half_;
      }
      return;
    }
    const bool square = kind_ == Kind::kSquare;
    const double center = square ? center_ : 0.0, quadratic = square ? radius_ : 0.0;
    const double linear = square ? 0.0 : 1.0;
    for (int n = 0; n < count; ++n) {
      const double s = x0_ + half_ * (1.0 + t[n]);
      t[n] = center + (linear + quadratic * s) * s;
      factor[n] *= (linear + 2.0 * quadratic * s) * half_;
    }
  }

  /// The t whose image is x.
  std::complex<double> Inverse(std::complex<double> x) const {
    std::complex<double> s = x;
    if (kind_ == Kind::kCosine) s = std::acos((center_ - x) / radius_);
    if (kind_ == Kind::kSquare) s = radius_ * std::sqrt(radius_ * (x - center_));
    return (s - x0_) / half_ - 1.0;
  }

 private:
  enum class Kind { kLinear, kSquare, kCosine };
  Kind kind_ = Kind::kLinear;
  double x0_, half_;  // start and half length in the new variable
  double center_ = 0.0, radius_ = 0.0;
};

/// A change of variable of [-1, 1] onto itself that moves a pair of complex singularities close to
/// the interval away from it: t = center + width sinh(s) for singularities center ± i width
/// (compare Tee & Trefethen, SIAM J. Sci. Comput. 28 (2006) 1798).
class NearMap {
 public:
  /// The identity when the singularities are far.
  explicit NearMap(std::complex<double> singularity)
      : center_(singularity.real()), width_(std::abs(singularity.imag())) {
    constexpr double kFar = 0.3;
    const double distance = std::max(0.0, std::abs(center_) - 1.0) + width_;
    identity_ = !(distance < kFar && width_ > 0.0);
    if (identity_) return;
    start_ = std::asinh((-1.0 - center_) / width_);
    half_ = 0.5 * (std::asinh((1.0 - center_) / width_) - start_);
  }

  /// The image of s in [-1, 1], and dt/ds.
  QuadratureNode operator()(double s) const {
    if (identity_) return {s, 1.0};
    const double sinh_argument = start_ + half_ * (1.0 + s);
    return {center_ + width_ * std::sinh(sinh_argument), width_ * std::cosh(sinh_argument) * half_};
  }

  /// Replaces values of s by their images, and multiplies factors by dt/ds.
  void Apply(int count, double* s, double* factor) const {
    if (identity_) return;
    for (int n = 0; n < count; ++n) {
      const QuadratureNode node = (*this)(s[n]);
      s[n] = node.x;
      factor[n] *= node.weight;
    }
  }

 private:
  double center_, width_;
  double start_ = 0.0, half_ = 0.0;
  bool identity_ = true;
};

}  // namespace volcontact
