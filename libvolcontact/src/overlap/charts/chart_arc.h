// Arcs of the curve of two surfaces on a chart of one of them.
#pragma once

#include <Eigen/Core>
#include <array>
#include <deque>
#include <vector>

#include "math/arithmetic/discs.h"
#include "overlap/charts/chart_table.h"
#include "overlap/charts/surface_chart.h"

namespace volcontact {

/// A chart with the table of another surface on it.
struct ChartPair {
  SurfaceChart chart;
  ChartTable<double> table;
};

/// A part of the curve table = 0 that is a graph over one of the parameters. Along it runs θ, with
/// t = middle + reach sin θ for the parameter t of the graph, so that the curve is smooth in θ also
/// where it turns back in t just beyond an end, as the ends of thin loops do.
struct ChartArc {
  /// Where the graph enters a cell of the search, with two derivatives of w; it stays between `low`
  /// and `high` up to the next.
  struct Knot {
    double t, w, slope, bend, low, high;
  };

  const ChartPair* pair = nullptr;
  bool is_over_u = true;  ///< t is u and w is v, else the other way round
  std::vector<Knot> knots;

  double from() const { return ThetaAt(knots.front()); }
  double to() const { return ThetaAt(knots.back()); }
  /// θ at a knot.
  double ThetaAt(const Knot& knot) const;
  /// Chooses θ; before, the arc has only its knots.
  void ChooseTheta();
  /// The point at θ, in the scaled coordinates of the chart's frame, and its derivative by θ.
  void At(double theta, Eigen::Vector3d* p, Eigen::Vector3d* derivative) const;
  /// Discs that hold the points, and their derivatives by θ, at all θ of discs with centres on the
  /// arc, where Newton's method proves that there the table has one zero that goes on from the arc;
  /// else they are infinite.
  void On(const Discs& theta, std::array<Discs, 3>* p, std::array<Discs, 3>* derivative) const;
  /// The derivative by t at a knot.
  Eigen::Vector3d DirectionAt(const Knot& knot) const;

 private:
  double middle_ = 0.0, reach_ = 1.0;

  // What t and w are; u is an angle, as no plane has arcs.
  ChartParameter OfT() const { return is_over_u ? ChartParameter::kAngle : pair->chart.v_kind; }
  ChartParameter OfW() const { return is_over_u ? pair->chart.v_kind : ChartParameter::kAngle; }
  // The zero at t, where the parameter t has left these coefficients of the table.
  BasisZero ZeroOf(double t, const std::array<double, kBasisSize>& c) const;
  double ZeroAt(double t) const;
};

/// What finders of curves keep their arcs in: references stay until it is cleared; memory stays.
class ChartArcs {
 public:
  void Clear() { pairs_in_use_ = arcs_in_use_ = 0; }
  ChartPair* NewPair();
  ChartArc* NewArc(const ChartPair& pair);
  std::size_t size() const { return arcs_in_use_; }
  const ChartArc& operator[](std::size_t n) const { return arcs_[n]; }
  /// Takes back the last arcs.
  void Shrink(std::size_t size) { arcs_in_use_ = size; }

 private:
  std::deque<ChartPair> pairs_;
  std::deque<ChartArc> arcs_;
  std::size_t pairs_in_use_ = 0, arcs_in_use_ = 0;
};

}  // namespace volcontact
