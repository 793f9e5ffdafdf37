// Certified bounds of a surface's polynomial over a cell.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <deque>
#include <vector>

#include "math/arithmetic/polynomial.h"
#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/expression.h"

namespace volcontact {

/// First-order Taylor model of a polynomial over a cell: for all y = center + d with |d_i| <=
/// half_i, value + gradient·d + remainder_low <= psi(y) <= value + gradient·d + remainder_high, and
/// low <= psi(y) <= high. The bounds hold for the true psi: they include the rounding errors of
/// this evaluation and of the surface's coefficients.
struct LinearModel {
  double value;
  Eigen::Vector3d gradient;
  double remainder_low, remainder_high;
  /// Bounds over the cell, tighter than what the linear model gives: the squares are coupled with
  /// their linear terms, so that they are exact for a polynomial sum of a_i y_i² + b_i y_i + c.
  double low, high;
};

/// Second-order Taylor model in the cell's own coordinates t = d / half in [-1, 1]^3:
/// psi = value + Σ linear_i t_i + Σ square_i t_i² + cross_0 t_x t_y + cross_1 t_x t_z
///       + cross_2 t_y t_z + rest,  rest_low <= rest <= rest_high;
/// the rest holds the terms of third and higher degree and all rounding errors.
struct QuadraticModel {
  double value;
  Eigen::Vector3d linear, square, cross;
  double rest_low, rest_high;
  /// Bounds of the rest's derivatives by t.
  Eigen::Vector3d rest_slope;
  double low, high;  ///< as in LinearModel
};

/// The models of a surface over a cell; about 15 ns for a quadric, 120 ns for a quartic.
LinearModel Linearize(const LocalSurface& surface, const Cell& cell);
QuadraticModel Quadratize(const LocalSurface& surface, const Cell& cell);

/// State of the literal psi <= 0 over a cell: kTrue and kFalse are never wrong.
inline Truth Classify(double low, double high) {
  if (high <= 0.0) return Truth::kTrue;
  if (low >= 0.0) return Truth::kFalse;
  return Truth::kUnknown;
}
inline Truth Classify(const QuadraticModel& model) { return Classify(model.low, model.high); }
inline Truth Classify(const LinearModel& model) { return Classify(model.low, model.high); }

/// What Classify says of Linearize, in less time.
Truth ClassifyIn(const LocalSurface& surface, const Cell& cell);

/// What is still undecided in a cell, with the surfaces that occur in it; shared by the cells in
/// which the same surfaces are.
struct Undecided {
  Expression expression;
  std::vector<int> surfaces;

  /// What is left of another where the surfaces have these states, known or not.
  void AssignReduced(const Undecided& parent, const std::vector<Truth>& states) {
    parent.expression.Reduce(states.data(), &expression);
    expression.FindSurfaces(&surfaces);
  }
};

/// What is undecided in the cells of one search after another. Keeps memory for searches of common
/// size, and gives back more.
class UndecidedPool {
 public:
  /// Before a search; nothing handed out is valid any more.
  void Clear() {
    used_ = 0;
    if (all_.size() > kKept) all_.resize(kKept);
  }
  /// Valid until all is cleared; with anything in it.
  Undecided* New() {
    if (used_ == all_.size()) all_.emplace_back();
    return &all_[used_++];
  }

 private:
  static constexpr std::size_t kKept = 16'384;

  std::deque<Undecided> all_;
  std::size_t used_ = 0;
};

/// Drops from the problem's expression every surface that is decided over its whole box. What is
/// left is equivalent within the box, and only there.
void SimplifyInBox(LocalProblem* problem);

}  // namespace volcontact
