#include "solids/implicit/quadratic_form.h"

#include "math/arithmetic/polynomial.h"
#include "solids/tree/exact_polynomial.h"

namespace volcontact {
namespace {

using Matrix = std::array<std::array<Rational, 3>, 3>;

// The principal minor of rows and columns i and j.
Rational Minor(const Matrix& A, int i, int j) { return A[i][i] * A[j][j] - A[i][j] * A[j][i]; }

Rational Determinant(const Matrix& A) {
  return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
         A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
         A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

QuadraticForm FormOf(const QuadricShape& shape) {
  const auto entry = [&](int i, int j) {
    return Rational(Rational(shape.matrix[i][j]) + Rational(shape.matrix[j][i]));
  };
  QuadraticForm form;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) form.A[i][j] = entry(i, j);
    form.b[i] = entry(i, 3);
  }
  form.c = entry(3, 3);
  return form;
}

QuadraticForm FormOf(const Polynomial<Rational>& f) {
  QuadraticForm form;
  form.A = SecondDerivatives(f);
  for (int i = 0; i < 3; ++i) form.b[i] = f.c[kX + i];
  form.c = Rational(2.0) * f.c[kOne];
  return form;
}

}  // namespace

QuadraticForm QuadraticForm::operator-() const {
  QuadraticForm result = *this;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result.A[i][j] = -A[i][j];
    result.b[i] = -b[i];
  }
  result.c = -c;
  return result;
}

std::optional<QuadraticForm> QuadraticFormOf(const Shape& shape) {
  if (const auto* quadric = std::get_if<QuadricShape>(&shape)) return FormOf(*quadric);
  if (const auto* polynomial = std::get_if<PolynomialShape>(&shape)) {
    const Polynomial<Rational> f = ExactPolynomial(*polynomial);
    if (f.degree <= 2) return FormOf(f);
  }
  return std::nullopt;
}

Matrix InverseOf(const Matrix& A) {
  const Rational determinant = Determinant(A);
  Matrix inverse;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      // The cofactor of A_ji, its sign included by the cyclic choice of rows and columns.
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[i][j] = (A[a][c] * A[b][d] - A[a][d] * A[b][c]) / determinant;
    }
  }
  return inverse;
}

bool IsPositiveDefinite(const Matrix& A) {
  return A[0][0] > 0 && Minor(A, 0, 1) > 0 && Determinant(A) > 0;
}

// Unlike definiteness this asks for all principal minors.
bool IsPositiveSemidefinite(const Matrix& A) {
  for (int i = 0; i < 3; ++i) {
    if (A[i][i] < 0 || Minor(A, i, (i + 1) % 3) < 0) return false;
  }
  return Determinant(A) >= 0;
}

}  // namespace volcontact
