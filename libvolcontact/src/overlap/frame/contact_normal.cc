#include "volcontact/overlap/contact_normal.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/adjugate.h"

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

VOLCONTACT_NAMESPACE_END
