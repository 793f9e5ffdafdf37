#include "overlap/arcs/edges/edge_ends.h"

#include <algorithm>
#include <tuple>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Ends no farther apart may be of one vertex: roundings divided by an angle of a billionth, or,
// where these do not close, the root of a rounding over a small curvature, where curves touch.
constexpr double kOneVertex = 1e-7, kOneTouch = 2e-6;
// Nearer ends are the same.
constexpr double kOneEnd = 1e-16;

}  // namespace

void EdgeEnds::Collect(const Edges& edges) {
  ends_.clear();
  for (const EdgePiece& piece : edges.pieces) {
    // Closed curves and pieces that go on end where the next one begins, to the last bit.
    for (const EdgeSheet& sheet : piece.sheets.All()) {
      if (sheet.weight == 0) continue;
      ends_.push_back({sheet, piece.start.p, true, 0});
      ends_.push_back({sheet, piece.end.p, false, 0});
    }
  }
}

// Orders the ends by clusters: of those near each other along x, the ones that are near the first.
void EdgeEnds::FindClusters(double near) {
  std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) {
    return std::tuple(a.p.x(), a.p.y(), a.p.z()) < std::tuple(b.p.x(), b.p.y(), b.p.z());
  });
  const std::size_t count = ends_.size();
  for (End& end : ends_) end.cluster = count;
  for (std::size_t n = 0; n < count; ++n) {
    if (ends_[n].cluster != count) continue;
    for (std::size_t k = n; k < count && ends_[k].p.x() - ends_[n].p.x() <= near; ++k) {
      const bool is_near = (ends_[k].p - ends_[n].p).cwiseAbs().maxCoeff() <= near;
      if (is_near && ends_[k].cluster == count) ends_[k].cluster = n;
    }
  }
  std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) {
    const auto key = [](const End& end) {
      return std::tuple(end.cluster, end.sheet.surface, end.p.x(), end.p.y(), end.p.z(),
                        end.is_start, end.sheet.weight);
    };
    return key(a) < key(b);
  });
}

// Whether on each face as much begins as ends.
bool EdgeEnds::IsBalanced(std::size_t from, std::size_t to) const {
  int balance = 0;
  for (std::size_t n = from; n < to; ++n) {
    balance += ends_[n].is_start ? ends_[n].sheet.weight : -ends_[n].sheet.weight;
    const bool is_last = n + 1 == to || ends_[n + 1].sheet.surface != ends_[n].sheet.surface;
    if (is_last && balance != 0) return false;
  }
  return true;
}

// Closes the clusters of ends no farther apart; leaves the ends of those that do not close.
void EdgeEnds::Close(double near) {
  FindClusters(near);
  std::size_t left = 0;
  for (std::size_t from = 0, to = 0; from < ends_.size(); from = to) {
    Vector3d sum = Vector3d::Zero();
    for (to = from; to < ends_.size() && ends_[to].cluster == ends_[from].cluster; ++to) {
      sum += ends_[to].p - ends_[from].p;
    }
    if (!IsBalanced(from, to)) {
      for (std::size_t n = from; n < to; ++n) ends_[left++] = ends_[n];
      continue;
    }
    const Vector3d middle = ends_[from].p + sum / static_cast<double>(to - from);
    for (std::size_t n = from; n < to; ++n) {
      const End& end = ends_[n];
      if (!((end.p - middle).cwiseAbs().maxCoeff() > kOneEnd)) continue;
      segments_.push_back(end.is_start ? NodeSegment{end.sheet, middle, end.p}
                                       : NodeSegment{end.sheet, end.p, middle});
    }
  }
  ends_.resize(left);
}

void EdgeEnds::Run(const Edges& edges) {
  segments_.clear();
  Collect(edges);
  Close(kOneVertex);
  if (!ends_.empty()) Close(kOneTouch);
}

}  // namespace volcontact
