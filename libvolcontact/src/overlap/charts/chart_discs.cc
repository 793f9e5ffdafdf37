// Arcs on charts at complex parameters.
#include <array>
#include <limits>

#include "math/arithmetic/discs.h"
#include "overlap/charts/chart_arc.h"

namespace volcontact {
namespace {

// Zeros are looked for in what a step of Newton's method takes, times the first; where that is too
// little, in what it took, times the second, so often.
constexpr double kFirstRoom = 1.5, kNextRoom = 1.3;
constexpr int kRooms = 4;

// The basis functions at several places or on discs, with their derivatives.
template <class T>
struct BasisOn {
  std::array<T, kBasisSize> f, d1;

  BasisOn(ChartParameter kind, const T& t) {
    f[0] = 1.0;
    if (kind == ChartParameter::kLength) {
      f[1] = t;
      f[2] = t * t;
      d1[1] = 1.0;
      d1[2] = 2.0 * t;
      return;
    }
    T s, c;
    FindSineCosine(t, &s, &c);
    const T V = 1.0 - c;
    f[1] = s;
    f[2] = V;
    f[3] = V * s;
    f[4] = V * V;
    d1 = {0.0, c, s, V * c + s * s, 2.0 * (V * s)};
  }
};

Discs SumOn(const std::array<Discs, kBasisSize>& c, const std::array<Discs, kBasisSize>& basis) {
  Discs sum;
  for (int n = 0; n < kBasisSize; ++n) sum += c[n] * basis[n];
  return sum;
}

std::array<Discs, kBasisSize> RestrictOn(const ChartTable<double>& table, bool is_u,
                                         const std::array<Discs, kBasisSize>& basis) {
  std::array<Discs, kBasisSize> result;
  for (int m = 0; m < kBasisSize; ++m) {
    for (int n = 0; n < kBasisSize; ++n) {
      result[m] += (is_u ? table[n][m] : table[m][n]) * basis[n];
    }
  }
  return result;
}

// The sum at several places where coefficients are taken by one of their terms.
Lanes SumOf(const std::array<Discs, kBasisSize>& c, Lanes Discs::*term,
            const std::array<Lanes, kBasisSize>& basis) {
  Lanes sum;
  for (int n = 0; n < kBasisSize; ++n) sum += c[n].*term * basis[n];
  return sum;
}

// Where a zero goes on from w by terms of first and second order.
Discs ParabolaOf(const std::array<Discs, kBasisSize>& c, ChartParameter kind, const Lanes& w) {
  const BasisOn<Lanes> at(kind, w);
  std::array<Lanes, kBasisSize> d2 = {0.0, -1.0 * at.f[1], at.d1[1],
                                      at.f[1] * (3.0 - 4.0 * at.f[2]),
                                      2.0 * (at.f[1] * at.f[1] + at.f[2] * at.d1[1])};
  if (kind == ChartParameter::kLength) d2 = {0.0, 0.0, 2.0, 0.0, 0.0};
  const Lanes inverse = -1.0 / SumOf(c, &Discs::center, at.d1);
  const Lanes slope = SumOf(c, &Discs::slope, at.f) * inverse;
  const Lanes changes = SumOf(c, &Discs::slope, at.d1) + 0.5 * slope * SumOf(c, &Discs::center, d2);
  return {w, slope, (SumOf(c, &Discs::bend, at.f) + slope * changes) * inverse, 0.0};
}

// The basis at what holds the zeros of a table that go on from w for its parameters on discs: with
// F the value where w goes on along a parabola, and R the greatest distance from there, F/F_w is no
// more than R for all w within R (interval Newton method).
BasisOn<Discs> ZerosOn(const std::array<Discs, kBasisSize>& c, ChartParameter kind,
                       const Lanes& w) {
  Discs zeros = ParabolaOf(c, kind, w);
  const BasisOn<Discs> along(kind, zeros);
  const Lanes off = SumOn(c, along.f).Magnitude();
  zeros.rest = kFirstRoom * off / AbsoluteOf(SumOn(c, along.d1).center);
  for (int n = 0; n < kRooms; ++n) {
    const BasisOn<Discs> basis(kind, zeros);
    const Discs slopes = SumOn(c, basis.d1);
    const Lanes least = AbsoluteOf(slopes.center) - slopes.Radius(), needed = off / least;
    bool is_held = true;
    for (std::size_t k = 0; k < Lanes::kCount; ++k) {
      is_held &= least.x[k] > 0.0 && needed.x[k] <= zeros.rest.x[k];
    }
    if (is_held) return basis;
    zeros.rest = WhereNegative(needed - zeros.rest, zeros.rest, kNextRoom * needed);
  }
  zeros.rest = std::numeric_limits<double>::infinity();
  return {kind, zeros};
}

}  // namespace

void ChartArc::On(const Discs& theta, std::array<Discs, 3>* p,
                  std::array<Discs, 3>* derivative) const {
  const SurfaceChart& chart = pair->chart;
  Discs sine, cosine;
  FindSineCosine(theta, &sine, &cosine);
  const Discs t = middle_ + reach_ * sine, by_theta = reach_ * cosine;
  const BasisOn<Discs> at_t(OfT(), t);
  const auto c = RestrictOn(pair->table, is_over_u, at_t.f);
  const auto by_t = RestrictOn(pair->table, is_over_u, at_t.d1);
  Lanes start;
  for (std::size_t k = 0; k < Lanes::kCount; ++k) {
    const double at = t.center.x[k];
    const bool is_on_arc = at >= knots.front().t && at <= knots.back().t;
    start.x[k] = is_on_arc ? ZeroAt(at) : std::nan("");
  }
  const BasisOn<Discs> at_w = ZerosOn(c, OfW(), start);
  const Discs slope = -SumOn(by_t, at_w.f) / SumOn(c, at_w.d1);
  const BasisOn<Discs>& u = is_over_u ? at_t : at_w;
  const BasisOn<Discs>& v = is_over_u ? at_w : at_t;
  for (int i = 0; i < 3; ++i) (*p)[i] = chart.base[i], (*derivative)[i] = 0.0;
  for (int k = 0; k < 3; ++k) {
    Discs at, by_u, by_v;
    for (int m = 0; m < 3; ++m) {
      const auto& row = chart.f[k][m];
      const Discs along = row[0] + row[1] * v.f[1] + row[2] * v.f[2];
      at += along * u.f[m];
      by_u += along * u.d1[m];
      by_v += (row[1] * v.d1[1] + row[2] * v.d1[2]) * u.f[m];
    }
    const Discs along = by_theta * (is_over_u ? by_u + slope * by_v : by_v + slope * by_u);
    for (int i = 0; i < 3; ++i) {
      (*p)[i] += chart.axes(i, k) * at;
      (*derivative)[i] += chart.axes(i, k) * along;
    }
  }
}

}  // namespace volcontact
