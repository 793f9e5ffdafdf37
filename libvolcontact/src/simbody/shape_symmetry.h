// Rotations that leave shapes as they are, and motions that are less without them.
#pragma once

#include <Eigen/Geometry>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// The rotations that leave a solid as it is, to rounding: about an axis, or any about a center.
struct ShapeSymmetry {
  enum class Kind { kNone, kAxis, kCenter };

  Kind kind = Kind::kNone;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< the center, or on the axis
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
};

/// In the solid's frame; of meshes, quadrics and polynomials none is known.
ShapeSymmetry SymmetryOf(const Solid& solid);

/// Of the solid in a pose.
ShapeSymmetry PosedBy(const Pose& X, const ShapeSymmetry& symmetry);

/// A motion of a body in W: its points go from x to turn x + way.
struct BodyMove {
  BodyMove(const Pose& from, const Pose& to);
  Eigen::Vector3d operator*(const Eigen::Vector3d& x) const { return turn * x + way; }
  Eigen::Vector3d Back(const Eigen::Vector3d& x) const { return turn.conjugate() * (x - way); }

  Eigen::Quaterniond turn;
  Eigen::Vector3d way;
};

/// Motions of two shapes that begin with these symmetries, made others that bring them to the same
/// places with less motion between them: a ball that rolls in a ring does not move against it.
/// `point`: where they touch, in W.
void MoveLess(const ShapeSymmetry& of_A, const ShapeSymmetry& of_B, const Eigen::Vector3d& point,
              BodyMove* A, BodyMove* B);

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
