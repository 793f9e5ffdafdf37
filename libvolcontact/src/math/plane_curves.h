// Polynomials in two variables and the common zeros of two of them.
#pragma once

#include <array>
#include <vector>

namespace volcontact {

inline constexpr int kMaxCurveDegree = 4;

/// A polynomial in (t, u) of total degree <= 4: c[j][k] is the coefficient of t^j u^k. Coefficients
/// beyond the degree are zero.
struct Bivariate {
  int degree = 0;
  std::array<std::array<double, kMaxCurveDegree + 1>, kMaxCurveDegree + 1> c{};

  /// The same function in t' and u', where t = center_t + half_t t' and u = center_u + half_u u'.
  Bivariate On(double center_t, double half_t, double center_u, double half_u) const;
  Bivariate DerivativeT() const;
  Bivariate DerivativeU() const;
};

struct PlanePoint {
  double t, u;
};

/// The common zeros of f and g in the square [-1, 1]², in no particular order; some on its rim may
/// be given twice or be left out. Each simple zero is found and accurate to rounding. Where zeros
/// are multiple or closer together than `smallest` (in t), points within `smallest` of them in t
/// stand for them, one or more. Replaces `zeros`.
///
/// The square is cut until in each part either a Taylor bound excludes zeros, or f and g,
/// preconditioned by their Jacobian, are so close to (t, u) that there is at most one and Newton's
/// iteration finds it (compare Mourrain & Pavone, J. Symb. Comput. 44 (2009) 292). No resultant is
/// formed: nothing is lost by cancellation, and zeros one above the other are as good as any.
/// Returns how many parts were looked at.
int CommonZeros(const Bivariate& f, const Bivariate& g, double smallest,
                std::vector<PlanePoint>* zeros);

}  // namespace volcontact
