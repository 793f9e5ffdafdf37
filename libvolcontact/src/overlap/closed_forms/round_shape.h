// Curved primitives cut by a plane or by two parallel ones, in the primitive's own frame P.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "overlap/closed_forms/families.h"

namespace volcontact::internal {

/// Largest of |sin| of two directions' angle that counts as parallel: what double-double leaves of
/// exactly parallel axes.
inline constexpr double kParallel = 0x1p-97;

/// The half-space n·x <= inside, n of unit length: `inside` is the depth of the origin in it.
struct HalfSpaceCut {
  Vector3dd n;
  DoubleDouble inside;
};

/// Largest values of n·x and −n·x over a shape.
struct Extent {
  DoubleDouble plus, minus;
};

/// Stands for the extent of an unbounded shape; finite, because double-doubles have no infinity.
inline constexpr double kUnbounded = 0x1p900;

class RoundShape {
 public:
  virtual ~RoundShape() = default;

  virtual bool HasRotation() const { return true; }
  /// That of a ball [m]; 0 for all other shapes.
  virtual double BallRadius() const { return 0.0; }
  /// Whether it ends in flat faces across its z axis.
  virtual bool HasFlatEnds() const { return false; }
  virtual Extent ExtentAlong(const Vector3dd& n) const = 0;

  /// The following fill all but the errors of `raw`, with X_PC for X_AC, for the shape as A and the
  /// planes' side as B: area and torque are those of the planes. False where there is no formula.
  virtual bool Whole(RawMetrics& raw) const = 0;
  /// The shape within a half-space; the plane cuts it: 0 < depth = inside + extent.minus.
  virtual bool CutByHalfSpace(const HalfSpaceCut& cut, const Extent& extent,
                              RawMetrics& raw) const = 0;
  /// The shape within upper and −lower_inside <= n·x; both planes cut it.
  virtual bool CutBySlab(const HalfSpaceCut& /*upper*/, const DoubleDouble& /*lower_inside*/,
                         const Extent& /*extent*/, RawMetrics& /*raw*/) const {
    return false;
  }
  /// True when the shape within `cut` certainly lies within `other` too.
  virtual bool PieceIsWithin(const HalfSpaceCut& /*cut*/, const HalfSpaceCut& /*other*/) const {
    return false;
  }
};

std::unique_ptr<const RoundShape> MakeRoundShape(const Shape& shape);

std::unique_ptr<const RoundShape> MakeEllipsoid(const std::array<double, 3>& semi_axes);
std::unique_ptr<const RoundShape> MakeCylinder(double radius, double height);
std::unique_ptr<const RoundShape> MakeCone(const ConeShape& cone);
std::unique_ptr<const RoundShape> MakeCapsule(double radius, double height);
std::unique_ptr<const RoundShape> MakeTorus(double major_radius, double minor_radius);

}  // namespace volcontact::internal
