#include "overlap/arcs/line_probe.h"

#include <algorithm>
#include <cmath>

#include "overlap/arcs/curve.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// A line that touches a surface may seem to cut it for so long.
constexpr double kTouch = 1e-7;
// The diagonal of the cube.
constexpr double kReach = 3.5;

}  // namespace

LineProbe::LineProbe(const LocalProblem& problem, const Vector3d& direction)
    : problem_(problem),
      direction_(direction.normalized()),
      bundles_(problem, direction_),
      line_of_(problem.surfaces.size(), -1),
      bend_(problem.surfaces.size(), 0.0),
      states_(problem.surfaces.size(), Truth::kUnknown) {
  for (const int s : problem.expression.Surfaces()) {
    if (problem.surfaces[s].psi.degree <= 2) {
      bend_[s] = 0.5 * direction_.dot(Hessian(problem.surfaces[s].psi) * direction_);
      continue;
    }
    line_of_[s] = static_cast<int>(lines_.size());
    Line& line = lines_.emplace_back();
    Polynomial<double> derivative = problem.surfaces[s].psi;
    for (int n = 1; n <= kMaxDegree; ++n) {
      derivative = DerivativeAlong(derivative, direction_ / n);
      line.terms[n - 1] = derivative;
    }
  }
}

// Where the line enters the cube and leaves it; false when it misses it.
bool LineProbe::ClipToCube(const Vector3d& p, double* from, double* to) const {
  *from = -kReach;
  *to = kReach;
  for (int i = 0; i < 3; ++i) {
    const double t0 = (-1.0 - p[i]) / direction_[i], t1 = (1.0 - p[i]) / direction_[i];
    if (direction_[i] == 0.0) {
      if (std::abs(p[i]) > 1.0) return false;
      continue;
    }
    *from = std::max(*from, std::min(t0, t1));
    *to = std::min(*to, std::max(t0, t1));
  }
  return *from < *to;
}

// Where a surface's psi changes its sign between two places of a line, and the sign at the first.
RootList<kMaxUnivariateDegree> LineProbe::RootsOf(int surface, const Vector3d& p, double from,
                                                  double to, bool* begins_below) const {
  const LocalSurface& local = problem_.surfaces[surface];
  std::array<double, kMaxDegree + 1> c = {};
  Vector3d gradient;
  c[0] = EvaluateSurface(local, p, &gradient);
  c[1] = direction_.dot(gradient);
  if (local.psi.degree == 2) {
    c[2] = bend_[surface];
  } else if (local.psi.degree > 2) {
    const Line& line = lines_[line_of_[surface]];
    for (int n = 2; n <= local.psi.degree; ++n) c[n] = line.terms[n - 1](p[0], p[1], p[2]);
  }
  const int degree = local.psi.degree;
  *begins_below = Horner(c.data(), degree, from) <= 0.0;
  if (degree > 2) return SignChanges(c.data(), degree, from, to);
  RootList<kMaxUnivariateDegree> roots;
  const RootList<2> all = SolveQuadratic(c[2], c[1], c[0]);
  for (int n = 0; n < all.count; ++n) {
    if (all.x[n] > from && all.x[n] < to) roots.Push(all.x[n]);
  }
  return roots;
}

int LineProbe::CountIntervals(const Vector3d& p) {
  double from, to;
  if (!ClipToCube(p, &from, &to)) return 0;
  crossings_.clear();
  const Undecided& near = bundles_.Near(p);
  for (const int s : near.surfaces) {
    bool is_below = false;
    const RootList<kMaxUnivariateDegree> roots = RootsOf(s, p, from, to, &is_below);
    states_[s] = ToTruth(is_below);
    for (int n = 0; n < roots.count; ++n) crossings_.push_back({roots.x[n], s});
  }
  std::sort(crossings_.begin(), crossings_.end(),
            [](const Crossing& first, const Crossing& second) { return first.t < second.t; });
  int count = 0;
  bool was_inside = false;
  for (std::size_t n = 0; n <= crossings_.size(); ++n) {
    const double end = n < crossings_.size() ? crossings_[n].t : to;
    if (end - from > kTouch) {
      const bool is_inside = near.expression.Evaluate(states_.data()) == Truth::kTrue;
      count += is_inside && !was_inside ? 1 : 0;
      was_inside = is_inside;
    }
    if (n == crossings_.size()) break;
    Truth& state = states_[crossings_[n].surface];
    state = ToTruth(state != Truth::kTrue);
    from = end;
  }
  return count;
}

}  // namespace volcontact
