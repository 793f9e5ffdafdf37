#include "solids/implicit/polynomial_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/arithmetic/polynomial.h"
#include "solids/implicit/primitive_surfaces.h"
#include "solids/tree/exact_polynomial.h"

namespace volcontact {
namespace {

using Form = Polynomial<double>;

// The root of BeyondRoot is found to this part of it, and passed by more.
constexpr double kRootPrecision = 0.005, kBeyond = 1.01;

double SumOfDegree(const Form& f, int d) {
  double sum = 0.0;
  for (int m = FirstOfDegree(d); m < kMonomialCount[d]; ++m) sum += std::abs(f.c[m]);
  return sum;
}

// Rounded coefficients, scaled to order one.
Form RoundedPolynomial(const PolynomialShape& shape) {
  const Polynomial<Rational> exact = ExactPolynomial(shape);
  double largest = 0.0;
  for (const PolynomialTerm& term : shape.terms) {
    largest = std::max(largest, std::abs(term.coefficient));
  }
  const Rational scale(UnitScale(largest));
  Form f;
  f.degree = exact.degree;
  for (int m = 0; m < f.size(); ++m) f.c[m] = ToDouble(Rational(exact.c[m] * scale));
  return f;
}

// Lower bound of a homogeneous quartic over the cube |x|_max = 1, by subdivision of its faces into
// squares.
class LeadingFormBound {
 public:
  explicit LeadingFormBound(const Form& form) : form_(form), size_(SumOfDegree(form, 4)) {}

  // Zero when no positive bound was found.
  double Find() {
    // The form is even: opposite faces are alike.
    for (int axis = 0; axis < 3; ++axis) {
      std::array<double, 3> center = {0.0, 0.0, 0.0};
      center[axis] = 1.0;
      if (!Visit(axis, center, 1.0, 0)) return 0.0;
    }
    return bound_;
  }

 private:
  static constexpr int kMaxDepth = 8;
  // A bound of this part of the value is good; from this depth on any will do.
  static constexpr double kGoodPart = 0.5;
  static constexpr int kContentDepth = 4;
  // Substitute and the sum below take fewer than 10⁴ operations on numbers that the coefficients'
  // sum times 3⁴ bounds; their roundings stay far below this multiple of it.
  static constexpr double kRounding = 1e-11;
  static constexpr double kMargin = 1e-10;

  bool Visit(int axis, const std::array<double, 3>& center, double half_width, int depth) {
    std::array<std::array<double, 3>, 3> M{};
    for (int i = 0; i < 3; ++i) M[i][i] = i == axis ? 0.0 : half_width;
    const Form local = Substitute(form_, M, center);
    if (local.c[kOne] <= kMargin * size_) return false;
    const double lower = LowerBoundOverUnitCube(local) - kRounding * size_;
    // A bound of a good part of the value costs few more squares and keeps the cube tight.
    if (lower >= kGoodPart * local.c[kOne] || (lower > 0.0 && depth >= kContentDepth)) {
      bound_ = std::min(bound_, lower);
      return true;
    }
    return depth < kMaxDepth && VisitQuarters(axis, center, 0.5 * half_width, depth + 1);
  }

  bool VisitQuarters(int axis, const std::array<double, 3>& center, double half_width, int depth) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const double du : {-half_width, half_width}) {
      for (const double dv : {-half_width, half_width}) {
        std::array<double, 3> quarter = center;
        quarter[u] += du;
        quarter[v] += dv;
        if (!Visit(axis, quarter, half_width, depth)) return false;
      }
    }
    return true;
  }

  // Monomials lie in [−1, 1], squares of monomials in [0, 1].
  static double LowerBoundOverUnitCube(const Form& f) {
    double bound = f.c[kOne];
    for (int m = 1; m < f.size(); ++m) {
      const auto& e = kMonomialExponents[m];
      const bool square = e[0] % 2 == 0 && e[1] % 2 == 0 && e[2] % 2 == 0;
      bound -= square ? std::max(0.0, -f.c[m]) : std::abs(f.c[m]);
    }
    return bound;
  }

  const Form& form_;
  double size_;
  double bound_ = std::numeric_limits<double>::infinity();
};

// A number beyond the positive root of m r⁴ − s3 r³ − s2 r² − s1 r − s0 with all s >= 0, by at most
// two per cent. There is one such root (Descartes); Fujiwara's bound is where the bisection starts.
double BeyondRoot(double m, const std::array<double, 4>& s) {
  double high = 0.0;
  for (int d = 0; d < 4; ++d) high = std::max(high, 2.0 * std::pow(s[d] / m, 1.0 / (4 - d)));
  const auto is_beyond = [&](double r) {
    return m * r * r * r * r > ((s[3] * r + s[2]) * r + s[1]) * r + s[0];
  };
  for (double low = 0.0; high - low > kRootPrecision * high;) {
    const double middle = 0.5 * (low + high);
    (is_beyond(middle) ? high : low) = middle;
  }
  // The sign's rounding displaces the root by a relative 1e-14 at most.
  return kBeyond * high;
}

}  // namespace

std::optional<BoxShape> EnclosingCube(const PolynomialShape& shape, bool complemented) {
  Form f = RoundedPolynomial(shape);
  if (f.degree != 4) return std::nullopt;
  if (complemented) f = -f;
  Form leading = f;
  std::fill(leading.c.begin(), leading.c.begin() + FirstOfDegree(4), 0.0);
  const double bound = LeadingFormBound(leading).Find();
  if (!(bound > 0.0)) return std::nullopt;
  // Where r = |x|_max, f >= bound·r⁴ − (sum of coefficients of degree d)·r^d.
  std::array<double, 4> sums;
  for (int d = 0; d < 4; ++d) sums[d] = SumOfDegree(f, d);
  const double size = 2.0 * BeyondRoot(bound, sums);
  if (!std::isfinite(size)) return std::nullopt;
  return BoxShape{{size, size, size}};
}

}  // namespace volcontact
