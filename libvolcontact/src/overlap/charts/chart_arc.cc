#include "overlap/charts/chart_arc.h"

#include <algorithm>
#include <array>

namespace volcontact {
namespace {

// What a cubic through the ends of an interval tells.
double Interpolate(const ChartArc::Knot& a, const ChartArc::Knot& b, double t) {
  const double h = b.t - a.t, s = (t - a.t) / h, r = 1.0 - s;
  return r * r * ((1.0 + 2.0 * s) * a.w + s * h * a.slope) +
         s * s * ((1.0 + 2.0 * r) * b.w - r * h * b.slope);
}

}  // namespace

void ChartArc::At(double t, Eigen::Vector3d* p, Eigen::Vector3d* derivative) const {
  const auto after =
      std::upper_bound(knots.begin() + 1, knots.end() - 1, t,
                       [](double value, const Knot& knot) { return value < knot.t; });
  const Knot &a = *(after - 1), &b = *after;
  const SurfaceChart& chart = pair->chart;
  const ChartParameter angle = ChartParameter::kAngle;
  const ChartParameter of_t = is_over_u ? angle : chart.v_kind,
                       of_w = is_over_u ? chart.v_kind : angle;
  const BasisValues in_t(of_t, t);
  const auto c = Restrict(pair->table, is_over_u, in_t.f);
  const auto by_t = Restrict(pair->table, is_over_u, in_t.d1);
  const double w = ZeroOf(c, of_w, a.low, a.high, Interpolate(a, b, t));
  const BasisValues in_w(of_w, w);
  const double slope = -SumOf(by_t, in_w.f) / SumOf(c, in_w.d1);
  const ChartPoint at = is_over_u ? chart.At(in_t, in_w) : chart.At(in_w, in_t);
  *p = at.p;
  *derivative = is_over_u ? at.by_u + slope * at.by_v : at.by_v + slope * at.by_u;
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
