// The room `charts`: curves of two surfaces in the parameters of one of them.
//
// In the parameters (u, v) of a surface another one is a small table of coefficients
// (chart_table.h). Where the two nearly coincide the table is the gap between them, and its zeros
// are as generic as those of any other surfaces: cells of the chart need not be as small as the gap
// is, which cells of space must be. surface_chart.h makes charts, chart_curves.h finds the curves,
// chart_arc.h tells their points. docs/theory.md has the mathematics.
//
// Functions on a chart as tables.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace volcontact {

/// What a parameter of a chart is. Functions of it are sums over five basis functions:
/// 1, sin t, V, V sin t and V² of an angle, with V = 1 − cos t; 1, t and t² of a length. All but
/// the first vanish at 0, so that next to the chart's base nothing cancels.
enum class ChartParameter { kAngle, kLength };

inline constexpr int kBasisSize = 5;

/// The basis functions at a place, with two derivatives.
struct BasisValues {
  std::array<double, kBasisSize> f, d1, d2;

  BasisValues(ChartParameter kind, double t) {
    if (kind == ChartParameter::kLength) {
      f = {1.0, t, t * t, 0.0, 0.0};
      d1 = {0.0, 1.0, 2.0 * t, 0.0, 0.0};
      d2 = {0.0, 0.0, 2.0, 0.0, 0.0};
      return;
    }
    const double half_sine = std::sin(0.5 * t), half_cosine = std::cos(0.5 * t);
    const double s = 2.0 * half_sine * half_cosine, V = 2.0 * half_sine * half_sine, c = 1.0 - V;
    f = {1.0, s, V, V * s, V * V};
    d1 = {0.0, c, s, V * c + s * s, 2.0 * V * s};
    d2 = {0.0, -s, c, s * (4.0 * c - 1.0), 2.0 * (s * s + V * c)};
  }
};

/// Bounds of the basis functions' moduli and of those of three derivatives, up to a distance from
/// 0.
struct BasisBounds {
  std::array<double, kBasisSize> f, d1, d2, d3;

  BasisBounds(ChartParameter kind, double farthest) {
    const double t = farthest;
    if (kind == ChartParameter::kLength) {
      f = {1.0, t, t * t, 0.0, 0.0};
      d1 = {0.0, 1.0, 2.0 * t, 0.0, 0.0};
      d2 = {0.0, 0.0, 2.0, 0.0, 0.0};
      d3 = {};
      return;
    }
    const double s = std::min(1.0, t), V = std::min(2.0, 0.5 * t * t);
    f = {1.0, s, V, std::min(1.3, V * s), V * V};
    d1 = {0.0, 1.0, s, std::min(2.0, 1.5 * t * t), std::min(2.6, 2.0 * V * s)};
    d2 = {0.0, s, 1.0, std::min(4.3, 5.0 * s), std::min(4.0, 3.0 * t * t)};
    d3 = {0.0, 1.0, s, 5.0, std::min(6.0, 10.0 * s)};
  }
};

/// A function of degree one in the basis of either parameter: Σ c[m][n] f_m(u) f_n(v), m, n < 3.
template <class T>
using ChartFactor = std::array<std::array<T, 3>, 3>;

/// A function on a chart: Σ c[m][n] f_m(u) f_n(v).
template <class T>
using ChartTable = std::array<std::array<T, kBasisSize>, kBasisSize>;

/// A sum over the basis functions.
inline double SumOf(const std::array<double, kBasisSize>& c,
                    const std::array<double, kBasisSize>& basis) {
  return c[0] * basis[0] + c[1] * basis[1] + c[2] * basis[2] + c[3] * basis[3] + c[4] * basis[4];
}

/// The coefficients that are left of a table where u, or else v, has a value.
inline std::array<double, kBasisSize> Restrict(const ChartTable<double>& table, bool is_u,
                                               const std::array<double, kBasisSize>& basis) {
  std::array<double, kBasisSize> result = {};
  for (int m = 0; m < kBasisSize; ++m) {
    if (!is_u) {
      result[m] = SumOf(table[m], basis);
      continue;
    }
    for (int n = 0; n < kBasisSize; ++n) result[n] += table[m][n] * basis[m];
  }
  return result;
}

/// A table's value with derivatives.
struct TableValues {
  double f = 0.0, u = 0.0, v = 0.0, uu = 0.0, uv = 0.0, vv = 0.0;

  TableValues(const ChartTable<double>& table, const BasisValues& in_u, const BasisValues& in_v) {
    for (int m = 0; m < kBasisSize; ++m) {
      const double along = SumOf(table[m], in_v.f), first = SumOf(table[m], in_v.d1);
      f += in_u.f[m] * along;
      u += in_u.d1[m] * along;
      uu += in_u.d2[m] * along;
      v += in_u.f[m] * first;
      uv += in_u.d1[m] * first;
      vv += in_u.f[m] * SumOf(table[m], in_v.d2);
    }
  }
};

/// The zero of a sum over basis functions, monotonic between two places, from a guess. It may lie
/// beyond them by rounding.
inline double ZeroOf(const std::array<double, kBasisSize>& c, ChartParameter kind, double low,
                     double high, double guess) {
  constexpr int kMostSteps = 60;
  // Newton's method has doubled its digits after a step.
  constexpr double kLastStep = 1e-9;
  constexpr double kBeyond = 1e-9;
  const double room = kBeyond * (high - low);
  low -= room;
  high += room;
  double x = std::clamp(guess, low, high);
  const bool is_rising = SumOf(c, BasisValues(kind, x).d1) > 0.0;
  for (int n = 0; n < kMostSteps; ++n) {
    const BasisValues basis(kind, x);
    const double value = SumOf(c, basis.f);
    if (value == 0.0) return x;
    ((value > 0.0) == is_rising ? high : low) = x;
    // Where Newton's step leaves the bracket that is halved.
    double next = x - value / SumOf(c, basis.d1);
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const double step = std::abs(next - x);
    x = next;
    if (step <= kLastStep * (1.0 + std::abs(x))) break;
  }
  return x;
}

namespace chart_detail {

/// The product of two basis functions of degree one as a sum of two others with factors.
struct Product {
  int index[2];
  double factor[2];
};

constexpr Product ProductOf(ChartParameter kind, int i, int j) {
  if (i == 0 || j == 0) return {{i + j, 0}, {1.0, 0.0}};
  if (kind == ChartParameter::kLength) return {{2, 0}, {i + j == 2 ? 1.0 : 0.0, 0.0}};
  if (i + j == 2) return {{2, 4}, {2.0, -1.0}};  // sin² = 2 V − V²
  return {{i + j, 0}, {1.0, 0.0}};               // V sin; V²
}

}  // namespace chart_detail

/// Adds a multiple of the product of two functions of degree one, whose parameters are of these
/// kinds. A length occurs in factors as 1 and t only.
template <class T>
void AddProduct(ChartParameter u, ChartParameter v, const T& scale, const ChartFactor<T>& a,
                const ChartFactor<T>& b, ChartTable<T>* sum) {
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (static_cast<double>(a[i][k]) == 0.0) continue;
      const T left = scale * a[i][k];
      for (int j = 0; j < 3; ++j) {
        const auto in_u = chart_detail::ProductOf(u, i, j);
        for (int l = 0; l < 3; ++l) {
          if (static_cast<double>(b[j][l]) == 0.0) continue;
          const T term = left * b[j][l];
          const auto in_v = chart_detail::ProductOf(v, k, l);
          for (int p = 0; p < 2; ++p) {
            for (int q = 0; q < 2; ++q) {
              const double factor = in_u.factor[p] * in_v.factor[q];
              if (factor != 0.0) (*sum)[in_u.index[p]][in_v.index[q]] += term * T(factor);
            }
          }
        }
      }
    }
  }
}

/// Adds a multiple of a function of degree one.
template <class T>
void AddFactor(const T& scale, const ChartFactor<T>& a, ChartTable<T>* sum) {
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) (*sum)[i][k] += scale * a[i][k];
  }
}

}  // namespace volcontact
