#include "solids/implicit/surface_kind.h"

#include <algorithm>
#include <cmath>

#include "math/arithmetic/vector_double_double.h"
#include "solids/implicit/torus_surface.h"

namespace volcontact {
namespace {

// Determinants and products with roundings of double-double are zero below these parts of their
// terms.
constexpr double kSingular = 1e-24, kThroughCenter = 1e-27;
// At a centre far off the coefficients' own roundings are a multiple of the first part of psi's
// terms. Below the second, of the determinant, cones are too near to cylinders for doubles.
constexpr double kAtFarCenter = 1e-30, kNearCylinder = 1e-12;

// psi = x'Hx + g'x + c. What is left of c and g where the poses' translations cancel is rounding:
// they come from terms as large as the last two.
struct QuadricTerms {
  Matrix3dd H;
  Vector3dd g;
  DoubleDouble c;
  double largest_H, of_g, of_c;
};

Matrix3dd Adjugate(const Matrix3dd& H) {
  Matrix3dd adjugate;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      adjugate[i][j] = H[j1][i1] * H[j2][i2] - H[j1][i2] * H[j2][i1];
    }
  }
  return adjugate;
}

double Largest(const Matrix3dd& M) {
  double largest = 0.0;
  for (const Vector3dd& row : M) {
    for (const DoubleDouble& entry : row) largest = std::max(largest, std::abs(entry.hi));
  }
  return largest;
}

QuadricTerms TermsOf(const SurfacePolynomial& psi, double length) {
  QuadricTerms terms;
  terms.H = SecondDerivatives(psi);
  for (int i = 0; i < 3; ++i) {
    terms.g[i] = psi.c[kX + i];
    for (DoubleDouble& entry : terms.H[i]) entry = 0.5 * entry;
  }
  terms.c = psi.c[kOne];
  terms.largest_H = Largest(terms.H);
  terms.of_g = terms.largest_H * length;
  terms.of_c = terms.of_g * length;
  return terms;
}

// Whether c − value is nothing beside its terms, at a centre of that square from the origin.
bool IsZeroAtCenter(const QuadricTerms& terms, const DoubleDouble& value, double square) {
  const double size = std::max({std::abs(terms.c.hi), std::abs(value.hi), terms.of_c});
  const double rounding = std::max(kThroughCenter * size, kAtFarCenter * terms.largest_H * square);
  return std::abs((terms.c - value).hi) <= rounding;
}

// Whether psi, which does not depend on the coordinate `axis` but through the others, is zero at
// the centre of its conic across that axis: two planes.
bool IsPlanePair(const QuadricTerms& terms, const DoubleDouble& minor, int axis) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const DoubleDouble &u = terms.g[i], &v = terms.g[j];
  const DoubleDouble product =
      terms.H[j][j] * u * u - 2.0 * terms.H[i][j] * u * v + terms.H[i][i] * v * v;
  return IsZeroAtCenter(terms, DoubleDouble(0.25) * product / minor, 0.0);
}

// One direction without curvature, the largest column k of the adjugate μ k k': a cylinder when the
// slope is zero there, too, else a paraboloid.
SurfaceKind KindOfRankTwo(const QuadricTerms& terms, const Matrix3dd& adjugate) {
  int column = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(adjugate[i][i].hi) > std::abs(adjugate[column][column].hi)) column = i;
  }
  const Vector3dd& k = adjugate[column];
  double size = 0.0;
  for (int i = 0; i < 3; ++i)
    size += std::abs(k[i].hi) * std::max(std::abs(terms.g[i].hi), terms.of_g);
  if (std::abs(Dot(k, terms.g).hi) <= kSingular * size) {
    return IsPlanePair(terms, k[column], column) ? SurfaceKind::kOther : SurfaceKind::kCylinder;
  }
  return k[column].hi > 0.0 ? SurfaceKind::kElliptic : SurfaceKind::kSaddle;
}

SurfaceKind KindOfFullRank(const QuadricTerms& terms, const Matrix3dd& adjugate,
                           const DoubleDouble& determinant) {
  const bool definite = adjugate[2][2].hi > 0.0 && terms.H[0][0].hi * determinant.hi > 0.0;
  DoubleDouble quarter(0.0);
  double square = 0.0;
  for (int i = 0; i < 3; ++i) {
    const DoubleDouble along = Dot(adjugate[i], terms.g);
    quarter = quarter + terms.g[i] * along;
    square += std::pow(0.5 * along.hi / determinant.hi, 2);
  }
  quarter = quarter * DoubleDouble(0.25) / determinant;
  if (IsZeroAtCenter(terms, quarter, square)) {
    const double largest = terms.largest_H * Largest(adjugate);
    const bool is_cone = !definite && std::abs(determinant.hi) > kNearCylinder * largest;
    return is_cone ? SurfaceKind::kCone : SurfaceKind::kOther;
  }
  if (definite) return SurfaceKind::kElliptic;
  // With the sign that makes two eigenvalues positive, a hyperboloid of two sheets is positive at
  // its centre.
  const double sign = determinant.hi < 0.0 ? 1.0 : -1.0;
  return sign * (terms.c - quarter).hi > 0.0 ? SurfaceKind::kElliptic : SurfaceKind::kSaddle;
}

}  // namespace

SurfaceKind KindOf(const SurfacePolynomial& psi, double length) {
  if (psi.degree == 1) return SurfaceKind::kPlane;
  if (psi.degree == 4 && RecognizeAnyTorus(psi)) return SurfaceKind::kTorus;
  if (psi.degree != 2) return SurfaceKind::kOther;
  const QuadricTerms terms = TermsOf(psi, length);
  const double scale = terms.largest_H;
  const Matrix3dd adjugate = Adjugate(terms.H);
  if (Largest(adjugate) <= kSingular * scale * scale) return SurfaceKind::kOther;
  const DoubleDouble determinant =
      Dot(terms.H[0], Vector3dd{adjugate[0][0], adjugate[1][0], adjugate[2][0]});
  if (std::abs(determinant.hi) <= kSingular * scale * scale * scale) {
    return KindOfRankTwo(terms, adjugate);
  }
  return KindOfFullRank(terms, adjugate, determinant);
}

}  // namespace volcontact
