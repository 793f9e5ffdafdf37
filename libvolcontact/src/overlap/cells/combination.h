// Linear combinations of surfaces over a cell.
#pragma once

#include <Eigen/Core>

#include "overlap/cells/cell_bounds.h"

namespace volcontact {

/// A linear combination F of second-order models (a few of them: rounding is covered by the models'
/// own slack), bounded below over their common cell.
class Combination {
 public:
  void Add(const QuadraticModel& model, double factor);

  /// Certified lower bound of F; exact for a combination without cross terms.
  double Low() const;

  /// Certified lower bound by convexity, F(t) >= F(t0) + ∇F(t0)·(t − t0): tight for the minimum t0
  /// of a convex F with cross terms; minus infinity when F is not convex.
  double LowNear(const Eigen::Vector3d& t0) const;

 private:
  double value_ = 0.0;
  Eigen::Vector3d linear_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d square_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d cross_ = Eigen::Vector3d::Zero();
};

}  // namespace volcontact
