#include "integration/cell_bounds.h"

#include <algorithm>

namespace volcontact {
namespace {

// Second- and higher-order part of a Taylor expansion about the cell's centre, bounded term by term:
// an even power of a single d_i runs over [0, h^n], any other monomial over [-h.., h..].
struct Remainder {
  double low = 0.0, high = 0.0;

  void AddSquare(double coefficient, double extent) {
    (coefficient > 0.0 ? high : low) += coefficient * extent;
  }
  void AddProduct(double coefficient, double extent) {
    const double magnitude = std::abs(coefficient) * extent;
    low -= magnitude;
    high += magnitude;
  }
};

LinearModel LinearizeQuadratic(const LocalSurface& surface, const Cell& cell) {
  const auto& c = surface.psi.c;
  const double x = cell.center.x(), y = cell.center.y(), z = cell.center.z();
  LinearModel model;
  model.gradient = {c[1] + 2.0 * c[4] * x + c[5] * y + c[6] * z,
                    c[2] + c[5] * x + 2.0 * c[7] * y + c[8] * z,
                    c[3] + c[6] * x + c[8] * y + 2.0 * c[9] * z};
  model.value = c[0] + (c[1] + c[4] * x + c[5] * y + c[6] * z) * x +
                (c[2] + c[7] * y + c[8] * z) * y + (c[3] + c[9] * z) * z;
  const Eigen::Vector3d& h = cell.half;
  Remainder remainder;
  remainder.AddSquare(c[4], h.x() * h.x());
  remainder.AddSquare(c[7], h.y() * h.y());
  remainder.AddSquare(c[9], h.z() * h.z());
  remainder.AddProduct(c[5], h.x() * h.y());
  remainder.AddProduct(c[6], h.x() * h.z());
  remainder.AddProduct(c[8], h.y() * h.z());
  // At most 20 rounded operations on terms whose absolute sum is bounded by that of the coefficients
  // (|y| <= 1); surface.rounding is 2^-52 times that sum.
  const double slack = 16.0 * surface.rounding;
  model.remainder_low = remainder.low - slack;
  model.remainder_high = remainder.high + slack;
  return model;
}

LinearModel LinearizeGeneral(const LocalSurface& surface, const Cell& cell) {
  const std::array<std::array<double, 3>, 3> identity = {
      std::array<double, 3>{1.0, 0.0, 0.0}, std::array<double, 3>{0.0, 1.0, 0.0},
      std::array<double, 3>{0.0, 0.0, 1.0}};
  const Polynomial<double> local =
      Substitute(surface.psi, identity, {cell.center.x(), cell.center.y(), cell.center.z()});
  LinearModel model;
  model.value = local.c[0];
  model.gradient = {local.c[1], local.c[2], local.c[3]};
  Remainder remainder;
  double power[3][kMaxDegree + 1];
  for (int i = 0; i < 3; ++i) {
    power[i][0] = 1.0;
    for (int n = 1; n <= kMaxDegree; ++n) power[i][n] = power[i][n - 1] * cell.half[i];
  }
  for (int m = 4; m < local.size(); ++m) {
    const auto& e = kMonomialExponents[m];
    const double extent = power[0][e[0]] * power[1][e[1]] * power[2][e[2]];
    const bool even = e[0] % 2 == 0 && e[1] % 2 == 0 && e[2] % 2 == 0;
    if (even) {
      remainder.AddSquare(local.c[m], extent);
    } else {
      remainder.AddProduct(local.c[m], extent);
    }
  }
  // A shift of a quartic makes each coefficient a sum of at most 35 terms, each with at most 9 rounded
  // operations and binomial weights up to 12, on |y| <= 1.
  const double slack = 2048.0 * surface.rounding;
  model.remainder_low = remainder.low - slack;
  model.remainder_high = remainder.high + slack;
  return model;
}

LinearModel LinearizeLinear(const LocalSurface& surface, const Cell& cell) {
  const auto& c = surface.psi.c;
  LinearModel model;
  model.gradient = {c[1], c[2], c[3]};
  model.value = c[0] + model.gradient.dot(cell.center);
  const double slack = 8.0 * surface.rounding;
  model.remainder_low = -slack;
  model.remainder_high = slack;
  return model;
}

}  // namespace

LinearModel Linearize(const LocalSurface& surface, const Cell& cell) {
  switch (surface.psi.degree) {
    case 0:
    case 1:
      return LinearizeLinear(surface, cell);
    case 2:
      return LinearizeQuadratic(surface, cell);
    default:
      return LinearizeGeneral(surface, cell);
  }
}

}  // namespace volcontact
