// The edges of a region, in pieces.
#pragma once

#include <array>
#include <vector>

#include "math/arithmetic/discs.h"
#include "math/arithmetic/lanes.h"
#include "overlap/arcs/curves/curve.h"
#include "overlap/arcs/curves/whole_curve.h"
#include "overlap/arcs/edges/edge_sheets.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// A piece of the curve of two surfaces on which the region has an edge: a graph over a coordinate,
/// or part of a curve in closed form.
struct EdgePiece {
  int first, second;  ///< surfaces that define the curve
  int axis = 0;       ///< of a graph: with start.p[axis] < end.p[axis]
  CurvePoint start = {}, end = {};
  bool start_cut = false, end_cut = false;  ///< the edge goes on beyond the cell's side
  bool flush = false;  ///< more than two share it, of A and of B, if only in passing
  EdgeSheets sheets = {};
  int curve = -1;  ///< of Edges::curves, from one parameter to another; −1: a graph
  double from = 0.0, to = 0.0;
};

/// All edges of a region.
struct Edges {
  std::vector<EdgePiece> pieces;
  std::vector<WholeCurve> curves;
  std::vector<int> surfaces;  ///< that may have faces

  void Clear() {
    pieces.clear();
    curves.clear();
    surfaces.clear();
  }

  /// Adds the surfaces of the pieces: those of their faces, and those that define their curves,
  /// which may have faces elsewhere.
  void CollectSurfaces();
  /// Leaves each surface once, in ascending order.
  void SortSurfaces();

  /// The points of a piece at several parts u of the way, as PointOn has them one by one.
  bool PointsOn(const LocalProblem& problem, const EdgePiece& piece, const Lanes& u,
                CurvePoints* points) const;
  /// Whether DiscsOn serves.
  bool HasDiscs(const EdgePiece& piece) const {
    return piece.curve >= 0 && curves[piece.curve].HasDiscs();
  }
  /// Discs that hold the points, and their derivatives by u, at all u of discs.
  void DiscsOn(const EdgePiece& piece, const Discs& u, std::array<Discs, 3>* p,
               std::array<Discs, 3>* derivative) const;

  /// The point of a piece a part u of the way, with the derivative by u; false where Newton's
  /// method does not find it.
  bool PointOn(const LocalProblem& problem, const EdgePiece& piece, double u,
               CurvePoint* point) const {
    if (piece.curve >= 0) {
      const double length = piece.to - piece.from;
      *point = curves[piece.curve].At(piece.from + u * length);
      point->derivative *= length;
      return true;
    }
    const bool found = SolveBetween(problem.surfaces[piece.first], problem.surfaces[piece.second],
                                    piece.start, piece.end, piece.axis, u, point);
    point->derivative *= piece.end.p[piece.axis] - piece.start.p[piece.axis];
    return found;
  }
};

}  // namespace volcontact
