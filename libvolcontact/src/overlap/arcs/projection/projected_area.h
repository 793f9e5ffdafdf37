// The area of a region's projection along a direction.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/arcs/curves/curve_crossings.h"
#include "overlap/arcs/edges/edge_finder.h"
#include "overlap/arcs/edges/edge_nodes.h"
#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/lines/line_probe.h"
#include "overlap/arcs/projection/contour.h"
#include "overlap/arcs/projection/contour_rim.h"
#include "overlap/arcs/projection/contour_segments.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Measures the projection of a region: every line along the direction that meets it counts once.
/// The projection is summed along its rim: edges between faces of which one looks up and one down,
/// and outlines, where n·direction = 0 (a surface of one degree less), as far as no other part of
/// the region lies before or behind them, which changes where they cross each other. What is missed
/// there is an error of the area, not of the volume; it shows where the rim does not close.
class ProjectedArea {
 public:
  /// Of a region whose edges were found in cells, with the nodes there; `direction` is a unit
  /// vector in the problem's frame, `precision` that of the area of one piece of the rim, relative
  /// to the cube's faces. Nothing when outlines were not all found, or the rim does not close. The
  /// same for any number of threads.
  std::optional<double> Run(const LocalProblem& problem, const EdgeFinder& finder,
                            const EdgeNodes& nodes, const Eigen::Vector3d& direction,
                            double precision, long max_cells, int threads = 1);
  /// Of a region whose edges are parts of whole curves, and found there: the finder knows what is
  /// undecided where.
  std::optional<double> Run(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                            CurveFinder* finder, const Eigen::Vector3d& direction, double precision,
                            int threads = 1);

 private:
  // Edges, with the segments that close them.
  struct Outlines {
    const Edges& edges;
    const std::vector<NodeSegment>& segments;
  };

  // What one thread finds.
  struct Finds {
    std::vector<ContourPart> parts;
    std::vector<double> turns;  // of the faces of the present edge
    CurveCrossings on_curve;
  };
  // The parts of one edge among them.
  struct Found {
    int by;  // thread
    std::size_t begin, end;
  };

  void CutByOutlines(const LocalProblem& problem, const Eigen::Vector3d& direction);
  bool IsReentrant(std::span<const EdgeSheet> sheets, const CurvePoint& point) const;
  double CountAt(std::span<const EdgeSheet> sheets, const CurvePoint& point) const;
  bool FindTurns(const Edges& edges, const EdgePiece& piece, Finds* finds) const;
  void AddEdge(const Edges& edges, const ContourCurves& curves, int number, Finds* finds) const;
  void AddEdges(const Edges& edges, const ContourCurves& curves, int threads);
  void Collect(const Outlines& of_region, const ContourCurves& region_curves,
               const Outlines& of_faces, const ContourCurves& outlines, int threads);
  std::optional<double> Projection(const Outlines& of_region, const Outlines& of_faces,
                                   double precision, bool are_sure, int threads);

  Eigen::Vector3d along_;
  LocalProblem cut_;           // with the surfaces that cut the outlines
  std::vector<int> cuts_;      // by surface, its outline's
  std::vector<double> bends_;  // by quadric: how it bends along the direction
  std::vector<int> surfaces_;  // of the expression
  EdgeFinder outlines_;
  EdgeNodes outline_nodes_;
  CurveFinder outline_curves_;
  std::vector<bool> looks_one_way_;  // by surface
  std::vector<ContourPart> contour_;
  ContourSegments segments_;
  std::vector<Finds> finds_;  // by thread
  std::vector<Found> found_;  // by piece
  LineProbe probe_;
  ContourRim rim_;
};

}  // namespace volcontact
