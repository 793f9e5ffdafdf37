#include "overlap/distance/faces/gap_model.h"

namespace volcontact {
namespace {

// A table is off by so much of its terms: those of its making, and of its values.
constexpr double kTableRounding = 0x1p-48;
// Points of a chart are off by its error, and functions by some times that in the cube.
constexpr double kSteepest = 16.0;
// What is not known, of this part of a value, need not be known better.
constexpr double kLittleRest = 0.02;

}  // namespace

BoundedTable::BoundedTable(const ChartTable<double>& table, const SurfaceChart& chart,
                           double rounding)
    : table_(table), u_kind_(chart.u_kind), v_kind_(chart.v_kind) {
  const double far_u = std::max(std::abs(chart.u_from), std::abs(chart.u_to));
  const double far_v = std::max(std::abs(chart.v_from), std::abs(chart.v_to));
  const BasisBounds in_u(u_kind_, far_u), in_v(v_kind_, far_v);
  double terms = 0.0;
  for (int m = 0; m < kBasisSize; ++m) {
    for (int n = 0; n < kBasisSize; ++n) terms += std::abs(table[m][n]) * in_u.f[m] * in_v.f[n];
  }
  noise_ = kTableRounding * terms + rounding;
  thirds_ = BoundThirds(far_u, far_v);
}

BoundedTable::Thirds BoundedTable::BoundThirds(double far_u, double far_v) const {
  const BasisBounds in_u(u_kind_, far_u), in_v(v_kind_, far_v);
  Thirds thirds;
  for (int m = 0; m < kBasisSize; ++m) {
    double f = 0.0, d1 = 0.0, d2 = 0.0, d3 = 0.0;
    for (int n = 0; n < kBasisSize; ++n) {
      const double c = std::abs(table_[m][n]);
      f += c * in_v.f[n];
      d1 += c * in_v.d1[n];
      d2 += c * in_v.d2[n];
      d3 += c * in_v.d3[n];
    }
    thirds.uuu += in_u.d3[m] * f;
    thirds.uuv += in_u.d2[m] * d1;
    thirds.uvv += in_u.d1[m] * d2;
    thirds.vvv += in_u.f[m] * d3;
  }
  return thirds;
}

void BoundedTable::AddThirds(const Thirds& thirds, double a, double b, GapModel* model) const {
  // Halving either parameter removes half of a mixed term, or a little more.
  const double mixed = 0.25 * a * b * (thirds.uuv * a + thirds.uvv * b);
  model->rest_u = thirds.uuu * a * a * a / 6.0 + mixed;
  model->rest_v = thirds.vvv * b * b * b / 6.0 + mixed;
}

GapModel BoundedTable::On(const ChartCell& cell) const {
  const TableValues at(table_, cell.u, cell.v);
  const double a = cell.half_u, b = cell.half_v;
  GapModel model;
  model.f = at.f;
  model.u = at.u * a;
  model.v = at.v * b;
  model.uu = 0.5 * at.uu * a * a;
  model.uv = at.uv * a * b;
  model.vv = 0.5 * at.vv * b * b;
  model.noise = noise_;
  AddThirds(thirds_, a, b, &model);
  // Next to the chart's base most of these are less.
  if (model.rest_u + model.rest_v > kLittleRest * std::abs(model.f)) {
    AddThirds(BoundThirds(std::abs(cell.at_u) + a, std::abs(cell.at_v) + b), a, b, &model);
  }
  return model;
}

SurfaceOnChart::SurfaceOnChart(const LocalSurface& surface, const SurfaceGap& gap,
                               const FaceChart& face, const LocalFrame& frame) {
  const SurfaceChart& chart = face.chart;
  const double error = kSteepest * face.error;
  if (gap.factor()) second_.emplace(TableOf(*gap.factor(), chart), chart, error);
  const std::optional<ScaledTorus>& torus = gap.torus();
  if (!torus) {
    first_ = BoundedTable(TableOf(surface, chart), chart, surface.rounding + error);
    return;
  }
  if (!face.base) {
    first_ = BoundedTable(TableOf(torus->sum, chart), chart, error);
    twice_major_ = 2.0 * torus->major;
    minor_ = torus->minor;
    return;
  }
  is_quartic_ = true;
  ChartTable<double> table =
      TableOf(TorusBase(torus->surface, frame, Eigen::Vector3d::Zero()), *face.base);
  const double scale = 1.0 / (frame.half[0] * frame.half[0]);
  for (auto& row : table) {
    for (double& c : row) c *= scale * scale;
  }
  // The table's own terms cancelled in double-double; chart and torus are known to double.
  const double size = torus->major + torus->minor + 1.0;
  first_ = BoundedTable(table, chart, torus->minor * size * size * (error + kTableRounding * size));
}

double SurfaceOnChart::MostFactor(const ChartCell& cell) const {
  if (!second_) return 0.0;
  const GapModel model = second_->On(cell);
  return std::max(model.Most(), -model.Least());
}

GapModel SurfaceOnChart::On(const ChartCell& cell) const {
  return twice_major_ > 0.0 ? OfTorus(cell) : first_.On(cell);
}

// sum − 2 R ρ, with ρ the root of the factor S: by the derivatives of the root, or by the distance.
GapModel SurfaceOnChart::OfTorus(const ChartCell& cell) const {
  const GapModel S = second_->On(cell);
  GapModel W = first_.On(cell);
  const double least = S.Least();
  const double rho = std::sqrt(std::max(0.0, S.f));
  // The distance from the tube's middle changes no faster than places do.
  GapModel plain;
  plain.f = W.f - twice_major_ * rho;
  plain.noise = W.noise + twice_major_ * std::sqrt(S.noise);
  const double from_middle = std::sqrt(std::max(0.0, plain.f + minor_ * minor_));
  plain.rest_u = plain.rest_v = (from_middle + 0.5 * cell.radius) * cell.radius;
  if (!(least > 0.0)) return plain;
  const double half = 0.5 / rho, eighth = 0.125 / (S.f * rho);
  GapModel root = {rho,
                   half * S.u,
                   half * S.v,
                   half * S.uu - eighth * S.u * S.u,
                   half * S.uv - 2.0 * eighth * S.u * S.v,
                   half * S.vv - eighth * S.v * S.v};
  // Derivatives of S along a line through the middle, and the root's third one.
  const double along_u = std::abs(S.u) + 2.0 * std::abs(S.uu) + std::abs(S.uv) + 6.0 * S.rest_u;
  const double along_v = std::abs(S.v) + 2.0 * std::abs(S.vv) + std::abs(S.uv) + 6.0 * S.rest_v;
  const double third = 6.0 * (S.rest_u + S.rest_v), first = along_u + along_v;
  const double second = 2.0 * (std::abs(S.uu) + std::abs(S.uv) + std::abs(S.vv)) + third;
  const double lowest = std::sqrt(least), cube = lowest * least;
  const double rest = (0.5 * third / lowest + 0.75 * first * second / cube +
                       0.375 * first * first * first / (cube * least)) /
                      6.0;
  root.rest_u = first > 0.0 ? rest * along_u / first : 0.0;
  root.rest_v = rest - root.rest_u;
  root.noise = half * S.noise * std::sqrt(S.f / least);
  W = W.Plus(root.Times(-twice_major_));
  return W.LackOfU() + W.LackOfV() < plain.LackOfU() + plain.LackOfV() ? W : plain;
}

}  // namespace volcontact
