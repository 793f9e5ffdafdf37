#include "overlap/query/region_integral.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "math/time_limit.h"
#include "overlap/arcs/body_touch.h"
#include "overlap/certify/certify.h"
#include "overlap/frame/face_shares.h"

namespace volcontact {
namespace {

// Cells after which edges are given up, and so many more for each surface: more are in the way of
// surfaces that touch along a curve.
constexpr long kArcCells = 25'000, kArcCellsOfSurface = 250;
// How many times the columns that one part may take all parts may take together.
constexpr long kMostRunsOfParts = 4;
// Cells for the bracket of what edges tell: no more than a fraction of the query's time.
// QueryOptions::bracket_width asks for more.
constexpr long kBracketCells = 41;
// Of the second columns, against the first; no edges of aligned parts lie so.
constexpr double kCheckAngle = 0.62;
constexpr const char* kOneSided =
    "the Hessian is that of one side: faces of A and B touch, and the volume has no second "
    "derivative there";
// Area vectors of both may differ by this part of the contact area, whatever the tolerance.
constexpr double kAreaAgreement = 1e-5;

long MostArcCells(const QueryOptions& options, const SurfaceSet& set) {
  const long surfaces = static_cast<long>(set.surfaces.size());
  return std::min(options.max_cells, kArcCells + kArcCellsOfSurface * surfaces);
}

// A frame with other axes across z, in which columns lie otherwise, around the same box.
LocalFrame TurnedAboutZ(const LocalFrame& frame) {
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(kCheckAngle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  return FrameIn(frame.X_AC, Eigen::Vector3d::Zero(), turn, turn.cwiseAbs() * frame.half);
}

void SeeFrom(const LocalFrame& frame, const SurfaceSet& set, SurfaceSet* seen) {
  *seen = set;
  for (SurfacePolynomial& psi : seen->surfaces) psi = Substitute(psi, frame.X_AC.R, frame.X_AC.t);
}

// The integrals by columns over a region in a frame's box.
ColumnMethodResult IntegrateIn(const LocalFrame& frame, const SurfaceSet& set,
                               const ColumnMethodOptions& options, Workspace* workspace) {
  SeeFrom(frame, set, &workspace->turned);
  ColumnMethodResult result =
      workspace->columns.Run(workspace->turned, {-frame.half, frame.half}, options);
  result.raw.X_AC = frame.X_AC * result.raw.X_AC;
  return result;
}

// Whether two runs of a method over one region, of which neither is known to be right, agree within
// the errors that they claim.
bool Agree(const RawMetrics& one, const RawMetrics& other, double tolerance) {
  const double difference = std::abs(one.moments.volume - other.moments.volume);
  // Each may be off by the tolerance, and the area vector by ten times that.
  const double allowed = std::max(2.0 * tolerance * one.moments.volume, other.volume_error);
  const double turn =
      (one.X_AC.RotationDouble() * one.area - other.X_AC.RotationDouble() * other.area).norm();
  const double areas = std::max({one.projected_area, one.area.norm(), other.area.norm()});
  return difference <= allowed && turn <= std::max(20.0 * tolerance, kAreaAgreement) * areas;
}

// By columns that lie otherwise than those of a frame.
ColumnMethodResult IntegrateTurned(const LocalFrame& frame, const SurfaceSet& set,
                                   ColumnMethodOptions options, Workspace* workspace) {
  options.certify = options.projection = false;
  return IntegrateIn(TurnedAboutZ(frame), set, options, workspace);
}

// Columns know nothing of what lies between them: what they claim is believed where others, that
// lie otherwise, agree. Returns how many these were.
long CheckByOthers(const LocalFrame& frame, const SurfaceSet& set,
                   const ColumnMethodOptions& options, Workspace* workspace, RawMetrics* raw) {
  if (!raw->converged || !(raw->moments.volume > 0.0)) return 0;
  ColumnMethodResult other;
  const bool is_done =
      TimeLimit::EndsBeforeLimit([&] { other = IntegrateTurned(frame, set, options, workspace); });
  if (!is_done) {
    raw->converged = false;
    return 0;
  }
  if (Agree(*raw, other.raw, options.tolerance)) return other.columns;
  raw->converged = false;
  raw->volume_error =
      std::max(raw->volume_error, std::abs(raw->moments.volume - other.raw.moments.volume));
  return other.columns;
}

// What is known of a part for which no effort is left: it is no larger than its frame's box.
RawMetrics UnknownIn(const LocalFrame& frame) {
  RawMetrics unknown;
  unknown.X_AC = frame.X_AC;
  unknown.volume_error = 8.0 * frame.half.prod();
  unknown.converged = false;
  return unknown;
}

// Adds what owners of surfaces do not tell of the area vector. Returns how many columns that took.
long ShareFaces(const LocalFrame& frame, const SurfaceSet& set, ColumnMethodOptions options,
                Workspace* workspace, RawMetrics* raw) {
  if (!set.has_common || !(raw->moments.volume > 0.0)) return 0;
  Localize(set, frame, &workspace->problem);
  SimplifyInBox(&workspace->problem);
  std::vector<FaceShare> shares;
  FindFaceShares(set, workspace->problem, &shares);
  options.certify = options.projection = false;
  long columns = 0;
  for (const FaceShare& share : shares) {
    ColumnMethodResult part;
    const bool is_done = TimeLimit::EndsBeforeLimit(
        [&] { part = IntegrateIn(frame, CutTo(frame, share.region), options, workspace); });
    part.raw.converged &= is_done;
    raw->converged &= part.raw.converged;
    AddAreas(part.raw, share.factor, raw);
    columns += part.columns;
  }
  return columns;
}

// A quick bracket of what was integrated otherwise, which is held to it.
std::array<double, 2> Bracket(const LocalProblem& problem, const QueryOptions& options,
                              RawMetrics* raw, long* cells) {
  const VolumeBracket bracket =
      CertifyVolume(problem, {kBracketCells, options.tolerance, options.threads}, cells);
  HoldWithin(bracket, options.tolerance, raw);
  return {bracket.lower, bracket.upper};
}

// Of regions of revolution in their half-plane; false where it is none.
bool SumMeridian(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                 RawAnswer* answer) {
  std::optional<MeridianResult> result =
      workspace->meridian.Run(workspace->set, box, options.tolerance);
  if (!result) return false;
  Localize(workspace->set, result->frame, &workspace->problem);
  SimplifyInBox(&workspace->problem);
  long cells = 0;
  const auto bounds = Bracket(workspace->problem, options, &result->raw, &cells);
  if (!result->raw.converged) return false;
  answer->method = Method::kOctree;
  answer->raw = result->raw;
  answer->cells += cells;
  answer->volume_bounds = bounds;
  answer->leaves = answer->edges = result->strips;
  if (options.hessian) answer->derivatives = Differentiate(box, options, workspace);
  return true;
}

// Of the region of a set in a box, where edges were summed.
RawDerivatives DerivativesOf(const ArcMethodResult& result, const SurfaceSet& set,
                             const Aabb& box) {
  RawDerivatives derivatives = result.derivatives;
  if (derivatives.known) {
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

}  // namespace

EdgeAttempt SumEdges(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer) {
  if (SumMeridian(box, options, workspace, answer)) return {true};
  long left = kMostRunsOfParts * options.max_cells;
  const auto by_columns = [&](const SurfaceSet& near, const LocalFrame& frame, long effort) {
    if (left <= 0) return UnknownIn(frame);
    const ColumnMethodOptions column_options = {options.tolerance,
                                                std::min({options.max_cells, left, effort}),
                                                options.threads, false, false};
    // Columns follow the contact into frames that may reach farther than the part's.
    const SurfaceSet set = CutTo(frame, near);
    ColumnMethodResult part = IntegrateIn(frame, set, column_options, workspace);
    answer->cells += part.cells;
    left -= part.columns;
    left -= CheckByOthers(frame, set, column_options, workspace, &part.raw);
    left -= ShareFaces(frame, set, column_options, workspace, &part.raw);
    return part.raw;
  };
  const auto projection = [&](const SurfaceSet& near, const LocalFrame& frame,
                              const RawMetrics& part, const Eigen::Vector3d& direction) {
    return workspace->columns.Project(
        CutTo(frame, near), frame, direction, part.X_AC.RotationDouble() * part.area,
        {options.tolerance, options.max_cells, options.threads, false, false});
  };
  ArcMethodResult result = workspace->arcs.Run(workspace->set, box,
                                               {.tolerance = options.tolerance,
                                                .max_cells = MostArcCells(options, workspace->set),
                                                .otherwise = std::cref(by_columns),
                                                .projection_otherwise = std::cref(projection),
                                                .hessian = options.hessian,
                                                .threads = options.threads});
  answer->cells += result.cells;
  answer->derivatives = DerivativesOf(result, workspace->set, box);
  if (result.failure != ArcFailure::kNone) {
    answer->fallback = Describe(result.failure);
    const bool is_open = result.failure == ArcFailure::kNotClosed;
    return {false, is_open, result.raw.moments.volume, result.raw.volume_error};
  }
  answer->volume_bounds = {0.0, 0.0};
  // What was given up may have no volume so far, and a bracket all the same.
  if (result.raw.moments.volume > 0.0 || !result.raw.converged) {
    long cells = 0;
    const bool is_done = TimeLimit::EndsBeforeLimit([&] {
      answer->volume_bounds = Bracket(workspace->arcs.problem(), options, &result.raw, &cells);
    });
    if (!is_done) answer->volume_bounds.reset();
    answer->cells += cells;
  }
  answer->fallback = Describe(result.incomplete);
  answer->method = Method::kOctree;
  answer->raw = result.raw;
  answer->leaves = answer->edges = result.pieces;
  return {true};
}

RawDerivatives Differentiate(const Aabb& box, const QueryOptions& options, Workspace* workspace) {
  const ArcMethodResult result =
      workspace->arcs.Run(workspace->set, box,
                          {.tolerance = options.tolerance,
                           .max_cells = MostArcCells(options, workspace->set),
                           .shadow = false,
                           .hessian = true,
                           .threads = options.threads});
  return DerivativesOf(result, workspace->set, box);
}

void Compare(const EdgeAttempt& attempt, RawAnswer* answer) {
  if (!attempt.has_volume) return;
  RawMetrics& raw = answer->raw;
  const double difference = std::abs(raw.moments.volume - attempt.volume);
  if (difference <= attempt.error + raw.volume_error) return;
  raw.converged = false;
  raw.volume_error = std::max(raw.volume_error, difference);
}

bool IsConfirmed(const RawMetrics& raw, const Aabb& box, const QueryOptions& options,
                 Workspace* workspace) {
  const ColumnMethodOptions columns = {options.tolerance, options.max_cells, options.threads,
                                       false};
  const RawMetrics other = IntegrateTurned(FrameOf(box), workspace->set, columns, workspace).raw;
  return other.converged && Agree(raw, other, options.tolerance);
}

void IntegrateColumns(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                      RawAnswer* answer) {
  answer->method = Method::kOctree;
  const ColumnMethodOptions column_options = {options.tolerance, options.max_cells, options.threads,
                                              true};
  const ColumnMethodResult result = workspace->columns.Run(workspace->set, box, column_options);
  answer->raw = result.raw;
  answer->cells += result.cells;
  answer->leaves = result.leaves;
  answer->volume_bounds = {result.bracket.lower, result.bracket.upper};
  CheckByOthers(FrameOf(box), workspace->set, column_options, workspace, &answer->raw);
  ShareFaces(FrameOf(box), workspace->set, column_options, workspace, &answer->raw);
}

void IntegrateRegion(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer) {
  const EdgeAttempt attempt = SumEdges(box, options, workspace, answer);
  if (attempt.answered) return;
  IntegrateColumns(box, options, workspace, answer);
  Compare(attempt, answer);
}

}  // namespace volcontact
