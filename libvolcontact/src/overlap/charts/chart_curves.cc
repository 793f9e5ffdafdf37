#include "overlap/charts/chart_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace volcontact {
namespace {

using std::abs;

// Cells of one search, and the least extent of one in a parameter: what is left then are places at
// which the surfaces touch.
constexpr long kMostCells = 6'000;
constexpr double kLeastHalf = 1e-9;
// The search begins with so many cells along each parameter.
constexpr int kFirstCells = 4;
// Roundings of a table's values, of its terms.
constexpr double kRounding = 0x1p-50;
// A graph is as smooth as the derivative across it is steady: where that changes by no more than
// this part over a cell u is the parameter, so that graphs are long.
constexpr double kSteady = 0.3;
// Where the table changes along v by less than this part of its change along u, graphs over u are
// steep and have few digits.
constexpr double kSteep = 1e-3;
// Ends of graphs that are the same, found in two cells.
constexpr double kSameEnd = 1e-10;

}  // namespace

// Bounds from the terms of third order, with each basis function's own derivatives near the cell.
ChartCurves::Changes ChartCurves::BoundChanges(const Square& cell) const {
  const double a = cell.u.half(), b = cell.v.half();
  const BasisBounds in_u(ChartParameter::kAngle, std::max(abs(cell.u.low), abs(cell.u.high)));
  const BasisBounds in_v(pair_->chart.v_kind, std::max(abs(cell.v.low), abs(cell.v.high)));
  double uuu = 0.0, uuv = 0.0, uvv = 0.0, vvv = 0.0, terms = 0.0;
  for (int m = 0; m < kBasisSize; ++m) {
    double f = 0.0, d1 = 0.0, d2 = 0.0, d3 = 0.0;
    for (int n = 0; n < kBasisSize; ++n) {
      const double c = abs(pair_->table[m][n]);
      f += c * in_v.f[n];
      d1 += c * in_v.d1[n];
      d2 += c * in_v.d2[n];
      d3 += c * in_v.d3[n];
    }
    uuu += in_u.d3[m] * f;
    uuv += in_u.d2[m] * d1;
    uvv += in_u.d1[m] * d2;
    vvv += in_u.f[m] * d3;
    terms += in_u.f[m] * f;
  }
  Changes changes;
  changes.f_u = uuu * a * a * a / 6.0;
  changes.f_v = vvv * b * b * b / 6.0;
  changes.f = changes.f_u + 0.5 * a * b * (uuv * a + uvv * b) + changes.f_v;
  changes.u = 0.5 * uuu * a * a + uuv * a * b + 0.5 * uvv * b * b;
  changes.v = 0.5 * uuv * a * a + uvv * a * b + 0.5 * vvv * b * b;
  changes.rounding = kRounding * terms;
  return changes;
}

// Whether the table has a zero on a side of a cell, v = other or, along v, u = other.
ChartCurves::Side ChartCurves::LookAt(bool along_u, const Range& range, double other,
                                      double* zero) const {
  const ChartParameter kind = along_u ? ChartParameter::kAngle : pair_->chart.v_kind;
  const ChartParameter of_other = along_u ? pair_->chart.v_kind : ChartParameter::kAngle;
  const auto c = Restrict(pair_->table, !along_u, BasisPlace(of_other, other).Functions());
  const bool is_low_positive = BasisPlace(kind, range.low).SumsOf(c).f > 0.0;
  const bool is_high_positive = BasisPlace(kind, range.high).SumsOf(c).f > 0.0;
  const auto [value, slope, bend] = BasisPlace(kind, range.middle()).SumsOf(c);
  const BasisBounds bounds(kind, std::max(abs(range.low), abs(range.high)));
  double third = 0.0, terms = 0.0;
  for (int n = 0; n < kBasisSize; ++n) {
    third += abs(c[n]) * bounds.d3[n];
    terms += abs(c[n]) * bounds.f[n];
  }
  const double h = range.half();
  if (abs(slope) <= abs(bend) * h + 0.5 * third * h * h) {
    const double change = abs(slope) * h + 0.5 * abs(bend) * h * h + third * h * h * h / 6.0;
    const bool is_clear = abs(value) > change + kRounding * terms;
    return is_clear && is_low_positive == is_high_positive ? Side::kNoZero : Side::kUnknown;
  }
  if (is_low_positive == is_high_positive) return Side::kNoZero;
  *zero = ZeroOf(c, kind, range.low, range.high, range.middle()).at;
  return Side::kOneZero;
}

// Adds the graph through a cell in which the table is monotonic across it; false where its ends
// are not known.
bool ChartCurves::Cross(const Square& cell, bool is_over_u) {
  Place places[4];
  int count = 0;
  for (const bool along_u : {false, true}) {
    const Range &range = along_u ? cell.u : cell.v, &other = along_u ? cell.v : cell.u;
    for (const double at : {other.low, other.high}) {
      double zero;
      switch (LookAt(along_u, range, at, &zero)) {
        case Side::kUnknown:
          return false;
        case Side::kOneZero:
          places[count++] = along_u ? Place{zero, at} : Place{at, zero};
          break;
        case Side::kNoZero:
          break;
      }
    }
  }
  if (count == 0) return true;
  if (count != 2) return false;
  const auto t = [&](const Place& place) { return is_over_u ? place.u : place.v; };
  if (t(places[0]) > t(places[1])) std::swap(places[0], places[1]);
  if (t(places[0]) < t(places[1])) {
    segments_.push_back({is_over_u, places[0], places[1], is_over_u ? cell.v : cell.u});
  }
  return true;
}

// Halves a cell along the parameter along which the table bends more.
bool ChartCurves::Split(const Square& cell, const TableValues& at, const Changes& changes) {
  const double a = cell.u.half(), b = cell.v.half();
  const bool along_u = abs(at.uu) * a * a + changes.f_u > abs(at.vv) * b * b + changes.f_v;
  const Range& range = along_u ? cell.u : cell.v;
  if (range.half() < kLeastHalf) return false;
  Square lower = cell, upper = cell;
  (along_u ? lower.u : lower.v).high = range.middle();
  (along_u ? upper.u : upper.v).low = range.middle();
  return Visit(lower) && Visit(upper);
}

bool ChartCurves::Visit(const Square& cell) {
  if (--cells_left_ < 0) return false;
  const double u = cell.u.middle(), v = cell.v.middle(), a = cell.u.half(), b = cell.v.half();
  const BasisPlace in_u(ChartParameter::kAngle, u), in_v(pair_->chart.v_kind, v);
  const ChartPoint point = pair_->chart.At(in_u, in_v);
  if (GapBetween(pair_->chart.BoxAround(point, a, b), box_) > 0.0) return true;
  const TableValues at(pair_->table, BasisValues(in_u), BasisValues(in_v));
  const Changes changes = BoundChanges(cell);
  const double bend = 0.5 * (abs(at.uu) * a * a + abs(at.vv) * b * b) + abs(at.uv) * a * b;
  if (abs(at.f) > abs(at.u) * a + abs(at.v) * b + bend + changes.f + changes.rounding + noise_)
    return true;
  // By how much of themselves the derivatives change.
  const double change_of_u = (abs(at.uu) * a + abs(at.uv) * b + changes.u) / abs(at.u);
  const double change_of_v = (abs(at.uv) * a + abs(at.vv) * b + changes.v) / abs(at.v);
  if (change_of_u < 1.0 || change_of_v < 1.0) {
    const bool is_steady = change_of_v < std::max(kSteady, std::min(1.0, change_of_u));
    const bool is_steep = abs(at.v) * b < kSteep * abs(at.u) * a;
    const bool is_over_u = is_steady && !(is_steep && change_of_u < 1.0);
    if (Cross(cell, is_over_u)) return true;
  }
  return Split(cell, at, changes);
}

ChartArc::Knot ChartCurves::KnotAt(const Segment& segment, const Place& place) const {
  const BasisValues in_u(ChartParameter::kAngle, place.u), in_v(pair_->chart.v_kind, place.v);
  const TableValues at(pair_->table, in_u, in_v);
  const double low = segment.w.low, high = segment.w.high;
  if (segment.is_over_u) {
    const double slope = -at.u / at.v;
    const double bend = -(at.uu + slope * (2.0 * at.uv + slope * at.vv)) / at.v;
    return {place.u, place.v, slope, bend, low, high};
  }
  const double slope = -at.v / at.u;
  const double bend = -(at.vv + slope * (2.0 * at.uv + slope * at.uu)) / at.u;
  return {place.v, place.u, slope, bend, low, high};
}

// Puts the graphs of cells that follow each other together. In the order of their beginnings none
// comes before the one that it goes on.
void ChartCurves::Join(ChartArcs* arcs) {
  const auto t = [](const Segment& s, const Place& place) {
    return s.is_over_u ? place.u : place.v;
  };
  const auto w = [](const Segment& s, const Place& place) {
    return s.is_over_u ? place.v : place.u;
  };
  const auto is_before = [&](const Segment& a, const Segment& b) {
    if (a.is_over_u != b.is_over_u) return a.is_over_u;
    return std::pair(t(a, a.start), w(a, a.start)) < std::pair(t(b, b.start), w(b, b.start));
  };
  std::sort(segments_.begin(), segments_.end(), is_before);
  is_used_.assign(segments_.size(), 0);
  const auto next_of = [&](std::size_t n) {
    const Segment& last = segments_[n];
    for (std::size_t k = n + 1; k < segments_.size(); ++k) {
      const Segment& next = segments_[k];
      if (next.is_over_u != last.is_over_u || t(next, next.start) > t(last, last.end) + kSameEnd)
        break;
      if (!is_used_[k] && abs(t(next, next.start) - t(last, last.end)) <= kSameEnd &&
          abs(w(next, next.start) - w(last, last.end)) <= kSameEnd)
        return k;
    }
    return segments_.size();
  };
  for (std::size_t first = 0; first < segments_.size(); ++first) {
    if (is_used_[first]) continue;
    ChartArc* arc = arcs->NewArc(*pair_);
    arc->is_over_u = segments_[first].is_over_u;
    for (std::size_t n = first; n < segments_.size(); n = next_of(n)) {
      is_used_[n] = 1;
      const Segment& s = segments_[n];
      if (!arc->knots.empty()) arc->knots.pop_back();
      arc->knots.push_back(KnotAt(s, s.start));
      arc->knots.push_back(KnotAt(s, s.end));
    }
    arc->ChooseTheta();
  }
}

bool ChartCurves::Run(const ChartPair& pair, double noise, const Cell& box, ChartArcs* arcs) {
  pair_ = &pair;
  noise_ = noise;
  box_ = box;
  cells_left_ = kMostCells;
  segments_.clear();
  const SurfaceChart& chart = pair.chart;
  const auto part = [](double from, double to, int n) {
    return n == kFirstCells ? to : from + (to - from) * n / kFirstCells;
  };
  for (int i = 0; i < kFirstCells; ++i) {
    const Range u = {part(chart.u_from, chart.u_to, i), part(chart.u_from, chart.u_to, i + 1)};
    for (int k = 0; k < kFirstCells; ++k) {
      const Range v = {part(chart.v_from, chart.v_to, k), part(chart.v_from, chart.v_to, k + 1)};
      if (!Visit({u, v})) return false;
    }
  }
  Join(arcs);
  return true;
}

}  // namespace volcontact
