#include "volcontact/overlap/contact_normal.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/adjugate.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Between these values of the shape gap (see ShapeWeight) the eigenvector gains its weight. Below
// the first an overlap is as good as round across the normal.
constexpr double kRoundGap = 0.05;
constexpr double kFlatGap = 0.20;
// The gap relative to the eigenvalue itself must stand out of the rounding of J's entries.
constexpr double kLostGap = 1e-13;
constexpr double kResolvedGap = 1e-11;
// Between these angles from the area vector the eigenvector loses its weight.
constexpr double kNearAngle = std::numbers::pi / 6.0;
constexpr double kFarAngle = std::numbers::pi / 4.0;
// An area vector this much smaller than the overlap's size squared is the rounding of a closed sum.
constexpr double kNoArea = 1e-13;

// 0 below a, 1 above b, once continuously differentiable between.
double SmoothStep(double a, double b, double x) {
  const double t = std::clamp((x - a) / (b - a), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

// Its derivative by x.
double SmoothSlope(double a, double b, double x) {
  const double t = std::clamp((x - a) / (b - a), 0.0, 1.0);
  return 6.0 * t * (1.0 - t) / (b - a);
}

// Largest and middle eigenvalue of a symmetric matrix by the trigonometric formula (Smith 1961),
// good for a shift and for the weights; the iteration does not rely on its last digits.
std::array<double, 2> LargestTwoEigenvalues(const Matrix3d& J) {
  const double mean = J.trace() / 3.0;
  const Matrix3d K = J - mean * Matrix3d::Identity();
  const double p = std::sqrt(K.squaredNorm() / 6.0);
  if (p == 0.0) return {mean, mean};
  const double half_det = std::clamp(0.5 * (K / p).determinant(), -1.0, 1.0);
  const double phi = std::acos(half_det) / 3.0;
  const double largest = mean + 2.0 * p * std::cos(phi);
  const double smallest = mean + 2.0 * p * std::cos(phi + 2.0 / 3.0 * std::numbers::pi);
  return {largest, std::min(largest, 3.0 * mean - largest - smallest)};
}

// How single the largest eigenvalue is. J's eigenvalues λ belong to second moments c = ½ tr J − λ:
// across the thin direction c1, and c2 >= c1 next. The gap is measured as (c2 − c1)/c2, which tells
// a flat overlap (1) from a round one (0) also where it is long and narrow, and (λ1 − λ2)/λ1 is
// small.
double ShapeWeight(const Matrix3d& J, double largest, double middle) {
  const double gap = largest - middle;
  const double c2 = 0.5 * J.trace() - middle;
  if (!(largest > 0.0) || !(c2 > 0.0)) return 0.0;
  return SmoothStep(kRoundGap, kFlatGap, gap / c2) *
         SmoothStep(kLostGap, kResolvedGap, gap / largest);
}

// Its derivative, by those of J's trace, of the largest and of the middle eigenvalue.
double ShapeWeightSlope(const Matrix3d& J, double largest, double middle, double d_trace,
                        double d_largest, double d_middle) {
  const double gap = largest - middle, d_gap = d_largest - d_middle;
  const double c2 = 0.5 * J.trace() - middle, d_c2 = 0.5 * d_trace - d_middle;
  if (!(largest > 0.0) || !(c2 > 0.0)) return 0.0;
  const double x = gap / c2, y = gap / largest;
  const double d_x = (d_gap - x * d_c2) / c2, d_y = (d_gap - y * d_largest) / largest;
  return SmoothSlope(kRoundGap, kFlatGap, x) * d_x * SmoothStep(kLostGap, kResolvedGap, y) +
         SmoothStep(kRoundGap, kFlatGap, x) * SmoothSlope(kLostGap, kResolvedGap, y) * d_y;
}

// Inverse iteration by the adjugate (Gonthier 2007, (A.28) to (A.30)): the determinant is left out,
// since it only scales the iterate and vanishes at the very shift that is looked for, where the
// adjugate is a multiple of the projector on the eigenvector. The shift is the Rayleigh quotient,
// at first the largest eigenvalue, so that the start decides no more than the sign.
void Iterate(const Matrix3d& J, double shift, const ContactNormalOptions& options,
             ContactNormal& result) {
  Vector3d n = result.normal;
  while (result.iterations < options.max_iterations && !result.converged) {
    const Matrix3d inverse = Adjugate(J - shift * Matrix3d::Identity());
    Vector3d next = inverse * n;
    const double norm = next.norm();
    // A start without any part along the eigenvector: take the projector's largest column instead.
    if (!(norm > 1e-8 * inverse.norm())) {
      int column = 0;
      if (inverse.colwise().squaredNorm().maxCoeff(&column) == 0.0) break;
      next = inverse.col(column).normalized();
    } else {
      next /= norm;
    }
    if (next.dot(n) < 0.0) next = -next;
    ++result.iterations;
    const double angle = std::atan2(next.cross(n).norm(), next.dot(n));
    result.converged = angle < options.angle_tolerance;
    n = next;
    shift = n.dot(J * n);
  }
  result.normal = n;
}

// Without an area vector: the previous normal's side, else the largest component positive.
Vector3d FixSign(const Vector3d& n, const Vector3d& previous) {
  const double side = n.dot(previous);
  if (side != 0.0) return side < 0.0 ? -n : n;
  int largest = 0;
  n.cwiseAbs().maxCoeff(&largest);
  return n[largest] < 0.0 ? -n : n;
}

// The start: the previous normal blended with the geometric estimate (A.31).
Vector3d StartNormal(const Vector3d& estimate, const Vector3d& previous, double ratio) {
  const double norm = previous.norm();
  if (!(norm > 0.0)) return estimate;
  const Vector3d blend = ratio / norm * previous + (1.0 - ratio) * estimate;
  return blend.norm() > 1e-6 ? blend.normalized() : estimate;
}

}  // namespace

ContactNormal ComputeContactNormal(const Matrix3d& inertia, const Vector3d& area_vector,
                                   const ContactNormalOptions& options) {
  ContactNormal result;
  const double trace = inertia.trace();
  const double area = area_vector.stableNorm();
  if (!(trace > 0.0)) {
    if (area > 0.0) result.normal = area_vector / area;
    result.converged = area > 0.0;
    return result;
  }
  const Matrix3d J = inertia / trace;
  const bool has_estimate = area > kNoArea * std::pow(trace, 0.4);
  const Vector3d estimate = has_estimate ? Vector3d(area_vector / area) : Vector3d::Zero();
  const auto [largest, middle] = LargestTwoEigenvalues(J);
  const double shape_weight = ShapeWeight(J, largest, middle);
  if (shape_weight == 0.0) {
    result.normal = estimate;
    result.converged = has_estimate;
    return result;
  }
  const Vector3d fallback = has_estimate ? estimate : Vector3d(Vector3d::Ones() / std::sqrt(3.0));
  result.normal = StartNormal(fallback, options.previous, options.previous_ratio);
  Iterate(J, largest, options, result);
  if (!has_estimate) {
    result.normal = FixSign(result.normal, options.previous);
    result.eigenvector_weight = 1.0;
    return result;
  }
  if (result.normal.dot(estimate) < 0.0) result.normal = -result.normal;
  const double angle =
      std::atan2(result.normal.cross(estimate).norm(), result.normal.dot(estimate));
  result.eigenvector_weight = shape_weight * (1.0 - SmoothStep(kNearAngle, kFarAngle, angle));
  // Less than 45° apart wherever both have weight: the sum cannot vanish.
  result.normal =
      (result.eigenvector_weight * result.normal + (1.0 - result.eigenvector_weight) * estimate)
          .normalized();
  return result;
}

Matrix36 ContactNormalDerivative(const Matrix3d& inertia, const Vector3d& area_vector,
                                 const std::array<Matrix3d, 6>& inertia_derivative,
                                 const Matrix36& area_derivative) {
  const double area = area_vector.stableNorm(), trace = inertia.trace();
  if (!(area > 0.0)) throw InvalidInput("the area vector is zero: the normal has no direction");
  const Vector3d e = area_vector / area;
  const Matrix36 d_e = (area_derivative - e * (e.transpose() * area_derivative)) / area;
  if (!(trace > 0.0)) return d_e;
  const Matrix3d J = inertia / trace;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(J);
  const Vector3d& lambda = solver.eigenvalues();  // ascending
  const double shape = ShapeWeight(J, lambda[2], lambda[1]);
  if (shape == 0.0) return d_e;
  const Matrix3d& axes = solver.eigenvectors();
  const Vector3d v = axes.col(2).dot(e) < 0.0 ? Vector3d(-axes.col(2)) : Vector3d(axes.col(2));
  const double angle = std::atan2(v.cross(e).norm(), v.dot(e));
  const double near = 1.0 - SmoothStep(kNearAngle, kFarAngle, angle), weight = shape * near;
  const Vector3d sum = weight * v + (1.0 - weight) * e;
  const double length = sum.norm();
  const Vector3d n = sum / length;
  Matrix36 result;
  for (int k = 0; k < 6; ++k) {
    const Matrix3d& d_J = inertia_derivative[k];
    const Vector3d turn = axes.transpose() * (d_J * v) / trace;
    const Vector3d d_v = turn[0] / (lambda[2] - lambda[0]) * axes.col(0) +
                         turn[1] / (lambda[2] - lambda[1]) * axes.col(1);
    const auto d_lambda = [&](int m) { return axes.col(m).dot(d_J * axes.col(m)) / trace; };
    const double d_shape =
        ShapeWeightSlope(J, lambda[2], lambda[1], d_J.trace() / trace, d_lambda(2), d_lambda(1));
    const double slope = SmoothSlope(kNearAngle, kFarAngle, angle);
    const double d_angle = slope > 0.0 ? -(d_v.dot(e) + v.dot(d_e.col(k))) / std::sin(angle) : 0.0;
    const double d_weight = d_shape * near - shape * slope * d_angle;
    const Vector3d d_sum = weight * d_v + (1.0 - weight) * d_e.col(k) + d_weight * (v - e);
    result.col(k) = (d_sum - n * n.dot(d_sum)) / length;
  }
  return result;
}

VOLCONTACT_NAMESPACE_END
