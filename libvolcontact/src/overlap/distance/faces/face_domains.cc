// The faces of a solid, as domains of charts that end about where they do.
#include <algorithm>
#include <cmath>
#include <utility>

#include "overlap/distance/faces/face_search.h"

namespace volcontact {
namespace {

// Domains of angles begin as so many cells.
constexpr int kFirstAngles = 4;

// How many times the second of two functions on a chart the first one is, where it is that but for
// roundings; else 0.
double RatioOf(const BoundedTable& first, const BoundedTable& second) {
  double largest = 0.0, ratio = 0.0;
  for (int m = 0; m < kBasisSize; ++m) {
    for (int n = 0; n < kBasisSize; ++n) {
      const double value = second.table()[m][n];
      if (!(std::abs(value) > largest)) continue;
      largest = std::abs(value);
      ratio = first.table()[m][n] / value;
    }
  }
  const double noise = first.noise() + std::abs(ratio) * second.noise();
  for (int m = 0; m < kBasisSize; ++m) {
    for (int n = 0; n < kBasisSize; ++n) {
      const double off = first.table()[m][n] - ratio * second.table()[m][n];
      if (!(std::abs(off) <= noise)) return 0.0;
    }
  }
  return ratio;
}

}  // namespace

// Where it matters on which side of the surface one is.
Expression FaceSearch::TrimsOf(int surface) const {
  const Expression& whole = own_.problem.expression;
  std::vector<Truth> states(own_.gaps.size(), Truth::kUnknown);
  Expression below, above;
  states[surface] = Truth::kTrue;
  whole.Reduce(states.data(), &below);
  states[surface] = Truth::kFalse;
  whole.Reduce(states.data(), &above);
  const LiteralSides& sides = own_sides_[surface];
  std::vector<Expression> changes;
  if (sides.below) changes.push_back(Expression::And({below, above.Complement()}));
  if (sides.above) changes.push_back(Expression::And({above, below.Complement()}));
  return Expression::Or(changes).Simplified();
}

void FaceSearch::AddFace(int surface) {
  const Expression trims = TrimsOf(surface);
  if (trims.IsFalse()) return;
  std::optional<FaceChart> chart = own_.ChartOf(surface, other_);
  if (!chart || !own_.HasAllGaps() || !other_.HasAllGaps()) {
    left_.push_back(own_.Bounds());
    left_bound_ = 0.0;
    return;
  }
  Face face;
  face.surface = surface;
  face.at = *chart;
  face.trims.expression = trims;
  trims.FindSurfaces(&face.trims.surfaces);
  face.own.resize(own_.gaps.size());
  face.other.resize(other_.gaps.size());
  MergeTrims(&face);
  if (face.trims.expression.IsFalse()) return;
  Clip(&face);
  const SurfaceChart& domain = face.at.chart;
  const int in_u = domain.u_kind == ChartParameter::kAngle ? kFirstAngles : 1;
  const int in_v = domain.v_kind == ChartParameter::kAngle ? kFirstAngles : 1;
  const double half_u = 0.5 * (domain.u_to - domain.u_from) / in_u;
  const double half_v = 0.5 * (domain.v_to - domain.v_from) / in_v;
  const int number = static_cast<int>(faces_.size());
  const double u_from = domain.u_from, v_from = domain.v_from;
  faces_.push_back(std::move(face));
  const Undecided* const on_face = &faces_.back().trims;
  if (!(half_u > 0.0 && half_v > 0.0)) return;
  for (int i = 0; i < in_u; ++i) {
    for (int k = 0; k < in_v; ++k) {
      Look(number, {u_from + (2 * i + 1) * half_u, v_from + (2 * k + 1) * half_v, half_u, half_v},
           0.0, on_face, &all_other_);
    }
  }
}

// Surfaces that meet the face along one curve are one as far as its trims go: nothing is left of
// the plane between the cylinder and a ball of a capsule.
void FaceSearch::MergeTrims(Face* face) {
  const std::vector<int>& surfaces = face->trims.surfaces;
  std::vector<int> numbers(own_.gaps.size());
  std::vector<bool> flips(own_.gaps.size(), false);
  bool are_merged = false;
  for (auto s = surfaces.begin(); s != surfaces.end(); ++s) {
    numbers[*s] = *s;
    for (auto earlier = surfaces.begin(); earlier != s; ++earlier) {
      const double ratio = RatioOf(On(face, true, *s).table(), On(face, true, *earlier).table());
      if (ratio == 0.0) continue;
      numbers[*s] = numbers[*earlier];
      flips[*s] = (ratio < 0.0) != flips[*earlier];
      are_merged = true;
      break;
    }
  }
  if (!are_merged) return;
  face->trims.expression = face->trims.expression.Relabelled(numbers, flips).Simplified();
  face->trims.expression.FindSurfaces(&face->trims.surfaces);
}

// Shortens lengths to where surfaces that are straight across them let the face be: so domains end
// at edges.
void FaceSearch::Clip(Face* face) {
  SurfaceChart& chart = face->at.chart;
  VisitNecessary(face->trims.expression, [&](const Expression::Node& literal) {
    const int s = literal.value;
    if (own_.problem.surfaces[s].psi.degree != 1) return;
    const BoundedTable& bounded = On(face, true, s).table();
    const double sign = literal.flag ? -1.0 : 1.0;
    const double constant = sign * bounded.table()[0][0];
    for (const bool is_u : {true, false}) {
      if ((is_u ? chart.u_kind : chart.v_kind) != ChartParameter::kLength) continue;
      const double slope = sign * (is_u ? bounded.table()[1][0] : bounded.table()[0][1]);
      double others = bounded.noise();
      const BasisBounds in_u(chart.u_kind, std::max(std::abs(chart.u_from), std::abs(chart.u_to)));
      const BasisBounds in_v(chart.v_kind, std::max(std::abs(chart.v_from), std::abs(chart.v_to)));
      for (int m = 0; m < kBasisSize; ++m) {
        for (int n = 0; n < kBasisSize; ++n) {
          if (m + n == 0 || (m == (is_u ? 1 : 0) && n == (is_u ? 0 : 1))) continue;
          others += std::abs(bounded.table()[m][n]) * in_u.f[m] * in_v.f[n];
        }
      }
      // constant + slope t <= others.
      const double end = (others - constant) / slope;
      if (slope > 0.0)
        (is_u ? chart.u_to : chart.v_to) = std::min(is_u ? chart.u_to : chart.v_to, end);
      if (slope < 0.0)
        (is_u ? chart.u_from : chart.v_from) = std::max(is_u ? chart.u_from : chart.v_from, end);
    }
  });
}

}  // namespace volcontact
