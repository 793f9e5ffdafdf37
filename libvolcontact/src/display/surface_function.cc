#include "display/surface_function.h"

#include <Eigen/LU>
#include <cmath>

namespace volcontact {
namespace {

constexpr int kNewtonSteps = 12;
// Steps shorter than this, in coordinates of order one, are rounding.
constexpr double kLastStep = 1e-15;
// A common point found to this is one.
constexpr double kFound = 1e-11;
// Normals of which the sines are less are those of surfaces that touch.
constexpr double kTouching = 1e-9;

double QuadraticAt(const std::array<double, 35>& c, const Eigen::Vector3d& y) {
  const double x = y[0], v = y[1], z = y[2];
  return c[kOne] + x * (c[kX] + c[kXX] * x + c[kXY] * v + c[kXZ] * z) +
         v * (c[kY] + c[kYY] * v + c[kYZ] * z) + z * (c[kZ] + c[kZZ] * z);
}

Eigen::Vector3d QuadraticGradient(const std::array<double, 35>& c, const Eigen::Vector3d& y) {
  const double x = y[0], v = y[1], z = y[2];
  return {c[kX] + 2.0 * c[kXX] * x + c[kXY] * v + c[kXZ] * z,
          c[kY] + c[kXY] * x + 2.0 * c[kYY] * v + c[kYZ] * z,
          c[kZ] + c[kXZ] * x + c[kYZ] * v + 2.0 * c[kZZ] * z};
}

}  // namespace

double ValueAt(const Polynomial<double>& psi, const Eigen::Vector3d& y) {
  if (psi.degree == 1) return psi.c[kOne] + psi.c[kX] * y[0] + psi.c[kY] * y[1] + psi.c[kZ] * y[2];
  if (psi.degree == 2) return QuadraticAt(psi.c, y);
  return psi(y[0], y[1], y[2]);
}

Eigen::Vector3d GradientAt(const Polynomial<double>& psi, const Eigen::Vector3d& y) {
  if (psi.degree == 1) return {psi.c[kX], psi.c[kY], psi.c[kZ]};
  if (psi.degree == 2) return QuadraticGradient(psi.c, y);
  std::array<std::array<double, 5>, 3> powers;
  for (int i = 0; i < 3; ++i) {
    powers[i][0] = 1.0;
    for (int n = 1; n <= psi.degree; ++n) powers[i][n] = powers[i][n - 1] * y[i];
  }
  Eigen::Vector3d gradient = Eigen::Vector3d::Zero();
  for (int m = 1; m < psi.size(); ++m) {
    const double c = psi.c[m];
    if (c == 0.0) continue;
    const auto& e = kMonomialExponents[m];
    const double px = powers[0][e[0]], py = powers[1][e[1]], pz = powers[2][e[2]];
    if (e[0] > 0) gradient[0] += c * e[0] * powers[0][e[0] - 1] * py * pz;
    if (e[1] > 0) gradient[1] += c * e[1] * px * powers[1][e[1] - 1] * pz;
    if (e[2] > 0) gradient[2] += c * e[2] * px * py * powers[2][e[2] - 1];
  }
  return gradient;
}

Eigen::Vector3d ProjectTo(const Polynomial<double>& psi, const Eigen::Vector3d& y) {
  Eigen::Vector3d p = y;
  for (int step = 0; step < kNewtonSteps; ++step) {
    const Eigen::Vector3d g = GradientAt(psi, p);
    const double square = g.squaredNorm();
    if (!(square > 0.0)) return p;
    const Eigen::Vector3d d = (-ValueAt(psi, p) / square) * g;
    if (!d.allFinite()) return y;
    p += d;
    if (d.squaredNorm() < kLastStep * kLastStep) break;
  }
  return p;
}

bool FindCommonPoint(const std::array<const Polynomial<double>*, 3>& functions, int count,
                     double reach, Eigen::Vector3d* y) {
  Eigen::Vector3d p = *y;
  double last = 0.0;
  for (int step = 0; step < kNewtonSteps; ++step) {
    Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
    Eigen::Vector3d f = Eigen::Vector3d::Zero();
    for (int i = 0; i < count; ++i) {
      const Eigen::Vector3d g = GradientAt(*functions[i], p);
      const double norm = g.norm();
      if (!(norm > 0.0)) return false;
      J.row(i) = g / norm;
      f[i] = ValueAt(*functions[i], p) / norm;
    }
    if (count == 1) J.row(1) = J.row(0).unitOrthogonal();
    if (count <= 2) {
      const Eigen::Vector3d along = J.row(0).cross(J.row(1));
      const double sine = along.norm();
      if (!(sine > kTouching)) return false;
      J.row(2) = along / sine;
    }
    if (!(std::abs(J.determinant()) > kTouching)) return false;
    const Eigen::Vector3d d = -(J.inverse() * f);
    p += d;
    last = d.norm();
    if (!((p - *y).norm() <= reach)) return false;
    if (last < kLastStep) break;
  }
  if (last > kFound) return false;
  *y = p;
  return true;
}

}  // namespace volcontact
