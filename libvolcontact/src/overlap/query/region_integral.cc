#include "overlap/query/region_integral.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "overlap/certify/certify.h"

namespace volcontact {
namespace {

// Cells after which edges are given up, and so many more for each surface: more are in the way of
// surfaces that touch along a curve.
constexpr long kArcCells = 25'000, kArcCellsOfSurface = 250;
// Cells for the bracket of what edges tell: no more than a fraction of the query's time.
// QueryOptions::bracket_width asks for more.
constexpr long kBracketCells = 100;
// Of the second columns, against the first; no edges of aligned parts lie so.
constexpr double kCheckAngle = 0.62;

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

// The integrals by columns over what of the workspace's region lies in a frame's box.
ColumnMethodResult IntegrateIn(const LocalFrame& frame, const ColumnMethodOptions& options,
                               Workspace* workspace) {
  SurfaceSet turned = workspace->set;
  for (SurfacePolynomial& psi : turned.surfaces) psi = Substitute(psi, frame.X_AC.R, frame.X_AC.t);
  ColumnMethodResult result = workspace->columns.Run(turned, {-frame.half, frame.half}, options);
  result.raw.X_AC = frame.X_AC * result.raw.X_AC;
  return result;
}

// Columns know nothing of what lies between them: what they claim is believed where others, that
// lie otherwise, agree.
void CheckByOthers(const LocalFrame& frame, ColumnMethodOptions options, Workspace* workspace,
                   RawMetrics* raw) {
  if (!raw->converged || !(raw->moments.volume > 0.0)) return;
  options.certify = false;
  const RawMetrics other = IntegrateIn(TurnedAboutZ(frame), options, workspace).raw;
  const double difference = std::abs(raw->moments.volume - other.moments.volume);
  // Each may be off by the tolerance.
  const double allowed = 2.0 * options.tolerance * raw->moments.volume;
  if (difference <= std::max(allowed, other.volume_error)) return;
  raw->converged = false;
  raw->volume_error = std::max(raw->volume_error, difference);
}

RawDerivatives DerivativesOf(const ArcMethodResult& result) {
  RawDerivatives derivatives = result.derivatives;
  if (derivatives.known) return derivatives;
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
  const ColumnMethodOptions column_options = {options.tolerance, options.max_cells, options.threads,
                                              false};
  const auto by_columns = [&](const LocalFrame& frame) {
    ColumnMethodResult part = IntegrateIn(frame, column_options, workspace);
    answer->cells += part.cells;
    CheckByOthers(frame, column_options, workspace, &part.raw);
    return part.raw;
  };
  ArcMethodResult result = workspace->arcs.Run(workspace->set, box,
                                               {.tolerance = options.tolerance,
                                                .max_cells = MostArcCells(options, workspace->set),
                                                .otherwise = by_columns,
                                                .hessian = options.hessian});
  answer->cells += result.cells;
  answer->derivatives = DerivativesOf(result);
  if (result.failure != ArcFailure::kNone) {
    answer->fallback = Describe(result.failure);
    const bool is_open = result.failure == ArcFailure::kNotClosed;
    return {false, is_open, result.raw.moments.volume, result.raw.volume_error};
  }
  VolumeBracket bracket;
  if (result.raw.moments.volume > 0.0) {
    long cells = 0;
    bracket = CertifyVolume(workspace->arcs.problem(),
                            {kBracketCells, options.tolerance, options.threads}, &cells);
    answer->cells += cells;
    HoldWithin(bracket, options.tolerance, &result.raw);
  }
  answer->fallback = Describe(result.incomplete);
  answer->method = Method::kOctree;
  answer->raw = result.raw;
  answer->leaves = answer->edges = result.pieces;
  answer->volume_bounds = {bracket.lower, bracket.upper};
  return {true};
}

RawDerivatives Differentiate(const Aabb& box, const QueryOptions& options, Workspace* workspace) {
  return DerivativesOf(workspace->arcs.Run(workspace->set, box,
                                           {.tolerance = options.tolerance,
                                            .max_cells = MostArcCells(options, workspace->set),
                                            .shadow = false,
                                            .hessian = true}));
}

void Compare(const EdgeAttempt& attempt, RawAnswer* answer) {
  if (!attempt.has_volume) return;
  RawMetrics& raw = answer->raw;
  const double difference = std::abs(raw.moments.volume - attempt.volume);
  if (difference <= attempt.error + raw.volume_error) return;
  raw.converged = false;
  raw.volume_error = std::max(raw.volume_error, difference);
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
  CheckByOthers(FrameOf(box), column_options, workspace, &answer->raw);
}

void IntegrateRegion(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer) {
  const EdgeAttempt attempt = SumEdges(box, options, workspace, answer);
  if (attempt.answered) return;
  IntegrateColumns(box, options, workspace, answer);
  Compare(attempt, answer);
}

}  // namespace volcontact
