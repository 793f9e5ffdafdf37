#include "overlap/columns/slice_family.h"

#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

// Slices are tilted in the box, at an angle no construction is likely to contain: faces of solids
// that are aligned with the box would otherwise be met all at once, and symmetric shapes would have
// their events at the same place.
constexpr double kSkewCosine = 0.9175865679006683, kSkewSine = 0.39753602403841615;
constexpr double kReach = kSkewCosine + kSkewSine;  // of a corner of the box, either way

}  // namespace

Eigen::Vector2d SliceFamily::Base(double x) const {
  if (kind == Kind::kAcross) return {x, 0.0};
  return polar() ? Eigen::Vector2d::Zero().eval() : Eigen::Vector2d(kSkewCosine * x, kSkewSine * x);
}

Eigen::Vector2d SliceFamily::Direction(double x) const {
  if (kind == Kind::kAcross) return {0.0, 1.0};
  return polar() ? Eigen::Vector2d(std::cos(x), std::sin(x))
                 : Eigen::Vector2d(-kSkewSine, kSkewCosine);
}

double SliceFamily::Begin() const { return polar() ? kSkewSine : -End(); }

double SliceFamily::End() const {
  if (kind == Kind::kAcross) return 1.0;
  return polar() ? kSkewSine + 2.0 * M_PI : kReach;
}

double SliceFamily::SliceBegin(double x) const { return polar() ? 0.0 : -SliceEnd(-x); }

double SliceFamily::SliceEnd(double x) const {
  const Eigen::Vector2d base = Base(x), direction = Direction(x);
  double end = kReach;
  for (int i = 0; i < 2; ++i) {
    if (direction[i] == 0.0) continue;
    end = std::min(end, ((direction[i] > 0.0 ? 1.0 : -1.0) - base[i]) / direction[i]);
  }
  return end;
}

double SliceFamily::ParameterOf(double px, double py) const {
  if (kind == Kind::kAcross) return px;
  if (!polar()) return kSkewCosine * px + kSkewSine * py;
  const double angle = std::atan2(py, px);
  return angle < Begin() ? angle + 2.0 * M_PI : angle;
}

}  // namespace volcontact
