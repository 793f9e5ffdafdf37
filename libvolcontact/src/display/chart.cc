#include "display/chart.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace volcontact {
namespace {

// What is less than this part of the largest of its kind is zero.
constexpr double kZero = 1e-12;
// A point this near to an axis, relative to the size around it, has no direction from it.
constexpr double kNoDirection = 1e-9;

// Half-way on the ellipse of unit directions; where they are opposite, or one has none, the other.
Eigen::Vector2d DirectionBetween(const Eigen::Vector2d& p, const Eigen::Vector2d& q) {
  const double a = p.norm(), b = q.norm();
  if (a < kNoDirection) return b > 0.0 ? Eigen::Vector2d(q / b) : Eigen::Vector2d::UnitX();
  if (b < kNoDirection) return p / a;
  const Eigen::Vector2d sum = p / a + q / b;
  const double norm = sum.norm();
  return norm > 0.0 ? Eigen::Vector2d(sum / norm) : Eigen::Vector2d(-p[1] / a, p[0] / a);
}

}  // namespace

double Chart::HeightAt(double u, double v) const {
  const double bent = bend[0] * u * u + bend[1] * v * v;
  return side == 0.0 ? level + bent : side * scale[2] * std::sqrt(1.0 + bent);
}

Eigen::Vector3d Chart::Between(const Eigen::Vector3d& p, const Eigen::Vector3d& q) const {
  const Eigen::Vector3d a = ToOwn(p), b = ToOwn(q), middle = 0.5 * (a + b);
  switch (kind) {
    case Kind::kGraph:
      return FromOwn({middle[0], middle[1], HeightAt(middle[0], middle[1])});
    case Kind::kBall: {
      const Eigen::Vector3d unit = middle.cwiseQuotient(scale);
      return FromOwn((unit / unit.norm()).cwiseProduct(scale));
    }
    case Kind::kTube: {
      const Eigen::Vector2d s = scale.head<2>();
      const Eigen::Vector2d along =
          DirectionBetween(a.head<2>().cwiseQuotient(s), b.head<2>().cwiseQuotient(s));
      const double slope = middle[2] / scale[2];
      const double radius = std::sqrt(std::max(0.0, offset + slope * slope));
      return FromOwn({radius * along[0] * s[0], radius * along[1] * s[1], middle[2]});
    }
    case Kind::kTorus: {
      const auto in_tube = [&](const Eigen::Vector3d& y) {
        return Eigen::Vector2d((y.head<2>().norm() - scale[0]) / scale[1], y[2] / scale[1]);
      };
      const Eigen::Vector2d about =
          DirectionBetween(a.head<2>() / scale[0], b.head<2>() / scale[0]);
      const Eigen::Vector2d section = DirectionBetween(in_tube(a), in_tube(b));
      const double radius = scale[0] + scale[1] * section[0];
      return FromOwn({radius * about[0], radius * about[1], scale[1] * section[1]});
    }
    case Kind::kPolynomial:
      break;
  }
  return FromOwn(middle);
}

namespace {

// ψ = Σ λ_i z_i² + β_i z_i + c along the axes, those with λ ≠ 0 first, the larger ones first.
struct OwnAxes {
  Eigen::Matrix3d axes;
  Eigen::Vector3d lambda, beta;
  double constant = 0.0;
  int bent = 0;  // number of λ ≠ 0
};

OwnAxes FindAxes(const Polynomial<double>& psi) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(0.5 * Hessian(psi));
  std::array<int, 3> order = {0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return std::abs(solver.eigenvalues()[i]) > std::abs(solver.eigenvalues()[j]);
  });
  OwnAxes own;
  const double largest = std::abs(solver.eigenvalues()[order[0]]);
  for (int i = 0; i < 3; ++i) {
    own.axes.col(i) = solver.eigenvectors().col(order[i]);
    own.lambda[i] = solver.eigenvalues()[order[i]];
    if (std::abs(own.lambda[i]) <= kZero * std::max(largest, 1.0)) own.lambda[i] = 0.0;
    if (own.lambda[i] != 0.0) ++own.bent;
    own.beta[i] = own.axes.col(i).dot(LinearPart(psi));
  }
  own.constant = psi.c[kOne];
  return own;
}

// The centre along the bent axes; what is left is Σ λ_i z_i² + k + Σ β_i z_i over the others.
Eigen::Vector3d CompleteSquares(const OwnAxes& own, double* k, double* rounding) {
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  *k = own.constant;
  *rounding = std::abs(own.constant);
  for (int i = 0; i < own.bent; ++i) {
    center[i] = -0.5 * own.beta[i] / own.lambda[i];
    const double term = own.lambda[i] * center[i] * center[i];
    *k -= term;
    *rounding += std::abs(term) + std::abs(own.lambda[i]);
  }
  *rounding *= kZero;
  return center;
}

Chart PlaneChart(const Eigen::Vector3d& normal, const Eigen::Vector3d& point) {
  Chart chart;
  chart.axes.col(2) = normal.normalized();
  chart.axes.col(0) = chart.axes.col(2).unitOrthogonal();
  chart.axes.col(1) = chart.axes.col(2).cross(chart.axes.col(0));
  chart.origin = point;
  chart.flat = true;
  return chart;
}

// λ0 z0² + λ1 z1² + λ2 z2² + k = 0.
void AddCentral(const OwnAxes& own, const Eigen::Vector3d& center, double k, bool is_cone,
                std::vector<Chart>* charts) {
  const int positive = static_cast<int>((own.lambda.array() > 0.0).count());
  if (is_cone && (positive == 0 || positive == 3)) return;
  // The axis whose sign stands alone comes last.
  const bool odd_is_positive = positive == 1;
  int odd = 2;
  for (int i = 0; i < 3; ++i) {
    if (positive == 1 || positive == 2) odd = (own.lambda[i] > 0.0) == odd_is_positive ? i : odd;
  }
  const std::array<int, 3> order = {(odd + 1) % 3, (odd + 2) % 3, odd};
  Chart chart;
  chart.origin = own.axes * center;
  for (int i = 0; i < 3; ++i) {
    chart.axes.col(i) = own.axes.col(order[i]);
    const double part = is_cone ? 1.0 / own.lambda[order[i]] : -k / own.lambda[order[i]];
    chart.scale[i] = std::sqrt(std::abs(part));
  }
  const bool all_same = positive == 0 || positive == 3;
  if (is_cone) {
    chart.kind = Chart::Kind::kTube;
  } else if (all_same) {
    if (k * own.lambda[0] > 0.0) return;
    chart.kind = Chart::Kind::kBall;
  } else if ((own.lambda[odd] > 0.0) == (k > 0.0)) {
    chart.kind = Chart::Kind::kTube;
    chart.offset = 1.0;
  } else {
    chart.kind = Chart::Kind::kGraph;
    chart.bend = chart.scale.head<2>().cwiseInverse().cwiseAbs2();
    for (chart.side = -1.0; chart.side < 2.0; chart.side += 2.0) charts->push_back(chart);
    return;
  }
  charts->push_back(chart);
}

// λ0 z0² + λ1 z1² + β z2 + k = 0.
void AddTwoBent(const OwnAxes& own, const Eigen::Vector3d& center, double k, double rounding,
                std::vector<Chart>* charts) {
  Chart chart;
  chart.axes = own.axes;
  chart.origin = own.axes * center;
  const double slope = own.beta[2];
  if (std::abs(slope) > kZero) {
    chart.kind = Chart::Kind::kGraph;
    chart.level = -k / slope;
    chart.bend = -own.lambda.head<2>() / slope;
    return charts->push_back(chart);
  }
  if (std::abs(k) <= rounding) {
    if (own.lambda[0] * own.lambda[1] > 0.0) return;
    const double ratio = std::sqrt(-own.lambda[1] / own.lambda[0]);
    for (const double sign : {-1.0, 1.0}) {
      charts->push_back(PlaneChart(own.axes.col(0) + sign * ratio * own.axes.col(1), chart.origin));
    }
    return;
  }
  for (int i = 0; i < 2; ++i) chart.scale[i] = std::sqrt(std::abs(k / own.lambda[i]));
  if (own.lambda[0] * own.lambda[1] > 0.0) {
    if (k * own.lambda[0] > 0.0) return;
    chart.kind = Chart::Kind::kTube;
    chart.offset = 1.0;
    chart.scale[2] = std::numeric_limits<double>::infinity();
    return charts->push_back(chart);
  }
  // A hyperbolic cylinder: z_i = ±a sqrt(1 + (z_j/b)²).
  const int i = k * own.lambda[0] < 0.0 ? 0 : 1;
  Chart graph;
  graph.axes.col(0) = own.axes.col(1 - i);
  graph.axes.col(1) = own.axes.col(2);
  graph.axes.col(2) = own.axes.col(i);
  graph.origin = chart.origin;
  graph.scale[2] = chart.scale[i];
  graph.bend = {1.0 / (chart.scale[1 - i] * chart.scale[1 - i]), 0.0};
  for (graph.side = -1.0; graph.side < 2.0; graph.side += 2.0) charts->push_back(graph);
}

// λ0 z0² + β1 z1 + β2 z2 + k = 0.
void AddOneBent(const OwnAxes& own, const Eigen::Vector3d& center, double k, double rounding,
                std::vector<Chart>* charts) {
  const Eigen::Vector3d origin = own.axes * center;
  const Eigen::Vector3d slope = own.beta[1] * own.axes.col(1) + own.beta[2] * own.axes.col(2);
  if (slope.norm() > kZero) {
    Chart chart;
    chart.axes.col(0) = own.axes.col(0);
    chart.axes.col(2) = slope.normalized();
    chart.axes.col(1) = chart.axes.col(2).cross(chart.axes.col(0));
    chart.origin = origin;
    chart.level = -k / slope.norm();
    chart.bend = {-own.lambda[0] / slope.norm(), 0.0};
    return charts->push_back(chart);
  }
  if (std::abs(k) <= rounding || k * own.lambda[0] > 0.0) return;
  const double distance = std::sqrt(-k / own.lambda[0]);
  for (const double sign : {-1.0, 1.0}) {
    charts->push_back(PlaneChart(own.axes.col(0), origin + sign * distance * own.axes.col(0)));
  }
}

}  // namespace

std::vector<Chart> ChartsOfQuadric(const Polynomial<double>& psi) {
  std::vector<Chart> charts;
  const OwnAxes own = FindAxes(psi);
  if (own.bent == 0) {
    const Eigen::Vector3d g = LinearPart(psi);
    if (g.isZero(0.0)) return charts;
    charts.push_back(PlaneChart(g, (-psi.c[kOne] / g.squaredNorm()) * g));
    return charts;
  }
  double k = 0.0, rounding = 0.0;
  const Eigen::Vector3d center = CompleteSquares(own, &k, &rounding);
  if (own.bent == 3) AddCentral(own, center, k, std::abs(k) <= rounding, &charts);
  if (own.bent == 2) AddTwoBent(own, center, k, rounding, &charts);
  if (own.bent == 1) AddOneBent(own, center, k, rounding, &charts);
  return charts;
}

}  // namespace volcontact
