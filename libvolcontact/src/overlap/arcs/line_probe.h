// A region along straight lines.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "math/polynomial.h"
#include "math/univariate.h"
#include "overlap/arcs/line_bundles.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Asks where lines of one direction meet a region.
class LineProbe {
 public:
  /// `problem` must outlive the probe.
  LineProbe(const LocalProblem& problem, const Eigen::Vector3d& direction);

  /// In how many intervals the line through p meets the region within the unit cube.
  int CountIntervals(const Eigen::Vector3d& p);

 private:
  struct Crossing {
    double t;
    int surface;
  };
  // psi(p + t v) of third or fourth degree: the coefficient of t^n is terms[n - 1] at p.
  struct Line {
    std::array<Polynomial<double>, kMaxDegree> terms;
  };

  RootList<kMaxUnivariateDegree> RootsOf(int surface, const Eigen::Vector3d& p, double from,
                                         double to, bool* begins_below) const;
  bool ClipToCube(const Eigen::Vector3d& p, double* from, double* to) const;

  const LocalProblem& problem_;
  Eigen::Vector3d direction_;
  LineBundles bundles_;
  std::vector<Line> lines_;          // of surfaces of higher degree
  std::vector<int> line_of_;         // by surface
  std::vector<double> bend_;         // half the second derivative along the direction, by surface
  std::vector<Crossing> crossings_;  // along the present line
  std::vector<Truth> states_;        // at its present place
};

}  // namespace volcontact
