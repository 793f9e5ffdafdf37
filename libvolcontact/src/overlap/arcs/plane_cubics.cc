#include "overlap/arcs/plane_cubics.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace volcontact {
namespace {

using Eigen::Vector2d;

// Curves that leave a point at no larger sine of an angle touch there: they cross beside it at most
// so near to it that it does not matter.
constexpr double kTangent = 1e-7;
// Curves that are no farther apart run along each other.
constexpr double kTogether = 1e-10;
// The rise of a cubic is off that of a curve that is off it by the slack by so much of that.
constexpr double kSlackOfRise = 4.0;

// How a curve leaves its start: at t it is t·along farther in a direction, and t²·across beside it.
struct Departure {
  Span along, across;

  // Of across / along², if it goes forward everywhere.
  Span Bend() const {
    const auto bend = [&](double beside, bool is_low) {
      const double way = (beside < 0.0) == is_low ? along.low : along.high;
      return beside / (way * way);
    };
    return {bend(across.low, true), bend(across.high, false)};
  }
};

// Of a curve that starts in the direction, or opposite to it. Between its ends it is off its cubic
// by 16 t² (1 - t)² slack, the form of the error of an interpolation by ends and derivatives there.
Departure DepartureOf(const ControlPoints& c, const Vector2d& direction, double slack) {
  const Vector2d a = 3.0 * (c[1] - c[0]), b = 3.0 * (c[2] - c[0]), d = c[3] - c[0];
  const Vector2d normal(-direction[1], direction[0]);
  const auto [low, high] =
      std::minmax({direction.dot(a), 0.5 * direction.dot(b), direction.dot(d)});
  const auto [right, left] = std::minmax({normal.dot(b), normal.dot(d)});
  const double off = 16.0 * slack;
  return {{low - off, high + off}, {right - off, left + off}};
}

// A cubic as a graph over a direction.
class CubicGraph {
 public:
  struct Place {
    double t, height, slope;
  };

  CubicGraph(const ControlPoints& control, const Vector2d& along)
      : control_(control), along_(along), across_(-along[1], along[0]) {
    is_backward_ = along.dot(control[3] - control[0]) < 0.0;
  }

  bool IsGraph() const {
    const double sign = is_backward_ ? -1.0 : 1.0;
    for (std::size_t n = 0; n < 3; ++n) {
      const Vector2d step = control_[n + 1] - control_[n];
      if (!(sign * along_.dot(step) > kLeastForward * step.norm())) return false;
    }
    return true;
  }
  double From() const { return along_.dot(control_[is_backward_ ? 3 : 0]); }
  double To() const { return along_.dot(control_[is_backward_ ? 0 : 3]); }
  // At a place between them.
  Place At(double x) const {
    const double whole = along_.dot(control_[3] - control_[0]);
    double t = along_.dot(-control_[0]) / whole + x / whole;
    for (int step = 0; step < kGraphSteps; ++step) {
      const auto [p, dp] = OnCubic(control_, t);
      t = std::clamp(t + (x - along_.dot(p)) / along_.dot(dp), 0.0, 1.0);
    }
    const auto [p, dp] = OnCubic(control_, t);
    return {t, across_.dot(p), across_.dot(dp) / along_.dot(dp)};
  }

 private:
  // The least cosine of the directions of a graph and of its control points.
  static constexpr double kLeastForward = 0.5;
  static constexpr int kGraphSteps = 4;

  const ControlPoints& control_;
  Vector2d along_, across_;
  bool is_backward_;
};

}  // namespace

std::pair<Vector2d, Vector2d> OnCubic(const ControlPoints& c, double t) {
  const double s = 1.0 - t;
  const Vector2d a = s * c[0] + t * c[1], b = s * c[1] + t * c[2], d = s * c[2] + t * c[3];
  const Vector2d ab = s * a + t * b, bd = s * b + t * d;
  return {s * ab + t * bd, 3.0 * (bd - ab)};
}

Span SpanAlong(const PlaneCubic& cubic, const Vector2d& normal) {
  const ControlPoints& points = cubic.control;
  Span span = {normal.dot(points[0]), normal.dot(points[0])};
  for (std::size_t n = 1; n < points.size(); ++n) {
    const double place = normal.dot(points[n]);
    span = {std::min(span.low, place), std::max(span.high, place)};
  }
  return {span.low - cubic.slack, span.high + cubic.slack};
}

bool DepartApart(const PlaneCubic& first, const PlaneCubic& second) {
  const auto direction = [](const ControlPoints& c) -> Vector2d {
    return (c[1] - c[0]).normalized();
  };
  const Vector2d forward = direction(first.control);
  const Departure one = DepartureOf(first.control, forward, first.slack);
  const Departure other = DepartureOf(second.control, forward, second.slack);
  if (!(one.along.low > 0.0)) return false;
  if (other.along.high < 0.0) return true;
  const double sine = std::abs(Cross2(forward, direction(second.control)));
  if (!(other.along.low > 0.0 && sine <= kTangent)) return false;
  const Span a = one.Bend(), b = other.Bend();
  return a.high < b.low || b.high < a.low;
}

CubicsBeside CompareBeside(const PlaneCubic& first, const PlaneCubic& second) {
  const Vector2d along = (first.control[3] - first.control[0]).normalized();
  const CubicGraph one(first.control, along), other(second.control, along);
  if (!one.IsGraph() || !other.IsGraph()) return {};
  const double from = std::max(one.From(), other.From()), to = std::min(one.To(), other.To());
  const double slack = 2.0 * (first.slack + second.slack), length = to - from;
  if (!(length > slack)) return {};
  const CubicGraph::Place a = one.At(from), b = one.At(to), c = other.At(from), d = other.At(to);
  const double begin = c.height - a.height, end = d.height - b.height;
  const double rise = (c.slope - a.slope) * length, last_rise = (d.slope - b.slope) * length;
  const double second_third = end - last_rise / 3.0, first_third = begin + rise / 3.0;
  // As the height of a cubic, that of its control points, and its rise.
  const auto [low, high] = std::minmax({begin, first_third, second_third, end});
  if (low > slack || high < -slack) return {true};
  const auto [least, most] = std::minmax({rise, 3.0 * (second_third - first_third), last_rise});
  const bool is_monotone = least > kSlackOfRise * slack || most < -kSlackOfRise * slack;
  if (!is_monotone) return {false, std::max(-low, high) + slack <= kTogether};
  const double share = std::clamp(begin / (begin - end), 0.0, 1.0), x = from + share * length;
  return {false, false, Vector2d(one.At(x).t, other.At(x).t)};
}

}  // namespace volcontact
