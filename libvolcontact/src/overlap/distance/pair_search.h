// Branch and bound for the distance of two solids or surfaces that are given as trees of cells.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <queue>
#include <vector>

#include "math/time_limit.h"
#include "overlap/distance/faces/nearest_pair.h"

namespace volcontact {

/// Best first over pairs of cells, one of either tree. A pair is bounded by the gap between two
/// supporting planes along some direction, and divided where that is off most: by the bend of its
/// surfaces where this explains it, else by size.
///
/// A tree has: root(), the root's number, if anything is in it; Children(i, allowed), found once,
/// `allowed` what supports may be off; Center(i); Size(i), the square of its half diagonal;
/// Bend(i), how far supports may be off since surfaces bend, or are not known; Support(i, u), an
/// upper bound of u·(x − center) of what is in the cell; Nearest(i, p), about its point nearest to
/// p; Pull(i, p), a point of the set near p; VisitNormals(i, visit), directions that are worth a
/// look. All in one frame.
template <class TreeA, class TreeB>
class PairSearch {
 public:
  /// `resolution` [m]: a gap as small is none; `enough`: no more need be proved.
  PairSearch(TreeA* a, TreeB* b, double resolution,
             double enough = std::numeric_limits<double>::infinity())
      : a_(*a), b_(*b), resolution_(resolution), enough_(enough) {}

  /// Looks at no more than so many pairs in all, and goes on where it was left. Roundings of
  /// coordinates are not covered.
  NearestPair Run(long max_pairs) {
    if (!a_.root() || !b_.root()) {
      best_.lower = std::numeric_limits<double>::infinity();
      return best_;
    }
    if (pairs_ == 0) Push(*a_.root(), *b_.root(), 0.0);
    while (!queue_.empty()) {
      const Pair pair = queue_.top();
      const double goal = (1.0 - kRelativeGap) * std::min(best_.upper, enough_);
      best_.lower = std::min(pair.bound, best_.upper);
      if (pair.bound >= goal || best_.upper <= resolution_ || pairs_ >= max_pairs) return best_;
      if (TimeLimit::IsOver()) return best_;
      queue_.pop();
      Divide(pair, goal - pair.bound);
    }
    best_.lower = std::min(best_.upper, enough_);
    return best_;
  }

 private:
  using Vector3d = Eigen::Vector3d;

  // The promise is 10 % of the distance; the search stops a little earlier.
  static constexpr double kRelativeGap = 0.08;
  static constexpr int kAlternations = 4;
  // The bend is what has to be less where it is more than this part of what a bound lacks.
  static constexpr double kBendShare = 0.2;

  struct Pair {
    double bound;
    long sequence;
    int a, b;
    // The last of equal ones comes first, so that a touch is found early.
    bool operator<(const Pair& other) const {
      return bound != other.bound ? bound > other.bound : sequence < other.sequence;
    }
  };

  void Divide(const Pair& pair, double lack) {
    const double allowed = kBendShare * lack;
    const double bend_a = a_.Bend(pair.a), bend_b = b_.Bend(pair.b);
    const bool by_bend = std::max(bend_a, bend_b) > allowed;
    const bool first = by_bend ? bend_a >= bend_b : a_.Size(pair.a) >= b_.Size(pair.b);
    if (first) {
      const std::vector<int> children = a_.Children(pair.a, allowed);
      for (const int child : children) Push(child, pair.b, pair.bound);
    } else {
      const std::vector<int> children = b_.Children(pair.b, allowed);
      for (const int child : children) Push(pair.a, child, pair.bound);
    }
  }

  void Push(int i, int j, double parent_bound) {
    ++pairs_;
    Vector3d x = a_.Center(i), y = b_.Center(j);
    for (int k = 0; k < kAlternations; ++k) {
      x = a_.Nearest(i, y);
      y = b_.Nearest(j, x);
    }
    double bound = std::max(parent_bound, Gap(i, j, y - x));
    a_.VisitNormals(i, [&](const Vector3d& u) { bound = std::max(bound, Gap(i, j, u)); });
    b_.VisitNormals(j, [&](const Vector3d& u) { bound = std::max(bound, Gap(i, j, -u)); });
    if (bound < std::min(best_.upper, enough_) && (x - y).norm() < best_.upper)
      Approach(i, x, j, y);
    if (bound <= std::min(best_.upper, enough_)) queue_.push({bound, pairs_, i, j});
  }

  // Between the supporting planes of the cells' contents across direction u, from A to B.
  double Gap(int i, int j, const Vector3d& u) const {
    const double norm = u.norm();
    if (!(norm > 0.0)) return 0.0;
    const Vector3d unit = u / norm;
    return unit.dot(b_.Center(j) - a_.Center(i)) - a_.Support(i, unit) - b_.Support(j, -unit);
  }

  // A pair of points near x and y.
  void Approach(int i, const Vector3d& x, int j, const Vector3d& y) {
    const auto p = a_.Pull(i, x);
    if (!p) return;
    const auto q = b_.Pull(j, y);
    if (!q || !((*p - *q).norm() < best_.upper)) return;
    best_.upper = (*p - *q).norm();
    best_.x = *p;
    best_.y = *q;
  }

  TreeA& a_;
  TreeB& b_;
  double resolution_, enough_;
  std::priority_queue<Pair> queue_;
  NearestPair best_;
  long pairs_ = 0;
};

}  // namespace volcontact
