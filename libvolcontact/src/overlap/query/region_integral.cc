#include "overlap/query/region_integral.h"

#include <algorithm>
#include <cmath>

#include "overlap/certify/certify.h"

namespace volcontact {
namespace {

// Cells after which edges are given up, and so many more for each surface: more are in the way of
// surfaces that touch along a curve.
constexpr long kArcCells = 25'000, kArcCellsOfSurface = 250;

}  // namespace

EdgeAttempt SumEdges(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer) {
  const long surfaces = static_cast<long>(workspace->set.surfaces.size());
  const long max_cells = std::min(options.max_cells, kArcCells + kArcCellsOfSurface * surfaces);
  ArcMethodResult result =
      workspace->arcs.Run(workspace->set, box, {options.tolerance, max_cells});
  answer->cells = result.cells;
  if (result.failure != ArcFailure::kNone) {
    answer->fallback = Describe(result.failure);
    const bool is_open = result.failure == ArcFailure::kNotClosed;
    return {false, is_open, result.raw.moments.volume, result.raw.volume_error};
  }
  VolumeBracket bracket;
  if (result.raw.moments.volume > 0.0) {
    long cells = 0;
    bracket = CertifyVolume(workspace->arcs.problem(),
                            {BracketCells(options.tolerance), options.tolerance, options.threads},
                            &cells);
    answer->cells += cells;
    HoldWithin(bracket, options.tolerance, &result.raw);
  }
  answer->method = Method::kOctree;
  answer->raw = result.raw;
  answer->leaves = answer->edges = result.pieces;
  answer->volume_bounds = {bracket.lower, bracket.upper};
  return {true};
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
  const ColumnMethodResult result = workspace->columns.Run(
      workspace->set, box, {options.tolerance, options.max_cells, options.threads, true});
  answer->raw = result.raw;
  answer->cells += result.cells;
  answer->leaves = result.leaves;
  answer->volume_bounds = {result.bracket.lower, result.bracket.upper};
}

void IntegrateRegion(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer) {
  const EdgeAttempt attempt = SumEdges(box, options, workspace, answer);
  if (attempt.answered) return;
  IntegrateColumns(box, options, workspace, answer);
  Compare(attempt, answer);
}

}  // namespace volcontact
