// The rulings of a saddle surface.
#pragma once

#include <Eigen/Core>
#include <span>

#include "overlap/frame/local_problem.h"

namespace volcontact {

/// One of the two families of rulings of a hyperboloid of one sheet or a hyperbolic paraboloid, and
/// a plane that they cross.
class SaddleRulings {
 public:
  SaddleRulings() = default;
  /// Chooses the family and the plane that keep the strips short from the plane to the points
  /// `edges`, of which there must be one.
  SaddleRulings(const LocalSurface& surface, std::span<const Eigen::Vector3d> edges);

  /// False when no plane is crossed by the rulings through all of the edges, or the surface is too
  /// near to a cone.
  bool IsUsable() const { return usable_; }

  /// Where the ruling through a point p of the surface meets the plane, and the derivative of that
  /// place on the derivative of p along the surface.
  void Foot(const Eigen::Vector3d& p, const Eigen::Vector3d& derivative, Eigen::Vector3d* foot,
            Eigen::Vector3d* foot_derivative) const;

 private:
  // The ruling's direction d at p, with d·across_ = 1; also needed for its derivative.
  struct Ruling {
    Eigen::Vector3d direction, gradient;
    double bend;   // w·H d with w = gradient × across_
    double twist;  // how far it is from the other family's, 0 on a cone
  };

  Ruling At(const Eigen::Vector3d& p) const;
  double LongestStrip(std::span<const Eigen::Vector3d> edges, bool may_turn) const;

  bool usable_ = false;
  Eigen::Matrix3d hessian_ = Eigen::Matrix3d::Zero();
  Eigen::Vector3d slope_ = Eigen::Vector3d::Zero();  // the gradient at the origin
  double family_ = 1.0;                              // or −1
  // The plane.
  Eigen::Vector3d across_ = Eigen::Vector3d::UnitX(), on_plane_ = Eigen::Vector3d::Zero();
};

}  // namespace volcontact
