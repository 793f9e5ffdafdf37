#include "overlap/query/region_integral.h"

#include <algorithm>

#include "overlap/certify/certify.h"

namespace volcontact {
namespace {

// Cells after which edges are given up: more are in the way of surfaces that touch along a curve.
constexpr long kArcCells = 100'000;

}  // namespace

bool SumEdges(const Aabb& box, const QueryOptions& options, Workspace* workspace,
              RawAnswer* answer) {
  ArcMethodResult result = workspace->arcs.Run(
      workspace->set, box, {options.tolerance, std::min(options.max_cells, kArcCells)});
  answer->cells = result.cells;
  if (result.failure != ArcFailure::kNone) {
    answer->fallback = Describe(result.failure);
    return false;
  }
  VolumeBracket bracket;
  if (result.raw.moments.volume > 0.0) {
    long cells = 0;
    bracket = CertifyVolume(workspace->arcs.problem(),
                            {BracketCells(options.tolerance), options.tolerance, options.threads},
                            &cells);
    answer->cells += cells;
    HoldWithin(bracket, options.tolerance, &result.raw);
    if (!result.raw.converged) {
      answer->fallback = "the sums over edges did not converge";
      return false;
    }
  }
  answer->method = Method::kOctree;
  answer->raw = result.raw;
  answer->leaves = answer->edges = result.pieces;
  answer->volume_bounds = {bracket.lower, bracket.upper};
  return true;
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
  if (!SumEdges(box, options, workspace, answer)) IntegrateColumns(box, options, workspace, answer);
}

}  // namespace volcontact
