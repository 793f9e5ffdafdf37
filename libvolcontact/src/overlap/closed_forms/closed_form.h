// The room `closed_forms`: pairs of primitives that have a formula, one file a family.
//
// Closed forms of the overlap's integrals for pairs of primitives that have one.
//
// Depths and positions are found in double-double from the exact input; behind them stand factored
// formulas that cancel nothing, so the relative error of every moment is some ulps at any depth.
// Where an integral is elementary but its closed form cancels (a cylinder cut obliquely), a Gauss
// rule stands in whose remainder is below an ulp over the whole range of its argument.
//
// Kinds of pairs, in either order:
//   polytope - polytope   half-spaces, slabs, boxes and their intersections: exact clipping
//   round - polytope      sphere, ellipsoid, cylinder, cone, capsule, torus where at most one
//                         plane, or two parallel ones, cut it and the formula covers the direction
//   sphere - sphere       disjoint, lens, nested
//   sphere - cylinder     on a shaft, or in the bore of a cylinder's complement, clear of the ends,
//                         up to 64° of the ball and 60° of the wall
#pragma once

#include <memory>
#include <optional>

#include "math/rigid.h"
#include "overlap/closed_forms/crossing_circle.h"
#include "overlap/frame/raw_metrics.h"
#include "overlap/polytopes/polytope.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

struct ClosedFormResult {
  /// Moments are zero without an overlap, or if double-double cannot distinguish it from a touch;
  /// then volume_upper is positive.
  RawMetrics raw;
  /// Certified bracket [m³] of the volume of the solids as given in doubles.
  double volume_lower = 0.0;
  double volume_upper = 0.0;
  /// Lower bound of the separation [m] when there is no overlap; 0 when only touching is known.
  double distance = 0.0;
};

/// Where the boundaries of A and B cross: what the derivatives of the volume are sums over.
struct ClosedFormEdges {
  enum class Kind { kUnknown, kCircle, kFlat };

  Kind kind = Kind::kUnknown;
  CrossingCircle circle;  ///< in the result's frame C
  /// For two polytopes: about the origin of a frame of their own, with all moments there.
  PolytopeEdges flat;
  VolumeMoments flat_moments;
  Rigid flat_X_AC;
};

/// The integrals of A ∩ B for one pair of solids at any relative pose. Immutable.
class ClosedForm {
 public:
  /// The closed form of a pair, or nullopt when its kinds have none at any pose.
  static std::optional<ClosedForm> Prepare(const Solid& A, const Solid& B);

  ClosedForm(ClosedForm&&) noexcept;
  ClosedForm& operator=(ClosedForm&&) noexcept;
  ~ClosedForm();

  /// nullopt where no formula covers the configuration. Origin of the result's frame C: inside the
  /// overlap; its z axis: along the area vector, from B toward A, where that is not zero. Allocates
  /// nothing; about 0.5 µs. Fills `edges`, if there are any and they are asked for.
  std::optional<ClosedFormResult> Evaluate(const Rigid& X_AB,
                                           ClosedFormEdges* edges = nullptr) const;

  class Pair;

 private:
  explicit ClosedForm(std::unique_ptr<const Pair> pair);
  std::unique_ptr<const Pair> pair_;
};

/// The integrals over one bounded primitive, with its frame's origin at the centroid; area, torque
/// and projected area stay zero. nullopt when the solid is no primitive with a closed form.
std::optional<ClosedFormResult> ClosedFormMass(const Solid& A);

}  // namespace volcontact
