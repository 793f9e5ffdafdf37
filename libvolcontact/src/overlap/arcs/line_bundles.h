// Which surfaces are near a line of one direction.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// The lines of one direction in bundles. Of many surfaces a line is asked about those only that
/// are near it: a bundle in which lines are asked for again and again is quartered, and each
/// quarter keeps what is undecided in it.
class LineBundles {
 public:
  /// `problem` must outlive the bundles; `direction` is a unit vector.
  LineBundles(const LocalProblem& problem, const Eigen::Vector3d& direction);

  /// What is undecided along the line through p, within the unit cube. Valid until the next call.
  const Undecided& Near(const Eigen::Vector3d& p);

 private:
  struct Bundle {
    Undecided undecided;
    int lines = 0;      // asked for so far
    int quarters = -1;  // the first of four in a row; −1: not made yet
  };

  void TurnSurfaces();
  void Quarter(int bundle, const Cell& cell);

  const LocalProblem& problem_;
  Eigen::Matrix3d axes_;              // across the direction, and along it
  std::vector<LocalSurface> turned_;  // in coordinates along the axes, the cube within the unit one
  std::vector<Bundle> bundles_;
  std::vector<Truth> states_;
};

}  // namespace volcontact
