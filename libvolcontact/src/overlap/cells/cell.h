// Cells of the octree: boxes in the scaled coordinates of a local problem.
//
// The room `cells` finds out about regions what is certain: bounds of surfaces over a cell
// (cell_bounds.h), whether several of them meet in it (conjunction.h, interior_point.h), the box of
// an overlap (locate.h, bound_region.h), and whether there is one (overlap_proof.h).
#pragma once

#include <Eigen/Core>

namespace volcontact {

/// A cell: an axis-aligned box in the scaled coordinates of a LocalProblem. It must lie in the unit
/// cube, |center_i| + half_i <= 1: the rounding errors are bounded there. half may be zero (a
/// point).
struct Cell {
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Vector3d half = Eigen::Vector3d::Ones();
};

/// The gap between two cells, along the axis where it is widest; negative where they share some of
/// their inside.
inline double GapBetween(const Cell& a, const Cell& b) {
  return ((a.center - b.center).cwiseAbs() - a.half - b.half).maxCoeff();
}

/// The smallest cell around two of them.
inline Cell Hull(const Cell& a, const Cell& b) {
  const Eigen::Vector3d low = (a.center - a.half).cwiseMin(b.center - b.half);
  const Eigen::Vector3d high = (a.center + a.half).cwiseMax(b.center + b.half);
  return {0.5 * (low + high), 0.5 * (high - low)};
}

/// What two cells have in common; flat where that is nothing but for rounding.
inline Cell Common(const Cell& a, const Cell& b) {
  const Eigen::Vector3d low = (a.center - a.half).cwiseMax(b.center - b.half);
  const Eigen::Vector3d high = (a.center + a.half).cwiseMin(b.center + b.half).cwiseMax(low);
  return {0.5 * (low + high), 0.5 * (high - low)};
}

/// One of the eight halves, in all directions, of a cell: the bits 4, 2 and 1 of k < 8 tell whether
/// it is the upper one along x, y and z. Exact while the cell's coordinates are dyadic.
inline Cell ChildOf(const Cell& cell, int k) {
  const Eigen::Vector3d corner((k & 4) != 0 ? 0.5 : -0.5, (k & 2) != 0 ? 0.5 : -0.5,
                               (k & 1) != 0 ? 0.5 : -0.5);
  return {cell.center + cell.half.cwiseProduct(corner), 0.5 * cell.half};
}

}  // namespace volcontact
