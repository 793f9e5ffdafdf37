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
      surfaces_(problem.expression.Surfaces()),
      states_(problem.surfaces.size(), Truth::kUnknown) {}

int LineProbe::CountIntervals(const Vector3d& p) {
  crossings_ = {-kReach, kReach};
  for (const int s : surfaces_) {
    // psi = c + 2 b t + a t² along the line.
    Vector3d gradient, beyond;
    const double c = EvaluateQuadric(problem_.surfaces[s], p, &gradient);
    EvaluateQuadric(problem_.surfaces[s], p + direction_, &beyond);
    const double b = 0.5 * direction_.dot(gradient);
    const double a = 0.5 * direction_.dot(beyond - gradient);
    const double discriminant = b * b - a * c;
    if (!(discriminant >= 0.0)) continue;
    const double q = -(b + std::copysign(std::sqrt(discriminant), b));
    for (const double t : {c / q, q / a}) {
      if (std::abs(t) < kReach) crossings_.push_back(t);
    }
  }
  std::sort(crossings_.begin(), crossings_.end());
  int count = 0;
  bool was_inside = false;
  for (std::size_t n = 1; n < crossings_.size(); ++n) {
    const double length = crossings_[n] - crossings_[n - 1];
    const Vector3d middle = p + (crossings_[n - 1] + 0.5 * length) * direction_;
    if (length < kTouch) continue;
    const bool is_inside = middle.cwiseAbs().maxCoeff() <= 1.0 && Contains(middle);
    count += is_inside && !was_inside ? 1 : 0;
    was_inside = is_inside;
  }
  return count;
}

bool LineProbe::Contains(const Vector3d& p) {
  Vector3d gradient;
  for (const int s : surfaces_) {
    states_[s] = ToTruth(EvaluateQuadric(problem_.surfaces[s], p, &gradient) <= 0.0);
  }
  return problem_.expression.Evaluate(states_.data()) == Truth::kTrue;
}

}  // namespace volcontact
