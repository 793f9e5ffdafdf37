#include "overlap/arcs/lines/line_probe.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "overlap/arcs/curves/curve.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// A line that touches a surface may seem to cut it for so long.
constexpr double kTouch = 1e-7;
// The diagonal of the cube.
constexpr double kReach = 3.5;

}  // namespace

void LineProbe::Begin(const LocalProblem& problem, const Vector3d& direction) {
  problem_ = &problem;
  direction_ = direction.normalized();
  bundles_.Begin(problem, direction_);
  problem.expression.FindSurfaces(&surfaces_);
  lines_.clear();
  line_of_.assign(problem.surfaces.size(), -1);
  bend_.assign(problem.surfaces.size(), 0.0);
  for (const int s : surfaces_) {
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
  const LocalSurface& local = problem_->surfaces[surface];
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

// Where a line crosses surfaces, and in which stretches between it is in the region.
void LineProbe::Cross(const Undecided& near, const Vector3d& p, double from, double to,
                      LineStretches* stretches) const {
  stretches->Begin(problem_->surfaces.size());
  for (const int s : near.surfaces) {
    bool is_below = false;
    const RootList<kMaxUnivariateDegree> roots = RootsOf(s, p, from, to, &is_below);
    stretches->SetState(s, is_below);
    for (int n = 0; n < roots.count; ++n) stretches->AddCrossing({roots.x[n], s});
  }
  stretches->Find(near.expression);
}

int LineProbe::CountIntervals(const Vector3d& p) {
  thread_local std::vector<std::array<double, 2>> intervals;
  FindIntervals(p, &intervals);
  return static_cast<int>(intervals.size());
}

void LineProbe::FindIntervals(const Vector3d& p, std::vector<std::array<double, 2>>* intervals) {
  intervals->clear();
  thread_local LineStretches stretches;
  double from, to;
  if (!ClipToCube(p, &from, &to)) return;
  Cross(bundles_.Near(p), p, from, to, &stretches);
  // Ranges end where the expression changes, not where surfaces are crossed that do not matter
  // there: how many of these there are depends on the bundle.
  bool was_inside = false;
  double last = from;
  const auto take = [&](bool is_inside, double end) {
    if (end - last > kTouch) {
      if (is_inside && was_inside) intervals->back()[1] = end;
      if (is_inside && !was_inside) intervals->push_back({last, end});
      was_inside = is_inside;
    }
    last = end;
  };
  const std::vector<LineStretches::Crossing>& crossings = stretches.crossings();
  const auto place = [&](int stretch) {
    return stretch > static_cast<int>(crossings.size()) ? to : crossings[stretch - 1].t;
  };
  for (const LineStretches::Range& range : stretches.inside()) {
    if (range.from > 0) take(false, place(range.from));
    take(true, place(range.end));
  }
  take(false, to);
}

bool LineProbe::FindEnds(const Vector3d& p, std::vector<End>* ends) const {
  ends->clear();
  thread_local LineStretches stretches;
  double from, to;
  if (!ClipToCube(p, &from, &to)) return true;
  Cross(bundles_.Whole(), p, from, to, &stretches);
  const std::vector<LineStretches::Crossing>& crossings = stretches.crossings();
  const auto add = [&](int stretch, bool leaves) {
    const auto [t, s] = crossings[stretch - 1];
    double apart = kReach;
    for (const LineStretches::Crossing& other : crossings) {
      if (other.surface != s) apart = std::min(apart, std::abs(other.t - t));
    }
    ends->push_back({t, s, leaves, apart});
  };
  bool keeps_off = true;
  const int last = static_cast<int>(crossings.size());
  for (const LineStretches::Range& range : stretches.inside()) {
    keeps_off = keeps_off && range.from > 0 && range.end <= last;
    if (range.from > 0) add(range.from, false);
    if (range.end <= last) add(range.end, true);
  }
  return keeps_off;
}

}  // namespace volcontact
