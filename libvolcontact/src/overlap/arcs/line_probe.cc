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
      states_(problem.surfaces.size(), Truth::kUnknown) {}

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

int LineProbe::CountIntervals(const Vector3d& p) {
  double from, to;
  if (!ClipToCube(p, &from, &to)) return 0;
  crossings_.clear();
  const Undecided& near = bundles_.Near(p);
  for (const int s : near.surfaces) {
    // psi = c + 2 b t + a t² along the line.
    Vector3d gradient, beyond;
    const double c = EvaluateQuadric(problem_.surfaces[s], p, &gradient);
    const double b = 0.5 * direction_.dot(gradient);
    double a = 0.0;
    if (problem_.surfaces[s].psi.degree > 1) {
      EvaluateQuadric(problem_.surfaces[s], p + direction_, &beyond);
      a = 0.5 * direction_.dot(beyond - gradient);
    }
    states_[s] = ToTruth(c + (2.0 * b + a * from) * from <= 0.0);
    const double discriminant = b * b - a * c;
    if (!(discriminant >= 0.0)) continue;
    const double q = -(b + std::copysign(std::sqrt(discriminant), b));
    for (const double t : {c / q, q / a}) {
      if (t > from && t < to) crossings_.push_back({t, s});
    }
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
