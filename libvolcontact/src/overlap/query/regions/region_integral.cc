#include "overlap/query/regions/region_integral.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/time_limit.h"
#include "overlap/arcs/body_touch.h"
#include "overlap/certify/certify.h"
#include "overlap/frame/equal_surfaces.h"
#include "overlap/frame/face_shares.h"
#include "overlap/query/regions/query_input.h"
#include "overlap/query/regions/region_columns.h"
#include "overlap/query/regions/touching_rounds.h"

namespace volcontact {
namespace {

// Cells after which edges are given up, and so many more for each surface: more are in the way of
// surfaces that touch along a curve.
constexpr long kArcCells = 25'000, kArcCellsOfSurface = 250;
// Cells for the bracket of sums over edges: a fraction of the query's time.
// QueryOptions::bracket_width asks for more.
constexpr long kBracketCells = 41;
// A bound of what sums over edges are off serves as the bracket if it is no more of the volume;
// else cells make one.
constexpr double kWideBound = 0.1;
// By how much round surfaces are made smaller where they touch others, in units of the region's
// least half width: far more than rounding, and little enough for the square of it to be none.
constexpr double kStep = 3e-8;
constexpr const char* kWithoutTouches =
    "round surfaces that touch others were made slightly smaller";
constexpr const char* kOneSided =
    "the Hessian is that of one side: faces of A and B touch, and the volume has no second "
    "derivative there";

long MostArcCells(const QueryOptions& options, const SurfaceSet& set) {
  const long surfaces = static_cast<long>(set.surfaces.size());
  return std::min(options.max_cells, kArcCells + kArcCellsOfSurface * surfaces);
}

BoundEffort EffortOfBound(const QueryOptions& options) {
  if (options.certify) return BoundEffort::kFull;
  return options.bound_volume ? BoundEffort::kQuick : BoundEffort::kNone;
}

// Whether what was integrated goes without a bracket. What has not converged has nothing else that
// is certain.
bool GoesUnbounded(const RawMetrics& raw, const QueryOptions& options) {
  const bool is_asked_for = options.bound_volume || options.certify || options.bracket_width > 0.0;
  return raw.converged && raw.moments.volume > 0.0 && !is_asked_for;
}

// A quick bracket of what was integrated otherwise, which is held to it.
std::array<double, 2> Bracket(const LocalProblem& problem, const QueryOptions& options,
                              RawMetrics* raw, long* cells) {
  const VolumeBracket bracket =
      CertifyVolume(problem, {kBracketCells, options.tolerance, options.threads}, cells);
  HoldWithin(bracket, options.tolerance, raw);
  return {bracket.lower, bracket.upper};
}

// Whether owners of surfaces leave open whose face of the region of a set it is, in a frame.
bool HasFaceShares(const LocalFrame& frame, const SurfaceSet& set, Workspace* workspace) {
  Localize(set, frame, &workspace->problem);
  SimplifyInBox(&workspace->problem);
  MergeEqualSurfaces(0.0, &workspace->problem);
  std::vector<FaceShare> shares;
  FindFaceShares(set, workspace->problem, &shares);
  return !shares.empty();
}

// Sums over a region of revolution in its half-plane; false for other regions.
bool SumMeridian(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                 RawAnswer* answer) {
  std::optional<MeridianResult> result =
      workspace->meridian.Run(workspace->set, box, options.tolerance);
  if (!result || HasFaceShares(result->frame, workspace->set, workspace)) return false;
  long cells = 0;
  std::optional<std::array<double, 2>> bounds;
  if (!GoesUnbounded(result->raw, options)) {
    Localize(workspace->set, result->frame, &workspace->problem);
    SimplifyInBox(&workspace->problem);
    bounds = Bracket(workspace->problem, options, &result->raw, &cells);
  }
  if (!result->raw.converged) return false;
  answer->method = Method::kBoundary;
  answer->raw = result->raw;
  answer->cells += cells;
  answer->volume_bounds = bounds;
  answer->leaves = answer->edges = result->strips;
  if (options.hessian) answer->derivatives = Differentiate(box, options, workspace);
  return true;
}

// The bracket of sums over edges.
void BoundEdges(const LocalProblem& problem, const QueryOptions& options, RawMetrics* raw,
                RawAnswer* answer) {
  answer->volume_bounds = {0.0, 0.0};
  // What was given up may have no volume so far, and a bracket all the same.
  if (raw->converged && !(raw->moments.volume > 0.0)) return;
  long cells = 0;
  const bool is_done = TimeLimit::EndsBeforeLimit(
      [&] { answer->volume_bounds = Bracket(problem, options, raw, &cells); });
  if (!is_done) answer->volume_bounds.reset();
  answer->cells += cells;
}

// The derivatives for the region of a set in a box, where edges were summed.
RawDerivatives DerivativesOf(const ArcMethodResult& result, const SurfaceSet& set, const Aabb& box,
                             const QueryOptions& options) {
  RawDerivatives derivatives = result.derivatives;
  if (derivatives.known) {
    if (!options.check_hessian) return derivatives;
    TimeLimit::EndsBeforeLimit([&] {
      if (DoFacesTouch(set, box)) derivatives.reason = kOneSided;
    });
    return derivatives;
  }
  if (result.failure != ArcFailure::kNone) {
    derivatives.reason = Describe(result.failure);
  } else if (derivatives.reason == nullptr) {
    derivatives.reason = "the overlap is too small to have edges";
  }
  return derivatives;
}

ArcMethodResult SumLeaving(PartsByColumns* columns, const Aabb& box, const QueryOptions& options,
                           Workspace* workspace, std::span<const KnownEdges> known,
                           const std::function<bool()>& is_empty) {
  const auto fallback = [&](const SurfaceSet& near, const LocalFrame& frame, long effort) {
    return columns->Integrate(near, frame, effort);
  };
  const auto projection = [&](const SurfaceSet& near, const LocalFrame& frame,
                              const RawMetrics& part, const Eigen::Vector3d& direction) {
    return columns->Project(near, frame, part, direction);
  };
  return workspace->arcs.Run(workspace->set, box,
                             {.tolerance = options.tolerance,
                              .max_cells = MostArcCells(options, workspace->set),
                              .fallback = std::cref(fallback),
                              .projection_fallback = std::cref(projection),
                              .is_empty = is_empty,
                              .bound = EffortOfBound(options),
                              .projection = options.contact_area,
                              .hessian = options.hessian,
                              .threads = options.threads,
                              .known = known});
}

// What sums over edges have found, with a bracket of the region of `problem`.
void TakeEdges(ArcMethodResult result, const QueryOptions& options, const LocalProblem& problem,
               RawAnswer* answer) {
  const double volume = result.raw.moments.volume, bound = result.raw.volume_bound;
  if (result.raw.converged && bound <= kWideBound * volume) {
    answer->volume_bounds = {volume - bound, volume + bound};
  } else if (!GoesUnbounded(result.raw, options)) {
    BoundEdges(problem, options, &result.raw, answer);
  }
  answer->fallback = Describe(result.incomplete);
  // A part that columns have summed is no better than these.
  answer->method = result.fallback_parts > 0 ? Method::kColumns : Method::kBoundary;
  answer->raw = result.raw;
  answer->leaves = answer->edges = result.pieces;
}

void AddTimes(const RawMetrics& other, double factor, RawMetrics* sum) {
  const Rigid X_CO = sum->X_AC.Inverse() * other.X_AC;
  VolumeMoments moments = other.moments.Transformed(X_CO.RotationDouble(), Round(X_CO.t));
  moments *= factor;
  sum->moments += moments;
  AddAreas(other, factor, sum);
  sum->volume_error += std::abs(factor) * other.volume_error;
}

// What integrals that change with a step tend to, from those at it and at twice as much.
RawMetrics Extrapolated(const RawMetrics& near, const RawMetrics& far) {
  RawMetrics limit = near;
  limit.volume_bound = std::numeric_limits<double>::infinity();
  AddTimes(near, 1.0, &limit);
  AddTimes(far, -1.0, &limit);
  return limit;
}

// Sums over the edges of what the region is where round surfaces keep off what they touch by a
// step, by two and by four, and what they tend to. False where they do not converge.
bool SumWithoutTouches(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                       RawAnswer* answer) {
  const SurfaceSet& set = workspace->set;
  const Locator::Result located = workspace->locator.Run(set, box, &workspace->problem);
  if (located.empty) return false;
  const double step = kStep * located.frame.half.minCoeff(), size = located.frame.half.maxCoeff();
  ArcMethodResult result;
  std::array<RawMetrics, 3> raw;
  for (const int n : {2, 1, 0}) {
    const std::optional<SurfaceSet> apart = WithoutTouches(set, size, std::ldexp(step, n));
    if (!apart) return false;
    result = workspace->arcs.Run(*apart, box,
                                 {.tolerance = options.tolerance,
                                  .max_cells = MostArcCells(options, *apart),
                                  .projection = n == 0 && options.contact_area,
                                  .hessian = n == 0 && options.hessian,
                                  .threads = options.threads});
    answer->cells += result.cells;
    if (result.failure != ArcFailure::kNone || !result.raw.converged) return false;
    raw[n] = result.raw;
  }
  result.raw = Extrapolated(raw[0], raw[1]);
  const double volume = result.raw.moments.volume;
  result.raw.volume_error += std::abs(volume - Extrapolated(raw[1], raw[2]).moments.volume);
  if (!(result.raw.volume_error <= options.tolerance * volume)) return false;
  answer->derivatives = DerivativesOf(result, workspace->set, box, options);
  TakeEdges(result, options, workspace->problem, answer);
  answer->fallback = kWithoutTouches;
  return true;
}

// By sums over edges. If there are none, or a check of them failed, `answered` is false, the
// reason is in the answer, and columns have to answer.
struct EdgeAttempt {
  bool answered = false;
  // The sums over a boundary that did not close: what they say of the volume columns must agree
  // with.
  bool has_volume = false;
  double volume = 0.0, error = 0.0;  // [m³]
};

EdgeAttempt SumEdges(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer, const BodiesOfRegion& bodies) {
  if (SumMeridian(box, options, workspace, answer)) return {true};
  std::span<const KnownEdges> known;
  if (bodies.find_known) known = bodies.find_known();
  PartsByColumns columns(options, workspace, answer);
  ArcMethodResult result =
      SumLeaving(&columns, box, options, workspace, known, bodies.are_proven_apart);
  answer->cells += result.cells;
  if (result.failure != ArcFailure::kNone || columns.are_put_off()) {
    if (SumWithoutTouches(box, options, workspace, answer)) return {true};
    if (columns.are_put_off()) {
      columns.TakeAll();
      result = SumLeaving(&columns, box, options, workspace, known, {});
      answer->cells += result.cells;
    }
  }
  answer->derivatives = DerivativesOf(result, workspace->set, box, options);
  if (result.failure != ArcFailure::kNone) {
    answer->fallback = Describe(result.failure);
    const bool is_open = result.failure == ArcFailure::kNotClosed;
    return {false, is_open, result.raw.moments.volume, result.raw.volume_error};
  }
  if (!result.raw.converged && result.raw.moments.volume > 0.0)
    SharpenByColumns(box, options, workspace, &result.raw, answer);
  TakeEdges(result, options, workspace->arcs.problem(), answer);
  return {true};
}

}  // namespace

std::vector<std::optional<RawAnswer>> IntegrateSectors(const Aabb& box, const Sectors& sectors,
                                                       const QueryOptions& options,
                                                       std::span<const KnownEdges> known,
                                                       Workspace* workspace) {
  const SurfaceSet& set = workspace->set;
  if (set.has_common || set.expression.IsConstant()) return {};
  std::vector<ArcMethodResult> results;
  const bool are_summed = workspace->arcs.RunSectors(set, box, sectors,
                                                     {.tolerance = options.tolerance,
                                                      .max_cells = MostArcCells(options, set),
                                                      .hessian = options.hessian,
                                                      .threads = options.threads,
                                                      .known = known},
                                                     &results);
  if (!are_summed) return {};
  const bool is_one_sided = options.hessian && options.check_hessian && DoFacesTouch(set, box);
  std::vector<std::optional<RawAnswer>> answers;
  for (const ArcMethodResult& result : results) {
    std::optional<RawAnswer>& answer = answers.emplace_back();
    const bool has_volume = result.raw.moments.volume > 0.0;
    if (result.failure != ArcFailure::kNone || !result.raw.converged ||
        (options.hessian && has_volume && !result.derivatives.known))
      continue;
    answer.emplace();
    answer->raw = result.raw;
    answer->method = Method::kBoundary;
    answer->leaves = answer->edges = result.pieces;
    answer->derivatives = result.derivatives;
    if (is_one_sided) answer->derivatives.reason = kOneSided;
  }
  return answers;
}

RawDerivatives Differentiate(const Aabb& box, const QueryOptions& options, Workspace* workspace) {
  const ArcMethodResult result =
      workspace->arcs.Run(workspace->set, box,
                          {.tolerance = options.tolerance,
                           .max_cells = MostArcCells(options, workspace->set),
                           .projection = false,
                           .hessian = true,
                           .threads = options.threads});
  return DerivativesOf(result, workspace->set, box, options);
}

namespace {

// Where columns and the attempt differ by more than the errors they state a part was overlooked,
// and the answer has not converged.
void Compare(const EdgeAttempt& attempt, RawAnswer* answer) {
  if (!attempt.has_volume) return;
  RawMetrics& raw = answer->raw;
  const double difference = std::abs(raw.moments.volume - attempt.volume);
  if (difference <= attempt.error + raw.volume_error) return;
  raw.converged = false;
  raw.volume_error = std::max(raw.volume_error, difference);
}

// Columns as they were asked for: they leave the derivatives to the edges.
void AnswerByColumns(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer) {
  IntegrateColumns(box, options, workspace, answer);
  if (!options.hessian || !answer->HasVolume()) return;
  const bool is_done = TimeLimit::EndsBeforeLimit(
      [&] { answer->derivatives = Differentiate(box, options, workspace); });
  if (!is_done) answer->derivatives.reason = kNoTimeForDerivatives;
}

}  // namespace

void IntegrateRegion(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer, const BodiesOfRegion& bodies) {
  if (options.method == Method::kColumns) return AnswerByColumns(box, options, workspace, answer);
  const EdgeAttempt attempt = SumEdges(box, options, workspace, answer, bodies);
  if (attempt.answered) return;
  IntegrateColumns(box, options, workspace, answer);
  Compare(attempt, answer);
}

}  // namespace volcontact
