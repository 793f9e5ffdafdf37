// The room `charts`: curves of two surfaces in the parameters of one of them.
//
// In the parameters (u, v) of a surface another one is a small table of coefficients
// (chart_table.h). Where the two nearly coincide the table is the gap between them, and its zeros
// are as generic as those of any other surfaces: cells of the chart need not be as small as the gap
// is, which cells of space must be. surface_chart.h makes charts, chart_curves.h finds the curves,
// chart_arc.h finds their points. docs/theory.md has the mathematics.
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

/// The value of a sum over basis functions, with two derivatives.
struct BasisSums {
  double f, d1, d2;
};

/// A place by what the basis functions there are made of.
struct BasisPlace {
  ChartParameter kind;
  double first, second;  ///< sin t and V of an angle, t and t² of a length

  BasisPlace(ChartParameter of, double t) : kind(of), first(t), second(t * t) {
    if (kind == ChartParameter::kLength) return;
    const double half_sine = std::sin(0.5 * t), half_cosine = std::cos(0.5 * t);
    first = 2.0 * half_sine * half_cosine;
    second = 2.0 * half_sine * half_sine;
  }

  /// Goes on, of an angle by no more than kShortStep.
  void Move(double step) {
    if (kind == ChartParameter::kLength) {
      first += step;
      second = first * first;
      return;
    }
    const double xx = step * step, cosine = 1.0 - second;
    const double sine =
        step * (1.0 - xx * (1.0 / 6.0) * (1.0 - xx * (1.0 / 20.0) * (1.0 - xx * (1.0 / 42.0))));
    const double versed =
        0.5 * xx *
        (1.0 - xx * (1.0 / 12.0) * (1.0 - xx * (1.0 / 30.0) * (1.0 - xx * (1.0 / 56.0))));
    second += cosine * versed + first * sine;
    first += cosine * sine - first * versed;
  }
  /// Taylor's series are cut off beyond rounding.
  static constexpr double kShortStep = 0.02;

  std::array<double, kBasisSize> Functions() const {
    if (kind == ChartParameter::kLength) return {1.0, first, second, 0.0, 0.0};
    return {1.0, first, second, second * first, second * second};
  }
  std::array<double, kBasisSize> Slopes() const {
    if (kind == ChartParameter::kLength) return {0.0, 1.0, 2.0 * first, 0.0, 0.0};
    const double s = first, V = second, c = 1.0 - V;
    return {0.0, c, s, V * c + s * s, 2.0 * V * s};
  }
  std::array<double, kBasisSize> Bends() const {
    if (kind == ChartParameter::kLength) return {0.0, 0.0, 2.0, 0.0, 0.0};
    const double s = first, V = second, c = 1.0 - V;
    return {0.0, -s, c, s * (4.0 * c - 1.0), 2.0 * (s * s + V * c)};
  }

  BasisSums SumsOf(const std::array<double, kBasisSize>& c) const {
    if (kind == ChartParameter::kLength) {
      return {c[0] + first * (c[1] + first * c[2]), c[1] + 2.0 * first * c[2], 2.0 * c[2]};
    }
    const double s = first, V = second, cosine = 1.0 - V;
    const double by_s = c[1] + c[3] * V, half_by_V = c[2] + c[4] * V;
    const double by_V = half_by_V + c[4] * V + c[3] * s;
    return {c[0] + s * by_s + V * half_by_V, cosine * by_s + s * by_V,
            cosine * (by_V + 2.0 * c[3] * s) - s * by_s + 2.0 * c[4] * s * s};
  }
};

/// The basis functions at a place, with two derivatives.
struct BasisValues {
  std::array<double, kBasisSize> f, d1, d2;

  BasisValues(ChartParameter kind, double t) : BasisValues(BasisPlace(kind, t)) {}
  explicit BasisValues(const BasisPlace& at) : f(at.Functions()), d1(at.Slopes()), d2(at.Bends()) {}
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
  return (c[0] * basis[0] + c[1] * basis[1]) + (c[2] * basis[2] + c[3] * basis[3]) +
         c[4] * basis[4];
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

/// A zero, reported twice.
struct BasisZero {
  double at;
  BasisPlace place;
};

/// The zero of a sum over basis functions, monotonic between two places, from a guess. It may lie
/// beyond them by rounding.
inline BasisZero ZeroOf(const std::array<double, kBasisSize>& c, ChartParameter kind, double low,
                        double high, double guess) {
  constexpr int kMostSteps = 60;
  // Halley's method has three times the digits after a step: of the distance between the places, on
  // which the sum is smooth, and of how much its slope changes.
  constexpr double kLastStep = 2e-6;
  constexpr double kBeyond = 1e-9;
  const double width = high - low, room = kBeyond * width;
  low -= room;
  high += room;
  double at = std::clamp(guess, low, high);
  BasisPlace place(kind, at);
  const bool is_rising = place.SumsOf(c).d1 > 0.0;
  for (int n = 0; n < kMostSteps; ++n) {
    const auto [value, slope, bend] = place.SumsOf(c);
    if (value == 0.0) break;
    ((value > 0.0) == is_rising ? high : low) = at;
    double step = -2.0 * value * slope / (2.0 * slope * slope - value * bend);
    // Where that leaves the bracket, or bends back, it is halved.
    if (!(at + step >= low && at + step <= high && step * value * slope < 0.0)) {
      step = 0.5 * (low + high) - at;
    }
    at += step;
    if (std::abs(step) <= BasisPlace::kShortStep) {
      place.Move(step);
    } else {
      place = {kind, at};
    }
    if (std::abs(step) <= kLastStep * width && std::abs(step * bend) <= kLastStep * std::abs(slope))
      break;
  }
  return {at, place};
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
