// The area of a region's projection along a direction.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "overlap/arcs/edge_finder.h"
#include "overlap/arcs/edge_nodes.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Measures a region's projection. Where all of A's or all of B's share of its boundary faces to
/// one side, that is the length of the share's area vector along the direction. Else the shadow is
/// summed along its rim: edges between faces of which one looks up and one down, and outlines,
/// where n·direction = 0 (on a quadric a plane), as far as no other part of the region lies before
/// or behind them. Where that changes is looked for at the nodes of a quadrature: an error of the
/// area, not of the volume, goes unseen.
class ProjectedArea {
 public:
  /// `finder` has found the edges of the problem; `area_B` is the integral of n over B's share
  /// [m²], and `direction` a unit vector, both in the problem's frame. Nothing when outlines were
  /// not all found.
  std::optional<double> Run(const LocalProblem& problem, const EdgeFinder& finder,
                            const Eigen::Vector3d& direction, const Eigen::Vector3d& area_B,
                            long max_cells);

 private:
  bool FacesOneWay(const LocalProblem& problem, const EdgeFinder& finder,
                   const Eigen::Vector3d& along, Owner owner) const;
  void CutByOutlines(const LocalProblem& problem, const Eigen::Vector3d& along);
  double Count(int first, int second, const EdgeSectors& sectors, const Eigen::Vector3d& p,
               const Eigen::Vector3d& along) const;
  std::optional<double> Shadow(const Eigen::Vector3d& along) const;

  LocalProblem cut_;
  std::vector<int> outlines_;
  EdgeFinder finder_;
  EdgeNodes nodes_;
};

}  // namespace volcontact
