#include "overlap/charts/chart_arc.h"

#include <algorithm>

namespace volcontact {
namespace {

// The value of the polynomial of fifth degree with the derivatives at the ends of an interval.
double Interpolate(const ChartArc::Knot& a, const ChartArc::Knot& b, double t) {
  const double h = b.t - a.t, s = (t - a.t) / h, r = 1.0 - s;
  const auto from = [h](const ChartArc::Knot& knot, double x, double y, double along) {
    return y * y * y *
           ((1.0 + 3.0 * x + 6.0 * x * x) * knot.w + (1.0 + 3.0 * x) * x * along * knot.slope +
            0.5 * x * x * h * h * knot.bend);
  };
  return from(a, s, r, h) + from(b, r, s, -h);
}

}  // namespace

BasisZero ChartArc::ZeroOf(double t, const std::array<double, kBasisSize>& c) const {
  const auto after =
      std::upper_bound(knots.begin() + 1, knots.end() - 1, t,
                       [](double value, const Knot& knot) { return value < knot.t; });
  const Knot &a = *(after - 1), &b = *after;
  return volcontact::ZeroOf(c, OfW(), a.low, a.high, Interpolate(a, b, t));
}

double ChartArc::ZeroAt(double t) const {
  return ZeroOf(t, Restrict(pair->table, is_over_u, BasisPlace(OfT(), t).Functions())).at;
}

void ChartArc::At(double t, Eigen::Vector3d* p, Eigen::Vector3d* derivative) const {
  const SurfaceChart& chart = pair->chart;
  const BasisPlace at_t(OfT(), t);
  const auto c = Restrict(pair->table, is_over_u, at_t.Functions());
  const auto by_t = Restrict(pair->table, is_over_u, at_t.Slopes());
  const BasisPlace at_w = ZeroOf(t, c).place;
  const double slope = -at_w.SumsOf(by_t).f / at_w.SumsOf(c).d1;
  const ChartPoint at = is_over_u ? chart.At(at_t, at_w) : chart.At(at_w, at_t);
  *p = at.p;
  *derivative = is_over_u ? at.by_u + slope * at.by_v : at.by_v + slope * at.by_u;
}

Eigen::Vector3d ChartArc::DirectionAt(const Knot& knot) const {
  const ChartPoint at = is_over_u ? pair->chart.At(knot.t, knot.w) : pair->chart.At(knot.w, knot.t);
  return is_over_u ? at.by_u + knot.slope * at.by_v : at.by_v + knot.slope * at.by_u;
}

ChartPair* ChartArcs::NewPair() {
  if (pairs_in_use_ == pairs_.size()) pairs_.emplace_back();
  return &pairs_[pairs_in_use_++];
}

ChartArc* ChartArcs::NewArc(const ChartPair& pair) {
  if (arcs_in_use_ == arcs_.size()) arcs_.emplace_back();
  ChartArc& arc = arcs_[arcs_in_use_++];
  arc.pair = &pair;
  arc.knots.clear();
  return &arc;
}

}  // namespace volcontact
