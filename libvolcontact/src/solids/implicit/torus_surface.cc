#include "solids/implicit/torus_surface.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace volcontact {
namespace {

// What is a torus to this part of its size is one: thinner differences than 1e-8 of the size, to
// ten digits, are not asked for.
constexpr double kRecognized = 1e-18;
// The sheets of fatter ones are nearly one sphere, and their polynomial has no digits left.
constexpr double kFattest = 1e3;

// The product of two polynomials of degree 2 at most, times a factor, added to one of degree 4.
void AddProduct(const SurfacePolynomial& f, const SurfacePolynomial& g, double factor,
                SurfacePolynomial* sum) {
  for (int m = 0; m < f.size(); ++m) {
    if (f.c[m] == DoubleDouble()) continue;
    for (int n = 0; n < g.size(); ++n) {
      const auto &a = kMonomialExponents[m], &b = kMonomialExponents[n];
      sum->c[MonomialIndex(a[0] + b[0], a[1] + b[1], a[2] + b[2])] += factor * (f.c[m] * g.c[n]);
    }
  }
}

// (|x − c|² + R² − r²)² − 4 R² (|x − c|² − (a·(x − c))²).
SurfacePolynomial PolynomialOf(const TorusSurface& torus) {
  const DoubleDouble RR = torus.major * torus.major, rr = torus.minor * torus.minor;
  SurfacePolynomial square, along, one, result;  // |x − c|², 2 R a·(x − c), 1
  square.degree = 2;
  along.degree = 1;
  result.degree = 4;
  one.c[kOne] = 1.0;
  square.c[kOne] = Dot(torus.center, torus.center);
  along.c[kOne] = -2.0 * (torus.major * Dot(torus.axis, torus.center));
  for (int i = 0; i < 3; ++i) {
    square.c[kX + i] = -2.0 * torus.center[i];
    along.c[kX + i] = 2.0 * (torus.major * torus.axis[i]);
  }
  square.c[kXX] = square.c[kYY] = square.c[kZZ] = 1.0;
  SurfacePolynomial sum = square;
  sum.c[kOne] += RR - rr;
  AddProduct(sum, sum, 1.0, &result);
  AddProduct(along, along, 1.0, &result);
  SurfacePolynomial scaled = square;
  for (DoubleDouble& c : scaled.c) c *= RR;
  AddProduct(scaled, one, -4.0, &result);
  return result;
}

// Whether psi is `factor` times the torus's polynomial: its coefficients are compared as they would
// be about the centre, in units of the torus's size.
bool IsTorus(const SurfacePolynomial& psi, const DoubleDouble& factor, const TorusSurface& torus) {
  const SurfacePolynomial expected = PolynomialOf(torus);
  const double size = std::abs(torus.center[0].hi) + std::abs(torus.center[1].hi) +
                      std::abs(torus.center[2].hi) + std::max(torus.major.hi, torus.minor.hi);
  for (int m = 0; m < psi.size(); ++m) {
    const auto& e = kMonomialExponents[m];
    const DoubleDouble difference = psi.c[m] - factor * expected.c[m];
    const double scale = std::abs(factor.hi) * std::pow(size, 4 - e[0] - e[1] - e[2]);
    if (!(std::abs(difference.hi) <= kRecognized * scale)) return false;
  }
  return true;
}

// The unit vector a, to double precision, of q = e a aᵀ − p I, e > 0.
Eigen::Vector3d RoughAxis(const Eigen::Matrix3d& q) {
  const double trace = q.trace();  // e − 3 p
  const double deviator = (q - trace / 3.0 * Eigen::Matrix3d::Identity()).squaredNorm();  // 2/3 e²
  const double e = std::sqrt(1.5 * deviator), p = (e - trace) / 3.0;
  const Eigen::Matrix3d outer = q + p * Eigen::Matrix3d::Identity();
  int column;
  outer.diagonal().maxCoeff(&column);
  return outer.col(column).normalized();
}

}  // namespace

std::optional<TorusSurface> RecognizeAnyTorus(const SurfacePolynomial& psi) {
  if (psi.degree != 4) return std::nullopt;
  const DoubleDouble factor = psi.c[MonomialIndex(4, 0, 0)];
  if (factor.hi == 0.0) return std::nullopt;
  const DoubleDouble inverse = DoubleDouble(1.0) / factor;
  TorusSurface torus;
  torus.positive_inside = factor.hi < 0.0;
  // The terms of third degree are −4 |x|² (c·x).
  const std::array<int, 3> cubes = {MonomialIndex(3, 0, 0), MonomialIndex(0, 3, 0),
                                    MonomialIndex(0, 0, 3)};
  for (int i = 0; i < 3; ++i) torus.center[i] = -0.25 * (psi.c[cubes[i]] * inverse);
  // Those of second degree, about the centre: 4 R² (a·x)² − 2 (R² + r²) |x|².
  const DoubleDouble cc = Dot(torus.center, torus.center);
  Matrix3dd q;
  Eigen::Matrix3d rough;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double share = i == j ? 1.0 : 0.5;
      q[i][j] =
          share * (psi.c[ProductIndex(i, j)] * inverse) - 4.0 * (torus.center[i] * torus.center[j]);
      if (i == j) q[i][j] -= 2.0 * cc;
      rough(i, j) = q[i][j].hi;
    }
  }
  const Eigen::Vector3d about = RoughAxis(rough);
  if (!about.allFinite()) return std::nullopt;
  // Rayleigh's quotient doubles the digits: 2 (R² − r²) along the axis, −2 (R² + r²) across it.
  const Vector3dd a = ToDoubleDouble(about);
  const Vector3dd qa = {Dot(q[0], a), Dot(q[1], a), Dot(q[2], a)};
  const DoubleDouble along = Dot(a, qa) / Dot(a, a);
  const DoubleDouble difference = 0.5 * along;
  const DoubleDouble sum = 0.25 * (along - (q[0][0] + q[1][1] + q[2][2]));
  const DoubleDouble major_squared = 0.5 * (sum + difference);
  const DoubleDouble minor_squared = 0.5 * (sum - difference);
  if (!(minor_squared.hi > 0.0) || !(kFattest * kFattest * major_squared.hi >= minor_squared.hi)) {
    return std::nullopt;
  }
  torus.major = Sqrt(major_squared);
  torus.minor = Sqrt(minor_squared);
  // The axis again, from (q + 2 (R² + r²)) a = 4 R² a.
  const DoubleDouble shift = 2.0 * sum;
  torus.axis = Normalized({qa[0] + shift * a[0], qa[1] + shift * a[1], qa[2] + shift * a[2]});
  if (!IsTorus(psi, factor, torus)) return std::nullopt;
  return torus;
}

std::optional<TorusSurface> RecognizeTorus(const SurfacePolynomial& psi) {
  const std::optional<TorusSurface> torus = RecognizeAnyTorus(psi);
  return torus && !torus->IsSpindle() ? torus : std::nullopt;
}

}  // namespace volcontact
