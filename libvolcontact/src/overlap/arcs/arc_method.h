// The moments of a region as sums over its edges.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "overlap/arcs/curve_finder.h"
#include "overlap/arcs/edge_ends.h"
#include "overlap/arcs/edge_finder.h"
#include "overlap/arcs/edge_nodes.h"
#include "overlap/arcs/edge_quadrature.h"
#include "overlap/arcs/projected_area.h"
#include "overlap/arcs/torus_seams.h"
#include "overlap/arcs/volume_hessian.h"
#include "overlap/cells/locate.h"
#include "overlap/cells/operand_split.h"
#include "overlap/frame/face_shares.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"
#include "overlap/frame/volume_derivatives.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

struct ArcMethodOptions {
  double tolerance = 1e-6;  ///< relative, of the volume
  long max_cells = 100'000;
  /// What a part that lies apart from others is left to where its edges do not do: the integrals
  /// over the region of a set in a frame that contains that part alone, with some effort at most.
  /// Without it the whole fails.
  std::function<RawMetrics(const SurfaceSet&, const LocalFrame&, long effort)> otherwise = {};
  /// And the area of such a part's projection along a unit vector, beside its integrals.
  std::function<ContactAreaFound(const SurfaceSet&, const LocalFrame&, const RawMetrics&,
                                 const Eigen::Vector3d& direction)>
      projection_otherwise = {};
  bool shadow = true;    ///< find the area of the shadow, too
  bool hessian = false;  ///< and the derivatives by the motion of A
  /// Try whole curves in closed form before cells; without it cells find all edges, as what the
  /// curves tell is checked by.
  bool whole_curves = true;
  int threads = 1;  ///< the result does not depend on it, to the last bit
  /// What is known of the bodies' edges, if A∩B is the region; they must outlive the run.
  std::span<const KnownEdges> known = {};
};

/// Why the sums are not to be had, or not believed.
enum class ArcFailure {
  kNone,
  kSurfaces,          ///< a surface of a kind that has no sums
  kUnresolved,        ///< surfaces that touch along a curve, or meet in one; or too many cells
  kLooseEnd,          ///< an edge found does not go on
  kNearlyDegenerate,  ///< a surface is too near to a degenerate one
  kNotClosed,         ///< the faces found do not close
  kNoOutline,         ///< where faces turn away from the normal was not all found (not a failure of
                      ///< the sums: lines tell the area of the shadow then)
};

/// "surfaces touch, or several share an edge", and so on.
const char* Describe(ArcFailure failure);

struct ArcMethodResult {
  ArcFailure failure = ArcFailure::kNone;
  RawMetrics raw;  ///< also of a boundary that does not close, with the error that this tells
  RawDerivatives derivatives;  ///< where they were asked for
  long cells = 0, pieces = 0;
  long parts_otherwise = 0;  ///< how many parts did not go by their edges
  /// Why parts did not, or that the area of the shadow is known by lines only.
  ArcFailure incomplete = ArcFailure::kNone;
};

/// Sums over the edges of regions bounded by planes and quadrics: exact but for a quadrature along
/// smooth curves, at the cost of the few cells that edges pass through.
class ArcMethod {
 public:
  /// `box` contains the region, in the set's frame.
  ArcMethodResult Run(const SurfaceSet& set, const Aabb& box, const ArcMethodOptions& options);

  /// The problem of the last run, localized in a box around the region.
  const LocalProblem& problem() const { return problem_; }

  /// A part of a region, in a frame that holds it and no other.
  struct Part {
    const SurfaceSet* set;  ///< what the region is there
    LocalFrame frame;
    RawMetrics raw;
    bool by_edges;
    RawDerivatives derivatives;
    bool by_curves;      ///< its edges are parts of whole curves, else cells found them,
    double coincidence;  ///< where surfaces no farther from each other than this count as one
  };

 private:
  // The boxes, in the cube of a frame, that hold the parts of what is there.
  struct PartsOfFrame {
    LocalFrame frame;
    const std::vector<Cell>* boxes;
    const Cell* present = nullptr;  // of the part that is summed
  };

  struct RoughVolume {
    double volume = 0.0, error = 0.0;
  };

  // Surfaces this near to each other count as one, whatever the tolerance.
  static constexpr double kLeastCoincidence = 2e-13;
  // The cube is larger than the located box, so that the region keeps off its sides.
  static constexpr double kRoom = 1.13;
  // Cells for a region before it is asked whether it has parts.
  static constexpr long kQuickCells = 6'000;
  // Parts that lie apart may be of several parts themselves, down to this level.
  static constexpr int kMaxNesting = 8;

  // By how much surfaces may be off each other and count as one.
  static double Coincidence(const ArcMethodOptions& options);
  static void SetAreaNoise(double tolerance, RawMetrics* raw);
  static Cell ReachIn(const LocalFrame& inner, const LocalFrame& outer);

  ArcMethodResult RunLocated(const SurfaceSet& set, const Aabb& box,
                             const ArcMethodOptions& options);
  double LocalizeIn(const SurfaceSet& set, const LocalFrame& tight, double coincidence);
  ArcFailure Find(const SurfaceSet& set, const LocalFrame& tight, const ArcMethodOptions& options,
                  double coincidence, ArcMethodResult* result);
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
  ArcFailure SumOver(const SurfaceSet& set, const ArcMethodOptions& options,
                     ArcMethodResult* result);
  void ShareFaces(const SurfaceSet& set, const ArcMethodOptions& options, RawMetrics* raw);
  const Edges& FoundEdges() const { return by_curves_ ? curves_.edges() : finder_.edges(); }
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
                   std::vector<Cell>* boxes, ArcMethodResult* result);
  bool SumInFramesOf(bool* by_rough_sums, const SurfaceSet& set, const ArcMethodOptions& options,
                     LocalFrame* frame, std::optional<LocalFrame>* good_enough,
                     std::vector<Cell>* boxes, ArcMethodResult* result);
  bool SumInBoxes(const std::vector<Cell>& boxes, const SurfaceSet& set,
                  const ArcMethodOptions& options, ArcMethodResult* result);
  bool SumUnlocated(const SurfaceSet& set, const LocalFrame& box, const ArcMethodOptions& options,
                    ArcMethodResult* result);
  void AddShadow(const SurfaceSet& set, const ArcMethodOptions& options, ArcMethodResult* result);
  ArcFailure SumApart(const SurfaceSet& set, const LocalFrame& tight,
                      const ArcMethodOptions& options, ArcMethodResult* result);
  bool SumOperands(const SurfaceSet& set, const Aabb& box, const ArcMethodOptions& options,
                   ArcMethodResult* result);
  SurfaceSet& NewSetOfPart();
  void TakeTotal(const Rigid& X_AC, const ArcMethodOptions& options, ArcMethodResult* result);
  std::optional<Locator::Result> FrameOfPart(const SurfaceSet& set, const LocalFrame& box,
                                             ArcMethodResult* result);
  bool KeepsOffOthers(const LocalFrame& frame) const;
  bool SumPart(const SurfaceSet& set, const LocalFrame& frame, const ArcMethodOptions& options,
               int nesting, ArcMethodResult* result);
  bool SumParts(const SurfaceSet& set, const LocalFrame& tight, const ArcMethodOptions& options,
                int nesting, ArcMethodResult* result);
  ContactAreaFound ShadowOfPart(const Part& part, const ArcMethodOptions& options,
                                const Eigen::Vector3d& direction_A, ArcMethodResult* result);
  ContactAreaFound Shadow(const SurfaceSet& set, const ArcMethodOptions& options,
                          const Eigen::Vector3d& direction, ArcMethodResult* result);
  static void TakeShadow(const ContactAreaFound& shadow, RawMetrics* raw);

  Locator locator_;
  OperandSplit split_;
  LocalProblem problem_;
  CurveFinder curves_;
  bool by_curves_ = false;         // the edges of the last sum, else by cells
  bool has_closed_faces_ = false;  // it has found faces without edges
  EdgeFinder finder_;
  EdgeNodes nodes_;
  EdgeEnds ends_;  // of edges along whole curves
  TorusSeams seams_;
  EdgeQuadrature quadrature_;
  ProjectedArea projection_;
  VolumeHessian hessian_;
  std::vector<FaceShare> shares_;
  std::unique_ptr<ArcMethod> of_shares_;  // once there are any
  std::vector<Part> parts_;
  std::deque<SurfaceSet> sets_of_parts_;  // of which so many are in use
  std::size_t sets_in_use_ = 0;
  std::array<std::vector<Cell>, kMaxNesting + 1> part_boxes_;  // by nesting
  std::vector<Cell> boxes_apart_;     // of the edges of the last region, where they lie apart
  std::vector<PartsOfFrame> levels_;  // while a part is summed: of each that it is in
  double coincidence_ = 0.0;          // of the last edges
  long cells_left_ = 0;               // of the present run
  double moved_ = 0.0;                // by the merging of equal surfaces
};

}  // namespace volcontact
