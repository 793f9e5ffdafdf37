#include "overlap/charts/surface_chart.h"

#include <cmath>
#include <numbers>

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

// Domains begin off the places where the edges of aligned parts lie.
constexpr double kFirstAngle = 0.1234;

Vector3d ToCube(const Vector3dd& v_C, const Vector3d& half) {
  return Round(v_C).cwiseQuotient(half);
}

// The coordinates of a vector along the directions of a base.
Vector3dd InBase(const Vector3dd& v_C, const TorusBase& base) {
  return {Dot(v_C, base.outward), Dot(v_C, base.around), Dot(v_C, base.axis)};
}

// The point on a torus less its base, along outward, around and axis.
std::array<ChartFactor<DoubleDouble>, 3> StepsOf(const TorusBase& base) {
  const DoubleDouble& r = base.minor;
  const DoubleDouble rc = r * base.cosine, rs = r * base.sine, rho = base.major + rc;
  std::array<ChartFactor<DoubleDouble>, 3> f = {};
  f[0][0][1] = -rs;
  f[0][0][2] = -rc;
  f[0][2] = {-rho, rs, rc};
  f[1][1] = {rho, -rs, -rc};
  f[2][0][1] = rc;
  f[2][0][2] = -rs;
  return f;
}

template <class T>
ChartFactor<T> LinearIn(const std::array<ChartFactor<T>, 3>& f, const std::array<T, 3>& direction,
                        const T& constant) {
  ChartFactor<T> result = {};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      result[i][k] =
          direction[0] * f[0][i][k] + direction[1] * f[1][i][k] + direction[2] * f[2][i][k];
    }
  }
  result[0][0] += constant;
  return result;
}

}  // namespace

ChartPoint SurfaceChart::At(const BasisPlace& u, const BasisPlace& v) const {
  const auto of_u = u.Slopes(), of_v = v.Slopes();
  ChartPoint at{base, Vector3d::Zero(), Vector3d::Zero()};
  for (int k = 0; k < 3; ++k) {
    std::array<double, 3> along, slopes;
    for (int m = 0; m < 3; ++m) {
      const auto& row = f[k][m];
      along[m] = row[0] + row[1] * v.first + row[2] * v.second;
      slopes[m] = row[1] * of_v[1] + row[2] * of_v[2];
    }
    at.p += (along[0] + u.first * along[1] + u.second * along[2]) * axes.col(k);
    at.by_u += (of_u[1] * along[1] + of_u[2] * along[2]) * axes.col(k);
    at.by_v += (slopes[0] + u.first * slopes[1] + u.second * slopes[2]) * axes.col(k);
  }
  return at;
}

void SurfaceChart::BoundBends() {
  const double far_u = std::max(std::abs(u_from), std::abs(u_to));
  const double far_v = std::max(std::abs(v_from), std::abs(v_to));
  const BasisBounds of_u(u_kind, far_u), of_v(v_kind, far_v);
  bend.fill(Vector3d::Zero());
  for (int k = 0; k < 3; ++k) {
    double uu = 0.0, uv = 0.0, vv = 0.0;
    for (int m = 0; m < 3; ++m) {
      for (int n = 0; n < 3; ++n) {
        const double c = std::abs(f[k][m][n]);
        uu += c * of_u.d2[m] * of_v.f[n];
        uv += c * of_u.d1[m] * of_v.d1[n];
        vv += c * of_u.f[m] * of_v.d2[n];
      }
    }
    const Vector3d along = axes.col(k).cwiseAbs();
    bend[0] += uu * along;
    bend[1] += uv * along;
    bend[2] += vv * along;
  }
}

Cell SurfaceChart::BoxAround(const ChartPoint& at, double half_u, double half_v) const {
  return {at.p, half_u * (at.by_u.cwiseAbs() + 0.5 * half_u * bend[0] + half_v * bend[1]) +
                    half_v * (at.by_v.cwiseAbs() + 0.5 * half_v * bend[2])};
}

SurfaceChart ChartOfTorus(const TorusBase& base, const LocalFrame& frame) {
  SurfaceChart chart;
  chart.base = ToCube(base.point, frame.half);
  chart.axes << ToCube(base.outward, frame.half), ToCube(base.around, frame.half),
      ToCube(base.axis, frame.half);
  const auto steps = StepsOf(base);
  for (int k = 0; k < 3; ++k) {
    for (int m = 0; m < 3; ++m) {
      for (int n = 0; n < 3; ++n) chart.f[k][m][n] = steps[k][m][n].hi;
    }
  }
  chart.u_from = chart.v_from = kFirstAngle - pi;
  chart.u_to = chart.v_to = kFirstAngle + pi;
  chart.BoundBends();
  return chart;
}

SurfaceChart ChartOfEllipsoid(const Vector3d& center, const Matrix3d& axes) {
  SurfaceChart chart;
  chart.base = center + axes.col(0);
  chart.axes = axes;
  // cos v cos u − 1 = −V_v − V_u + V_u V_v; cos v sin u; sin v.
  chart.f[0][0][2] = chart.f[0][2][0] = -1.0;
  chart.f[0][2][2] = 1.0;
  chart.f[1][1] = {1.0, 0.0, -1.0};
  chart.f[2][0][1] = 1.0;
  chart.u_from = kFirstAngle - pi;
  chart.u_to = kFirstAngle + pi;
  chart.v_to = 0.5 * pi;
  chart.v_from = -chart.v_to;
  chart.BoundBends();
  return chart;
}

SurfaceChart ChartOfRulings(const Rulings& rulings) {
  SurfaceChart chart;
  chart.v_kind = ChartParameter::kLength;
  if (rulings.is_cone) {
    chart.base = rulings.base;
    chart.axes << rulings.origin + rulings.cosine, rulings.cosine, rulings.sine;
    chart.f[0][0][1] = 1.0;
    chart.f[1][2][1] = -1.0;
    chart.f[2][1][1] = 1.0;
  } else {
    chart.base = rulings.base + rulings.origin + rulings.cosine;
    chart.axes << rulings.ruling, rulings.cosine, rulings.sine;
    chart.f[0][0][1] = 1.0;
    chart.f[1][2][0] = -1.0;
    chart.f[2][1][0] = 1.0;
  }
  chart.u_from = kFirstAngle - pi;
  chart.u_to = kFirstAngle + pi;
  chart.v_from = rulings.v_from;
  chart.v_to = rulings.v_to;
  chart.BoundBends();
  return chart;
}

SurfaceChart ChartOfPlane(const Vector3d& base, const Vector3d& along, const Vector3d& across) {
  SurfaceChart chart;
  chart.u_kind = chart.v_kind = ChartParameter::kLength;
  chart.base = base;
  chart.axes << along, across, Vector3d::Zero();
  chart.f[0][1][0] = chart.f[1][0][1] = 1.0;
  return chart;
}

ChartTable<double> TableOf(const LocalSurface& surface, const SurfaceChart& chart) {
  const Polynomial<double>& psi = surface.psi;
  const Matrix3d half_hessian = 0.5 * Hessian(psi);
  const Vector3d bent = half_hessian * chart.base;
  const Vector3d slope = LinearPart(psi) + 2.0 * bent;
  ChartTable<double> table = {};
  table[0][0] = psi.c[kOne] + chart.base.dot(LinearPart(psi) + bent);
  for (int k = 0; k < 3; ++k) {
    AddFactor(slope.dot(chart.axes.col(k)), chart.f[k], &table);
    if (psi.degree < 2) continue;
    for (int l = k; l < 3; ++l) {
      const double square = chart.axes.col(k).dot(half_hessian * chart.axes.col(l));
      AddProduct(chart.u_kind, chart.v_kind, l == k ? square : 2.0 * square, chart.f[k], chart.f[l],
                 &table);
    }
  }
  return table;
}

ChartTable<double> TableOf(const TorusBase& other, const TorusBase& base) {
  const Vector3dd to_other = InBase(Minus(other.center, base.center), base);
  const Vector3dd axis = InBase(other.axis, base);
  const DoubleDouble &R = base.major, &r = base.minor;
  const Vector3dd from_center = {R + r * base.cosine, DoubleDouble(0.0), r * base.sine};
  const auto steps = StepsOf(base);
  // |q|² = R² + r² + 2 R r cos θ − 2 X·d + d², X from the torus's own centre, d to the other's.
  const Vector3dd twice = {to_other[0] * -2.0, to_other[1] * -2.0, to_other[2] * -2.0};
  ChartFactor<DoubleDouble> square =
      LinearIn(steps, twice,
               R * R + r * r + 2.0 * (R * r * base.cosine) + Dot(twice, from_center) +
                   Dot(to_other, to_other));
  square[0][1] -= 2.0 * (R * r * base.sine);
  square[0][2] -= 2.0 * (R * r * base.cosine);
  const ChartFactor<DoubleDouble> height =
      LinearIn(steps, axis, Dot(axis, Minus(from_center, to_other)));
  const DoubleDouble R2 = other.major * other.major;
  ChartFactor<DoubleDouble> sum = square;
  sum[0][0] += R2 - other.minor * other.minor;
  ChartTable<DoubleDouble> exact = {};
  AddProduct(ChartParameter::kAngle, ChartParameter::kAngle, DoubleDouble(1.0), sum, sum, &exact);
  AddFactor(-4.0 * R2, square, &exact);
  AddProduct(ChartParameter::kAngle, ChartParameter::kAngle, 4.0 * R2, height, height, &exact);
  ChartTable<double> table;
  for (int m = 0; m < kBasisSize; ++m) {
    for (int n = 0; n < kBasisSize; ++n) table[m][n] = exact[m][n].hi;
  }
  return table;
}

ChartTable<double> TableOfNormal(const TorusBase& base, const Vector3d& direction_C) {
  const Vector3dd along = InBase(ToDoubleDouble(direction_C), base);
  const double out = along[0].hi, around = along[1].hi, up = along[2].hi;
  const double c = base.cosine.hi, s = base.sine.hi;
  // n = cos θ (cos φ, sin φ, 0) + sin θ (0, 0, 1), with cos θ = c − s sin v − c V.
  ChartTable<double> table = {};
  const double cosine[3] = {c, -s, -c}, sine[3] = {s, c, -s};
  for (int n = 0; n < 3; ++n) {
    table[0][n] = out * cosine[n] + up * sine[n];
    table[1][n] = around * cosine[n];
    table[2][n] = -out * cosine[n];
  }
  return table;
}

double Normalize(ChartTable<double>* table) {
  double largest = 0.0;
  for (const auto& row : *table) {
    for (const double c : row) largest = std::max(largest, std::abs(c));
  }
  if (!(largest > 0.0)) return 0.0;
  for (auto& row : *table) {
    for (double& c : row) c /= largest;
  }
  return 1.0 / largest;
}

}  // namespace volcontact
