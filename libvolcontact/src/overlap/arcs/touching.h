// Surfaces that touch along a curve and nowhere cross: a sphere in the cylinder of a capsule, a
// fillet at its plane.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Whether two surfaces of degree up to two have no common points, in the whole of space, but such
/// in which they touch along a conic or a line: their pencil contains the square of a plane, or a
/// plane that touches one of them so (docs/theory.md). What coefficients of at most one differ by
/// no more than `coincidence` from is zero.
bool TouchAlongCurve(const LocalSurface& first, const LocalSurface& second, double coincidence);

/// The same, remembered by pair.
class TouchingPairs {
 public:
  void Begin(const LocalProblem& problem, double coincidence) {
    problem_ = &problem;
    coincidence_ = coincidence;
    known_.clear();
  }
  bool Contains(int first, int second);

 private:
  const LocalProblem* problem_ = nullptr;
  double coincidence_ = 0.0;
  std::unordered_map<std::uint64_t, bool> known_;  // by both numbers, the lower first
};

}  // namespace volcontact
