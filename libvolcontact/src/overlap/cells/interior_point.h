// Search for a point that satisfies several surfaces at once.
#pragma once

#include <Eigen/Core>

#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/conjunction.h"

namespace volcontact {

enum class Descent {
  kInterior,  ///< all constraints of the second-order models hold strictly at the point reached
  kRefuted,   ///< certain: they hold together nowhere in the cell
  kNeither,
};

/// Moves t, a point in the cell's coordinates, within the cell to where all constraints of the
/// second-order models hold as well as possible. A point found the caller must certify; for convex
/// surfaces one of the two outcomes is nearly certain however thin the overlap or the gap. Newton's
/// method for the smallest maximum, smoothed as τ log Σ μ_i exp(·/τ); the multipliers μ refute.
Descent FindInterior(const Conjunction& conjunction, const QuadraticModel* models,
                     Eigen::Vector3d* t);

}  // namespace volcontact
