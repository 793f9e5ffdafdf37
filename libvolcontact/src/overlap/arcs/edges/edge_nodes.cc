#include "overlap/arcs/edges/edge_nodes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Two ends that meet are found in two cells, each by Newton's method, and differ by no more than
// this, nor is an end farther from the side of an unresolved cell.
constexpr double kSamePoint = 1e-8;

bool IsOn(const Cell& cell, const Vector3d& p) {
  return ((p - cell.center).cwiseAbs() - cell.half).maxCoeff() <= kSamePoint;
}

}  // namespace

void EdgeNodes::CollectEnds(const EdgeFinder& finder) {
  ends_.clear();
  // Any direction in which no edges of aligned parts lie.
  const Vector3d direction(0.592, 0.317, 0.741);
  for (const EdgePiece& piece : finder.pieces()) {
    for (const EdgeSheet& sheet : piece.sheets.All()) {
      const EdgeSheet back{sheet.surface, -sheet.weight, -sheet.faces};
      if (piece.start_cut) ends_.push_back({back, direction.dot(piece.start.p), piece.start.p});
      if (piece.end_cut) ends_.push_back({sheet, direction.dot(piece.end.p), piece.end.p});
    }
  }
  std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) {
    return std::tie(a.sheet.surface, a.key) < std::tie(b.sheet.surface, b.key);
  });
}

// Numbers the clusters of cells that touch, and finds their middles.
void EdgeNodes::JoinCells(const std::vector<Cell>& cells) {
  const int count = static_cast<int>(cells.size());
  cluster_.assign(count, -1);
  middles_.clear();
  thread_local std::vector<int> pending;
  for (int seed = 0; seed < count; ++seed) {
    if (cluster_[seed] >= 0) continue;
    const int number = static_cast<int>(middles_.size());
    Vector3d sum = Vector3d::Zero();
    int members = 0;
    cluster_[seed] = number;
    pending.push_back(seed);
    while (!pending.empty()) {
      const int cell = pending.back();
      pending.pop_back();
      sum += cells[cell].center;
      ++members;
      for (int other = 0; other < count; ++other) {
        if (cluster_[other] >= 0 || GapBetween(cells[cell], cells[other]) > kSamePoint) continue;
        cluster_[other] = number;
        pending.push_back(other);
      }
    }
    middles_.push_back(sum / members);
  }
}

bool EdgeNodes::LeadToNode(const End& end, const std::vector<Cell>& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!IsOn(cells[c], end.p)) continue;
    segments_.push_back({end.sheet, end.p, middles_[cluster_[c]]});
    return true;
  }
  return false;
}

// Joins an end to another where the edge of the same face goes on.
bool EdgeNodes::FindOther(std::size_t n) {
  const End& end = ends_[n];
  for (std::size_t m = n + 1; m < ends_.size(); ++m) {
    const End& other = ends_[m];
    if (other.sheet.surface != end.sheet.surface || other.key > end.key + kSamePoint) return false;
    if (joined_[m] != 0 || other.sheet.weight != -end.sheet.weight ||
        other.sheet.faces != -end.sheet.faces ||
        (other.p - end.p).cwiseAbs().maxCoeff() > kSamePoint)
      continue;
    joined_[m] = 1;
    return true;
  }
  return false;
}

bool EdgeNodes::Run(const EdgeFinder& finder) {
  segments_.clear();
  CollectEnds(finder);
  JoinCells(finder.unresolved());
  joined_.assign(ends_.size(), 0);
  for (std::size_t n = 0; n < ends_.size(); ++n) {
    if (joined_[n] == 0 && !FindOther(n) && !LeadToNode(ends_[n], finder.unresolved()))
      return false;
  }
  return true;
}

}  // namespace volcontact
