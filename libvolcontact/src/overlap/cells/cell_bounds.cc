#include "overlap/cells/cell_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace volcontact {
namespace {

// Rounding. Let T = Σ_m |c_m| (|center| + half)^m, the sum of the absolute values of all terms of
// the Taylor expansion at the cell's far corner; T <= Σ|c_m| because the cell lies in the unit
// cube. Every term passes through a bounded number k of rounded operations before the last sum, so
// all errors together stay below k 2^-53 T, to which the rounding of the coefficients adds
// surface.rounding >= 2^-52 Σ|c_m|. Hence a slack of (k/2 + 1) surface.rounding, and some more, so
// that a caller may combine a few models (8 further operations a term) without a margin of its own.
//   degree 1: k <= 12; degree 2: k <= 24 (8 in the value, 5 in a gradient, the rest in the sums);
//   degree 4: k <= 62 (8 in each of three synthetic shifts, 4 in the powers, 35 in the sums).
constexpr std::array<double, kMaxDegree + 1> kSlack = {12.0, 12.0, 24.0, 48.0, 48.0};

// Taylor coefficients about a cell's centre, times the powers of the half extents.
struct Expansion {
  double value;
  double gradient[3];          // not yet times the half extents
  double square[3], cross[3];  // xx yy zz; xy xz yz
  double rest_low = 0.0, rest_high = 0.0;
  double rest_slope[3] = {0.0, 0.0, 0.0};  // bounds of the rest's derivatives by d / half
};

void ExpandQuadratic(const std::array<double, 35>& c, const Cell& cell, Expansion* e) {
  const double x = cell.center[0], y = cell.center[1], z = cell.center[2];
  const double hx = cell.half[0], hy = cell.half[1], hz = cell.half[2];
  const double qx = c[kXX] * x, qy = c[kYY] * y, qz = c[kZZ] * z;
  const double mixed_x = c[kXY] * y + c[kXZ] * z, mixed_y = c[kYZ] * z;
  e->value = c[kOne] + (c[kX] + qx + mixed_x) * x + (c[kY] + qy + mixed_y) * y + (c[kZ] + qz) * z;
  e->gradient[0] = c[kX] + 2.0 * qx + mixed_x;
  e->gradient[1] = c[kY] + 2.0 * qy + (c[kXY] * x + mixed_y);
  e->gradient[2] = c[kZ] + 2.0 * qz + (c[kXZ] * x + c[kYZ] * y);
  e->square[0] = c[kXX] * (hx * hx);
  e->square[1] = c[kYY] * (hy * hy);
  e->square[2] = c[kZZ] * (hz * hz);
  e->cross[0] = c[kXY] * (hx * hy);
  e->cross[1] = c[kXZ] * (hx * hz);
  e->cross[2] = c[kYZ] * (hy * hz);
}

// The steps c[target] += shift·c[source] of synthetic division (Horner) that shift the origin of a
// polynomial of the given degree along one axis.
struct ShiftSteps {
  struct Step {
    std::uint8_t target, source;
  };
  std::array<std::array<Step, 35>, 3> steps{};
  int count = 0;  // the same for each axis: 35 for degree 4
};

constexpr ShiftSteps MakeShiftSteps(int degree) {
  ShiftSteps result;
  for (int axis = 0; axis < 3; ++axis) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    result.count = 0;
    std::array<int, 3> e{};
    const auto index = [&](int k) {
      e[axis] = k;
      return static_cast<std::uint8_t>(MonomialIndex(e[0], e[1], e[2]));
    };
    for (e[a] = 0; e[a] < degree; ++e[a]) {
      for (e[b] = 0; e[a] + e[b] < degree; ++e[b]) {
        const int n = degree - e[a] - e[b];
        for (int first = 0; first < n; ++first) {
          for (int k = n - 1; k >= first; --k) {
            result.steps[axis][result.count++] = {index(k), index(k + 1)};
          }
        }
      }
    }
  }
  return result;
}

template <int degree>
constexpr ShiftSteps kShift = MakeShiftSteps(degree);

// All steps are written out: their indices are known to the compiler.
template <int degree, int axis>
void ShiftAlong(double shift, double* c) {
  [&]<int... k>(std::integer_sequence<int, k...>) {
    ((c[kShift<degree>.steps[axis][k].target] += shift * c[kShift<degree>.steps[axis][k].source]),
     ...);
  }
  (std::make_integer_sequence<int, kShift<degree>.count>());
}

// Adds the monomial m, with its coefficient about the centre, to the rest.
template <int m>
void AddToRest(double coefficient, const double (&power)[3][kMaxDegree + 1], Expansion* e) {
  constexpr auto n = kMonomialExponents[m];
  const double term = coefficient * power[0][n[0]] * power[1][n[1]] * power[2][n[2]];
  const double size = std::abs(term);
  // A monomial even in every variable runs over [0, h^n], any other over [-h^n, h^n].
  if constexpr (n[0] % 2 == 0 && n[1] % 2 == 0 && n[2] % 2 == 0) {
    e->rest_low += std::min(term, 0.0);
    e->rest_high += std::max(term, 0.0);
  } else {
    e->rest_low -= size;
    e->rest_high += size;
  }
  if constexpr (n[0] > 0) e->rest_slope[0] += n[0] * size;
  if constexpr (n[1] > 0) e->rest_slope[1] += n[1] * size;
  if constexpr (n[2] > 0) e->rest_slope[2] += n[2] * size;
}

template <int degree>
void ExpandGeneral(const Polynomial<double>& psi, const Cell& cell, Expansion* e) {
  std::array<double, 35> c = psi.c;
  ShiftAlong<degree, 0>(cell.center[0], c.data());
  ShiftAlong<degree, 1>(cell.center[1], c.data());
  ShiftAlong<degree, 2>(cell.center[2], c.data());
  double power[3][kMaxDegree + 1];
  for (int i = 0; i < 3; ++i) {
    power[i][0] = 1.0;
    for (int n = 1; n <= kMaxDegree; ++n) power[i][n] = power[i][n - 1] * cell.half[i];
    e->gradient[i] = c[kX + i];
  }
  e->value = c[kOne];
  e->square[0] = c[kXX] * power[0][2];
  e->square[1] = c[kYY] * power[1][2];
  e->square[2] = c[kZZ] * power[2][2];
  e->cross[0] = c[kXY] * (power[0][1] * power[1][1]);
  e->cross[1] = c[kXZ] * (power[0][1] * power[2][1]);
  e->cross[2] = c[kYZ] * (power[1][1] * power[2][1]);
  constexpr int first = kMonomialCount[2];
  [&]<int... m>(std::integer_sequence<int, m...>) {
    (AddToRest<first + m>(c[first + m], power, e), ...);
  }
  (std::make_integer_sequence<int, kMonomialCount[degree] - first>());
}

// What rounding adds to the rest. That of a polynomial of degree two or less is nothing else.
void AddSlack(const LocalSurface& surface, Expansion* e) {
  const double slack = kSlack[surface.psi.degree] * surface.rounding;
  e->rest_low -= slack;
  e->rest_high += slack;
}

Expansion ExpandPlane(const LocalSurface& surface, const Cell& cell) {
  const auto& c = surface.psi.c;
  const bool constant = surface.psi.degree == 0;
  Expansion e;
  for (int i = 0; i < 3; ++i) {
    e.gradient[i] = constant ? 0.0 : c[kX + i];
    e.square[i] = e.cross[i] = 0.0;
  }
  e.value = c[kOne] + (e.gradient[0] * cell.center[0] + e.gradient[1] * cell.center[1] +
                       e.gradient[2] * cell.center[2]);
  AddSlack(surface, &e);
  return e;
}

Expansion ExpandQuadric(const LocalSurface& surface, const Cell& cell) {
  Expansion e;
  ExpandQuadratic(surface.psi.c, cell, &e);
  AddSlack(surface, &e);
  return e;
}

Expansion Expand(const LocalSurface& surface, const Cell& cell) {
  if (surface.psi.degree <= 1) return ExpandPlane(surface, cell);
  if (surface.psi.degree == 2) return ExpandQuadric(surface, cell);
  Expansion e;
  (surface.psi.degree == 3 ? ExpandGeneral<3> : ExpandGeneral<4>)(surface.psi, cell, &e);
  AddSlack(surface, &e);
  return e;
}

// Bounds over t in [-1, 1]^3: the minimum of a t + q t² is at an end unless q > |a|/2, then it is
// −a²/4q; the maximum likewise.
template <class Model>
void SetBounds(const Expansion& e, const double* linear, Model* model) {
  const double cross = std::abs(e.cross[0]) + std::abs(e.cross[1]) + std::abs(e.cross[2]);
  double low = e.rest_low - cross, high = e.rest_high + cross;
  for (int i = 0; i < 3; ++i) {
    const double a = std::abs(linear[i]), q = e.square[i];
    low += 2.0 * q <= a ? q - a : -0.25 * a * a / q;
    high += -2.0 * q <= a ? q + a : -0.25 * a * a / q;
  }
  model->low = e.value + low;
  model->high = e.value + high;
}

inline Truth ClassifyExpansion(const Expansion& e, const Cell& cell) {
  double linear[3], reach = std::abs(e.cross[0]) + std::abs(e.cross[1]) + std::abs(e.cross[2]);
  for (int i = 0; i < 3; ++i) {
    linear[i] = e.gradient[i] * cell.half[i];
    reach += std::abs(linear[i]) + std::abs(e.square[i]);
  }
  // Far from the surface no term needs its own extreme, which takes divisions.
  if (e.value + (e.rest_low - reach) > 0.0) return Truth::kFalse;
  if (e.value + (e.rest_high + reach) < 0.0) return Truth::kTrue;
  LinearModel model;
  SetBounds(e, linear, &model);
  return Classify(model);
}

}  // namespace

LinearModel Linearize(const LocalSurface& surface, const Cell& cell) {
  const Expansion e = Expand(surface, cell);
  LinearModel model;
  model.value = e.value;
  model.gradient = {e.gradient[0], e.gradient[1], e.gradient[2]};
  const double cross = std::abs(e.cross[0]) + std::abs(e.cross[1]) + std::abs(e.cross[2]);
  model.remainder_low = e.rest_low - cross;
  model.remainder_high = e.rest_high + cross;
  double linear[3];
  for (int i = 0; i < 3; ++i) {
    linear[i] = e.gradient[i] * cell.half[i];
    model.remainder_low += std::min(e.square[i], 0.0);
    model.remainder_high += std::max(e.square[i], 0.0);
  }
  SetBounds(e, linear, &model);
  return model;
}

QuadraticModel Quadratize(const LocalSurface& surface, const Cell& cell) {
  const Expansion e = Expand(surface, cell);
  QuadraticModel model;
  model.value = e.value;
  double linear[3];
  for (int i = 0; i < 3; ++i) {
    linear[i] = e.gradient[i] * cell.half[i];
    model.linear[i] = linear[i];
    model.square[i] = e.square[i];
    model.cross[i] = e.cross[i];
  }
  model.rest_low = e.rest_low;
  model.rest_high = e.rest_high;
  model.rest_slope = {e.rest_slope[0], e.rest_slope[1], e.rest_slope[2]};
  SetBounds(e, linear, &model);
  return model;
}

Truth ClassifyIn(const LocalSurface& surface, const Cell& cell) {
  // Most are asked about planes and quadrics: each kind by itself keeps its numbers in registers.
  if (surface.psi.degree <= 1) return ClassifyExpansion(ExpandPlane(surface, cell), cell);
  if (surface.psi.degree == 2) return ClassifyExpansion(ExpandQuadric(surface, cell), cell);
  return ClassifyExpansion(Expand(surface, cell), cell);
}

void SimplifyInBox(LocalProblem* problem) {
  thread_local std::vector<Truth> states;
  thread_local Expression reduced;
  states.assign(problem->surfaces.size(), Truth::kUnknown);
  bool any = false;
  for (const Expression::Node& node : problem->expression.nodes()) {
    if (node.kind != Expression::Kind::kLiteral) continue;
    states[node.value] = Classify(Quadratize(problem->surfaces[node.value], Cell()));
    any |= states[node.value] != Truth::kUnknown;
  }
  if (!any) return;
  problem->expression.Reduce(states.data(), &reduced);
  problem->expression = reduced;
}

}  // namespace volcontact
