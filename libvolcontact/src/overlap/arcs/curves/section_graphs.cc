#include "overlap/arcs/curves/section_graphs.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "math/arithmetic/univariate.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// How far the plane reaches in the cube from its foot: half the diagonal of the cube, and more.
constexpr double kPlaneReach = 1.8;
// A section that bends by no more than this part of its slope, over the cube, has one branch there.
constexpr double kStraight = 0.118;
// Slopes and bends that are less than this drown in rounding. Along a graph points are known to a
// rounding over its slope: slopes between the first two are for curves that have no other graph.
constexpr double kGraphSlope = 1e-4, kLeastGraphSlope = 1e-12, kLeastGraphBend = 1e-4;
// The discriminant of two branches that are told apart, no less.
constexpr double kLeastGap = 1e-9;

// ψ = a u² + c v² + 2 d u + 2 e v + f at origin + u x + v y, with |a| >= |c|.
struct PlaneConic {
  Vector3d origin, x, y;
  double a, c, d, e, f;

  PlaneConic(const LocalSurface& plane, const CurveSurface& quadric) {
    const Vector3d n = LinearPart(plane.psi);
    origin = -plane.psi.c[kOne] / n.squaredNorm() * n;
    const Vector3d e1 = n.unitOrthogonal(), e2 = n.cross(e1).normalized();
    const Eigen::Matrix3d& H = quadric.half_hessian;
    const double angle = 0.5 * std::atan2(2.0 * e1.dot(H * e2), e1.dot(H * e1) - e2.dot(H * e2));
    x = std::cos(angle) * e1 + std::sin(angle) * e2;
    y = std::cos(angle) * e2 - std::sin(angle) * e1;
    if (std::abs(x.dot(H * x)) < std::abs(y.dot(H * y))) std::swap(x, y);
    a = x.dot(H * x);
    c = y.dot(H * y);
    Vector3d gradient;
    f = EvaluateSurface(*quadric.surface, origin, &gradient);
    d = 0.5 * gradient.dot(x);
    e = 0.5 * gradient.dot(y);
  }

  // The graph of v over u, as far as it may be near the cube; its branch is for others to choose.
  WholeCurve Graph() const {
    WholeCurve curve;
    curve.kind = WholeCurve::Kind::kGraph;
    curve.base = origin;
    curve.n.cosine = x;
    curve.n.sine = y;
    curve.w = {f, 2.0 * d, a};
    curve.g = c;
    curve.b[0] = e;
    curve.from = -kPlaneReach;
    curve.to = kPlaneReach;
    return curve;
  }
  // With u and v exchanged.
  PlaneConic Swapped() const {
    PlaneConic swapped = *this;
    std::swap(swapped.x, swapped.y);
    std::swap(swapped.a, swapped.c);
    std::swap(swapped.d, swapped.e);
    return swapped;
  }
};

// The one branch of v over u, as far as it is near the cube.
bool AddBranch(const PlaneConic& conic, double least_slope, std::vector<WholeCurve>* curves) {
  const double slope = std::abs(conic.e), bend = std::abs(conic.c) * kPlaneReach;
  if (!(slope > least_slope && bend <= kStraight * slope)) return false;
  WholeCurve curve = conic.Graph();
  curve.sign = std::copysign(1.0, conic.e);
  // |v| is no larger than the reach where f + 2 d u + a u² is no larger than this.
  const double most = (2.0 * slope + bend) * kPlaneReach;
  std::array<double, 6> ends;
  ends.fill(kPlaneReach);
  ends[0] = -kPlaneReach;
  std::size_t count = 1;
  for (const double level : {most, -most}) {
    const RootList<2> roots = SolveQuadratic(conic.a, 2.0 * conic.d, conic.f - level);
    for (int n = 0; n < roots.count; ++n) {
      if (std::abs(roots.x[n]) < kPlaneReach) ends[count++] = roots.x[n];
    }
  }
  std::sort(ends.begin(), ends.end());
  for (std::size_t n = 0; n + 1 < ends.size(); ++n) {
    const double middle = 0.5 * (ends[n] + ends[n + 1]);
    const double level = conic.f + middle * (2.0 * conic.d + conic.a * middle);
    if (!(std::abs(level) <= most && ends[n] < ends[n + 1])) continue;
    curve.from = ends[n];
    curve.to = ends[n + 1];
    curves->push_back(curve);
  }
  return true;
}

// Both branches of u over v, where they keep off each other.
bool AddBothBranches(const PlaneConic& conic, std::vector<WholeCurve>* curves) {
  if (!(std::abs(conic.a) > kLeastGraphBend)) return false;
  // d² − a (c v² + 2 e v + f)
  const double square = -conic.a * conic.c, linear = -2.0 * conic.a * conic.e;
  const double constant = conic.d * conic.d - conic.a * conic.f;
  const auto at = [&](double v) { return constant + v * (linear + v * square); };
  double least = std::min(at(-kPlaneReach), at(kPlaneReach)),
         most = std::max(at(-kPlaneReach), at(kPlaneReach));
  const double extreme = -0.5 * linear / square;
  if (std::abs(extreme) < kPlaneReach) {
    least = std::min(least, at(extreme));
    most = std::max(most, at(extreme));
  }
  if (most < -kLeastGap) return true;
  if (!(least > kLeastGap)) return false;
  WholeCurve curve = conic.Swapped().Graph();
  for (const double sign : {1.0, -1.0}) {
    curve.sign = sign;
    curves->push_back(curve);
  }
  return true;
}

}  // namespace

bool AddSectionGraphs(const LocalSurface& plane, const CurveSurface& quadric,
                      std::vector<WholeCurve>* curves) {
  const PlaneConic conic(plane, quadric);
  const auto add_branch = [&](double least_slope) {
    return AddBranch(conic, least_slope, curves) || AddBranch(conic.Swapped(), least_slope, curves);
  };
  return add_branch(kGraphSlope) || AddBothBranches(conic, curves) || add_branch(kLeastGraphSlope);
}

}  // namespace volcontact
