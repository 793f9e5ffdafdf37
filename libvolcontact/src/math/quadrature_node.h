// Quadrature nodes on intervals next to square-root branch points.
#pragma once

#include <algorithm>
#include <cmath>
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

 private:
  enum class Kind { kLinear, kSquare, kCosine };
  Kind kind_ = Kind::kLinear;
  double x0_, half_;  // start and half length in the new variable
  double center_ = 0.0, radius_ = 0.0;
};

}  // namespace volcontact
