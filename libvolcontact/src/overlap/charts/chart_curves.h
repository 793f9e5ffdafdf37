// The curves of two surfaces, found in cells of a chart.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "overlap/cells/cell.h"
#include "overlap/charts/chart_arc.h"

namespace volcontact {

/// Finds where a table vanishes on its chart, as far as that is in a box of space. A cell of the
/// chart is done when the table provably has no zero in it, or its zeros provably are one graph.
/// Nothing is sampled. Cost: some 0.1 µs a cell; 50 to 300 of them for curves that are not nearly
/// tangent to themselves.
class ChartCurves {
 public:
  /// Adds the curves to `arcs`, as few graphs as can be. `noise`: by how much the table may be off,
  /// besides roundings of its coefficients. False when that is not settled within so many cells, as
  /// where surfaces touch; then nothing is added.
  bool Run(const ChartPair& pair, double noise, const Cell& box, ChartArcs* arcs);

 private:
  struct Range {
    double low, high;
    double middle() const { return 0.5 * (low + high); }
    double half() const { return 0.5 * (high - low); }
  };
  struct Square {
    Range u, v;
  };
  // A place on the border of a cell, and which one the curve leaves by.
  struct Place {
    double u, v;
  };
  // A graph over u or v through one cell.
  struct Segment {
    bool is_over_u;
    Place start, end;
    Range w;  // of the cell, across
  };
  // Bounds of what changes over a cell.
  struct Changes {
    double f, u, v;  // of the table but for its terms of first and second order; of its derivatives
    double f_u, f_v;  // of the terms of third order in one direction
    double rounding;
  };
  enum class Side { kNoZero, kOneZero, kUnknown };

  bool Visit(const Square& cell);
  Changes BoundChanges(const Square& cell) const;
  Side LookAt(bool along_u, const Range& range, double other, double* zero) const;
  bool Cross(const Square& cell, bool is_over_u);
  bool Split(const Square& cell, const TableValues& at, const Changes& changes);
  ChartArc::Knot KnotAt(const Segment& segment, const Place& place) const;
  void Join(ChartArcs* arcs);

  const ChartPair* pair_ = nullptr;
  double noise_ = 0.0;
  Cell box_;
  long cells_left_ = 0;
  std::vector<Segment> segments_;
  std::vector<char> is_used_;  // by segment
};

}  // namespace volcontact
