// The moments of a region, as sums over its edges.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/arcs/crossing/sector_pieces.h"
#include "overlap/arcs/edges/edge_ends.h"
#include "overlap/arcs/edges/edge_finder.h"
#include "overlap/arcs/edges/edge_nodes.h"
#include "overlap/arcs/edges/torus_seams.h"
#include "overlap/arcs/lines/chord_check.h"
#include "overlap/arcs/projection/projected_area.h"
#include "overlap/arcs/sums/edge_quadrature.h"
#include "overlap/arcs/sums/volume_hessian.h"
#include "overlap/cells/locate.h"
#include "overlap/cells/operands/operand_split.h"
#include "overlap/frame/face_shares.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"
#include "overlap/frame/volume_derivatives.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

struct ArcMethodOptions {
  double tolerance = 1e-6;  ///< relative, of the volume
  long max_cells = 100'000;
  /// Fallback for a part of the region whose edges cannot be summed: computes the integrals over
  /// the region of a set, in a frame that contains this part alone, with a limited effort. Without
  /// a fallback the whole sum fails.
  std::function<RawMetrics(const SurfaceSet&, const LocalFrame&, long effort)> fallback = {};
  long most_effort = std::numeric_limits<long>::max();  ///< of the fallback
  /// The same for the area of the part's projection along a unit vector.
  std::function<ContactAreaFound(const SurfaceSet&, const LocalFrame&, const RawMetrics&,
                                 const Eigen::Vector3d& direction)>
      projection_fallback = {};
  /// Whether it is known that the region is empty; asked before cells look for edges.
  std::function<bool()> is_empty = {};
  BoundEffort bound = BoundEffort::kNone;  ///< also bound what the volume is off
  bool projection = true;                  ///< also find the area of the projection
  bool hessian = false;                    ///< also find the derivatives by the motion of A
  /// Try whole curves in closed form before cells. Without it cells find all edges; tests compare
  /// both.
  bool whole_curves = true;
  int threads = 1;  ///< the result does not depend on it, to the last bit
  /// Known edges of the bodies, if A∩B is the region. They must outlive the run.
  std::span<const KnownEdges> known = {};
};

/// Why the sums over edges failed, or failed a check.
enum class ArcFailure {
  kNone,
  kSurfaces,          ///< a surface of a kind that has no sums
  kUnresolved,        ///< surfaces that touch along a curve, or meet in one; or too many cells
  kLooseEnd,          ///< an edge ends where no other edge begins
  kNearlyDegenerate,  ///< a surface is too near to a degenerate one
  kNotClosed,         ///< the faces that were found do not close
  kLost,              ///< lines through the region meet other faces than those that were found
  kNoEdges,           ///< surfaces meet, but no edge was found; whether there is nothing is open
  kNoOutline,  ///< not all outlines were found (the sums are valid; lines measure the area of
               ///< the projection instead)
};

/// "surfaces touch, or several share an edge", and so on.
const char* Describe(ArcFailure failure);

struct ArcMethodResult {
  ArcFailure failure = ArcFailure::kNone;
  RawMetrics raw;  ///< also for a boundary that does not close, with the error that follows from it
  /// The sums would have converged if doubles had more digits. `is_open`: the faces do not close to
  /// the tolerance; those between edges that cells find may.
  bool is_limited_by_rounding = false, is_open = false;
  RawDerivatives derivatives;  ///< if they were requested
  long cells = 0, pieces = 0;
  long fallback_parts = 0;  ///< number of parts that the fallback summed
  /// Why the fallback summed parts, or that lines measured the area of the projection.
  ArcFailure incomplete = ArcFailure::kNone;
};

/// Sums over the edges of regions bounded by planes, quadrics and tori. They are exact except for a
/// quadrature along smooth curves. Their cost is that of the few cells that edges pass through.
class ArcMethod {
 public:
  /// `box` contains the region, in the set's frame.
  ArcMethodResult Run(const SurfaceSet& set, const Aabb& box, const ArcMethodOptions& options);

  /// The sums over the region's part in each sector, from one search for edges. A sector whose own
  /// sums do not converge has a failure, or is not converged. False, if the sectors cannot be
  /// summed so: cells have to find edges, an edge lies in a wall, the seam of a torus or a closed
  /// face is in the region, or there is no region. Without projections.
  bool RunSectors(const SurfaceSet& set, const Aabb& box, const Sectors& sectors,
                  const ArcMethodOptions& options, std::vector<ArcMethodResult>* results);

  /// The problem of the last run, localized in a box around the region.
  const LocalProblem& problem() const { return problem_; }

  /// A part of a region, in a frame that contains this part and no other.
  struct Part {
    const SurfaceSet* set;  ///< the region in that frame
    LocalFrame frame;
    RawMetrics raw;
    bool by_edges;
    RawDerivatives derivatives;
    bool by_curves;      ///< its edges are parts of whole curves; otherwise cells found them
    double coincidence;  ///< surfaces within this distance count as one
  };

 private:
  // The boxes, in the cube of a frame, that hold the parts of the region.
  struct PartsOfFrame {
    LocalFrame frame;
    const std::vector<Cell>* boxes;
    const Cell* present = nullptr;  // box of the part that is summed
  };

  struct RoughVolume {
    double volume = 0.0, error = 0.0;
  };

  // A frame in which the sums have converged, or roundings keep them from that.
  struct TriedFrame {
    LocalFrame frame;
    RawMetrics raw;
    bool is_limited_by_rounding;
  };

  // Surfaces within this distance count as one, for any tolerance.
  static constexpr double kLeastCoincidence = 2e-13;
  // The cube is larger than the located box, so that the region does not reach its sides.
  static constexpr double kRoom = 1.13;
  // How many times the cells that are allowed for one sum all may take: in other frames, with other
  // coincidences, of parts, and for their projections.
  static constexpr long kMostSums = 4;
  // Number of cells after which the search tests whether the region has several parts.
  static constexpr long kQuickCells = 6'000;
  // Parts may consist of several parts themselves, down to this level.
  static constexpr int kMaxNesting = 8;

  // Greatest distance of surfaces that count as one.
  static double Coincidence(const ArcMethodOptions& options);
  static void SetAreaNoise(double tolerance, RawMetrics* raw);
  static Cell ReachIn(const LocalFrame& inner, const LocalFrame& outer);

  ArcMethodResult RunLocated(const SurfaceSet& set, const Aabb& box,
                             const ArcMethodOptions& options);
  double LocalizeIn(const SurfaceSet& set, const LocalFrame& tight, double coincidence);
  ArcFailure Find(const SurfaceSet& set, const LocalFrame& tight, const ArcMethodOptions& options,
                  double coincidence, ArcMethodResult* result);
  ArcFailure SumByCells(bool quickly, const SurfaceSet& set, const LocalFrame& tight,
                        ArcMethodOptions options, ArcMethodResult* result);
  ArcFailure SumTaking(double coincidence, const SurfaceSet& set, const LocalFrame& tight,
                       const ArcMethodOptions& options, ArcMethodResult* result);
  bool FindByCurves(double coincidence, const SurfaceSet& set, const LocalFrame& tight,
                    const ArcMethodOptions& options);
  ArcFailure SumByCurves(double coincidence, const SurfaceSet& set, const LocalFrame& tight,
                         const ArcMethodOptions& options, ArcMethodResult* result);
  ArcFailure SumAlongCurves(const SurfaceSet& set, const ArcMethodOptions& options,
                            ArcMethodResult* result);
  std::optional<LocalFrame> FrameOfFlat(const SurfaceSet& set, const ArcMethodOptions& options,
                                        RoughVolume* volume);
  bool BeginSums(const Edges& edges, const std::vector<NodeSegment>& segments,
                 const std::vector<SurfaceKind>& kinds, const ArcMethodOptions& options);
  ArcFailure SumAlong(const Edges& edges, const std::vector<NodeSegment>& segments,
                      const std::vector<SurfaceKind>& kinds, const ArcMethodOptions& options,
                      ArcMethodResult* result);
  ArcFailure SumOver(const SurfaceSet& set, const ArcMethodOptions& options,
                     ArcMethodResult* result);
  void ShareFaces(const SurfaceSet& set, const ArcMethodOptions& options, RawMetrics* raw);
  const Edges& FoundEdges() const { return by_curves_ ? curves_.edges() : finder_.edges(); }
  const std::vector<NodeSegment>& FoundSegments() const {
    return by_curves_ ? ends_.segments() : nodes_.segments();
  }
  // How far surfaces of the last problem were off those, and off the curves, that they count as.
  double Displacement() const {
    return moved_ + (by_curves_ ? curves_.displacement() : finder_.displacement());
  }
  ArcFailure Sum(const SurfaceSet& set, const LocalFrame& tight, const ArcMethodOptions& options,
                 ArcMethodResult* result);
  ArcFailure SumAligned(const SurfaceSet& set, const LocalFrame& tight,
                        const ArcMethodOptions& options, ArcMethodResult* result);
  ArcFailure SumWhole(const SurfaceSet& set, const LocalFrame& tight,
                      const ArcMethodOptions& options, ArcMethodResult* result);
  bool SumInFrames(const SurfaceSet& set, const ArcMethodOptions& options, LocalFrame* frame,
                   std::optional<TriedFrame>* best, std::vector<Cell>* boxes,
                   ArcMethodResult* result);
  bool SumInFramesOf(bool* by_rough_sums, const SurfaceSet& set, const ArcMethodOptions& options,
                     LocalFrame* frame, std::optional<TriedFrame>* best, std::vector<Cell>* boxes,
                     ArcMethodResult* result);
  bool SumInBoxes(const std::vector<Cell>& boxes, const SurfaceSet& set,
                  const ArcMethodOptions& options, ArcMethodResult* result);
  bool SumUnlocated(const SurfaceSet& set, const LocalFrame& box, const ArcMethodOptions& options,
                    std::optional<TriedFrame>* best, ArcMethodResult* result);
  ArcMethodResult SumIn(const LocalFrame& frame, const SurfaceSet& set,
                        const ArcMethodOptions& options);
  void AddProjection(const SurfaceSet& set, const ArcMethodOptions& options,
                     ArcMethodResult* result);
  ArcFailure SumApart(const SurfaceSet& set, const LocalFrame& tight,
                      const ArcMethodOptions& options, ArcMethodResult* result);
  bool SumOperands(const SurfaceSet& set, const Aabb& box, const ArcMethodOptions& options,
                   ArcMethodResult* result);
  bool AddSectors(const SurfaceSet& set, const LocalFrame& tight, const Sectors& sectors,
                  const ArcMethodOptions& options, std::vector<ArcMethodResult>* results);
  void SumSector(int sector, const Expression& whole, const ArcMethodOptions& options,
                 ArcMethodResult* result);
  void TakeTotals(const ArcMethodOptions& options, std::vector<ArcMethodResult>* results);
  SurfaceSet& NewSetOfPart();
  std::optional<double> ProjectionOfWhole(const SurfaceSet& set, const LocalFrame& frame,
                                          ArcMethodOptions options,
                                          const Eigen::Vector3d& direction_A, double sum);
  void TakeProjections(const SurfaceSet& set, const LocalFrame& frame,
                       const ArcMethodOptions& options, ArcMethodResult* result);
  void TakeTotal(const SurfaceSet& set, const LocalFrame& frame, const ArcMethodOptions& options,
                 ArcMethodResult* result);
  std::optional<Locator::Result> FrameOfPart(const SurfaceSet& set, const LocalFrame& box,
                                             ArcMethodResult* result);
  bool KeepsOffOthers(const LocalFrame& frame) const;
  void SumInOwnFrame(const SurfaceSet& set, const ArcMethodOptions& options, LocalFrame* frame,
                     ArcMethodResult* sum);
  bool SumPart(const SurfaceSet& set, LocalFrame frame, const ArcMethodOptions& options,
               int nesting, ArcMethodResult* result);
  bool SumParts(const SurfaceSet& set, const LocalFrame& tight, const ArcMethodOptions& options,
                int nesting, ArcMethodResult* result);
  ContactAreaFound ProjectionOfPart(const Part& part, const ArcMethodOptions& options,
                                    const Eigen::Vector3d& direction_A, ArcMethodResult* result);
  ContactAreaFound Projection(const SurfaceSet& set, const ArcMethodOptions& options,
                              const Eigen::Vector3d& direction, ArcMethodResult* result);
  static void TakeProjection(const ContactAreaFound& projection, RawMetrics* raw);

  Locator locator_;
  OperandSplit split_;
  LocalProblem problem_;
  CurveFinder curves_;
  bool by_curves_ = false;         // the edges of the last sum, else by cells
  bool has_rough_sums_ = false;    // along them, from which the quadrature goes on
  bool has_closed_faces_ = false;  // it has found faces without edges
  EdgeFinder finder_;
  EdgeNodes nodes_;
  EdgeEnds ends_;  // of edges along whole curves
  TorusSeams seams_;
  EdgeQuadrature quadrature_;
  ChordCheck chords_;
  ProjectedArea projection_;
  VolumeHessian hessian_;
  std::vector<FaceShare> shares_;
  std::unique_ptr<ArcMethod> of_shares_;  // once there are any
  std::vector<Part> parts_;
  std::deque<SurfaceSet> sets_of_parts_;  // of which so many are in use
  std::size_t sets_in_use_ = 0;
  SectorPieces sector_pieces_;
  std::vector<std::vector<Part>> parts_of_sectors_;
  std::vector<SurfaceKind> kinds_;  // of the problem's surfaces, walls included
  std::array<std::vector<Cell>, kMaxNesting + 1> part_boxes_;  // by nesting
  std::vector<Cell> boxes_apart_;     // of the edges of the last region, where they lie apart
  std::vector<PartsOfFrame> levels_;  // while a part is summed: of each that it is in
  double coincidence_ = 0.0;          // of the last edges
  long cells_left_ = 0;               // of the present run
  double moved_ = 0.0;                // by the merging of equal surfaces
};

}  // namespace volcontact
