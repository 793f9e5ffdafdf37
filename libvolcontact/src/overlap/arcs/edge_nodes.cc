#include "overlap/arcs/edge_nodes.h"

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

void EdgeNodes::CollectEnds(const LocalProblem& problem, const EdgeFinder& finder) {
  ends_.clear();
  // Any direction in which no edges of aligned parts lie.
  const Vector3d direction(0.592, 0.317, 0.741);
  for (const EdgePiece& piece : finder.pieces()) {
    if (!piece.start_cut && !piece.end_cut) continue;
    const bool along = RunsAlongTangent(problem, piece);
    const auto add = [&](const Vector3d& p, bool leaves) {
      ends_.push_back({piece.first, piece.second, piece.sectors, leaves, direction.dot(p), p});
    };
    if (piece.start_cut) add(piece.start.p, !along);
    if (piece.end_cut) add(piece.end.p, along);
  }
  std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) {
    return std::tie(a.first, a.second, a.key) < std::tie(b.first, b.second, b.key);
  });
}

// Numbers the clusters of cells that touch, and finds their middles.
void EdgeNodes::JoinCells(const std::vector<Cell>& cells) {
  const int count = static_cast<int>(cells.size());
  cluster_.assign(count, -1);
  middles_.clear();
  std::vector<int> pending;
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
    const Vector3d& middle = middles_[cluster_[c]];
    const Vector3d &from = end.leaves ? end.p : middle, &to = end.leaves ? middle : end.p;
    segments_.push_back({end.first, end.second, end.sectors, from, to});
    return true;
  }
  return false;
}

bool EdgeNodes::Run(const LocalProblem& problem, const EdgeFinder& finder) {
  segments_.clear();
  CollectEnds(problem, finder);
  JoinCells(finder.unresolved());
  joined_.assign(ends_.size(), 0);
  for (std::size_t n = 0; n < ends_.size(); ++n) {
    if (joined_[n] != 0) continue;
    const End& end = ends_[n];
    bool joined = false;
    for (std::size_t m = n + 1; m < ends_.size() && !joined; ++m) {
      const End& other = ends_[m];
      if (other.first != end.first || other.second != end.second ||
          other.key > end.key + kSamePoint)
        break;
      joined = joined_[m] == 0 && other.leaves != end.leaves &&
               other.sectors.Weight() == end.sectors.Weight() &&
               (other.p - end.p).cwiseAbs().maxCoeff() <= kSamePoint;
      if (joined) joined_[m] = 1;
    }
    if (!joined && !LeadToNode(end, finder.unresolved())) return false;
  }
  return true;
}

}  // namespace volcontact
