#include "overlap/distance/separation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "overlap/distance/support_tree.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The promise is 10 % of the distance or 1e-6 of the size; the search stops a little earlier.
constexpr double kRelativeGap = 0.08, kAbsoluteGap = 0.5e-6;
constexpr long kMaxPairs = 30000;
constexpr int kAlternations = 4;
// Coordinates and directions are rounded to double: a few ulps of the largest coordinate.
constexpr double kMargin = 0x1p-46;
// The domain of an unbounded solid grows by this factor up to this multiple of the other's size.
constexpr double kDomainGrowth = 16.0, kDomainLimit = 1e7;

struct Pair {
  double bound;
  long sequence;
  int a, b;
  bool operator<(const Pair& other) const {
    return bound != other.bound ? bound > other.bound : sequence > other.sequence;
  }
};

class PairSearch {
 public:
  PairSearch(SupportTree* a, SupportTree* b, double size) : a_(*a), b_(*b), size_(size) {}

  double Run() {
    if (!a_.root() || !b_.root()) return kInfinity;
    Push(*a_.root(), *b_.root(), 0.0);
    while (!queue_.empty()) {
      const Pair pair = queue_.top();
      const double close_enough =
          std::min((1.0 - kRelativeGap) * nearest_, nearest_ - kAbsoluteGap * size_);
      if (pair.bound >= close_enough || pairs_ >= kMaxPairs) return pair.bound;
      queue_.pop();
      if (a_[pair.a].half.squaredNorm() >= b_[pair.b].half.squaredNorm()) {
        const std::vector<int> children = a_.Children(pair.a);
        for (const int child : children) Push(child, pair.b, pair.bound);
      } else {
        const std::vector<int> children = b_.Children(pair.b);
        for (const int child : children) Push(pair.a, child, pair.bound);
      }
    }
    return kInfinity;
  }

 private:
  void Push(int i, int j, double parent_bound) {
    ++pairs_;
    const SupportCell &a = a_[i], &b = b_[j];
    Vector3d x = a.center, y = b.center;
    for (int k = 0; k < kAlternations; ++k) {
      x = a_.Nearest(a, y);
      y = b_.Nearest(b, x);
    }
    double bound = std::max(parent_bound, Gap(a, b, y - x));
    for (const SupportPlane& plane : a.planes) bound = std::max(bound, Gap(a, b, plane.normal));
    for (const SupportPlane& plane : b.planes) bound = std::max(bound, Gap(a, b, -plane.normal));
    if (bound < nearest_) Approach(a, x, b, y);
    if (bound <= nearest_) queue_.push({bound, pairs_, i, j});
  }

  // Distance between the supporting planes of the cells' contents across direction u, from A to B.
  double Gap(const SupportCell& a, const SupportCell& b, const Vector3d& u) const {
    const double norm = u.norm();
    if (!(norm > 0.0)) return 0.0;
    const Vector3d unit = u / norm;
    return unit.dot(b.center - a.center) - a_.Support(a, unit) - b_.Support(b, -unit);
  }

  // Lowers nearest_ by a pair of points of the solids near x and y.
  void Approach(const SupportCell& a, const Vector3d& x, const SupportCell& b, const Vector3d& y) {
    if ((x - y).norm() >= nearest_) return;
    const auto p = a_.Pull(a, x);
    if (!p) return;
    const auto q = b_.Pull(b, y);
    if (q) nearest_ = std::min(nearest_, (*p - *q).norm());
  }

  SupportTree& a_;
  SupportTree& b_;
  double size_;
  std::priority_queue<Pair> queue_;
  double nearest_ = kInfinity;
  long pairs_ = 0;
};

double Largest(const Aabb& box) {
  return std::max(box.min.cwiseAbs().maxCoeff(), box.max.cwiseAbs().maxCoeff());
}

Aabb Widened(const Aabb& box, double margin) {
  const Vector3d reach = Vector3d::Constant(margin);
  return {box.min - reach, box.max + reach};
}

bool Holds(const Aabb& outer, const Aabb& inner) {
  return (outer.min.array() <= inner.min.array()).all() &&
         (outer.max.array() >= inner.max.array()).all();
}

// Both boxes finite; `size` is the length that the absolute accuracy refers to.
double BoundedSeparation(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                         const Aabb& bounds_b, const Rigid& X_AB, double size) {
  SupportTree a(SingleSolid(A), bounds_a, Eigen::Matrix3d::Identity(), Vector3d::Zero());
  SupportTree b(SingleSolid(B), bounds_b, X_AB.RotationDouble(), Round(X_AB.t));
  const double scale = Largest(bounds_a) + Largest(bounds_b) + Largest(Transformed(bounds_b, X_AB));
  return std::max(0.0, PairSearch(&a, &b, size).Run() - kMargin * scale);
}

// A unbounded, B bounded: A's points outside a box about B are no nearer than the box's margin.
double HalfBoundedSeparation(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                             const Aabb& bounds_b, const Rigid& X_AB) {
  const Aabb box = Transformed(bounds_b, X_AB);
  const double size = std::max(bounds_b.HalfExtents().maxCoeff(), 1e-300);
  double margin = 2.0 * size, result = 0.0;
  for (; margin <= kDomainLimit * size; margin *= kDomainGrowth) {
    const Aabb domain = Intersect(bounds_a, Widened(box, margin));
    const double inside =
        domain.IsEmpty() ? kInfinity : BoundedSeparation(A, domain, B, bounds_b, X_AB, size);
    result = std::min(inside, (1.0 - kMargin) * margin);
    if (inside <= margin) return result;
  }
  return result;
}

// The half-spaces of a solid's own frame that contain it: literals of degree one that must hold.
std::vector<SupportPlane> PlaneFaces(const ImplicitSolid& solid) {
  std::vector<SupportPlane> result;
  const auto& nodes = solid.expression.nodes();
  if (!solid.expression.IsConjunction()) return result;
  for (const Expression::Node& node : nodes) {
    if (node.kind != Expression::Kind::kLiteral) continue;
    const SurfacePolynomial& psi = solid.surfaces[node.value];
    if (psi.degree != 1) continue;
    const double sign = node.flag ? -1.0 : 1.0;
    const Vector3d gradient(psi.c[kX].hi, psi.c[kY].hi, psi.c[kZ].hi);
    const double norm = gradient.norm();
    if (norm > 0.0) result.push_back({sign * gradient / norm, -sign * psi.c[kOne].hi / norm});
  }
  return result;
}

// Both unbounded: the widest gap between two half-spaces that face each other.
double UnboundedSeparation(const ImplicitSolid& A, const ImplicitSolid& B, const Rigid& X_AB) {
  double gap = 0.0;
  const Eigen::Matrix3d R = X_AB.RotationDouble();
  const Vector3d t = Round(X_AB.t);
  for (const SupportPlane& a : PlaneFaces(A)) {
    for (const SupportPlane& b : PlaneFaces(B)) {
      const Vector3d normal = R * b.normal;
      // Planes that are not exactly parallel meet somewhere; to double-double is exact enough.
      DoubleDouble cross = 0.0;
      for (int i = 0; i < 3; ++i) {
        DoubleDouble turned = 0.0;
        for (int j = 0; j < 3; ++j) turned += X_AB.R[i][j] * b.normal[j];
        cross += Abs(turned + DoubleDouble(a.normal[i]));
      }
      if (cross.hi > 0.0) continue;
      const double offset = b.offset + normal.dot(t);
      const double margin = kMargin * (std::abs(a.offset) + std::abs(b.offset) + t.norm());
      gap = std::max(gap, -offset - a.offset - margin);
    }
  }
  return gap;
}

}  // namespace

double SeparationBound(const ImplicitSolid& A, const Aabb& bounds_a, const ImplicitSolid& B,
                       const Aabb& bounds_b, const Rigid& X_AB) {
  if (bounds_a.IsEmpty() || bounds_b.IsEmpty()) return kInfinity;
  if (bounds_a.IsBounded() && bounds_b.IsBounded()) {
    const double size =
        std::max(bounds_a.HalfExtents().maxCoeff(), bounds_b.HalfExtents().maxCoeff());
    return BoundedSeparation(A, bounds_a, B, bounds_b, X_AB, size);
  }
  if (bounds_b.IsBounded()) return HalfBoundedSeparation(A, bounds_a, B, bounds_b, X_AB);
  if (bounds_a.IsBounded()) {
    return HalfBoundedSeparation(B, bounds_b, A, bounds_a, X_AB.Inverse());
  }
  return UnboundedSeparation(A, B, X_AB);
}

double SeparationBound(const IndexedSolid& A, const IndexedSolid& B, const Rigid& X_AB) {
  const Aabb &bounds_a = A.bounds(), &bounds_b = B.bounds();
  const bool bounded = bounds_a.IsBounded() && bounds_b.IsBounded();
  if (!bounded || !(A.IsIndexed() || B.IsIndexed())) {
    return SeparationBound(A.whole(), bounds_a, B.whole(), bounds_b, X_AB);
  }
  const Vector3d half_a = bounds_a.HalfExtents(), half_b = bounds_b.HalfExtents();
  const double size = std::max(half_a.maxCoeff(), half_b.maxCoeff());
  const Rigid X_BA = X_AB.Inverse();
  const Aabb box_b = Transformed(bounds_b, X_AB);
  IndexedSolid::Part part_a, part_b;
  double margin = std::min(half_a.maxCoeff(), half_b.maxCoeff());
  if (!(margin > 0.0)) margin = size;
  // What lies farther from the other solid's box than the margin is no nearer than that.
  while (true) {
    const Aabb near_a = Intersect(bounds_a, Widened(box_b, margin));
    const Aabb near_b = Intersect(bounds_b, Widened(Transformed(near_a, X_BA), margin));
    double inside = kInfinity;
    if (!near_a.IsEmpty() && !near_b.IsEmpty()) {
      A.Fetch(near_a, std::numeric_limits<int>::max(), &part_a);
      B.Fetch(near_b, std::numeric_limits<int>::max(), &part_b);
      inside = BoundedSeparation(*part_a.solid, near_a, *part_b.solid, near_b, X_AB, size);
    }
    if (inside <= margin || (Holds(near_a, bounds_a) && Holds(near_b, bounds_b))) return inside;
    margin *= kDomainGrowth;
  }
}

}  // namespace volcontact
