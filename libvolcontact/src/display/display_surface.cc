#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "display/assemble.h"
#include "display/field.h"
#include "display/polyhedral_overlap.h"
#include "volcontact/display/display.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN

namespace {

constexpr double kDefaultOfSize = 1.0 / 500.0, kDefaultOfHeight = 1.0 / 2000.0;
// An overlap is drawn no coarser than this part of its mean height, or nothing is left of it.
constexpr double kCoarsestOfHeight = 1.0 / 10.0;
// An overlap's volume need not be known better to choose a deviation.
constexpr double kVolumeTolerance = 1e-3;
constexpr long kVolumeCells = 100'000;

double DeviationFor(const DisplayOptions& options, const Aabb& box) {
  if (options.deviation > 0.0) return options.deviation;
  return kDefaultOfSize * 2.0 * box.HalfExtents().maxCoeff();
}

// By axis, where the clip is within the bounds; no limit elsewhere.
Aabb SidesThatCut(const Aabb& clip, const Aabb& bounds) {
  Aabb sides;
  for (int i = 0; i < 3; ++i) {
    if (clip.min[i] > bounds.min[i]) sides.min[i] = clip.min[i];
    if (clip.max[i] < bounds.max[i]) sides.max[i] = clip.max[i];
  }
  return sides;
}

}  // namespace

DisplayMesh DisplaySurface(const Solid& solid, const DisplayOptions& options, const Aabb& clip) {
  ValidateDisplayOptions(options);
  if (clip.min.array().isNaN().any() || clip.max.array().isNaN().any()) {
    throw InvalidInput("surface: the clipping box has a coordinate that is NaN; give numbers");
  }
  DisplayField field(solid, nullptr, Rigid());
  if (field.expression().IsConstant()) return {};
  Aabb bounds = solid.Bounds();
  Aabb box = Intersect(bounds, clip);
  if (!box.IsEmpty() && !box.IsBounded()) {
    bounds = field.Bounds(bounds);
    box = Intersect(bounds, clip);
  }
  if (box.IsEmpty()) return {};
  if (!box.IsBounded()) {
    throw InvalidInput(
        "surface: the solid is unbounded, or its bounds are not known; give a box that clips it");
  }
  field.Localize(box, SidesThatCut(clip, bounds));
  const double deviation = DeviationFor(options, box);
  return DrawField(field, options, {deviation, deviation}, Pose()).mesh;
}

OverlapDisplay DisplayOverlap(const Solid& A, const Pose& X_WA, const Solid& B, const Pose& X_WB,
                              const DisplayOptions& options) {
  ValidateDisplayOptions(options);
  QueryOptions query;
  query.tolerance = kVolumeTolerance;
  query.max_cells = kVolumeCells;
  query.bound_distance = false;
  const Metrics metrics = PreparedPair(A, B).Query(X_WA, X_WB, query);
  if (!metrics.overlap) return {};
  const Rigid X_AB = RelativePose(X_WA, X_WB);
  Aabb box = Intersect(A.Bounds(), Transformed(B.Bounds(), X_AB));
  std::optional<DisplayField> field;
  if (!box.IsBounded()) box = field.emplace(A, &B, X_AB).Bounds(box);
  if (!box.IsBounded()) return {};
  std::optional<PolyhedralOverlap> known = FindPolyhedralOverlap(A, B, X_AB, box);
  if (known && known->mesh != nullptr) {
    field.emplace(std::move(*known));
  } else if (!field) {
    field.emplace(A, &B, X_AB);
  }
  if (field->expression().IsConstant()) return {};
  const double deviation = DeviationFor(options, box);
  DeviationRange range{deviation, deviation};
  if (options.deviation == 0.0 && metrics.mean_height > 0.0) {
    range.finest = std::min(deviation, kDefaultOfHeight * metrics.mean_height);
    range.coarsest = std::min(deviation, kCoarsestOfHeight * metrics.mean_height);
  }
  field->Localize(box, Aabb::Everything());
  return DrawField(*field, options, range, X_WA);
}

VOLCONTACT_NAMESPACE_END
