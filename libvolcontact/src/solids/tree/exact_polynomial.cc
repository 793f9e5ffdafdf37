#include "solids/tree/exact_polynomial.h"

#include <algorithm>

namespace volcontact {

Polynomial<Rational> ExactPolynomial(const PolynomialShape& shape) {
  Polynomial<Rational> f;
  for (const PolynomialTerm& term : shape.terms) {
    const auto& e = term.exponents;
    Rational& coefficient = f.c[MonomialIndex(e[0], e[1], e[2])];
    coefficient = coefficient + Rational(term.coefficient);
  }
  for (int m = 0; m < kMonomialCount[kMaxDegree]; ++m) {
    const auto& e = kMonomialExponents[m];
    if (Sign(f.c[m]) != 0) f.degree = std::max(f.degree, e[0] + e[1] + e[2]);
  }
  return f;
}

}  // namespace volcontact
