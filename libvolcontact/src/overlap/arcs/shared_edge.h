// What lies about an edge that more than two surfaces share.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "overlap/arcs/curve.h"
#include "overlap/arcs/edge_sheets.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/expression.h"

namespace volcontact {

/// Tells the faces about an edge by points beside it on each sheet, where also surfaces that touch
/// along the edge lie apart.
struct SharedEdge {
  const LocalProblem& problem;
  const Expression& expression;     ///< what is undecided there
  const std::vector<int>& sharing;  ///< the surfaces that contain the edge
  CurvePoint middle;                ///< of it
  double reach;                     ///< how far beside it is asked
  /// Of the expression's surfaces at the middle; those that share the edge are left unknown.
  std::vector<Truth>& states;

  /// Of all surfaces that have faces there.
  EdgeSheets Sheets() const;
  /// Of one alone, where it is cut by another surface, which is not of the region.
  EdgeSheets SheetsOfCut(int surface, int cut) const;

 private:
  std::array<bool, 2> PresenceBeside(int surface, const Eigen::Vector3d& step) const;
  Eigen::Vector3d StepOnto(int surface) const;
};

}  // namespace volcontact
