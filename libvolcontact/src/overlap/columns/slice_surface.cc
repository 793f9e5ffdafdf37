#include "overlap/columns/slice_surface.h"

#include "math/arithmetic/univariate.h"

namespace volcontact {
namespace {

void RestrictQuadratic(const Polynomial<double>& psi, const Eigen::Vector2d& base,
                       const Eigen::Vector2d& d, SliceSurface* s) {
  // Value, gradient and Hessian in the base plane, at the base point.
  const auto& c = psi.c;
  const double x = base.x(), y = base.y();
  const bool quadratic = psi.degree == 2;
  const double xx = quadratic ? c[kXX] : 0.0, xy = quadratic ? c[kXY] : 0.0;
  const double xz = quadratic ? c[kXZ] : 0.0, yy = quadratic ? c[kYY] : 0.0;
  const double yz = quadratic ? c[kYZ] : 0.0, zz = quadratic ? c[kZZ] : 0.0;
  const double gx = c[kX] + 2.0 * xx * x + xy * y, gy = c[kY] + xy * x + 2.0 * yy * y;
  const double hx = 2.0 * xx * d.x() + xy * d.y(), hy = xy * d.x() + 2.0 * yy * d.y();
  const double px = -d.y(), py = d.x();
  s->a = zz;
  s->b0 = c[kZ] + xz * x + yz * y;
  s->b1 = xz * d.x() + yz * d.y();
  s->c0 = c[kOne] + (c[kX] + xx * x + xy * y) * x + (c[kY] + yy * y) * y;
  s->c1 = gx * d.x() + gy * d.y();
  s->c2 = 0.5 * (hx * d.x() + hy * d.y());
  s->p0 = gx * px + gy * py;
  s->pv = hx * px + hy * py;
  s->pz = xz * px + yz * py;
}

void RestrictGeneral(const Polynomial<double>& psi, const Eigen::Vector2d& base,
                     const Eigen::Vector2d& d, SliceSurface* s) {
  // power[i] holds the coefficients in v of (base + d v)^i, for x and for y.
  double x[5][5] = {}, y[5][5] = {};
  x[0][0] = y[0][0] = 1.0;
  for (int i = 1; i <= psi.degree; ++i) {
    for (int n = 0; n < i; ++n) {
      x[i][n] += base.x() * x[i - 1][n];
      x[i][n + 1] += d.x() * x[i - 1][n];
      y[i][n] += base.y() * y[i - 1][n];
      y[i][n + 1] += d.y() * y[i - 1][n];
    }
  }
  s->q = {};
  s->r = {};
  for (int m = 0; m < psi.size(); ++m) {
    if (psi.c[m] == 0.0) continue;
    const int i = kMonomialExponents[m][0], j = kMonomialExponents[m][1];
    const int k = kMonomialExponents[m][2];
    for (int p = 0; p <= i; ++p) {
      for (int q = 0; q <= j; ++q) s->q[p + q][k] += psi.c[m] * x[i][p] * y[j][q];
    }
    // Across the slice x changes at the rate −d_y and y at the rate d_x.
    for (int p = 0; i > 0 && p < i; ++p) {
      for (int q = 0; q <= j; ++q) s->r[p + q][k] -= psi.c[m] * i * d.y() * x[i - 1][p] * y[j][q];
    }
    for (int p = 0; j > 0 && p <= i; ++p) {
      for (int q = 0; q < j; ++q) s->r[p + q][k] += psi.c[m] * j * d.x() * x[i][p] * y[j - 1][q];
    }
  }
}

// A sheet's slices stand across x: the profile is a constant on them.
void AddProfile(const SheetProfile& profile, double x, const Eigen::Vector2d& d, SliceSurface* s) {
  if (!profile.Meets(x)) {
    s->a = s->b0 = s->b1 = s->c1 = s->c2 = s->p0 = s->pv = s->pz = 0.0;
    s->c0 = 1.0;  // outside everywhere
    return;
  }
  const std::array<double, 3> part = profile.At(x);
  s->c0 += part[0];
  s->p0 -= d.y() * part[1];
}

}  // namespace

void Restrict(const LocalSurface& surface, const Eigen::Vector2d& base,
              const Eigen::Vector2d& direction, SliceSurface* result) {
  result->degree = surface.psi.degree;
  result->wall = surface.wall;
  if (surface.psi.degree <= 2) {
    RestrictQuadratic(surface.psi, base, direction, result);
    if (surface.profile.side != 0) AddProfile(surface.profile, base.x(), direction, result);
  } else {
    RestrictGeneral(surface.psi, base, direction, result);
  }
}

std::array<double, 5> SliceSurface::ColumnPolynomial(double v) const {
  std::array<double, 5> c{};
  for (int k = 0; k <= degree; ++k) {
    double value = q[degree - k][k];
    for (int j = degree - k - 1; j >= 0; --j) value = value * v + q[j][k];
    c[k] = value;
  }
  return c;
}

std::array<double, 5> SliceSurface::WallPolynomial() const {
  std::array<double, 5> c{};
  for (int j = 0; j <= degree; ++j) c[j] = q[j][0];
  return c;
}

double SliceSurface::Value(double v, double z) const {
  if (degree <= 2) return (a * z + B(v)) * z + C(v);
  const std::array<double, 5> c = ColumnPolynomial(v);
  return Horner(c.data(), degree, z);
}

Bivariate SliceSurface::Curve(double center, double half_v, double half_z) const {
  Bivariate curve;
  if (degree > 2) {
    curve.degree = degree;
    curve.c = q;
  } else {
    curve.degree = a == 0.0 && b1 == 0.0 && c2 == 0.0 ? 1 : 2;
    curve.c[0] = {c0, b0, a};
    curve.c[1] = {c1, b1};
    curve.c[2] = {c2};
  }
  return curve.On(center, half_v, 0.0, half_z);
}

Eigen::Vector3d SliceSurface::Gradient(double v, double z) const {
  if (degree <= 2) {
    return {b1 * z + c1 + 2.0 * c2 * v, p0 + pv * v + pz * z, 2.0 * a * z + b0 + b1 * v};
  }
  Eigen::Vector3d g = Eigen::Vector3d::Zero();
  double power = 1.0, lower_power = 0.0;  // v^j and v^(j-1)
  for (int j = 0; j <= degree; ++j, lower_power = power, power *= v) {
    double value = 0.0, slope = 0.0;  // in z, of q[j]
    for (int k = degree - j; k >= 0; --k) {
      slope = slope * z + value;
      value = value * z + q[j][k];
    }
    g.z() += power * slope;
    g.x() += j * lower_power * value;
    if (j == degree) break;
    double across = 0.0;
    for (int k = degree - 1 - j; k >= 0; --k) across = across * z + r[j][k];
    g.y() += power * across;
  }
  return g;
}

}  // namespace volcontact
