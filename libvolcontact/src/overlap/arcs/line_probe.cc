#include "overlap/arcs/line_probe.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "overlap/arcs/curve.h"

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

// The crossings of a line with surfaces, in order, and the states of these where it begins.
void LineProbe::Cross(const Undecided& near, const Vector3d& p, double from, double to,
                      std::vector<Crossing>* crossings, std::vector<Truth>* states) const {
  crossings->clear();
  states->resize(problem_->surfaces.size());
  for (const int s : near.surfaces) {
    bool is_below = false;
    const RootList<kMaxUnivariateDegree> roots = RootsOf(s, p, from, to, &is_below);
    (*states)[s] = ToTruth(is_below);
    for (int n = 0; n < roots.count; ++n) crossings->push_back({roots.x[n], s});
  }
  std::sort(crossings->begin(), crossings->end(),
            [](const Crossing& first, const Crossing& second) { return first.t < second.t; });
}

int LineProbe::CountIntervals(const Vector3d& p) {
  thread_local std::vector<std::array<double, 2>> intervals;
  FindIntervals(p, &intervals);
  return static_cast<int>(intervals.size());
}

void LineProbe::FindIntervals(const Vector3d& p, std::vector<std::array<double, 2>>* intervals) {
  intervals->clear();
  thread_local std::vector<Crossing> crossings;
  thread_local std::vector<Truth> states;  // at the present place
  double from, to;
  if (!ClipToCube(p, &from, &to)) return;
  const Undecided& near = bundles_.Near(p);
  Cross(near, p, from, to, &crossings, &states);
  // Stretches end where the expression changes, not where surfaces are crossed that do not matter
  // there: how many of these there are depends on the bundle.
  const auto is_inside = [&] { return near.expression.Evaluate(states.data()) == Truth::kTrue; };
  bool was_inside = false, stretch_inside = is_inside();
  double begin = from;
  const auto end_stretch = [&](double end) {
    if (end - begin <= kTouch) return;
    if (stretch_inside && was_inside) intervals->back()[1] = end;
    if (stretch_inside && !was_inside) intervals->push_back({begin, end});
    was_inside = stretch_inside;
  };
  for (const Crossing& crossing : crossings) {
    Truth& state = states[crossing.surface];
    state = ToTruth(state != Truth::kTrue);
    if (is_inside() == stretch_inside) continue;
    end_stretch(crossing.t);
    stretch_inside = !stretch_inside;
    begin = crossing.t;
  }
  end_stretch(to);
}

// In which of the stretches between crossings a line is in the region: eight of them at a time.
void LineProbe::FindStretches(const std::vector<Crossing>& crossings,
                              const std::vector<Truth>& states_at_begin,
                              std::vector<char>* is_inside) const {
  constexpr std::size_t kAtOnce = 8;
  constexpr std::uint8_t kAll = 0xff, kLast = 0x80;
  thread_local std::vector<std::uint8_t> cases;
  const Undecided& all = bundles_.Whole();
  cases.resize(states_at_begin.size());
  for (const int s : all.surfaces) cases[s] = states_at_begin[s] == Truth::kTrue ? kAll : 0;
  is_inside->clear();
  const std::size_t count = crossings.size() + 1;
  for (std::size_t from = 0; from < count; from += kAtOnce) {
    const std::size_t to = std::min(from + kAtOnce, count);
    for (std::size_t n = std::max<std::size_t>(from, 1); n < to; ++n)
      cases[crossings[n - 1].surface] ^= static_cast<std::uint8_t>(kAll << (n - from));
    const std::uint8_t inside = all.expression.EvaluateCases(cases.data());
    for (std::size_t n = from; n < to; ++n) is_inside->push_back(inside >> (n - from) & 1);
    for (const int s : all.surfaces) cases[s] = (cases[s] & kLast) != 0 ? kAll : 0;
  }
}

bool LineProbe::FindEnds(const Vector3d& p, std::vector<End>* ends) const {
  ends->clear();
  thread_local std::vector<Crossing> crossings;
  thread_local std::vector<Truth> states;
  thread_local std::vector<char> is_inside;
  double from, to;
  if (!ClipToCube(p, &from, &to)) return true;
  Cross(bundles_.Whole(), p, from, to, &crossings, &states);
  FindStretches(crossings, states, &is_inside);
  for (std::size_t n = 0; n < crossings.size(); ++n) {
    if (is_inside[n] == is_inside[n + 1]) continue;
    const auto [t, s] = crossings[n];
    double apart = kReach;
    for (const Crossing& other : crossings) {
      if (other.surface != s) apart = std::min(apart, std::abs(other.t - t));
    }
    ends->push_back({t, s, is_inside[n] != 0, apart});
  }
  return is_inside.front() == 0 && is_inside.back() == 0;
}

}  // namespace volcontact
