// The edges of a region along whole curves in closed form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "overlap/arcs/crossing/chart_pairs.h"
#include "overlap/arcs/crossing/known_edges.h"
#include "overlap/arcs/crossing/near_pairs.h"
#include "overlap/arcs/crossing/piercings.h"
#include "overlap/arcs/crossing/side_conditions.h"
#include "overlap/arcs/curves/curve_crossings.h"
#include "overlap/arcs/curves/quadric_curves.h"
#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/edges/touching.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/cells/undecided_cells.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/implicit_solid.h"

namespace volcontact {

/// Finds all edges of a region that is bounded by planes, quadrics and tori: for each pair
/// of surfaces their curves, cut where third surfaces cross them; between two cuts the expression
/// tells at one point whether the region has an edge there. Costs no cells, and so little that it
/// is tried first; it gives up where surfaces nearly touch or nearly share an edge, and leaves
/// these to EdgeFinder. The region must lie in the unit cube, and off its sides, but for
/// RunReachingOut.
class CurveFinder {
 public:
  /// False when it gives up; then nothing is known. Surfaces that are off a curve by no more than
  /// `coincidence` contain it, and such that are off touching by no more touch. The same for any
  /// number of threads. Bodies whose edges are known are not searched for them.
  bool Run(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
           const TorusSeams& seams, double coincidence, int threads = 1,
           std::span<const KnownEdges> known = {});
  /// The same of a region that may reach out of the cube: its edges as far as they lie in it, and
  /// some that go on beyond.
  bool RunReachingOut(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                      const TorusSeams& seams, double coincidence, int threads = 1);
  /// Finds the pieces of seams alone, of such a region, which may have surfaces of any kind.
  bool RunSeams(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                const TorusSeams& seams);
  /// Finds instead, after another has found the edges of the region, where faces turn away from a
  /// direction, given in the frame's metres: `cuts`, by surface, is its derivative along that, not
  /// in the problem's expression, or −1.
  bool RunOutlines(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                   const std::vector<int>& cuts, const Eigen::Vector3d& direction_C,
                   CurveFinder* of_edges, int threads = 1);

  /// Finds instead, after another has found the edges of the region, where planes that are the
  /// problem's surfaces from `first` on, but not in its expression, cut faces: pieces have the
  /// plane as second surface, and the sheet of the first one with the face below the plane. False
  /// if they are not certain.
  bool RunSections(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds, int first,
                   int count, const CurveFinder& of_edges);

  const Edges& edges() const { return edges_; }
  /// What is undecided of the region in boxes.
  UndecidedCells& cells() { return *cells_; }
  /// Whether it is certain which faces outlines are on. Where others run along them, or touch them,
  /// roundings decide.
  bool AreSure() const { return are_sure_; }
  /// Pieces of the seams of tori on their faces: with the seam's plane as second surface, and on
  /// curves of edges().
  const std::vector<EdgePiece>& seam_pieces() const { return seam_pieces_; }
  /// Whether some two surfaces meet in the cube, or may do so. Where none do a bounded region has
  /// no edges for certain.
  bool HasCurves() const { return has_curves_; }
  /// Bound of how far surfaces that count as touching, or as sharing an edge, are off that.
  double displacement() const { return displacement_; }

 private:
  // Two surfaces, or a surface and its cut, where they are near each other, and a box around what
  // faces they have there.
  struct Pair {
    int first, second;
    const NearPairs::Pair& near;
    Cell box;
  };

  // An interval shorter than the first is nothing; in such that are longer than the second a
  // surface that is near to their middle may be near to all of them.
  static constexpr double kNoInterval = 1e-13, kShortInterval = 1e-3;
  // A surface that is no farther from a curve than what roundings of their surfaces may have moved
  // them apart contains it, up to this much.
  static constexpr double kMostNoise = 1e-9;
  // Boxes this far apart have no point in common, for rounding.
  static constexpr double kApart = 1e-12;
  // Bits for the four sectors around a curve: those below its first surface, and below its second.
  static constexpr std::uint8_t kAllCases = 0b1111, kBelowFirst = 0b0101, kBelowSecond = 0b0011;
  // Where on a part of a curve it is asked first whether a surface contains it.
  static constexpr double kFirstPlace = 0.37;
  // Parts of sampled curves are no longer when crossings are looked for.
  static constexpr double kLongestPart = 1.6;

  // Of a curve.
  struct Part {
    double from, to;

    double Length() const { return to - from; }
  };

  // An edge on a part of one of the curves, with the surfaces that share it, or −1.
  struct PartOfCurve {
    int curve;
    Part part;
  };
  struct CommonEdge : PartOfCurve {
    std::array<int, EdgeSheets::kMost> surfaces;
  };

  // On a curve.
  struct Place {
    Eigen::Vector3d p;
    double moved;
  };

  // Where a surface crosses the present part.
  struct Crossing {
    double t;
    int surface;
  };

  // What one finder has found on the curves of two surfaces.
  struct Found {
    int finder = 0;
    std::size_t pieces = 0, pieces_end = 0, curves = 0, curves_end = 0;
  };

  bool FindAll(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
               const TorusSeams& seams, double coincidence, int threads,
               std::span<const KnownEdges> known);
  bool Begin(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
             const TorusSeams& seams);
  int SeamOf(int surface) const;
  std::optional<LocalSurface> Across(int first, int second, int surface) const;
  CurveCrossings::Result Cross(int first, int second, int surface, DoubleZeros doubles);
  double ValueOn(int first, int second, int surface, const Eigen::Vector3d& p,
                 Eigen::Vector3d* gradient) const;
  bool FindCrossings(const Pair& pair, const Part& part, int surface);
  void BeginCuts();
  bool AddSeams();
  bool FindCurves(const Pair& pair);
  void BeginHelping(const CurveFinder& lead);
  bool AddPairs(int threads);
  bool AddPairsByHelpers(int threads);
  void Append(const Edges& edges, const Found& found);
  bool AddPair(const Pair& pair);
  bool MayMeet(const Pair& pair) const;
  const Undecided& UndecidedAround(const Cell& box);
  const Undecided* ReduceIn(const Cell& box, const Pair& pair, const Undecided& whole, int depth);
  bool IsWithoutEdge(const Pair& pair, const Cell& box, const Undecided& whole, int depth,
                     long* cells);
  static bool IsIn(const Cell& box, const Eigen::Vector3d& p);
  static Part PartIn(const Cell& box, const WholeCurve& curve);
  bool AddEdges(const Pair& pair, const WholeCurve& curve);
  bool FindConditions(const Pair& pair);
  bool SearchMeeting(const Pair& pair, const Part& part);
  bool Hold(const Pair& pair, const Part& part, const Cell& box);
  bool FindMeeting(const Part& part);
  bool Begin(const Pair& pair, const Part& part, Cell* box);
  bool Search(const Pair& pair, const Part& part, const Undecided* whole, int depth);
  bool IsTooLong(const Part& part, const Undecided& left) const;
  bool FindCuts(const Pair& pair, const Part& part, const Undecided& left);
  bool AddIntervals(const Pair& pair, const Part& part, const Undecided& left);
  bool CutAtSeams(int first, int second);
  void CutAtSides();
  const std::vector<Part>& IntervalsOf(const Part& part);
  Place PlaceOn(const Pair& pair, const Part& part, double u) const;
  double NoiseOn(const Pair& pair, const Part& part, int surface,
                 const Eigen::Vector3d& gradient) const;
  bool Contains(const Pair& pair, const Part& part, const Place& first, int surface);
  bool Share(const Pair& pair, const Part& part, int surface);
  bool Touch(int first, int second);
  void CutAtEarlier(const Pair& pair, const Part& part);
  bool IsRepeated(const Part& part) const;
  bool AddShared(const Pair& pair, const Part& part, const Undecided& left);
  EdgeSheets SheetsOfPair(const Pair& pair, const CurvePoint& middle, const Undecided& left);
  bool AddInterval(const Pair& pair, const Part& part, const Undecided& left);
  void AddPieces(EdgePiece piece, const Part& part);
  void TakeFaces(const KnownEdges& known);
  std::optional<Cell> BoxOfFaces(const NearPairs::Pair& near) const;
  void PrepareOthers(const KnownEdges& known, const std::vector<SurfaceKind>& kinds);
  bool AddKnown(const KnownEdges& known, const std::vector<SurfaceKind>& kinds);
  static bool Renumber(const KnownEdges& known, EdgePiece* piece);
  bool IsOnSurfaces(const EdgePiece& piece);
  bool SearchKnown(const EdgePiece& piece, const Part& part, const Undecided* whole, int depth);
  bool IsOutline(const Pair& pair) const { return cuts_only_ && SeamOf(pair.first) != pair.second; }
  bool CutKnown(const EdgePiece& piece, const Part& part, const Undecided& left);
  bool ArePiercingsKnown(std::span<const KnownEdges> known) const;
  void AddPiercings(const EdgePiece& piece, const Part& part, double t);
  void FindPiercings(const EdgePiece& piece, const Part& part);
  std::optional<double> EndAt(const Piercing& piercing);
  bool FindEnds(std::span<const Piercing> piercings, std::size_t* count);
  std::optional<EdgeSheets> SheetsAt(const Pair& pair, double t);
  std::optional<EdgeSheets> SheetsBetween(const Pair& pair, const Part& between, bool has_ends);
  bool IsLineWithoutEnds(const Pair& pair) const;
  bool AddBetweenEnds(const Pair& pair);
  bool AddByPiercings(const Pair& pair);
  std::optional<bool> IsInOthers(const EdgePiece& piece, const Part& part, const Undecided& left);

  const LocalProblem* problem_ = nullptr;
  const TorusSeams* seams_ = nullptr;
  bool cuts_only_ = false;
  bool are_outlines_ = false;  // of the cuts
  bool are_sure_ = true;
  double nearly_shared_ = 0.0;  // a third surface this near to an edge may contain it
  Eigen::Vector3d direction_C_ = Eigen::Vector3d::Zero();  // of outlines
  double coincidence_ = 0.0;
  Edges edges_;
  std::vector<EdgePiece> seam_pieces_;
  double displacement_ = 0.0;
  bool has_curves_ = false;
  std::vector<int> surfaces_;  // of the expression
  NearPairs all_near_;
  std::vector<Owner> known_bodies_;  // whose edges are known
  const NearPairs* near_ = nullptr;  // these, or those of the finder that is helped
  Piercings all_piercings_;
  const Piercings* piercings_ = nullptr;  // the same; null where they do not tell all ends
  std::vector<Pair> pairs_;
  std::vector<Found> found_;          // by pair, where there are helpers
  std::vector<CurveFinder> helpers_;  // one for each thread
  bool is_helper_ = false, has_met_shared_ = false, reaches_out_ = false;
  std::vector<std::optional<Cell>> faces_;  // around faces, by surface; none where there is none
  Undecided whole_;                         // what the region is
  UndecidedCells own_cells_;         // and in boxes, where not all surfaces are near each other
  UndecidedCells* cells_ = nullptr;  // these, or those of the finder that has found the edges
  Undecided others_;                 // the same without a body whose edges are known
  UndecidedCells cells_of_others_;
  std::deque<Undecided> levels_;        // what is left in boxes within each other; references stay
  std::vector<CurveSurface> prepared_;  // by surface
  std::vector<QuadraticModel> models_;  // over the cube, by surface
  std::vector<Truth> states_;           // by surface
  std::vector<std::uint8_t> cases_;     // by surface: below it in which sectors of a curve
  SideConditions all_conditions_;
  std::vector<SideCondition> conditions_;  // of the present pair,
  std::vector<SideCondition> cutting_;     // those that hold on some of the present part,
  std::vector<Truth> held_;                // and by surface what holds on all of it
  std::vector<Part> meeting_;              // the parts of it on which all do
  std::vector<double> parameters_;         // where it is crossed,
  std::vector<double> seam_crossings_;     // and by a seam of its tori
  std::vector<Part> intervals_;            // between these
  std::vector<Crossing> crossed_;          // the crossings of the present part of a known edge,
  std::vector<std::uint8_t> is_inside_;    // and whether it lies in the other body between them
  bool is_end_unsure_ = false;             // of one of the last curve's
  std::vector<WholeCurve> curves_;         // of the present pair
  ChartPairs charts_;
  CurveCrossings crossings_;
  TouchingPairs touching_;
  std::vector<int> sharing_;          // that contain the present part, its pair first
  std::vector<CommonEdge> common_;    // to more than two surfaces
  std::vector<PartOfCurve> earlier_;  // found by other pairs on the present curve, perhaps
};

}  // namespace volcontact
