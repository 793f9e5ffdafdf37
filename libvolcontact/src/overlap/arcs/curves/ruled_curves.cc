#include "overlap/arcs/curves/ruled_curves.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "overlap/arcs/curves/function_zeros.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A quadric that bends less along the rulings of another is flat there.
constexpr double kLeastBend = 1e-4;
// Places around a cone from which coefficients of second degree are made.
constexpr int kPlacesAround = 8;
// Zeros of a discriminant nearer to each other belong to a curve that nearly crosses itself.
constexpr double kNearNode = 1e-3;

// The coefficients of D = b² − g a.
TrigPolynomial Discriminant(const std::array<double, 3>& b, double g, const TrigPolynomial& a) {
  return {b[0] * b[0] + 0.5 * (b[1] * b[1] + b[2] * b[2]) - g * a[0], 2.0 * b[0] * b[1] - g * a[1],
          2.0 * b[0] * b[2] - g * a[2], 0.5 * (b[1] - b[2]) * (b[1] + b[2]) - g * a[3],
          b[1] * b[2] - g * a[4]};
}

// A quadratic form along an ellipse, without its origin's linear terms.
TrigPolynomial QuadraticAlong(const Matrix3d& H, const Vector3d& gradient, double constant,
                              const Ellipse& n) {
  const Vector3d Hc = H * n.cosine, Hs = H * n.sine;
  const double cc = n.cosine.dot(Hc), cs = n.cosine.dot(Hs), ss = n.sine.dot(Hs);
  const Vector3d slope = gradient + 2.0 * H * n.origin;
  return {constant + gradient.dot(n.origin) + n.origin.dot(H * n.origin) + 0.5 * (cc + ss),
          slope.dot(n.cosine), slope.dot(n.sine), 0.5 * (cc - ss), cs};
}

// The discriminant D of a cone's rulings base + N(φ)/y, and how far it is off. It is the same for
// every section of the cone: of one near the cube it has all digits, of one at a far apex few.
TrigPolynomial DiscriminantOfCone(const RuledQuadric& cone, const CurveSurface& other,
                                  double* precision) {
  const double near = cone.NearSection();
  TrigPolynomial D = {};
  double largest = 0.0;
  for (int k = 0; k < kPlacesAround; ++k) {
    const double phi = kFullTurn * k / kPlacesAround, c = std::cos(phi), s = std::sin(phi);
    const Vector3d along = cone.section.At(c, s);
    Vector3d gradient;
    const double value = EvaluateSurface(*other.surface, cone.base + near * along, &gradient);
    const double a = along.dot(other.half_hessian * along), b = 0.5 * gradient.dot(along);
    largest = std::max(largest, std::abs(a) + std::abs(b));
    const double share = (b * b - a * value) / kPlacesAround;
    const TrigPolynomial wave = {1.0, 2.0 * c, 2.0 * s, 2.0 * (c - s) * (c + s), 4.0 * s * c};
    for (std::size_t n = 0; n < D.size(); ++n) D[n] += share * wave[n];
  }
  *precision = kSurfacePrecision * largest;
  return D;
}

// The loop between two zeros of the discriminant, between which it is positive.
void SetOscillation(double low, double high, WholeCurve* curve) {
  curve->oscillates = true;
  curve->middle = 0.5 * (low + high);
  curve->reach = 0.5 * (high - low);
  const double c1 = std::cos(curve->middle), s1 = std::sin(curve->middle);
  const double c2 = (c1 - s1) * (c1 + s1), s2 = 2.0 * s1 * c1;
  const TrigPolynomial& D = curve->D;
  // D(ψ + middle) = (cos ψ − cos reach)(G0 + G1 cos ψ + G2 sin ψ)
  const double d1 = D[1] * c1 + D[2] * s1;
  const double d3 = D[3] * c2 + D[4] * s2, d4 = D[4] * c2 - D[3] * s2;
  curve->G[1] = 2.0 * d3;
  curve->G[2] = 2.0 * d4;
  curve->G[0] = d1 + std::cos(curve->reach) * curve->G[1];
}

}  // namespace

bool AddOnRulings(const RuledQuadric& ruled, const CurveSurface& other,
                  std::vector<WholeCurve>* curves) {
  WholeCurve curve;
  curve.kind = WholeCurve::Kind::kRuled;
  curve.is_closed = true;
  curve.to = kFullTurn;
  curve.quadric = ruled;
  const Matrix3d& H = other.half_hessian;
  Vector3d gradient;
  const double at_base = EvaluateSurface(*other.surface, ruled.base, &gradient);
  double precision;
  if (ruled.is_cone) {
    curve.g = at_base;
    curve.b = ruled.section.Along(0.5 * gradient, 0.0);
    curve.D = DiscriminantOfCone(ruled, other, &precision);
  } else {
    curve.g = ruled.ruling.dot(H * ruled.ruling);
    curve.b = ruled.section.Along(H * ruled.ruling, 0.5 * gradient.dot(ruled.ruling));
    const TrigPolynomial a = QuadraticAlong(H, gradient, at_base, ruled.section);
    curve.D = Discriminant(curve.b, curve.g, a);
    // Coefficients are of order one, and known to a few roundings of that.
    const double of_b = std::abs(curve.b[0]) + Length(curve.b[1], curve.b[2]);
    precision = kSurfacePrecision * (of_b + std::abs(curve.g));
  }
  if (std::abs(curve.g) <= kLeastBend) return false;
  std::vector<double>& zeros = EmptyZeros();
  if (!FindTrigZeros(curve.D, precision, kFirstZero, kFirstZero + kFullTurn, DoubleZeros::kRefused,
                     &zeros))
    return false;
  if (zeros.empty()) {
    if (curve.D[0] <= 0.0) return true;
    for (const double sign : {1.0, -1.0}) {
      curve.sign = sign;
      curves->push_back(curve);
    }
    return true;
  }
  if (zeros.size() % 2 != 0) return false;
  std::sort(zeros.begin(), zeros.end());
  for (std::size_t n = 0; n < zeros.size(); ++n) {
    const double low = zeros[n];
    const double high = n + 1 < zeros.size() ? zeros[n + 1] : zeros[0] + kFullTurn;
    if (high - low < kNearNode) return false;
    double slope;
    const double middle = 0.5 * (low + high);
    if (EvaluateTrig(curve.D, std::cos(middle), std::sin(middle), &slope) <= 0.0) continue;
    SetOscillation(low, high, &curve);
    curves->push_back(curve);
  }
  return true;
}

}  // namespace volcontact
