// Cells that are about as long one way as another, in metres, also where the cube is flat.
#pragma once

#include <Eigen/Core>

#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// The axis along which a cell is longest, in metres.
inline int LongestAxis(const LocalProblem& problem, const Cell& cell) {
  int axis;
  cell.half.cwiseProduct(problem.frame.half).maxCoeff(&axis);
  return axis;
}

/// The upper or the lower half of a cell along an axis. Exact while its coordinates are dyadic.
inline Cell HalfOf(Cell cell, int axis, bool upper) {
  cell.half[axis] *= 0.5;
  cell.center[axis] += upper ? cell.half[axis] : -cell.half[axis];
  return cell;
}

/// One of the eight cells that halving a cell three times along its longest axis makes, k < 8.
inline Cell EighthOf(const LocalProblem& problem, Cell cell, int k) {
  for (int bit = 1; bit < 8; bit *= 2) {
    cell = HalfOf(cell, LongestAxis(problem, cell), (k & bit) != 0);
  }
  return cell;
}

}  // namespace volcontact
