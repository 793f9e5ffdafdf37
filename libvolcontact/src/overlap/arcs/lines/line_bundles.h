// Finds the surfaces near lines of one direction.
#pragma once

#include <Eigen/Core>
#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// The lines of one direction in bundles. Of many surfaces a line is asked about those only that
/// are near it: a bundle in which lines are asked for again and again is quartered, and each
/// quarter keeps what is undecided in it. Keeps its memory.
class LineBundles {
 public:
  /// `problem` must outlive the use of the bundles; `direction` is a unit vector.
  void Begin(const LocalProblem& problem, const Eigen::Vector3d& direction);

  /// What is undecided along the line through p, within the unit cube; valid until the next Begin.
  /// Any number of threads may ask at the same time. How much of it is left out depends on what was
  /// asked before; on the line itself it says the same.
  const Undecided& Near(const Eigen::Vector3d& p);
  /// What is undecided in the cube, for a few lines.
  const Undecided& Whole() const { return whole_.undecided; }

 private:
  struct Bundle {
    Undecided undecided;
    std::atomic<int> lines = 0;  // asked for so far
    std::atomic<std::array<Bundle, 4>*> quarters = nullptr;
  };

  void TurnSurfaces();
  void TryToQuarter(const Cell& cell, Bundle* bundle);

  const LocalProblem* problem_ = nullptr;
  Eigen::Matrix3d axes_;  // across the direction, and along it
  Bundle whole_;
  std::mutex quartering_;  // guards all below
  bool are_turned_ = false;
  std::vector<LocalSurface> turned_;  // in coordinates along the axes, the cube within the unit one
  std::deque<std::array<Bundle, 4>> quarters_;  // the first of them are in use
  std::size_t count_ = 0;
};

}  // namespace volcontact
