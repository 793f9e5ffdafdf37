// The parts of a region that lie apart, each summed in a frame of its own.
#include <algorithm>
#include <cmath>
#include <optional>

#include "math/time_limit.h"
#include "overlap/arcs/arc_method.h"
#include "overlap/arcs/components.h"
#include "overlap/arcs/edges/region_frame.h"
#include "overlap/arcs/facing.h"
#include "overlap/arcs/lines/hidden_parts.h"
#include "overlap/arcs/lines/projection_scan.h"
#include "overlap/cells/near_box.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A single part is worth a frame of its own where its box holds less than this part of the cube.
constexpr double kSmallPart = 0.3;
// The projection of a whole region is sought where those of its parts are more than this part of
// its frame's: roundings are relative to that.
constexpr double kLeastSeen = 1e-3;
// Surfaces up to which these are tried before more cells.
constexpr std::size_t kFewForFallback = 40;
// Effort of what parts are left to, in place of more cells and after them.
constexpr long kQuickEffort = 200'000;

// The sums over all parts, in one frame.
RawMetrics Total(const Rigid& X_AC, const std::vector<ArcMethod::Part>& parts, double tolerance) {
  RawMetrics total;
  total.X_AC = X_AC;
  total.volume_bound = 0.0;
  bool converged = true;
  for (const ArcMethod::Part& part : parts) {
    const Rigid X = X_AC.Inverse() * part.raw.X_AC;
    const Matrix3d R = X.RotationDouble();
    total.moments += part.raw.moments.Transformed(R, Round(X.t));
    AddAreas(part.raw, 1.0, &total);
    total.volume_error += part.raw.volume_error;
    total.volume_bound += part.raw.volume_bound;
    if (!part.by_edges) total.area_noise += part.raw.area_noise;
    converged &= part.by_edges || part.raw.converged;
  }
  // An error of a part counts in the inertia with its distance.
  const Vector3d centroid = total.moments.Centroid();
  double inertia_error = 0.0;
  for (const ArcMethod::Part& part : parts) {
    const Vector3d p = Round((X_AC.Inverse() * part.raw.X_AC).t) - centroid;
    const double volume = part.raw.moments.volume;
    const double spread = volume > 0.0 ? part.raw.moments.CentralSecond().trace() / volume : 0.0;
    inertia_error += part.raw.volume_error * (p.squaredNorm() + spread);
  }
  total.converged = converged && total.volume_error <= tolerance * total.moments.volume &&
                    inertia_error <= tolerance * total.moments.CentralSecond().trace();
  return total;
}

// Their derivatives, likewise.
RawDerivatives TotalDerivatives(const Rigid& X_AC, const std::vector<ArcMethod::Part>& parts) {
  RawDerivatives total;
  total.known = true;
  total.X_AC = X_AC;
  for (const ArcMethod::Part& part : parts) {
    const RawDerivatives& derivatives = part.derivatives;
    if (!derivatives.known) return derivatives;
    const Rigid X = X_AC.Inverse() * derivatives.X_AC;
    total.values += derivatives.values.Transformed(X.RotationDouble(), Round(X.t));
  }
  return total;
}

// As if the face that is seen were flat.
double FlatProjection(const RawMetrics& raw, const Vector3d& direction_A) {
  return std::abs((raw.X_AC.RotationDouble() * raw.area).dot(direction_A));
}

}  // namespace

// A box, in the scaled coordinates of a frame, around another frame's box.
Cell ArcMethod::ReachIn(const LocalFrame& inner, const LocalFrame& outer) {
  const Rigid X = outer.X_AC.Inverse() * inner.X_AC;
  const Vector3d reach = kRoom * (X.RotationDouble().cwiseAbs() * inner.half);
  return {Round(X.t).cwiseQuotient(outer.half), reach.cwiseQuotient(outer.half)};
}

// Whether a frame, with its room, keeps off all boxes with other parts: those beside the present
// part, and those beside the parts that it is in.
bool ArcMethod::KeepsOffOthers(const LocalFrame& frame) const {
  return std::all_of(levels_.begin(), levels_.end(), [&](const PartsOfFrame& level) {
    const Cell reach = ReachIn(frame, level.frame);
    return std::all_of(level.boxes->begin(), level.boxes->end(), [&](const Cell& box) {
      return &box == level.present || GapBetween(box, reach) > 0.0;
    });
  });
}

// A tight frame around what of the region lies in a frame's box: its room keeps off the boxes of
// other parts; nothing where it cannot.
std::optional<Locator::Result> ArcMethod::FrameOfPart(const SurfaceSet& set, const LocalFrame& box,
                                                      ArcMethodResult* result) {
  const auto keeps_off = [&](const Locator::Result& located) {
    result->cells += located.cells;
    return KeepsOffOthers(located.frame);
  };
  Locator::Result located = locator_.RunDeeper(set, box, &problem_);
  if (located.empty || keeps_off(located)) return located;
  located = locator_.Fit(set, box, &problem_);
  if (located.empty || keeps_off(located)) return located;
  return std::nullopt;
}

// The sum over a part of which roundings in its frame are in the way, in the frame that its own
// moments tell, if that does: cells may have found a much wider one.
void ArcMethod::SumInOwnFrame(const SurfaceSet& set, const ArcMethodOptions& options,
                              LocalFrame* frame, ArcMethodResult* sum) {
  const std::optional<LocalFrame> own = FrameOfRegion(problem_, FoundEdges(), sum->raw);
  if (!own || !KeepsOffOthers(*own)) return;
  ArcMethodResult again;
  again.cells = sum->cells;
  again.failure = SumAligned(set, *own, options, &again);
  if (again.failure != ArcFailure::kNone || !again.raw.converged) return;
  *frame = *own;
  *sum = std::move(again);
}

// The sum over the part of a region that a frame holds, or over its own parts where it has several.
bool ArcMethod::SumPart(const SurfaceSet& set, LocalFrame frame, const ArcMethodOptions& options,
                        int nesting, ArcMethodResult* result) {
  ArcMethodResult sum;
  ArcMethodOptions quick = options;
  quick.max_cells = std::min(options.max_cells, kQuickCells);
  sum.failure = SumAligned(set, frame, quick, &sum);
  // Along the set's own axes, along which parts are drawn, surfaces may be less degenerate.
  if (sum.failure == ArcFailure::kNearlyDegenerate) {
    const Locator::Result drawn = locator_.Fit(set, FrameOf(BoxAround(frame)), &problem_);
    if (!drawn.empty && KeepsOffOthers(drawn.frame)) {
      sum.failure = SumAligned(set, drawn.frame, quick, &sum);
    }
  }
  if (sum.failure == ArcFailure::kNone && sum.is_limited_by_rounding)
    SumInOwnFrame(set, quick, &frame, &sum);
  std::optional<RawMetrics> fallback;
  const bool is_done = sum.raw.converged || sum.is_limited_by_rounding;
  if (sum.failure != ArcFailure::kNone || !is_done) {
    const std::size_t before = parts_.size();
    if (nesting < kMaxNesting && SumParts(set, frame, options, nesting + 1, result)) return true;
    parts_.resize(before);
    // More cells are many times what the alternative takes where it does, unless there are many
    // surfaces: each of its slices looks at all pairs of them.
    const bool is_hopeless = sum.failure == ArcFailure::kUnresolved;
    const bool are_few = set.surfaces.size() <= kFewForFallback;
    if (is_hopeless && are_few && options.fallback && !options.hessian) {
      fallback = options.fallback(set, frame, std::min(kQuickEffort, options.most_effort));
    }
    if (is_hopeless && !(fallback && fallback->converged)) {
      sum.failure = SumAligned(set, frame, options, &sum);
    }
  }
  result->cells += sum.cells;
  const bool summed = sum.failure == ArcFailure::kNone;
  if (!summed && !options.fallback) return false;
  if (summed && !(sum.raw.moments.volume > 0.0)) return true;
  Part part{&set, frame, sum.raw, summed, sum.derivatives, by_curves_, coincidence_};
  if (!summed) {
    result->incomplete = sum.failure;
    part.derivatives.reason = Describe(sum.failure);
    const bool has_fallback = fallback && fallback->converged;
    part.raw = has_fallback ? *fallback : options.fallback(set, frame, options.most_effort);
    // The second time there may be no effort left.
    if (fallback && !part.raw.converged && fallback->volume_error < part.raw.volume_error) {
      part.raw = *fallback;
    }
  }
  parts_.push_back(part);
  result->pieces += sum.pieces;
  return true;
}

SurfaceSet& ArcMethod::NewSetOfPart() {
  if (sets_in_use_ == sets_of_parts_.size()) sets_of_parts_.emplace_back();
  return sets_of_parts_[sets_in_use_++];
}

// The sums over the parts of a region that lie apart, each in a frame of its own; false where there
// are no such parts, nor a single one much smaller than the cube.
bool ArcMethod::SumParts(const SurfaceSet& set, const LocalFrame& tight,
                         const ArcMethodOptions& options, int nesting, ArcMethodResult* result) {
  if (cells_left_ <= 0) return false;
  Localize(set, tight, &problem_);
  // Those of the levels above are in use.
  std::vector<Cell>& boxes = part_boxes_[nesting];
  SeparateParts(problem_, &boxes);
  const bool is_new = boxes.size() > 1 || (boxes.size() == 1 && boxes[0].half.prod() < kSmallPart);
  if (!is_new) return false;
  const std::size_t level = levels_.size();
  levels_.push_back({tight, &boxes});
  const bool summed = std::all_of(boxes.begin(), boxes.end(), [&](const Cell& box) {
    levels_[level].present = &box;
    const LocalFrame around = FrameIn(tight.X_AC, box.center.cwiseProduct(tight.half),
                                      Matrix3d::Identity(), box.half.cwiseProduct(tight.half));
    SurfaceSet& near = NewSetOfPart();
    TakeNearBox(set, around, &near);
    const std::optional<Locator::Result> part = FrameOfPart(near, around, result);
    return part && (part->empty || SumPart(near, part->frame, options, nesting, result));
  });
  levels_.pop_back();
  return summed;
}

// The projection of a part along a direction.
ContactAreaFound ArcMethod::ProjectionOfPart(const Part& part, const ArcMethodOptions& options,
                                             const Vector3d& direction_A, ArcMethodResult* result) {
  const double flat = FlatProjection(part.raw, direction_A);
  LocalizeIn(*part.set, part.frame, part.coincidence);
  const Vector3d direction = problem_.frame.X_AC.RotationDouble().transpose() * direction_A;
  if (AreBodiesFacing(problem_, direction)) return flat;
  if (!part.by_edges) {
    return options.projection_fallback(*part.set, part.frame, part.raw, direction_A);
  }
  ArcMethodResult again;
  const bool found =
      (part.by_curves && FindByCurves(part.coincidence, *part.set, part.frame, options)) ||
      Find(*part.set, part.frame, options, part.coincidence, &again) == ArcFailure::kNone;
  if (found) return Projection(*part.set, options, direction, result);
  return {ScanProjection(problem_, direction), kAreaByLines};
}

// The projection of all of a region at once, which counts parts that lie behind each other once;
// nothing where its outlines are not known, or `sum`, that of all parts, is little of the frame's.
std::optional<double> ArcMethod::ProjectionOfWhole(const SurfaceSet& set, const LocalFrame& frame,
                                                   ArcMethodOptions options,
                                                   const Vector3d& direction_A, double sum) {
  const Vector3d direction = frame.X_AC.RotationDouble().transpose() * direction_A;
  const Vector3d& half = frame.half;
  const double share = sum / (4.0 * half.prod() * direction.cwiseQuotient(half).lpNorm<1>());
  if (share < kLeastSeen) return std::nullopt;
  options.tolerance *= share;
  options.max_cells = std::min(options.max_cells, kQuickCells);
  options.known = {};
  ArcMethodResult whole;
  if (!FindByCurves(kLeastCoincidence, set, frame, options) &&
      Find(set, frame, options, Coincidence(options), &whole) != ArcFailure::kNone)
    return std::nullopt;
  const ContactAreaFound found = Projection(set, options, direction, &whole);
  if (found.warning != nullptr) return std::nullopt;
  return found.area;
}

// Adds up the projections of all parts, without what of them lies behind others.
void ArcMethod::TakeProjections(const SurfaceSet& set, const LocalFrame& frame,
                                const ArcMethodOptions& options, ArcMethodResult* result) {
  RawMetrics& raw = result->raw;
  const Vector3d direction_A = raw.X_AC.RotationDouble() * ProjectionAxis(raw);
  for (const Part& part : parts_) {
    ContactAreaFound projection = FlatProjection(part.raw, direction_A);
    const bool is_done = TimeLimit::EndsBeforeLimit(
        [&] { projection = ProjectionOfPart(part, options, direction_A, result); });
    if (!is_done) result->incomplete = ArcFailure::kNoOutline;
    TakeProjection(projection, &raw);
  }
  std::vector<FramedRegion> regions;
  for (const Part& part : parts_) regions.push_back({part.set, part.frame});
  if (raw.area_warning != nullptr || !MayPartsHide(regions, direction_A)) return;
  std::optional<double> whole;
  TimeLimit::EndsBeforeLimit(
      [&] { whole = ProjectionOfWhole(set, frame, options, direction_A, raw.projected_area); });
  if (whole)
    raw.projected_area = std::min(raw.projected_area, *whole);
  else if (DoPartsHide(regions, direction_A))
    raw.area_warning = kAreaOfParts;
}

// The sums over all parts of a region, with its projection.
void ArcMethod::TakeTotal(const SurfaceSet& set, const LocalFrame& frame,
                          const ArcMethodOptions& options, ArcMethodResult* result) {
  result->raw = Total(frame.X_AC, parts_, options.tolerance);
  if (options.hessian) result->derivatives = TotalDerivatives(frame.X_AC, parts_);
  SetAreaNoise(options.tolerance, &result->raw);
  result->fallback_parts =
      std::count_if(parts_.begin(), parts_.end(), [](const Part& part) { return !part.by_edges; });
  if (options.projection) TakeProjections(set, frame, options, result);
}

// The sums over the parts that lie apart; kNotClosed where there are none.
ArcFailure ArcMethod::SumApart(const SurfaceSet& set, const LocalFrame& tight,
                               const ArcMethodOptions& options, ArcMethodResult* result) {
  parts_.clear();
  sets_in_use_ = 0;
  if (!SumParts(set, tight, options, 0, result)) return ArcFailure::kNotClosed;
  if (!parts_.empty()) TakeTotal(set, tight, options, result);
  return ArcFailure::kNone;
}

// The sums over the regions that the operands of a union make; false where there are no two, or one
// of them has no sum.
bool ArcMethod::SumOperands(const SurfaceSet& set, const Aabb& box, const ArcMethodOptions& options,
                            ArcMethodResult* result) {
  const bool is_split = split_.Run(set, box);
  result->cells += split_.cells();
  if (!is_split) return false;
  parts_.clear();
  sets_in_use_ = 0;
  for (std::size_t n = 0; n < split_.size(); ++n) {
    if (!SumPart(split_[n].set, split_[n].frame, options, 0, result)) return false;
  }
  if (parts_.empty()) return false;
  const LocalFrame around = FrameOf(split_.Bounds());
  TakeTotal(set, around, options, result);
  // The bracket is of the whole.
  LocalizeIn(set, around, 0.0);
  return true;
}

}  // namespace volcontact
