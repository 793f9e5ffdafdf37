#include "volcontact/scenario/scenario.h"

#include <algorithm>
#include <cmath>

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

constexpr double kTwoPi = 6.283185307179586;

// The segment of t: the index of its first point, for times within the first and the last.
std::size_t Segment(const PiecewiseLinear& f, double t) {
  const auto after = std::upper_bound(f.times.begin(), f.times.end(), t);
  return static_cast<std::size_t>(after - f.times.begin()) - 1;
}

bool IsWithin(const PiecewiseLinear& f, double t) {
  return t >= f.times.front() && t < f.times.back();
}

double Slope(const PiecewiseLinear& f, std::size_t i) {
  return (f.values[i + 1] - f.values[i]) / (f.times[i + 1] - f.times[i]);
}

}  // namespace

double PiecewiseLinear::operator()(double t) const {
  if (!IsWithin(*this, t)) return t < times.front() ? values.front() : values.back();
  const std::size_t i = Segment(*this, t);
  return values[i] + Slope(*this, i) * (t - times[i]);
}

double JointMotion::Rate(double t) const {
  if (rates) return (*rates)(t);
  return offset + amplitude * std::sin(kTwoPi * frequency * t + phase);
}

double JointMotion::Acceleration(double t) const {
  if (rates) return IsWithin(*rates, t) ? Slope(*rates, Segment(*rates, t)) : 0.0;
  return kTwoPi * frequency * amplitude * std::cos(kTwoPi * frequency * t + phase);
}

std::vector<double> Scenario::Corners() const {
  std::vector<double> corners;
  const auto add = [&](const std::optional<PiecewiseLinear>& f) {
    if (f) corners.insert(corners.end(), f->times.begin(), f->times.end());
  };
  for (const BodySpec& body : bodies) {
    if (body.motion) add(body.motion->rates);
  }
  for (const LoadSpec& load : loads) add(load.scale);
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
