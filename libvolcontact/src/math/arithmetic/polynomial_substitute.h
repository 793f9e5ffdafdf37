// Definition of Substitute for polynomials; included by math/arithmetic/polynomial.h.
#pragma once

#include "math/arithmetic/polynomial.h"

namespace volcontact {
namespace internal {

template <class T>
bool IsZero(const T& value) {
  return value == T(0.0);
}

/// f·(l0 + l·y), of degree f.degree + 1.
template <class T>
Polynomial<T> TimesLinear(const Polynomial<T>& f, const std::array<T, 3>& l, const T& l0) {
  Polynomial<T> result;
  result.degree = f.degree + 1;
  for (int m = 0; m < f.size(); ++m) {
    if (IsZero(f.c[m])) continue;
    const auto& e = kMonomialExponents[m];
    result.c[m] = result.c[m] + f.c[m] * l0;
    const int x = MonomialIndex(e[0] + 1, e[1], e[2]);
    const int y = MonomialIndex(e[0], e[1] + 1, e[2]);
    const int z = MonomialIndex(e[0], e[1], e[2] + 1);
    result.c[x] = result.c[x] + f.c[m] * l[0];
    result.c[y] = result.c[y] + f.c[m] * l[1];
    result.c[z] = result.c[z] + f.c[m] * l[2];
  }
  return result;
}

/// Linear case of Substitute, b'M y + (b'p + c): without the images of 35 monomials, the memory of
/// which takes a tenth of a query of parts with many planes.
template <class T>
Polynomial<T> SubstituteLinear(const Polynomial<T>& f, const std::array<std::array<T, 3>, 3>& M,
                               const std::array<T, 3>& p) {
  Polynomial<T> result;
  result.degree = f.degree;
  result.c[kOne] = f.c[kOne];
  for (int k = 0; k < 3; ++k) {
    const T& b = f.c[kX + k];
    if (IsZero(b)) continue;
    result.c[kOne] = result.c[kOne] + b * p[k];
    for (int i = 0; i < 3; ++i) result.c[kX + i] = result.c[kX + i] + b * M[k][i];
  }
  return result;
}

/// Quadratic case of Substitute by its matrix form: y'(M'QM)y + (2Qp + b)'M y + f(p).
template <class T>
Polynomial<T> SubstituteQuadratic(const Polynomial<T>& f, const std::array<std::array<T, 3>, 3>& M,
                                  const std::array<T, 3>& p) {
  const auto& c = f.c;
  // D = 2Q, symmetric; G = D M; gradient at p: D p + b.
  const std::array<std::array<T, 3>, 3> D = SecondDerivatives(f);
  std::array<std::array<T, 3>, 3> G;
  std::array<T, 3> gradient, half_dp;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      G[i][j] = D[i][0] * M[0][j] + D[i][1] * M[1][j] + D[i][2] * M[2][j];
    }
    const T dp = D[i][0] * p[0] + D[i][1] * p[1] + D[i][2] * p[2];
    half_dp[i] = dp * T(0.5) + c[kX + i];
    gradient[i] = dp + c[kX + i];
  }
  Polynomial<T> result;
  result.degree = 2;
  result.c[kOne] = c[kOne] + half_dp[0] * p[0] + half_dp[1] * p[1] + half_dp[2] * p[2];
  const T half(0.5);
  for (int i = 0; i < 3; ++i) {
    result.c[kX + i] = gradient[0] * M[0][i] + gradient[1] * M[1][i] + gradient[2] * M[2][i];
    for (int j = i; j < 3; ++j) {
      const T entry = M[0][i] * G[0][j] + M[1][i] * G[1][j] + M[2][i] * G[2][j];
      result.c[ProductIndex(i, j)] = i == j ? entry * half : entry;
    }
  }
  return result;
}

}  // namespace internal

template <class T>
Polynomial<T> Substitute(const Polynomial<T>& f, const std::array<std::array<T, 3>, 3>& M,
                         const std::array<T, 3>& p) {
  if (f.degree <= 1) return internal::SubstituteLinear(f, M, p);
  if (f.degree == 2) return internal::SubstituteQuadratic(f, M, p);
  // Each monomial's image is its parent's image times a linear form; parents come first in the
  // graded order. Images no coefficient needs are skipped.
  std::array<bool, 35> needed{};
  std::array<int, 35> parent{}, axis{};
  for (int m = f.size() - 1; m > 0; --m) {
    auto e = kMonomialExponents[m];
    axis[m] = e[0] > 0 ? 0 : (e[1] > 0 ? 1 : 2);
    --e[axis[m]];
    parent[m] = MonomialIndex(e[0], e[1], e[2]);
    if (!internal::IsZero(f.c[m])) needed[m] = true;
    if (needed[m]) needed[parent[m]] = true;
  }
  Polynomial<T> result;
  result.degree = f.degree;
  result.c[kOne] = f.c[kOne];
  std::array<Polynomial<T>, 35> image;
  image[0].c[kOne] = T(1.0);
  for (int m = 1; m < f.size(); ++m) {
    if (!needed[m]) continue;
    image[m] = internal::TimesLinear(image[parent[m]], M[axis[m]], p[axis[m]]);
    if (internal::IsZero(f.c[m])) continue;
    for (int n = 0; n < image[m].size(); ++n) {
      result.c[n] = result.c[n] + f.c[m] * image[m].c[n];
    }
  }
  return result;
}

}  // namespace volcontact
