// The faces about an edge that several surfaces share.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "overlap/arcs/curves/curve.h"
#include "overlap/arcs/edges/edge_sheets.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// An edge at one of its points: what is undecided there, and the surfaces that contain it. How
/// these lie is asked beside the edge, `reach` away from it, which also tells which of two that
/// touch along it lies inside.
struct SharedEdge {
  const LocalProblem& problem;
  const Undecided& left;
  const std::vector<int>& sharing;
  CurvePoint middle;
  double reach;
};

/// The region's presence below and above a sheet on both sides of an edge.
struct SheetSides {
  std::array<bool, 2> left, right;
  Eigen::Vector3d step;  ///< from the edge to its left along the sheet
};

/// `states`, by surface, are unknown before and after.
SheetSides SidesOfSheet(const SharedEdge& edge, int surface, std::vector<Truth>* states);

/// All sheets of an edge that have faces there.
EdgeSheets SheetsOfShared(const SharedEdge& edge, std::vector<Truth>* states);

/// Whether some of the surfaces are A's, and some B's.
bool AreOfBoth(const LocalProblem& problem, const std::vector<int>& surfaces);

}  // namespace volcontact
