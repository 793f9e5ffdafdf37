// A region along straight lines.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "overlap/arcs/line_bundles.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Asks where lines of one direction meet a region.
class LineProbe {
 public:
  /// Of surfaces of degree two at most; `problem` must outlive the probe.
  LineProbe(const LocalProblem& problem, const Eigen::Vector3d& direction);

  /// In how many intervals the line through p meets the region within the unit cube.
  int CountIntervals(const Eigen::Vector3d& p);

 private:
  struct Crossing {
    double t;
    int surface;
  };

  bool ClipToCube(const Eigen::Vector3d& p, double* from, double* to) const;

  const LocalProblem& problem_;
  Eigen::Vector3d direction_;
  LineBundles bundles_;
  std::vector<Crossing> crossings_;  // along the present line
  std::vector<Truth> states_;        // at its present place
};

}  // namespace volcontact
