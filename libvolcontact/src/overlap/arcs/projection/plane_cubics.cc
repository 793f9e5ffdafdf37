#include "overlap/arcs/projection/plane_cubics.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
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
// Cubics of curves that are no farther apart than so many times their slack do not decide.
constexpr double kNear = 8.0;
// The difference of two curves is off its cubic by no more than so many times what it is off at
// these parts of the range.
constexpr double kOffBesideChecked = 3.0;
constexpr std::array<double, 2> kCheckedPlaces = {0.37, 0.71};

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
    return PlaceOf(t, p, dp);
  }
  // Of a point with a derivative.
  Place PlaceOf(double t, const Vector2d& p, const Vector2d& dp) const {
    return {t, across_.dot(p), across_.dot(dp) / along_.dot(dp)};
  }
  // From a point to a place.
  double Along(double x, const Vector2d& p) const { return x - along_.dot(p); }
  const Vector2d& along() const { return along_; }

 private:
  // The least cosine of the directions of a graph and of its control points.
  static constexpr double kLeastForward = 0.5;
  static constexpr int kGraphSteps = 4;

  const ControlPoints& control_;
  Vector2d along_, across_;
  bool is_backward_;
};

// A curve as a graph over the direction of that of its cubic.
class CurveGraph {
 public:
  CurveGraph(const CubicGraph& cubic, const CurveOfCubic& curve) : cubic_(cubic), curve_(curve) {}

  CubicGraph::Place At(double x) const {
    double t = cubic_.At(x).t;
    for (int step = 0; step < kCurveSteps; ++step) {
      const auto [p, dp] = curve_.At(t);
      t = std::clamp(t + cubic_.Along(x, p) / cubic_.along().dot(dp), 0.0, 1.0);
    }
    const auto [p, dp] = curve_.At(t);
    const CubicGraph::Place at = cubic_.PlaceOf(t, p, dp);
    return {t, at.height + at.slope * cubic_.Along(x, p), at.slope};
  }

 private:
  static constexpr int kCurveSteps = 2;

  const CubicGraph& cubic_;
  const CurveOfCubic& curve_;
};

// Where two graphs over one direction both are; nothing where one is none.
std::optional<Span> CommonRange(const CubicGraph& one, const CubicGraph& other) {
  if (!one.IsGraph() || !other.IsGraph()) return std::nullopt;
  const Span common = {std::max(one.From(), other.From()), std::min(one.To(), other.To())};
  return common.high > common.low ? std::optional(common) : std::nullopt;
}

// By how much one graph is above another over a range, as a cubic with the heights and slopes at
// its ends.
class Difference {
 public:
  template <class Graph>
  Difference(const Graph& one, const Graph& other, const Span& range) {
    const double length = range.high - range.low;
    from_ = {one.At(range.low), other.At(range.low)};
    to_ = {one.At(range.high), other.At(range.high)};
    const double begin = from_[1].height - from_[0].height, end = to_[1].height - to_[0].height;
    rise_ = (from_[1].slope - from_[0].slope) * length;
    last_rise_ = (to_[1].slope - to_[0].slope) * length;
    control_ = {begin, begin + rise_ / 3.0, end - last_rise_ / 3.0, end};
  }

  // The most of its modulus.
  double Most() const {
    const auto [low, high] = std::minmax_element(control_.begin(), control_.end());
    return std::max(-*low, *high);
  }
  // How far it bends off its chord.
  double Bend() const {
    const double third = (control_[3] - control_[0]) / 3.0;
    return std::max(std::abs(control_[1] - control_[0] - third),
                    std::abs(control_[2] - control_[3] + third));
  }
  // At a part of the range.
  double At(double t) const {
    const double s = 1.0 - t;
    return s * s * (s * control_[0] + 3.0 * t * control_[1]) +
           t * t * (3.0 * s * control_[2] + t * control_[3]);
  }
  // What it decides if the difference is off it by no more than the slack.
  CurvesBeside Decide(double slack) const {
    const auto [low, high] = std::minmax_element(control_.begin(), control_.end());
    if (*low > slack || *high < -slack) return {.are_apart = true};
    const auto [least, most] = std::minmax({rise_, 3.0 * (control_[2] - control_[1]), last_rise_});
    const bool is_monotone = least > kSlackOfRise * slack || most < -kSlackOfRise * slack;
    if (!is_monotone) return {.are_together = Most() + slack <= kTogether};
    const double share = std::clamp(control_[0] / (control_[0] - control_[3]), 0.0, 1.0);
    const auto part = [&](std::size_t of) {
      return from_[of].t + share * (to_[of].t - from_[of].t);
    };
    return {.crossing = Vector2d(part(0), part(1))};
  }

 private:
  std::array<CubicGraph::Place, 2> from_, to_;
  double rise_, last_rise_;
  std::array<double, 4> control_;
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

CurvesBeside CompareBeside(const PlaneCubic& first, const PlaneCubic& second,
                           const CurveOfCubic& on_first, const CurveOfCubic& on_second) {
  const Vector2d along = (first.control[3] - first.control[0]).normalized();
  const CubicGraph one(first.control, along), other(second.control, along);
  const std::optional<Span> common = CommonRange(one, other);
  const double slack = 2.0 * (first.slack + second.slack);
  if (!common || !(common->high - common->low > slack)) return {};
  const Difference of_cubics(one, other, *common);
  const CurvesBeside by_cubics = of_cubics.Decide(slack);
  const bool is_decided = by_cubics.are_apart || by_cubics.are_together || by_cubics.crossing;
  if (is_decided || of_cubics.Most() > kNear * slack) return by_cubics;

  const CurveGraph first_curve(one, on_first), second_curve(other, on_second);
  const Difference difference(first_curve, second_curve, *common);
  double off = kCubicError * difference.Bend();
  for (const double share : kCheckedPlaces) {
    const double x = common->low + share * (common->high - common->low);
    const double height = second_curve.At(x).height - first_curve.At(x).height;
    off = std::max(off, kOffBesideChecked * std::abs(height - difference.At(share)));
  }
  return difference.Decide(2.0 * (off + kPlaneRounding));
}

}  // namespace volcontact
