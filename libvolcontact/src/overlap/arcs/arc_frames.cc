// Sums over a region that is not located, in frames that follow from its own edges and moments.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "overlap/arcs/arc_method.h"
#include "overlap/arcs/edges/region_frame.h"
#include "overlap/arcs/faces/raw_of_sums.h"
#include "overlap/cells/near_box.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Sums over a region lose few digits where its variance along each direction of the cube is no less
// than the first, or its second moments there are no less than the second over the tolerance. They
// do where those are no less than the last over it, if there is no better frame.
constexpr double kFat = 1e-4, kSumRounding = 1e-14, kLeastRounding = 1e-16;
// Frames from moments, one after the other: each resolves directions that are thinner by some
// digits.
constexpr int kMostFrames = 3;
// Sums over one region in two frames are the same but for errors that they state and this.
constexpr double kSameVolume = 1e-9;
// The same for sums that only give the next frame. Their tolerance is this part of the volume.
constexpr double kSameRoughVolume = 1e-3, kRough = 1e-4;
// Sums in one frame by which those over parts are checked are no farther off. The difference may be
// so many times their errors, which are estimates where edges do not quite meet, and those of the
// parts and what roundings in the wider frame make.
constexpr double kMostErrorOfAll = 0.1, kTimesErrorOfAll = 4.0, kSameAsAll = 1e-6;

// Roundings in the cube may hide a region that is no more of it.
constexpr double kLost = 1e-12;

// Whether edges keep near one plane: the region may be flat in its frame.
bool KeepNearPlane(const Edges& edges) {
  const double count = static_cast<double>(edges.pieces.size());
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const EdgePiece& piece : edges.pieces) {
    first += piece.start.p / count;
    second += piece.start.p * piece.start.p.transpose() / count;
  }
  const Matrix3d variance = second - first * first.transpose();
  return count > 0.0 && Eigen::SelfAdjointEigenSolver<Matrix3d>(variance, Eigen::EigenvaluesOnly)
                                .eigenvalues()
                                .minCoeff() < kFat;
}

// How many digits sums over a region have in its frame.
enum class Digits { kMany, kEnough, kFew };

// Of two sums over a region.
bool IsBetter(const RawMetrics& one, const RawMetrics& other) {
  if (one.converged != other.converged) return one.converged;
  return one.volume_error < other.volume_error;
}

Digits DigitsOf(const VolumeMoments& moments, const Vector3d& half, double tolerance) {
  const double least = LeastVariance(moments, half);
  if (least >= kFat) return Digits::kMany;
  const double part = tolerance * least * moments.volume / half.prod();
  Vector3d thinnest;
  if (part >= kSumRounding && !IsAskew(moments, &thinnest)) return Digits::kMany;
  return part >= kLeastRounding ? Digits::kEnough : Digits::kFew;
}

}  // namespace

// The frame of a region that is flat in that in which its edges have been found, from rough sums,
// with its volume; nothing where they do not tell it, or it is not flat.
std::optional<LocalFrame> ArcMethod::FrameOfFlat(const SurfaceSet& set,
                                                 const ArcMethodOptions& options,
                                                 RoughVolume* volume) {
  if (!KeepNearPlane(curves_.edges())) return std::nullopt;
  if (!BeginSums(curves_.edges(), ends_.segments(), set.kinds, options)) return std::nullopt;
  const EdgeQuadratureResult sums = quadrature_.Reach(kRough);
  has_rough_sums_ = true;
  if (!sums.usable || sums.has_closed_faces) return std::nullopt;
  const LocalFrame& frame = problem_.frame;
  RawMetrics raw = ToRaw(frame, sums.all, sums.of_B);
  raw.volume_error = std::max(sums.error, OpenPart(sums.all)) * frame.half.prod();
  if (!(raw.moments.volume > 0.0) ||
      DigitsOf(raw.moments, frame.half, options.tolerance) == Digits::kMany)
    return std::nullopt;
  *volume = {raw.moments.volume, raw.volume_error + kSameRoughVolume * raw.moments.volume};
  return FrameOfRegion(problem_, curves_.edges(), raw);
}

// The sums along whole curves, in a frame that the region fills enough that it need not be located,
// or in one after the other that its own edges and moments tell, of which `frame` is the last;
// without the projection. Where sums do not do since edges lie apart, `boxes`, if not null, has
// where. `by_rough_sums`: in, whether these may tell frames; out, whether they did. `best`: the
// frame whose sums have converged, or else have the least error, of those with enough digits after
// which a better one was looked for.
bool ArcMethod::SumInFramesOf(bool* by_rough_sums, const SurfaceSet& set,
                              const ArcMethodOptions& options, LocalFrame* frame,
                              std::optional<TriedFrame>* best, std::vector<Cell>* boxes,
                              ArcMethodResult* result) {
  RoughVolume before = {};
  // A part of the region that the frame has lost is missing.
  const auto is_less = [&](int n, const RoughVolume& now) {
    return n > 0 && std::abs(now.volume - before.volume) > before.error + now.error;
  };
  const auto are_apart = [&] {
    return boxes != nullptr && FindBoxesApart(problem_, FoundEdges(), boxes);
  };
  const bool may_be_rough = std::exchange(*by_rough_sums, false);
  for (int n = 0; n <= kMostFrames; ++n) {
    if (!FindByCurves(kLeastCoincidence, set, *frame, options)) {
      // Faces that are one but for roundings leave no region between them: a touch.
      result->raw.X_AC = frame->X_AC;
      return n == 0 && options.whole_curves && problem_.expression.IsFalse();
    }
    RoughVolume now;
    std::optional<LocalFrame> next;
    if (may_be_rough) next = FrameOfFlat(set, options, &now);
    if (next && are_apart()) next.reset();
    *by_rough_sums |= next.has_value();
    if (!next) {
      const ArcFailure failure = SumAlongCurves(set, options, result);
      const RawMetrics& raw = result->raw;
      const double volume = raw.moments.volume, lost = kLost * frame->half.prod();
      if (failure == ArcFailure::kNotClosed && std::abs(volume) <= lost && !has_closed_faces_)
        next = FrameOfEdges(problem_, FoundEdges());
      if (next && !is_less(n, {0.0, lost})) {
        *frame = *next;
        before = {0.0, lost};
        continue;
      }
      if (failure != ArcFailure::kNone) {
        if (n == 0) result->failure = failure;
        are_apart();
        return false;
      }
      if (n == 0 && volume == 0.0) return true;
      now = {volume, raw.volume_error + kSameVolume * volume};
      if (is_less(n, now)) return false;
      const Digits digits = DigitsOf(raw.moments, frame->half, options.tolerance);
      if (raw.converged && digits == Digits::kMany) return true;
      if (digits != Digits::kFew && (!*best || IsBetter(raw, (*best)->raw)))
        *best = {*frame, raw, result->is_limited_by_rounding};
      if (has_closed_faces_ || are_apart()) return false;
      next = FrameOfRegion(problem_, FoundEdges(), raw);
    }
    if (!next || is_less(n, now)) return false;
    *frame = *next;
    before = now;
  }
  return false;
}

bool ArcMethod::SumInFrames(const SurfaceSet& set, const ArcMethodOptions& options,
                            LocalFrame* frame, std::optional<TriedFrame>* best,
                            std::vector<Cell>* boxes, ArcMethodResult* result) {
  const LocalFrame first = *frame;
  const auto sum = [&](bool* by_rough_sums) {
    return SumInFramesOf(by_rough_sums, set, options, frame, best, boxes, result);
  };
  const auto are_apart = [&] { return boxes != nullptr && !boxes->empty(); };
  bool by_rough_sums = true;
  if (sum(&by_rough_sums)) return true;
  if (are_apart()) return false;
  if (by_rough_sums) {
    // Rough sums of thin slivers may be rougher than they say.
    *frame = first;
    *result = {};
    by_rough_sums = false;
    if (sum(&by_rough_sums)) return true;
    if (are_apart()) return false;
  }
  if (!*best || !(*best)->raw.converged) return false;
  *frame = (*best)->frame;
  *result = {};
  return FindByCurves(kLeastCoincidence, set, *frame, options) &&
         SumAlongCurves(set, options, result) == ArcFailure::kNone && result->raw.converged;
}

// The sums in a frame in which they have been found before, with the projection.
ArcMethodResult ArcMethod::SumIn(const LocalFrame& frame, const SurfaceSet& set,
                                 const ArcMethodOptions& options) {
  ArcMethodResult result;
  result.failure = ArcFailure::kUnresolved;
  if (FindByCurves(kLeastCoincidence, set, frame, options))
    result.failure = SumAlongCurves(set, options, &result);
  if (result.failure == ArcFailure::kNone) AddProjection(set, options, &result);
  return result;
}

// The sums over a region whose edges lie apart, in these boxes of the cube: each part in frames of
// its own, with the projection. False where they are not what all was in one frame, which was
// summed last.
bool ArcMethod::SumInBoxes(const std::vector<Cell>& boxes, const SurfaceSet& set,
                           const ArcMethodOptions& options, ArcMethodResult* result) {
  const RawMetrics all = result->raw;
  const LocalFrame frame = problem_.frame;
  if (all.volume_error > kMostErrorOfAll * all.moments.volume) return false;
  ArcMethodOptions of_parts = options;
  of_parts.known = {};
  parts_.clear();
  sets_in_use_ = 0;
  *result = {};
  for (const Cell& box : boxes) {
    LocalFrame around = FrameIn(frame.X_AC, box.center.cwiseProduct(frame.half),
                                Matrix3d::Identity(), box.half.cwiseProduct(frame.half));
    SurfaceSet& near = NewSetOfPart();
    TakeNearBox(set, around, &near);
    ArcMethodResult part;
    std::optional<TriedFrame> best;
    if (!SumInFrames(near, of_parts, &around, &best, nullptr, &part)) return false;
    parts_.push_back({&near, around, part.raw, true, part.derivatives, true, coincidence_});
    result->pieces += part.pieces;
  }
  TakeTotal(set, {frame.X_AC, frame.half / kRoom}, of_parts, result);
  const double missing = std::abs(result->raw.moments.volume - all.moments.volume);
  // The bracket is of the whole.
  LocalizeIn(set, {frame.X_AC, frame.half / kRoom}, 0.0);
  return result->raw.converged && missing <= kTimesErrorOfAll * all.volume_error +
                                                 result->raw.volume_error +
                                                 kSameAsAll * all.moments.volume;
}

// The same along whole curves, with the projection, where the region need not be located. Else
// `best` may have a frame whose sums have not converged.
bool ArcMethod::SumUnlocated(const SurfaceSet& set, const LocalFrame& box,
                             const ArcMethodOptions& options, std::optional<TriedFrame>* best,
                             ArcMethodResult* result) {
  LocalFrame frame = box;
  boxes_apart_.clear();
  if (!SumInFrames(set, options, &frame, best, &boxes_apart_, result)) {
    const bool are_apart =
        !boxes_apart_.empty() && result->raw.moments.volume > 0.0 && !has_closed_faces_;
    if (!are_apart) return false;
    if (SumInBoxes(boxes_apart_, set, options, result)) return true;
    // One part may have edges that lie apart, as a shaft through a plate has.
    parts_.clear();
    frame = box;
    *result = {};
    if (!SumInFrames(set, options, &frame, best, nullptr, result)) return false;
  }
  if (result->raw.moments.volume > 0.0) AddProjection(set, options, result);
  return true;
}

}  // namespace volcontact
