// The curves of pairs of surfaces that have no closed form, in charts.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

#include "overlap/arcs/curves/quadric_curves.h"
#include "overlap/arcs/curves/whole_curve.h"
#include "overlap/arcs/edges/torus_seams.h"
#include "overlap/cells/cell.h"
#include "overlap/charts/chart_curves.h"
#include "overlap/charts/torus_base.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Finds the curves of two surfaces in the chart of one of them: tori with planes, quadrics and
/// tori, and quadrics that nearly coincide.
class ChartPairs {
 public:
  /// The curves found before are not valid any more. `seams` tell the tori of the problem; both
  /// must outlive this one's use.
  void Begin(const LocalProblem& problem, const TorusSeams& seams);
  /// Whether a surface is a torus whose chart is known.
  bool IsTorus(int surface) const { return tori_[surface].has_value(); }

  /// Adds the curves of two surfaces as far as they lie in a box. False when none of the two has a
  /// chart, or the curves are not settled: where the surfaces touch.
  bool AddCurves(const CurveSurface& first, const CurveSurface& second, const Cell& box,
                 std::vector<WholeCurve>* curves);
  /// The same of where a torus turns away from a direction, given in the frame's metres.
  bool AddOutlines(int torus, const Eigen::Vector3d& direction_C, const Cell& box,
                   std::vector<WholeCurve>* curves);

  /// The seam of a torus, with the angle of its chart as parameter.
  WholeCurve SeamOf(int torus, double seam) const;
  /// Adds the parameters, from one on to another, at which a surface crosses a torus's seam: as
  /// exactly as the curves of the two are known. False where it touches the seam, or has no table.
  bool CrossSeam(int torus, double seam, const CurveSurface& other, double from, double to,
                 std::vector<double>* parameters);

 private:
  // A torus's chart with the table of another surface, and a bound of how far that is off,
  // negative where there is no table.
  struct OnTorus {
    int torus, other;
    ChartPair* pair;
    double noise;
  };

  double MakeTable(int torus, const CurveSurface& other, ChartPair* pair) const;
  OnTorus PairOnTorus(int torus, const CurveSurface& other);
  bool AddSections(const TorusBase& torus, const CurveSurface& plane,
                   std::vector<WholeCurve>* curves) const;
  bool AddOnTorus(int torus, const CurveSurface& other, const Cell& box,
                  std::vector<WholeCurve>* curves);
  bool FindArcs(ChartPair* pair, double noise, const Cell& box, std::size_t* first);
  bool AddFound(ChartPair* pair, double noise, const Cell& box, std::vector<WholeCurve>* curves);
  int IndexOf(const CurveSurface& surface) const {
    return static_cast<int>(surface.surface - problem_->surfaces.data());
  }

  const LocalProblem* problem_ = nullptr;
  const TorusSeams* seams_ = nullptr;
  std::vector<std::optional<TorusBase>> tori_;  // by surface
  std::vector<OnTorus> on_tori_;
  ChartCurves search_;
  ChartArcs arcs_;
};

}  // namespace volcontact
