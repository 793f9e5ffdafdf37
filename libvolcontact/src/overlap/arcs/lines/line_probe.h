// Intersections of a region with straight lines.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "math/arithmetic/polynomial.h"
#include "math/arithmetic/univariate.h"
#include "overlap/arcs/lines/line_bundles.h"
#include "overlap/arcs/lines/line_stretches.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Asks where lines of one direction meet a region. Keeps its memory.
class LineProbe {
 public:
  /// `problem` must outlive the use of the probe.
  void Begin(const LocalProblem& problem, const Eigen::Vector3d& direction);

  /// In how many intervals the line through p meets the region within the unit cube. Any number of
  /// threads may ask at the same time; the answer does not depend on what was asked before.
  int CountIntervals(const Eigen::Vector3d& p);
  /// These intervals, in order along the line p + t direction, the direction of length one.
  void FindIntervals(const Eigen::Vector3d& p, std::vector<std::array<double, 2>>* intervals);

  /// A place along such a line at which it crosses a surface into the region, or out of it.
  struct End {
    double t;
    int surface;
    bool leaves;
    double apart;  ///< from where it crosses the next other surface
  };
  /// All ends of the region along the line through p, of stretches however short. False if the line
  /// enters or leaves the cube within the region. For a few lines: each is asked about all
  /// surfaces.
  bool FindEnds(const Eigen::Vector3d& p, std::vector<End>* ends) const;

 private:
  // psi(p + t v) of third or fourth degree: the coefficient of t^n is terms[n - 1] at p.
  struct Line {
    std::array<Polynomial<double>, kMaxDegree> terms;
  };

  RootList<kMaxUnivariateDegree> RootsOf(int surface, const Eigen::Vector3d& p, double from,
                                         double to, bool* begins_below) const;
  void Cross(const Undecided& near, const Eigen::Vector3d& p, double from, double to,
             LineStretches* stretches) const;
  bool ClipToCube(const Eigen::Vector3d& p, double* from, double* to) const;

  const LocalProblem* problem_ = nullptr;
  Eigen::Vector3d direction_;
  LineBundles bundles_;
  std::vector<int> surfaces_;  // of the expression
  std::vector<Line> lines_;    // of surfaces of higher degree
  std::vector<int> line_of_;   // by surface
  std::vector<double> bend_;   // half the second derivative along the direction, by surface
};

}  // namespace volcontact
