// The edges of a region, in pieces.
#pragma once

#include <cstdlib>
#include <vector>

#include "overlap/arcs/cell_curve.h"
#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/expression.h"

namespace volcontact {

/// Where the region is about an edge of two surfaces: its presence b in the four sectors, with the
/// first psi negative or positive, and the second.
struct EdgeSectors {
  bool below_below = false, above_below = false, below_above = false, above_above = false;

  /// Along ∇psi_first × ∇psi_second the first surface's face lies on the left, seen from where its
  /// psi is positive, so many times more than on the right, and the second's on the right; a face
  /// counts negative whose inside is where psi is positive.
  int Weight() const { return below_below - above_below - below_above + above_above; }
  /// The same with every face counted positive, for the first surface, and for the second.
  int FirstFaces() const {
    return std::abs(below_below - above_below) - std::abs(below_above - above_above);
  }
  int SecondFaces() const {
    return std::abs(below_below - below_above) - std::abs(above_below - above_above);
  }
};

/// A piece of the curve of two surfaces on which the region has an edge, a graph over a coordinate.
struct EdgePiece {
  int first, second;  ///< surfaces
  int axis;
  CurvePoint start, end;    ///< with start.p[axis] < end.p[axis]
  bool start_cut, end_cut;  ///< the edge goes on beyond the cell's side
  EdgeSectors sectors;
};

/// Whether a piece runs along ∇psi_first × ∇psi_second from its start to its end, or against it.
bool RunsAlongTangent(const LocalProblem& problem, const EdgePiece& piece);

/// Finds all edges of a problem's region in the unit cube by an octree of cells. A cell is done
/// when no pair of its surfaces has a common curve in it that may be an edge, or each has one that
/// is provably one graph, which each third surface provably crosses once at most. Nothing is
/// sampled.
class EdgeFinder {
 public:
  /// False when cells were left after `max_cells`, or too many are unresolved: then nothing is
  /// known.
  /// `seams`, by surface, is another surface of the problem, not in its expression, or −1; may be
  /// empty: pieces of edges end where they cross the seam of a surface of theirs.
  bool Run(const LocalProblem& problem, const std::vector<int>& seams, long max_cells);
  /// Finds where faces are cut instead: `cuts`, by surface, is another surface of the problem, not
  /// in its expression, or −1; `edges` has found the edges of the region. Pieces have the cut as
  /// second surface, and no sectors where that is positive.
  bool RunCuts(const LocalProblem& problem, const std::vector<int>& cuts, const EdgeFinder& edges,
               long max_cells);
  /// Leaves nothing found.
  void Clear();

  const std::vector<EdgePiece>& pieces() const { return pieces_; }
  /// Cells that together hold all faces: in each the surface may bound the region.
  struct Face {
    int surface;
    Cell cell;
  };
  const std::vector<Face>& faces() const { return faces_; }
  /// Whether the region holds the whole cube (only when there are no faces).
  bool IsFull() const { return full_; }
  /// Tiny cells in which edges are not known: surfaces touch there, or more than two meet in a
  /// curve.
  const std::vector<Cell>& unresolved() const { return unresolved_; }
  long cells() const { return cells_; }
  /// The region's expression at a point, with one surface's literal put in.
  bool Contains(const Eigen::Vector3d& p, int surface, bool below);

 private:
  // What is undecided at one depth of the octree.
  struct Level {
    Expression expression;
    std::vector<int> surfaces;
  };
  // A curve in the present cell, and where it is cut.
  struct Curve {
    int first, second;
    CellCurve curve;
  };

  const Level* Descend(const Level& parent, const Cell& cell, Level* level);
  void Begin(const LocalProblem& problem, const std::vector<int>& cuts, long max_cells);
  void Visit(const Cell& cell, const Level& parent, int depth);
  bool IsSettled(const Cell& cell, const Level& level, int depth);
  void AddFaces(const Cell& cell, const Level& level);
  bool Resolve(const Cell& cell, const Level& level);
  bool Trace(int first, int second, const Cell& cell);
  bool AddCrossing(const Curve& found, int surface, const Cell& cell);
  bool AddSeamCrossings(const Curve& found, const Cell& cell);
  bool AddPieces(const Curve& curve, const Cell& cell, const Level& level);
  bool AddPiece(const Curve& curve, const CurvePoint& start, bool start_cut, const CurvePoint& end,
                bool end_cut, const Level& level);
  void SetStates(const Level& level, const Eigen::Vector3d& p);
  EdgeSectors Sectors(const Level& level, int first, int second, const Eigen::Vector3d& p);
  CellSurface At(int surface) const { return {&problem_->surfaces[surface], &models_[surface]}; }

  const LocalProblem* problem_ = nullptr;
  long cells_ = 0, max_cells_ = 0;
  bool failed_ = false, full_ = false;
  std::vector<EdgePiece> pieces_;
  std::vector<Cell> unresolved_;
  std::vector<Face> faces_;
  std::vector<int> cuts_;   // by surface; empty where edges are looked for
  std::vector<int> seams_;  // by surface, or empty
  std::vector<Level> levels_;
  std::vector<QuadraticModel> models_;  // over the present cell, by surface
  std::vector<Truth> states_;           // all unknown between uses
  std::vector<Curve> curves_;
  std::vector<Eigen::Vector3d> crossings_;
};

}  // namespace volcontact
