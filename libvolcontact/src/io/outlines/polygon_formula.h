// Simple polygons as boolean formulas over the half-planes of their edges.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

namespace volcontact {

using PolygonRing = std::vector<Eigen::Vector2d>;

/// An edge's half-plane, or all (`conjunction`) or any of the parts.
struct PolygonFormula {
  int edge = -1;  ///< from corner `edge` to the next, the polygon on its left; −1 for a combination
  bool conjunction = true;
  std::vector<PolygonFormula> parts;
};

/// n·x <= d on the left of the line from p to q. Along an axis n is a unit vector, so that the line
/// is where p is to the last bit.
struct DirectedLine {
  Eigen::Vector2d n;
  double d;
};
DirectedLine LineOf(const Eigen::Vector2d& p, const Eigen::Vector2d& q);

/// The ring counterclockwise, without corners that repeat or lie on the line between their
/// neighbours. Less than three corners where nothing is left.
PolygonRing CleanRing(PolygonRing ring);

/// Whether no two edges of a clean ring meet but neighbours in their corner; exact.
bool IsSimple(const PolygonRing& ring);
/// Whether an edge of one ring meets one of the other; exact.
bool RingsMeet(const PolygonRing& a, const PolygonRing& b);
/// Whether a point that lies on no edge is inside; exact.
bool IsInside(const PolygonRing& ring, const Eigen::Vector2d& p);
/// Twice the area, positive counterclockwise.
double DoubleArea(const PolygonRing& ring);

/// The formula of a clean, simple ring, in which every edge stands once (Dobkin, Guibas,
/// Hershberger and Snoeyink, Algorithmica 1993): chains between extreme corners, split at a corner
/// of their hull. Cost: square of the number of edges at worst.
PolygonFormula FormulaOf(const PolygonRing& ring);

}  // namespace volcontact
