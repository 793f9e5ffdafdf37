// Arcs on charts at complex parameters.
#include <array>
#include <cmath>
#include <limits>

#include "math/discs.h"
#include "overlap/charts/chart_arc.h"

namespace volcontact {
namespace {

// The radius of the discs that hold the zeros is that of a step of Newton's method, times the
// first; where that is too little, what it took, times the second, so often.
constexpr double kFirstRoom = 1.5, kNextRoom = 1.3;
constexpr int kRooms = 4;

// The basis functions on discs, with their derivatives.
struct BasisDiscs {
  std::array<Discs, kBasisSize> f, d1;

  BasisDiscs(ChartParameter kind, const Discs& t) {
    f[0] = 1.0;
    if (kind == ChartParameter::kLength) {
      f[1] = t;
      f[2] = t * t;
      d1[1] = 1.0;
      d1[2] = 2.0 * t;
      return;
    }
    Discs s, c;
    FindSineCosine(t, &s, &c);
    const Discs V = 1.0 - c;
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

// Discs about zeros w of a table that hold all zeros nearby for its parameters t on discs: with F
// their greatest change at w, and W the discs, w − F/F_w(W) stays in W (interval Newton method).
Discs ZerosOn(const std::array<Discs, kBasisSize>& c, ChartParameter kind, const Lanes& w,
              const Lanes& change) {
  const Discs start(w, 0.0);
  const Lanes slope = AbsoluteOf(SumOn(c, BasisDiscs(kind, start).d1).center);
  Lanes radius = kFirstRoom * change / slope;
  for (int n = 0; n < kRooms; ++n) {
    const Discs by_w = SumOn(c, BasisDiscs(kind, Discs(w, radius)).d1);
    const Lanes least = AbsoluteOf(by_w.center) - by_w.radius, needed = change / least;
    bool is_held = true;
    for (std::size_t k = 0; k < Lanes::kCount; ++k) {
      is_held &= least.x[k] > 0.0 && needed.x[k] < radius.x[k];
    }
    if (is_held) return {w, radius};
    radius = WhereNegative(needed - radius, radius, kNextRoom * needed);
  }
  return {w, std::numeric_limits<double>::infinity()};
}

}  // namespace

void ChartArc::On(const Discs& t, std::array<Discs, 3>* p, std::array<Discs, 3>* derivative) const {
  const SurfaceChart& chart = pair->chart;
  const BasisDiscs at_t(OfT(), t);
  const auto c = RestrictOn(pair->table, is_over_u, at_t.f);
  const auto by_t = RestrictOn(pair->table, is_over_u, at_t.d1);
  Lanes start;
  for (std::size_t k = 0; k < Lanes::kCount; ++k) {
    const double at = t.center.x[k];
    start.x[k] = at >= from() && at <= to() ? ZeroAt(at) : std::nan("");
  }
  const Lanes change = t.radius * SumOn(by_t, BasisDiscs(OfW(), Discs(start, 0.0)).f).Magnitude();
  const Discs w = ZerosOn(c, OfW(), start, change);
  const BasisDiscs at_w(OfW(), w);
  const Discs slope = -SumOn(by_t, at_w.f) / SumOn(c, at_w.d1);
  const BasisDiscs &u = is_over_u ? at_t : at_w, &v = is_over_u ? at_w : at_t;
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
    const Discs change_of_t = is_over_u ? by_u + slope * by_v : by_v + slope * by_u;
    for (int i = 0; i < 3; ++i) {
      (*p)[i] += chart.axes(i, k) * at;
      (*derivative)[i] += chart.axes(i, k) * change_of_t;
    }
  }
}

}  // namespace volcontact
