// Certified classification of cells.
#pragma once

#include <Eigen/Core>

#include <cmath>
#include <vector>

#include "integration/local_problem.h"
#include "math/polynomial.h"
#include "solids/expression.h"

namespace volcontact {

/// A cell: an axis-aligned box in the scaled coordinates of a LocalProblem.
struct Cell {
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Vector3d half = Eigen::Vector3d::Ones();
};

/// First-order Taylor model of a polynomial over a cell: for all y = center + d with |d_i| <= half_i,
/// value + gradient·d + remainder_low <= psi(y) <= value + gradient·d + remainder_high. The
/// remainders include the rounding errors of this evaluation and of the surface's coefficients.
struct LinearModel {
  double value;
  Eigen::Vector3d gradient;
  double remainder_low, remainder_high;

  double Low(const Eigen::Vector3d& half) const {
    return value - gradient.cwiseAbs().dot(half) + remainder_low;
  }
  double High(const Eigen::Vector3d& half) const {
    return value + gradient.cwiseAbs().dot(half) + remainder_high;
  }
};

/// The model of a surface over a cell.
LinearModel Linearize(const LocalSurface& surface, const Cell& cell);

/// State of the literal psi <= 0 over a cell: kTrue and kFalse are never wrong.
inline Truth Classify(const LinearModel& model, const Eigen::Vector3d& half) {
  // The last operations of Low and High round at the scale of the terms; the margin is far larger.
  const double margin = 0x1p-50 * (std::abs(model.value) + model.gradient.cwiseAbs().dot(half));
  if (model.High(half) + margin <= 0.0) return Truth::kTrue;
  if (model.Low(half) - margin >= 0.0) return Truth::kFalse;
  return Truth::kUnknown;
}

}  // namespace volcontact
