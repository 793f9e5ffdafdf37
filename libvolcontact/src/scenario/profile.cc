#include "volcontact/scenario/profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

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

ProfilePoint PointOf(const ConstantProfile& f, double) { return {f.value, 0.0, 0.0}; }

ProfilePoint PointOf(const RampProfile& f, double t) {
  if (t < f.start) return {f.from, 0.0, 0.0};
  if (t >= f.end) return {f.to, 0.0, 0.0};
  const double time = f.end - f.start, way = f.to - f.from, s = (t - f.start) / time;
  if (!f.smooth) return {f.from + way * s, way / time, 0.0};
  const double r = 1.0 - s;
  return {f.from + way * s * s * s * (10.0 + s * (6.0 * s - 15.0)),
          30.0 * way / time * s * s * r * r, 60.0 * way / (time * time) * s * r * (r - s)};
}

ProfilePoint PointOf(const PiecewiseLinear& f, double t) {
  return {f(t), IsWithin(f, t) ? Slope(f, Segment(f, t)) : 0.0, 0.0};
}

ProfilePoint PointOf(const SineProfile& f, double t) {
  const double w = kTwoPi * f.frequency, angle = w * t + f.phase;
  const double sine = f.amplitude * std::sin(angle);
  return {f.offset + sine, w * f.amplitude * std::cos(angle), -w * w * sine};
}

}  // namespace

double PiecewiseLinear::operator()(double t) const {
  if (!IsWithin(*this, t)) return t < times.front() ? values.front() : values.back();
  const std::size_t i = Segment(*this, t);
  return values[i] + Slope(*this, i) * (t - times[i]);
}

ProfilePoint Evaluate(const TimeProfile& profile, double t) {
  return std::visit([&](const auto& f) { return PointOf(f, t); }, profile);
}

std::vector<double> CornersOf(const TimeProfile& profile) {
  if (const auto* ramp = std::get_if<RampProfile>(&profile)) return {ramp->start, ramp->end};
  if (const auto* points = std::get_if<PiecewiseLinear>(&profile)) return points->times;
  return {};
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
