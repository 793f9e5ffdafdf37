// The curve of two surfaces within one cell, and its crossings with others.
#pragma once

#include <Eigen/Core>

#include "overlap/arcs/curves/curve.h"
#include "overlap/arcs/curves/curve_tube.h"
#include "overlap/cells/cell.h"

namespace volcontact {

/// A surface, with its model over a cell.
struct CellSurface {
  const LocalSurface* surface;
  const QuadraticModel* model;
};

/// A curve through a cell, a graph over one of its axes.
struct CellCurve {
  int axis;
  CurvePoint start, end;  ///< with start.p[axis] < end.p[axis]
  TangentBounds tangent;  ///< in the cell's coordinates
};

enum class CurveState { kNone, kFound, kSplit };

/// The curve of two surfaces in the cell, from side to side; kSplit where more than one piece
/// cannot be excluded.
CurveState TraceInCell(const CellSurface& first, const CellSurface& second, const Cell& cell,
                       CellCurve* curve);

/// Where a third surface crosses the curve of two, kFound with the one point, kSplit where more
/// than one cannot be excluded.
CurveState CrossInCell(const CellSurface& first, const CellSurface& second,
                       const CellSurface& third, const Cell& cell, const CellCurve& curve,
                       Eigen::Vector3d* p);

}  // namespace volcontact
