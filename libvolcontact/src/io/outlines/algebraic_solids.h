// The room `outlines`: outlines in a plane, and the exact solids that follow from them by pulling
// and turning, and as hulls. Algebraic solids under linear maps, of which they are made.
#pragma once

#include <Eigen/Core>

#include "volcontact/solids/solid.h"

namespace volcontact {

/// What bounds a solid loosely is larger by this factor.
inline constexpr double kLoose = 2.0;

/// A linear map of space, kept by its inverse: what an implicit surface needs. The identity leaves
/// coefficients as they are, to the last bit.
class SolidMap {
 public:
  SolidMap() = default;
  /// `L` has a determinant that is not zero.
  explicit SolidMap(const Eigen::Matrix3d& L);

  bool IsIdentity() const { return identity_; }
  const Eigen::Matrix3d& linear() const { return L_; }

  /// The images of n·x <= d, of x'Qx <= 0 with x = (x, y, z, 1), and of (x'Ex)² <= (l·x)² x'Qx,
  /// with l an affine function: degree at most four. Factories' InvalidInput passes through.
  Solid HalfSpaceImage(const Eigen::Vector3d& n, double d) const;
  Solid QuadricImage(const Eigen::Matrix4d& Q) const;
  /// Where `at_most` is false, the complement's closure: >= for <=.
  Solid QuarticImage(const Eigen::Matrix4d& E, const Eigen::Vector4d& l, const Eigen::Matrix4d& Q,
                     bool at_most) const;
  /// A box about the image of |x_i − center_i| <= half_i, twice as wide in x and y, and in z too
  /// unless `flush_z`: then its faces across z are those of the image. Bounds what is unbounded by
  /// itself.
  Solid LooseBox(const Eigen::Vector3d& center, const Eigen::Vector3d& half, bool flush_z) const;

 private:
  Eigen::Matrix4d Pulled(const Eigen::Matrix4d& Q) const;

  Eigen::Matrix3d L_ = Eigen::Matrix3d::Identity();
  Eigen::Matrix4d inverse_ = Eigen::Matrix4d::Identity();  // homogeneous
  bool identity_ = true;
};

/// n·x <= d with a plane that passes through doubles as they are. n is not zero.
Solid HalfSpaceSolid(const Eigen::Vector3d& n, double d);

}  // namespace volcontact
