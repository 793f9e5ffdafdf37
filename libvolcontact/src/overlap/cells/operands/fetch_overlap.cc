#include "overlap/cells/operands/fetch_overlap.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Literals of each solid from which on the box is tightened before all are fetched.
constexpr int kManyLiterals = 32;
// A tightening that keeps more than this part of the box's volume is the last, and so is this one.
constexpr double kWorthTightening = 0.5;
constexpr int kTightenings = 6;
// The ellipsoid about a box: longer by these parts of the box's own half extent and of its largest
// one. Located boxes are turned, and a little larger than the region: they had better lie in it.
constexpr double kOwnReach = 1.05, kTurnedReach = 0.15;
// Parts are fetched for a little more than the ellipsoid, for roundings; and of coordinates.
constexpr double kFetchMargin = 1e-6, kPlaceRounding = 0x1p-48;

// The half axes of the ellipsoid about a box, along the box's.
Vector3d FenceAxes(const Aabb& box) {
  return AxesAround(box.HalfExtents(), kOwnReach, kTurnedReach);
}

// A box, in the frame X, around the ellipsoid.
Aabb FenceBox(const Aabb& box, const Rigid& X) {
  const Vector3d axes = FenceAxes(box);
  const Vector3d center = Round(X * ToDoubleDouble(box.Center()));
  const Eigen::Matrix3d R = X.RotationDouble();
  Vector3d reach;
  for (int i = 0; i < 3; ++i) {
    reach[i] = (1.0 + kFetchMargin) * R.row(i).transpose().cwiseProduct(axes).norm() +
               kPlaceRounding * (center.norm() + box.Center().norm() + Round(X.t).norm());
  }
  return {center - reach, center + reach};
}

bool HasInside(const Aabb& box) { return !box.IsEmpty() && box.HalfExtents().minCoeff() > 0.0; }

void SetNothing(SurfaceSet* set, Aabb* box) {
  set->surfaces.clear();
  set->owners.clear();
  set->kinds.clear();
  set->expression = Expression::Constant(false);
  *box = Aabb::Nothing();
}

}  // namespace

// The parts of A and B near a box in A's frame; false where one is not exact.
bool OverlapFetcher::FetchParts(const IndexedSolid& A, const IndexedSolid& B, const Rigid& X_AB,
                                const Aabb& box, int max_literals) {
  A.Fetch(FenceBox(box, Rigid()), max_literals, &part_a_);
  B.Fetch(FenceBox(box, X_AB.Inverse()), max_literals, &part_b_);
  return part_a_.exact && part_b_.exact;
}

void OverlapFetcher::Merge(const Rigid& X_AB, SurfaceSet* set) {
  unmerged_.AssignAnd(part_a_.solid->expression, part_b_.solid->expression,
                      static_cast<int>(part_a_.solid->surfaces.size()));
  OverlapSurfaces(*part_a_.solid, *part_b_.solid, unmerged_, X_AB, set);
}

// Shrinks a box around the set; false when that gains little.
bool OverlapFetcher::Tighten(SurfaceSet* set, Aabb* box) {
  if (set->expression.IsConstant()) {
    if (set->expression.ConstantValue()) return false;
    *box = Aabb::Nothing();
    return true;
  }
  const Locator::Result result = locator_.Fit(*set, FrameOf(*box), &problem_);
  if (result.empty) {
    *box = Aabb::Nothing();
    return true;
  }
  const double before = box->HalfExtents().prod();
  *box = Intersect(*box, BoxAround(result.frame));
  return !HasInside(*box) || box->HalfExtents().prod() <= kWorthTightening * before;
}

void OverlapFetcher::Run(const IndexedSolid& A, const IndexedSolid& B, const Rigid& X_AB,
                         SurfaceSet* set, Aabb* box) {
  *box = Intersect(A.bounds(), Transformed(B.bounds(), X_AB));
  const bool bounded = box->IsEmpty() || box->IsBounded();
  if (!bounded || !(A.IsIndexed() || B.IsIndexed())) {
    part_a_.solid = &A.whole();
    part_b_.solid = &B.whole();
    part_a_.exact = part_b_.exact = true;
    return Merge(X_AB, set);
  }
  bool exact = false;
  for (int k = 0; k < kTightenings && HasInside(*box) && !exact; ++k) {
    exact = FetchParts(A, B, X_AB, *box, kManyLiterals);
    Merge(X_AB, set);
    if (!exact && !Tighten(set, box)) break;
  }
  if (!HasInside(*box)) return SetNothing(set, box);
  if (!exact) {
    FetchParts(A, B, X_AB, *box, std::numeric_limits<int>::max());
    Merge(X_AB, set);
  }
  if (part_a_.IsWhole() && part_b_.IsWhole()) return;
  unmerged_.AssignAnd(set->expression, fence_, static_cast<int>(set->surfaces.size()));
  std::swap(set->expression, unmerged_);
  set->Add(EllipsoidAbout(FrameOf(*box), FenceAxes(*box)), Owner::kNone, SurfaceKind::kElliptic);
}

}  // namespace volcontact
