// Common code of the families of closed forms.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "math/rigid.h"
#include "overlap/closed_forms/closed_form.h"
#include "overlap/frame/axes.h"
#include "overlap/frame/raw_metrics.h"
#include "solids/tree/solid_node.h"

namespace volcontact {

/// The closed form of one pair of kinds.
class ClosedForm::Pair {
 public:
  virtual ~Pair() = default;
  /// `edges` may be null.
  virtual std::optional<ClosedFormResult> Evaluate(const Rigid& X_AB,
                                                   ClosedFormEdges* edges) const = 0;
};

namespace internal {

/// Relative error below which sums of double-double products of the input stay, with room to spare:
/// some dozens of operations of 2^-103 each.
inline constexpr double kDoubleDoubleNoise = 0x1p-96;
/// Relative half-width of the bracket round volumes that are found by positive sums of some dozens
/// of rounded terms from data correct to an ulp.
inline constexpr double kVolumeRounding = 0x1p-47;

/// A rigid motion that is often the identity, which then costs nothing.
struct Placement {
  Rigid X;
  bool is_identity = true;

  Rigid After(const Rigid& X_outer) const { return is_identity ? X_outer : X_outer * X; }
  Vector3dd Origin(const Rigid& X_outer) const { return is_identity ? X_outer.t : X_outer * X.t; }
  Vector3dd Axis(const Rigid& X_outer, int j) const {
    return is_identity ? X_outer.Axis(j) : X_outer.Rotate(X.Axis(j));
  }
};

/// A primitive and its place in the solid's frame.
struct PlacedShape {
  Shape shape;
  Placement X_PS;
};

/// The primitives whose intersection a solid is; nullopt when it is built in another way.
std::optional<std::vector<PlacedShape>> FlattenIntersection(const Solid& solid);

/// The set of points between planes lower[k] <= x_k <= upper[k], k < axes, counted from z
/// downwards: one axis means z alone (half-space or slab), three a box.
struct Block {
  Placement X_PS;
  int axes = 1;
  std::array<double, 3> lower, upper;

  /// Index of the frame's axis that band k runs along.
  int AxisOf(int k) const { return axes == 1 ? 2 : k; }
};

/// The blocks whose intersection a solid is, or nullopt when it is no polytope or has more than 12
/// bands.
std::optional<std::vector<Block>> MakePolytope(const Solid& solid);

/// Expresses a result in a frame C turned so that its z axis is along the area vector; Leaves the
/// frame alone when the area vector is zero.
void AlignWithArea(RawMetrics& raw);

std::unique_ptr<const ClosedForm::Pair> MakePolytopePair(const Solid& A, const Solid& B);
std::unique_ptr<const ClosedForm::Pair> MakeRoundPolytopePair(const Solid& A, const Solid& B);
std::unique_ptr<const ClosedForm::Pair> MakeSpherePair(const Solid& A, const Solid& B);
std::unique_ptr<const ClosedForm::Pair> MakeBallCylinderPair(const Solid& A, const Solid& B);

}  // namespace internal
}  // namespace volcontact
