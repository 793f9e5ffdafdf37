#include "overlap/arcs/arc_method.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "math/time_limit.h"
#include "overlap/arcs/crossing/torus_touch.h"
#include "overlap/arcs/edges/region_frame.h"
#include "overlap/arcs/faces/raw_of_sums.h"
#include "overlap/cells/overlap_proof.h"
#include "overlap/frame/equal_surfaces.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Of the tolerance, what the quadrature may spend.
constexpr double kQuadratureShare = 0.25;
// Of the tolerance, what the Hessian's quadrature may spend.
constexpr double kHessianShare = 0.1;
// A boundary is rejected if it misses closing by more than this share of the tolerance and of its
// own area.
constexpr double kClosureShare = 4.0, kClosureRounding = 1e-11;
// Of the tolerance, by how much surfaces that count as one, or share a curve, may be off that.
constexpr double kCoincidenceShare = 0.02, kMostCoincidence = 1e-9;
// A bound of the volume takes so many times what surfaces and closure are off.
constexpr double kBoundMargin = 10.0;
// The area of a face in the cube, about.
constexpr double kFaces = 4.0;
// Sums that miss the tolerance by no more than the factor, by roundings, are not worth more effort
// of columns.
constexpr double kNearlyConverged = 10.0;
constexpr long kEffortIfNear = 20'000;
// In a cube smaller by more than this than that of known edges their roundings count.
constexpr double kMostZoom = 1e3;
// Cells for each surface, before it is asked whether the region has parts.
constexpr long kQuickCellsOfSurface = 100;
// Parts of a region that are no more of it than this are made by roundings.
constexpr double kSliver = 1e-13;
// Cells in which an interior point is looked for, where the curves of a region have no edge.
constexpr long kCellsOfTouch = 300;
// No less of the cube is the volume of a region.
constexpr double kNothing = 1e-13;

// What is known of the bodies' edges well enough for the cube of a problem.
std::span<const KnownEdges> KnownIn(const LocalProblem& problem,
                                    std::span<const KnownEdges> known) {
  const double least = problem.frame.half.minCoeff();
  const bool is_fine = std::all_of(known.begin(), known.end(), [least](const KnownEdges& edges) {
    return edges.frame.half.maxCoeff() <= kMostZoom * least;
  });
  return is_fine && problem.labels.empty() ? known : std::span<const KnownEdges>();
}

// Whether a sum is no worse than another one of the same region.
bool IsAsGood(const ArcMethodResult& sum, const RawMetrics& other) {
  return sum.failure == ArcFailure::kNone &&
         (sum.raw.converged || sum.raw.volume_error <= other.volume_error);
}

}  // namespace

double ArcMethod::Coincidence(const ArcMethodOptions& options) {
  return std::clamp(kCoincidenceShare * options.tolerance, kLeastCoincidence, kMostCoincidence);
}

void ArcMethod::SetAreaNoise(double tolerance, RawMetrics* raw) {
  raw->area_noise = std::max(raw->area_noise, AreaNoise(tolerance, raw->moments));
}

const char* Describe(ArcFailure failure) {
  switch (failure) {
    case ArcFailure::kNone:
      return "";
    case ArcFailure::kSurfaces:
      return "a surface is neither a plane nor a quadric nor a torus";
    case ArcFailure::kUnresolved:
      return "surfaces touch, or several share an edge";
    case ArcFailure::kLooseEnd:
      return "an edge of the overlap ends where no other edge begins";
    case ArcFailure::kNearlyDegenerate:
      return "a surface is nearly degenerate";
    case ArcFailure::kNoOutline:
      return "outlines were not all found";
    case ArcFailure::kNotClosed:
      return "the faces that were found do not close";
    case ArcFailure::kLost:
      return "lines through the overlap meet faces that were not found";
    case ArcFailure::kNoEdges:
      return "no edges were found";
  }
  return "";
}

// Brings the problem into a frame that contains the region, with some room around it; surfaces that
// are nearly one become one. Returns by how much these have moved.
double ArcMethod::LocalizeIn(const SurfaceSet& set, const LocalFrame& tight, double coincidence) {
  LocalFrame frame = tight;
  frame.half *= kRoom;
  Localize(set, frame, &problem_);
  SimplifyInBox(&problem_);
  return MergeEqualSurfaces(coincidence, &problem_);
}

// The edges of the region in a frame that contains it.
ArcFailure ArcMethod::Find(const SurfaceSet& set, const LocalFrame& tight,
                           const ArcMethodOptions& options, double coincidence,
                           ArcMethodResult* result) {
  by_curves_ = has_rough_sums_ = false;
  moved_ = LocalizeIn(set, tight, coincidence);
  for (const Expression::Node& node : problem_.expression.nodes()) {
    if (node.kind == Expression::Kind::kLiteral && set.kinds[node.value] == SurfaceKind::kOther) {
      return ArcFailure::kSurfaces;
    }
  }
  seams_.Choose(set, &problem_);
  FindTorusTouches(set, seams_, &problem_);
  const bool found = finder_.Run(problem_, std::min(options.max_cells, cells_left_), coincidence,
                                 seams_.planes(), options.threads);
  cells_left_ -= finder_.cells();
  result->cells += finder_.cells();
  result->pieces = static_cast<long>(finder_.pieces().size());
  if (!found || finder_.IsFull()) return ArcFailure::kUnresolved;
  return nodes_.Run(finder_) ? ArcFailure::kNone : ArcFailure::kLooseEnd;
}

// The sums over the region in a frame that contains it: along whole curves, or else with the edges
// that cells find.
ArcFailure ArcMethod::Sum(const SurfaceSet& set, const LocalFrame& tight,
                          const ArcMethodOptions& options, ArcMethodResult* result) {
  std::optional<double> open;
  for (const double coincidence : {kLeastCoincidence, Coincidence(options)}) {
    const ArcFailure by_curves = SumByCurves(coincidence, set, tight, options, result);
    if (by_curves != ArcFailure::kNone) continue;
    if (result->raw.converged) return by_curves;
    if (!result->is_limited_by_rounding) continue;
    // Where surfaces nearly coincide cells would have to be as small as their gap.
    const std::vector<WholeCurve>& curves = curves_.edges().curves;
    const bool are_close = std::any_of(curves.begin(), curves.end(),
                                       [](const WholeCurve& curve) { return curve.IsOfChart(); });
    if (!result->is_open || are_close) return by_curves;
    open = coincidence;
  }
  const ArcFailure by_cells = SumByCells(open.has_value(), set, tight, options, result);
  if (!open || (by_cells == ArcFailure::kNone && result->raw.converged)) return by_cells;
  return SumByCurves(*open, set, tight, options, result);
}

// The same with the edges that cells find; `quickly`: with few cells, as is worth it for curves
// that do not close, since their points near a double zero have few digits.
ArcFailure ArcMethod::SumByCells(bool quickly, const SurfaceSet& set, const LocalFrame& tight,
                                 ArcMethodOptions options, ArcMethodResult* result) {
  if (quickly) options.max_cells = std::min(options.max_cells, kQuickCells);
  // What surfaces are off each other where they count as one is an error; where that is too much of
  // it they are taken as they are.
  const ArcFailure failure = SumTaking(Coincidence(options), set, tight, options, result);
  const bool is_done = failure == ArcFailure::kNone && result->raw.converged;
  if (is_done || Displacement() <= kLeastCoincidence) return failure;
  return SumTaking(kLeastCoincidence, set, tight, options, result);
}

ArcFailure ArcMethod::SumTaking(double coincidence, const SurfaceSet& set, const LocalFrame& tight,
                                const ArcMethodOptions& options, ArcMethodResult* result) {
  coincidence_ = coincidence;
  const ArcFailure failure = Find(set, tight, options, coincidence, result);
  if (failure != ArcFailure::kNone) return failure;
  if (!seams_.Find(problem_, finder_, std::min(options.max_cells, cells_left_), options.threads))
    return ArcFailure::kUnresolved;
  return SumOver(set, options, result);
}

// The same along whole curves; false if these do not decide.
bool ArcMethod::FindByCurves(double coincidence, const SurfaceSet& set, const LocalFrame& tight,
                             const ArcMethodOptions& options) {
  if (!options.whole_curves) return false;
  by_curves_ = true;
  has_rough_sums_ = false;
  coincidence_ = coincidence;
  moved_ = LocalizeIn(set, tight, coincidence);
  finder_.Clear();
  seams_.Choose(set, &problem_);
  FindTorusTouches(set, seams_, &problem_);
  if (problem_.expression.IsConstant()) return false;
  const auto find = [&](std::span<const KnownEdges> known) {
    return curves_.Run(problem_, set.kinds, seams_, coincidence, options.threads, known);
  };
  const std::span<const KnownEdges> known = KnownIn(problem_, options.known);
  // If a face of one body holds an edge of the other, only the whole search can decide.
  const bool is_known = !known.empty() && find(known);
  if (!is_known && !find({})) return false;
  ends_.Run(curves_.edges());
  seams_.Take(curves_.seam_pieces());
  return true;
}

ArcFailure ArcMethod::SumByCurves(double coincidence, const SurfaceSet& set,
                                  const LocalFrame& tight, const ArcMethodOptions& options,
                                  ArcMethodResult* result) {
  if (!FindByCurves(coincidence, set, tight, options)) return ArcFailure::kUnresolved;
  return SumAlongCurves(set, options, result);
}

// The sums along the curves that have been found.
ArcFailure ArcMethod::SumAlongCurves(const SurfaceSet& set, const ArcMethodOptions& options,
                                     ArcMethodResult* result) {
  result->pieces = static_cast<long>(curves_.edges().pieces.size());
  const ArcFailure failure = SumOver(set, options, result);
  const double volume = result->raw.moments.volume;
  if (volume > 0.0) return failure;
  const bool has_seams = !seams_.pieces().empty();
  if (volume == 0.0 && !curves_.HasCurves() && !has_seams) return failure;
  // That nothing is there is for cells to tell.
  const bool has_edges = has_seams || result->pieces > 0;
  return failure == ArcFailure::kNone && !has_edges ? ArcFailure::kNoEdges : ArcFailure::kNotClosed;
}

bool ArcMethod::BeginSums(const Edges& edges, const std::vector<NodeSegment>& segments,
                          const std::vector<SurfaceKind>& kinds, const ArcMethodOptions& options) {
  const bool has_cells = &edges == &curves_.edges();
  return quadrature_.Begin(problem_, kinds, edges, segments, seams_,
                           kQuadratureShare * options.tolerance, options.threads,
                           has_cells ? &curves_.cells() : nullptr);
}

// The sums along the edges of the problem's region, which `segments` close.
ArcFailure ArcMethod::SumAlong(const Edges& edges, const std::vector<NodeSegment>& segments,
                               const std::vector<SurfaceKind>& kinds,
                               const ArcMethodOptions& options, ArcMethodResult* result) {
  const LocalFrame& frame = problem_.frame;
  if (!std::exchange(has_rough_sums_, false) && !BeginSums(edges, segments, kinds, options))
    return ArcFailure::kNearlyDegenerate;
  const EdgeQuadratureResult sums = quadrature_.Reach(kQuadratureShare * options.tolerance);
  if (!sums.usable) return ArcFailure::kNearlyDegenerate;
  const double volume = sums.all.s[BoundarySums::kVolume], open = OpenPart(sums.all);
  const double moved = sums.noise + kFaces * Displacement();
  const double error = std::max(sums.error, open) + moved;
  result->raw = ToRaw(frame, sums.all, sums.of_B);
  has_closed_faces_ = sums.has_closed_faces;
  result->raw.volume_error = error * frame.half.prod();
  const double allowed = options.tolerance * sums.Scale(frame.half);
  const double noise = sums.NoiseOfMoments(frame.half), of_moments = error - sums.noise + noise;
  result->raw.converged = error <= options.tolerance * volume && of_moments <= allowed;
  result->is_limited_by_rounding =
      !result->raw.converged && sums.error + kFaces * Displacement() <= std::max(allowed, noise);
  result->is_open = open > allowed;
  // No edge and no closed face: nothing is left of the region.
  if (volume == 0.0 && edges.pieces.empty() && finder_.unresolved().empty()) {
    return ArcFailure::kNone;
  }
  const bool closed = open <= kClosureShare * options.tolerance * volume + kClosureRounding;
  if (!(volume > kNothing && closed)) return ArcFailure::kNotClosed;
  if (options.bound != BoundEffort::kNone && result->raw.converged) {
    const double off = open + moved;
    result->raw.volume_bound =
        (quadrature_.VolumeBound(volume, options.bound) + kBoundMargin * off) * frame.half.prod();
  }
  if (options.hessian) {
    const bool is_done = TimeLimit::EndsBeforeLimit([&] {
      result->derivatives = hessian_.Run(problem_, edges, finder_.unresolved(), sums.all, sums.of_B,
                                         kHessianShare * options.tolerance);
    });
    if (!is_done) result->derivatives.reason = kNoTimeForDerivatives;
  }
  return ArcFailure::kNone;
}

// The sums over the edges found.
ArcFailure ArcMethod::SumOver(const SurfaceSet& set, const ArcMethodOptions& options,
                              ArcMethodResult* result) {
  const ArcFailure failure = SumAlong(FoundEdges(), FoundSegments(), set.kinds, options, result);
  if (failure != ArcFailure::kNone || !(result->raw.moments.volume > 0.0)) return failure;
  const bool may_be_kept = result->raw.converged || result->is_limited_by_rounding;
  if (may_be_kept && !chords_.Run(problem_, FoundEdges(), FoundSegments()))
    return ArcFailure::kLost;
  ShareFaces(set, options, &result->raw);
  return ArcFailure::kNone;
}

// Adds the part of the area vector that owners of surfaces do not decide. If it cannot be found,
// the area vector is unknown.
void ArcMethod::ShareFaces(const SurfaceSet& set, const ArcMethodOptions& options,
                           RawMetrics* raw) {
  FindFaceShares(set, problem_, &shares_);
  if (shares_.empty()) return;
  if (!of_shares_) of_shares_ = std::make_unique<ArcMethod>();
  ArcMethodOptions plain = options;
  plain.hessian = plain.projection = false;
  plain.bound = BoundEffort::kNone;  // their faces are added, not their volumes
  plain.fallback = {};
  plain.known = {};
  LocalFrame tight = problem_.frame;
  tight.half /= kRoom;
  for (const FaceShare& share : shares_) {
    ArcMethodResult part;
    of_shares_->cells_left_ = plain.max_cells = std::min(options.max_cells, cells_left_);
    part.failure = of_shares_->Sum(share.region, tight, plain, &part);
    // Its faces are added to those of the whole, with whose volume its error is compared.
    part.raw.converged |= part.raw.volume_error <= options.tolerance * raw->moments.volume;
    if (part.failure != ArcFailure::kNone || !part.raw.converged) {
      // In the frame of the whole it may be too small to be summed.
      const long spent = part.cells;
      part = of_shares_->Run(CutTo(tight, share.region), BoxAround(tight), plain);
      part.cells += spent;
    }
    cells_left_ -= part.cells;
    // A region that roundings may have made has no face.
    const double most = part.raw.moments.volume + part.raw.volume_error;
    if (part.failure == ArcFailure::kNone && most <= kSliver * raw->moments.volume) continue;
    raw->converged &= part.failure == ArcFailure::kNone && part.raw.converged;
    AddAreas(part.raw, share.factor, raw);
  }
}

// The same, in another frame where the region lies askew in the first.
ArcFailure ArcMethod::SumAligned(const SurfaceSet& set, const LocalFrame& tight,
                                 const ArcMethodOptions& options, ArcMethodResult* result) {
  const ArcFailure failure = Sum(set, tight, options, result);
  Vector3d thinnest;
  if (failure != ArcFailure::kNone || !(result->raw.moments.volume > 0.0) ||
      !IsAskew(result->raw.moments, &thinnest))
    return failure;
  const Locator::Result aligned =
      locator_.Align(set, tight, thinnest, result->raw.moments.CentralSecond(), &problem_);
  result->cells += aligned.cells;
  if (aligned.empty || !KeepsOffOthers(aligned.frame)) return failure;
  // A sum that has converged is there already: no search in cells for the other.
  const RawMetrics before = result->raw;
  const bool is_enough = by_curves_ && (before.converged || result->is_limited_by_rounding);
  const ArcFailure again = is_enough
                               ? SumByCurves(coincidence_, set, aligned.frame, options, result)
                               : Sum(set, aligned.frame, options, result);
  const RawMetrics& raw = result->raw;
  const bool is_better = raw.converged || raw.volume_error < before.volume_error;
  if (!is_enough || (again == ArcFailure::kNone && is_better)) return again;
  return Sum(set, tight, options, result);
}

// The sums over all of the region in one frame, with its projection.
ArcFailure ArcMethod::SumWhole(const SurfaceSet& set, const LocalFrame& tight,
                               const ArcMethodOptions& options, ArcMethodResult* result) {
  const ArcFailure failure = SumAligned(set, tight, options, result);
  result->incomplete = ArcFailure::kNone;
  if (failure != ArcFailure::kNone || !(result->raw.moments.volume > 0.0)) return failure;
  AddProjection(set, options, result);
  return failure;
}

ArcMethodResult ArcMethod::Run(const SurfaceSet& set, const Aabb& box,
                               const ArcMethodOptions& options) {
  ArcMethodResult result;
  levels_.clear();
  cells_left_ = kMostSums * options.max_cells;
  std::optional<TriedFrame> best;
  const bool is_summed = SumUnlocated(set, FrameOf(box), options, &best, &result);
  if (is_summed && (result.raw.converged || result.raw.moments.volume > 0.0)) return result;
  // Cells take milliseconds to find nothing where surfaces nearly coincide, and come to no end
  // where they touch along a curve. If no curve has an edge, few cells need to confirm that.
  const auto is_touch = [&] {
    return (is_summed || result.failure == ArcFailure::kNoEdges) &&
           TestOverlap(set, FrameOf(box), kCellsOfTouch) != OverlapProof::kOverlap;
  };
  if ((options.is_empty && options.is_empty()) || is_touch()) {
    result = {};
    result.raw.X_AC = FrameOf(box).X_AC;
    return result;
  }
  ArcMethodOptions of_parts = options;
  of_parts.known = {};
  if (best && best->is_limited_by_rounding &&
      best->raw.volume_error <= kNearlyConverged * options.tolerance * best->raw.moments.volume)
    of_parts.most_effort = kEffortIfNear;
  ArcMethodResult located = RunLocated(set, box, of_parts);
  if (!best || IsAsGood(located, best->raw)) return located;
  result = SumIn(best->frame, set, options);
  result.cells += located.cells;
  return result;
}

// The sums over the region's parts, or over all of it in the frame that cells find.
ArcMethodResult ArcMethod::RunLocated(const SurfaceSet& set, const Aabb& box,
                                      const ArcMethodOptions& options) {
  ArcMethodResult result;
  // Parts that do not converge may do so in other frames.
  if (SumOperands(set, box, options, &result) && result.raw.converged) return result;
  const long cells = result.cells;
  result = {};
  const Locator::Result located = locator_.Run(set, box, &problem_);
  result.cells = cells + located.cells;
  result.raw.X_AC = located.frame.X_AC;
  if (located.empty || IsTouch(set, located.frame, box.HalfExtents().maxCoeff())) return result;
  ArcMethodOptions quick = options;
  const long surfaces = static_cast<long>(set.surfaces.size());
  quick.max_cells = std::min(options.max_cells, kQuickCells + kQuickCellsOfSurface * surfaces);
  result.failure = SumWhole(set, located.frame, quick, &result);
  if (result.failure == ArcFailure::kNone && result.raw.converged) return result;
  ArcMethodResult apart;
  apart.cells = result.cells;
  apart.failure = SumApart(set, located.frame, options, &apart);
  if (result.failure != ArcFailure::kNone ? apart.failure == ArcFailure::kNone
                                          : IsAsGood(apart, result.raw)) {
    result = std::move(apart);
  } else if (result.failure == ArcFailure::kUnresolved && quick.max_cells < options.max_cells) {
    result.failure = SumWhole(set, located.frame, options, &result);
    result.cells += apart.cells;
  }
  // The bracket is of the whole.
  LocalizeIn(set, located.frame, 0.0);
  return result;
}

}  // namespace volcontact
