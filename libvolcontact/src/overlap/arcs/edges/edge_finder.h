// The edges of a region, found in cells.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "overlap/arcs/edges/cell_curve.h"
#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/edges/touching.h"
#include "overlap/cells/cell.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/expression.h"

namespace volcontact {

/// Finds all edges of a problem's region in the unit cube by an octree of cells. A cell is done
/// when no pair of its surfaces has a common curve in it that may be an edge, or each has one that
/// is provably one graph, which each third surface provably crosses once at most, or contains.
/// Nothing is sampled but the latter.
class EdgeFinder {
 public:
  /// False when cells were left after `max_cells`, or too many are unresolved: then nothing is
  /// known. Surfaces that are off a curve by no more than `coincidence` contain it, and such that
  /// cross each other by no more than that touch. `seams`, by surface, is another surface of the
  /// problem, not in its expression, or −1; may be empty: pieces of edges end where they cross the
  /// seam of a surface of theirs. The same for any number of threads.
  bool Run(const LocalProblem& problem, long max_cells, double coincidence,
           const std::vector<int>& seams = {}, int threads = 1);
  /// Finds where faces are cut instead: `cuts`, by surface, is another surface of the problem, not
  /// in its expression, or −1; `edges` has found the edges of the region. Pieces have the cut as
  /// second surface, and the sheet of the first one with the faces where the cut is negative.
  bool RunCuts(const LocalProblem& problem, const std::vector<int>& cuts, const EdgeFinder& edges,
               long max_cells, int threads = 1);
  /// Leaves nothing found.
  void Clear();

  /// No curves in closed form.
  const Edges& edges() const { return edges_; }
  const std::vector<EdgePiece>& pieces() const { return edges_.pieces; }
  /// Cells that together hold all faces: in each the surface may bound the region.
  struct Face {
    int surface;
    Cell cell;
    int left;  ///< what is undecided in the cell, kept for RunCuts
  };
  const std::vector<Face>& faces() const { return faces_; }
  /// Whether the region holds the whole cube (only when there are no faces).
  bool IsFull() const { return full_; }
  /// Tiny cells in which edges are not known: surfaces touch there, or more than two meet in a
  /// curve.
  const std::vector<Cell>& unresolved() const { return unresolved_; }
  /// A cell that holds many surfaces counts as several.
  long cells() const { return cells_; }
  /// How far, at most, surfaces that count as touching, or as sharing an edge, are off that.
  double displacement() const { return displacement_; }

 private:
  // A curve in the present cell, and where it is cut.
  struct Curve {
    int first, second;
    CellCurve curve;
  };

  // How many of a finder's finds belong to something.
  struct Counts {
    std::size_t pieces = 0, unresolved = 0, faces = 0;
    int left = 0;
  };
  // Cells below a cell of the octree, or the cuts of the faces in one of another finder's cells,
  // which may be left to a helper; and what it has found in them.
  struct Task {
    Cell cell;
    int depth = 0;
    const Undecided* parent = nullptr;
    std::size_t face = 0, faces_end = 0;  // of cuts_of_
    int helper = -1;                      // −1: it is still to be done
    Counts begin = {}, end = {};
    long cells = 0;
    double displacement = 0.0;
  };

  static Cell OffMiddleChild(const Cell& cell, int k);
  void AddTasks(const Cell& cell, const Undecided& level, int depth);
  void AddCutTasks(const EdgeFinder& edges);
  void BeginHelping(const EdgeFinder& lead);
  void Do(const Task& task);
  void DoTasks(int threads);
  void DoTasksByHelpers(int threads);
  bool CanTakeOver(const Task& task) const;
  void TakeOver(const Task& task, EdgeFinder* helper);
  Counts CountFinds() const;
  const Undecided* Descend(const Undecided& parent, const Cell& cell, Undecided* level);
  void Begin(const LocalProblem& problem, const std::vector<int>& cuts, long max_cells,
             double coincidence);
  void Visit(const Cell& cell, const Undecided& parent, int depth);
  bool IsSettled(const Cell& cell, const Undecided& level, int depth);
  void AddFaces(const Cell& cell, const Undecided& level);
  bool Resolve(const Cell& cell, const Undecided& level);
  bool Trace(int first, int second, const Cell& cell);
  bool CrossSeams(const Curve& found, const Cell& cell);
  bool AddPieces(const Curve& curve, const Cell& cell, const Undecided& level);
  bool AddPiece(const Curve& curve, const CurvePoint& start, bool start_cut, const CurvePoint& end,
                bool end_cut, const Cell& cell, const Undecided& level);
  void SetStates(const Undecided& level, const Eigen::Vector3d& p);
  bool Cross(const Curve& found, const Cell& cell, const Undecided& level);
  bool IsShared(const Curve& found, int surface);
  bool Touch(int first, int second);
  bool IsRepeated(const Curve& found) const;
  EdgeSheets SheetsOfPair(const Undecided& level, const Curve& found, const CurvePoint& middle);
  EdgeSheets SheetsOfAll(const Undecided& level, const Curve& found, const CurvePoint& middle,
                         double reach);
  bool IsPresent(const Undecided& level) const {
    return level.expression.Evaluate(states_.data()) == Truth::kTrue;
  }
  CellSurface At(int surface) const { return {&problem_->surfaces[surface], &models_[surface]}; }

  // Where more cells than this are left surfaces touch along a curve.
  static constexpr std::size_t kMaxUnresolved = 100;
  // Depth of the octree: a cell of the last level is 2e-6 of the cube, and what goes wrong in it
  // about the cube of that.
  static constexpr int kMaxDepth = 20;
  // At this depth what is left to do is put into tasks.
  static constexpr int kTaskDepth = 2;

  const LocalProblem* problem_ = nullptr;
  long cells_ = 0, max_cells_ = 0;
  double coincidence_ = 0.0, displacement_ = 0.0;
  bool failed_ = false, full_ = false;
  Edges edges_;
  std::vector<Cell> unresolved_;
  std::vector<Face> faces_;
  std::vector<Undecided> left_;  // in the cells of faces; the first left_count_ are in use
  int left_count_ = 0;
  std::vector<int> cuts_;   // by surface; empty where edges are looked for
  std::vector<int> seams_;  // by surface, or empty
  std::vector<Undecided> levels_;
  std::vector<QuadraticModel> models_;  // over the present cell, by surface
  std::vector<Truth> states_;           // all unknown between uses
  std::vector<Curve> curves_;
  std::vector<Eigen::Vector3d> crossings_;
  std::vector<int> sharing_;  // the surfaces, with its two, that contain the present curve
  TouchingPairs touching_;
  bool makes_tasks_ = false;             // else visits cells of any depth
  std::size_t unresolved_before_ = 0;    // those of a helper's earlier tasks
  const EdgeFinder* cuts_of_ = nullptr;  // that has found the faces that are cut
  std::vector<Task> tasks_;
  UndecidedPool parents_;            // of tasks
  std::vector<EdgeFinder> helpers_;  // one for each thread
};

}  // namespace volcontact
