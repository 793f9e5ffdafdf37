// The sums over the parts of a region in sectors, from one search for its edges.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "overlap/arcs/arc_method.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The sectors' volumes add up to that of the region, but for the errors that they state and this.
constexpr double kSameSum = 1e-9;

// A frame with its origin on the axis, if that passes a frame's box, which it contains. Then the
// fluxes through the walls from the origin are zero along the axis, which ends the walls.
LocalFrame FrameOnAxis(const LocalFrame& frame, double room, const Rigid& X_AF) {
  const Rigid X_CF = frame.X_AC.Inverse() * X_AF;
  const Vector3d point = Round(X_CF.t).cwiseQuotient(frame.half),
                 along = X_CF.RotationDouble().col(2).cwiseQuotient(frame.half);
  const Vector3d nearest = point - along * (along.dot(point) / along.squaredNorm());
  if (nearest.cwiseAbs().maxCoeff() > room) return frame;
  const Vector3d half = frame.half.cwiseProduct(Vector3d::Ones() + nearest.cwiseAbs());
  return FrameIn(frame.X_AC, frame.half.cwiseProduct(nearest), Matrix3d::Identity(), half);
}

}  // namespace

// The sums over what lies in one sector, of a problem whose region is `whole`.
void ArcMethod::SumSector(int sector, const Expression& whole, const ArcMethodOptions& options,
                          ArcMethodResult* result) {
  problem_.expression = sector_pieces_.ExpressionIn(sector, whole);
  const Edges& edges = sector_pieces_.EdgesIn(sector);
  ends_.Run(edges);
  result->pieces += static_cast<long>(edges.pieces.size());
  ArcMethodResult sum;
  sum.failure = SumAlong(edges, ends_.segments(), kinds_, options, &sum);
  if (result->failure == ArcFailure::kNone) result->failure = sum.failure;
  parts_of_sectors_[static_cast<std::size_t>(sector)].push_back(
      {nullptr, problem_.frame, sum.raw, true, sum.derivatives, true, coincidence_});
}

// Adds the parts in all sectors of a region that a frame contains.
bool ArcMethod::AddSectors(const SurfaceSet& set, const LocalFrame& tight, const Sectors& sectors,
                           const ArcMethodOptions& options, std::vector<ArcMethodResult>* results) {
  const LocalFrame frame = FrameOnAxis(tight, kRoom, sectors.X_AF);
  if (!FindByCurves(kLeastCoincidence, set, frame, options) || !seams_.planes().empty())
    return false;
  const Expression whole = problem_.expression;
  kinds_ = set.kinds;
  sector_pieces_.AppendWalls(sectors, &problem_, &kinds_);
  if (!sector_pieces_.Run(problem_, kinds_, curves_)) return false;
  for (int k = 0; k < sectors.count; ++k) {
    if (!sector_pieces_.IsEmpty(k))
      SumSector(k, whole, options, &(*results)[static_cast<std::size_t>(k)]);
  }
  return true;
}

// Adds up the parts of each sector.
void ArcMethod::TakeTotals(const ArcMethodOptions& options, std::vector<ArcMethodResult>* results) {
  for (std::size_t k = 0; k < results->size(); ++k) {
    ArcMethodResult& result = (*results)[k];
    parts_ = parts_of_sectors_[k];
    if (parts_.empty()) continue;
    TakeTotal(*parts_.front().set, parts_.front().frame, options, &result);
  }
}

bool ArcMethod::RunSectors(const SurfaceSet& set, const Aabb& box, const Sectors& sectors,
                           const ArcMethodOptions& options, std::vector<ArcMethodResult>* results) {
  ArcMethodOptions of_whole = options, of_parts = options;
  of_whole.hessian = of_whole.projection = of_parts.projection = false;
  levels_.clear();
  parts_.clear();
  cells_left_ = kMostSums * options.max_cells;
  std::optional<TriedFrame> best;
  ArcMethodResult all;
  if (!SumUnlocated(set, FrameOf(box), of_whole, &best, &all) || !all.raw.converged ||
      has_closed_faces_ || !(all.raw.moments.volume > 0.0))
    return false;
  std::vector<std::pair<const SurfaceSet*, LocalFrame>> regions;
  for (const Part& part : parts_) regions.emplace_back(part.set, part.frame);
  if (regions.empty()) {
    regions.emplace_back(&set, LocalFrame{problem_.frame.X_AC, problem_.frame.half / kRoom});
  } else {
    of_parts.known = {};
  }
  const auto count = static_cast<std::size_t>(sectors.count);
  results->assign(count, {});
  parts_of_sectors_.assign(count, {});
  for (const auto& [region, frame] : regions) {
    if (!AddSectors(*region, frame, sectors, of_parts, results)) return false;
  }
  TakeTotals(of_parts, results);
  double missing = all.raw.moments.volume;
  double error = all.raw.volume_error + kSameSum * missing;
  const double least = options.tolerance * missing;
  bool are_all = true;
  for (ArcMethodResult& result : *results) {
    const double volume = result.raw.moments.volume;
    error += result.raw.volume_error;
    missing -= volume;
    // In the frame of the whole it may have few digits, and what has none is nothing.
    if (result.failure == ArcFailure::kNone) {
      result.raw.converged |= result.raw.volume_error <= least;
    } else if (result.failure == ArcFailure::kNotClosed &&
               std::abs(volume) + result.raw.volume_error <= least) {
      result = {};
    }
    are_all = are_all && result.failure == ArcFailure::kNone && result.raw.converged;
  }
  // Of others their own queries will tell.
  return !are_all || std::abs(missing) <= error;
}

}  // namespace volcontact
