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

 private:
  double center_, width_;
  double start_ = 0.0, half_ = 0.0;
  bool identity_ = true;
};

}  // namespace volcontact
