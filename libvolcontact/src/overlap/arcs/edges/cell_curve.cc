#include "overlap/arcs/edges/cell_curve.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// By how much of a cell's half an end may lie outside of it, for rounding.
constexpr double kOnSide = 1e-9;
// Newton's method starts no farther out than this, in cells.
constexpr double kStartReach = 1.5;
// The rounding of two values of psi, in those of its coefficients.
constexpr double kEvaluation = 16.0;
// Gradients whose angle has a square less than that are one direction.
constexpr double kDependent = 1e-8;

Vector3d ToSpace(const Cell& cell, const Vector3d& t) {
  return cell.center + cell.half.cwiseProduct(t);
}

Vector3d ToCell(const Cell& cell, const Vector3d& p) {
  return (p - cell.center).cwiseQuotient(cell.half);
}

// Clips the graph of a tube to the cell.
class Clipper {
 public:
  Clipper(const CellSurface& first, const CellSurface& second, const Cell& cell,
          const CurveTube& tube)
      : first_(*first.surface), second_(*second.surface), cell_(cell), tube_(tube) {}

  CurveState Run(CellCurve* curve) {
    for (int u = 0; u < 2; ++u) {
      const double reach = std::abs(tube_.slope()[u]) + tube_.radius()[u];
      if (std::abs(tube_.center()[u]) + reach < 1.0) continue;
      if (!tube_.tangent().IsDefinite(tube_.across(u))) return CurveState::kSplit;
      for (const double side : {-1.0, 1.0}) {
        if (side * tube_.center()[u] + reach >= 1.0 && !CrossSide(u, side))
          return CurveState::kSplit;
      }
    }
    if (!(start_ < end_)) return CurveState::kNone;
    curve->axis = tube_.axis();
    curve->tangent = tube_.tangent();
    if (!FindEnd(start_, start_point_, &curve->start) || !FindEnd(end_, end_point_, &curve->end) ||
        !(curve->start.p[curve->axis] < curve->end.p[curve->axis])) {
      return CurveState::kSplit;
    }
    return CurveState::kFound;
  }

 private:
  Vector3d OnTube(double t) const {
    Vector3d p;
    p[tube_.axis()] = t;
    for (int u = 0; u < 2; ++u) p[tube_.across(u)] = tube_.center()[u] + t * tube_.slope()[u];
    return p;
  }

  // Whether a point on a side across the axis can be where the tube's curve passes the side:
  // Newton's method may have found another one. Beyond the ends of the tube it can when the tube
  // gets there.
  bool IsOnTube(int u, double side, const Vector3d& t) const {
    const double end = std::clamp(t[tube_.axis()], -1.0, 1.0);
    const auto is_near = [&](int v, double place) {
      const double off = std::abs(tube_.center()[v] + end * tube_.slope()[v] - place);
      return off <= tube_.radius()[v] + kOnSide;
    };
    return is_near(u, side) && (end != t[tube_.axis()] || is_near(1 - u, t[tube_.across(1 - u)]));
  }

  // Whether the curve is beyond a side across the axis at one end of the tube.
  bool IsBeyond(int u, double side, double end) const {
    CurvePoint point{ToSpace(cell_, OnTube(end)), {}};
    if (!SolveOnSlice(first_, second_, tube_.axis(), &point)) return false;
    return side * ToCell(cell_, point.p)[tube_.across(u)] >= 1.0 - kOnSide;
  }

  // Cuts the curve where it leaves or enters through a side across the axis.
  bool CrossSide(int u, double side) {
    const int axis = tube_.axis(), across = tube_.across(u);
    const double guess = (side - tube_.center()[u]) / tube_.slope()[u];
    Vector3d t = OnTube(std::abs(guess) <= kStartReach ? guess : std::copysign(kStartReach, guess));
    t[across] = side;
    CurvePoint point{ToSpace(cell_, t), {}};
    if (!SolveOnSlice(first_, second_, across, &point)) return false;
    const double at = (point.p[axis] - cell_.center[axis]) / cell_.half[axis];
    point.derivative /= point.derivative[axis];
    const Vector3d& tangent = tube_.tangent().center;
    const bool ascends = (tangent[across] > 0.0) == (tangent[axis] > 0.0);
    // A curve that is not cut there has its ends looked at.
    const bool leaves = ascends == (side > 0.0);
    if (leaves ? at >= end_ : at <= start_) return true;
    if (!IsOnTube(u, side, ToCell(cell_, point.p))) return false;
    // Out there the curve may pass the side once more than in the cell.
    if (std::abs(at) > 1.0 && !IsBeyond(u, side, std::copysign(1.0, at))) return false;
    if (leaves) {
      end_ = at;
      end_point_ = point;
    } else {
      start_ = at;
      start_point_ = point;
    }
    return true;
  }

  // The end at t along the axis; false when it is not in the cell.
  bool FindEnd(double t, const std::optional<CurvePoint>& on_side, CurvePoint* end) const {
    if (on_side) {
      *end = *on_side;
    } else {
      end->p = ToSpace(cell_, OnTube(t));
      if (!SolveOnSlice(first_, second_, tube_.axis(), end)) return false;
    }
    return (ToCell(cell_, end->p).cwiseAbs().array() <= 1.0 + kOnSide).all();
  }

  const LocalSurface& first_;
  const LocalSurface& second_;
  const Cell& cell_;
  const CurveTube& tube_;
  double start_ = -1.0, end_ = 1.0;
  std::optional<CurvePoint> start_point_, end_point_;  // on a side across the axis
};

// What is known of a third psi along a curve.
enum class Course {
  kMonotonic,
  kSmall,  // it changes by less than what it is at the ends
  kUnknown,
};

// `at_ends`: the sum of its absolute values at the ends, certainly; `length`: the curve's along its
// axis, in the cell's coordinates.
Course CourseAlong(const CellCurve& curve, const QuadraticModel& model, double length,
                   double at_ends) {
  const TangentBounds& tangent = curve.tangent;
  // The derivative of psi along the tangent, at the centre and its largest change.
  const Vector3d change = DerivativeChange(model);
  const double rate = tangent.center.dot(model.linear);
  const double rate_change =
      tangent.center.cwiseAbs().dot(change) + tangent.change.dot(model.linear.cwiseAbs() + change);
  if (std::abs(rate) > rate_change) return Course::kMonotonic;
  const double least = std::abs(tangent.center[curve.axis]) - tangent.change[curve.axis];
  const double most = (std::abs(rate) + rate_change) * length;
  // Negated: not a number is no proof.
  return least > 0.0 && at_ends * least > most ? Course::kSmall : Course::kUnknown;
}

bool DecidesCrossing(Course course, bool changes) {
  return course == Course::kMonotonic || (course == Course::kSmall && !changes);
}

// What equals a third model where two vanish, and bends less along their curve: what the third has
// of either's gradient at the centre is taken off, with its curvature, and before that what it
// bends off those that are planes.
QuadraticModel OnCurve(const QuadraticModel& first, const QuadraticModel& second,
                       QuadraticModel model) {
  if (IsLinear(second)) model = ReducedOnPlane(second, model);
  if (IsLinear(first)) model = ReducedOnPlane(first, model);
  const Vector3d &f = first.linear, &g = second.linear;
  const double ff = f.squaredNorm(), fg = f.dot(g), gg = g.squaredNorm();
  const double determinant = ff * gg - fg * fg;
  if (determinant > kDependent * ff * gg) {
    const double of_f = model.linear.dot(f) / determinant, of_g = model.linear.dot(g) / determinant;
    AddMultiple(fg * of_g - gg * of_f, first, &model);
    AddMultiple(fg * of_f - ff * of_g, second, &model);
  }
  CountRounding(&model);
  return model;
}

}  // namespace

CurveState TraceInCell(const CellSurface& first, const CellSurface& second, const Cell& cell,
                       CellCurve* curve) {
  const CurveTube tube(*first.model, *second.model);
  if (tube.state() == CurveTube::State::kNone) return CurveState::kNone;
  if (tube.state() == CurveTube::State::kSplit) return CurveState::kSplit;
  return Clipper(first, second, cell, tube).Run(curve);
}

CurveState CrossInCell(const CellSurface& first, const CellSurface& second,
                       const CellSurface& third, const Cell& cell, const CellCurve& curve,
                       Vector3d* p) {
  const int axis = curve.axis;
  Vector3d gradient;
  const double at_start = EvaluateSurface(*third.surface, curve.start.p, &gradient);
  const double at_end = EvaluateSurface(*third.surface, curve.end.p, &gradient);
  const bool changes = (at_start > 0.0) != (at_end > 0.0);
  const double length = (curve.end.p[axis] - curve.start.p[axis]) / cell.half[axis];
  const double at_ends =
      std::abs(at_start) + std::abs(at_end) - kEvaluation * third.surface->rounding;
  const auto course = [&](const QuadraticModel& model) {
    return CourseAlong(curve, model, length, at_ends);
  };
  Course found = course(*third.model);
  if (!DecidesCrossing(found, changes)) {
    found = course(OnCurve(*first.model, *second.model, *third.model));
  }
  if (!DecidesCrossing(found, changes)) return CurveState::kSplit;
  if (!changes) return CurveState::kNone;
  const double where = at_start / (at_start - at_end);
  *p = curve.start.p + where * (curve.end.p - curve.start.p);
  if (!SolveVertex(*first.surface, *second.surface, *third.surface, p)) return CurveState::kSplit;
  const double slack = kOnSide * cell.half[axis];
  const double at = (*p)[axis];
  if (!(at >= curve.start.p[axis] - slack && at <= curve.end.p[axis] + slack))
    return CurveState::kSplit;
  return CurveState::kFound;
}

}  // namespace volcontact
