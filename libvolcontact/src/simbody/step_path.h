// How bodies move within a step, and whether shapes meet on the way.
#pragma once

#include <Eigen/Core>

#include "simbody/pair_geometry.h"
#include "volcontact/contact/contact_motion.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// Where a body is, and how it moves.
struct BodyInstant {
  Pose X_WB;
  Twist V_W;
};

/// The extent of a shape in its body's frame.
struct ShapeExtent {
  explicit ShapeExtent(const Aabb& bounds);

  Aabb box;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< of the box [m]
  double radius;     ///< of a ball that holds it [m]; may be infinite
  double thickness;  ///< its least width [m]; may be infinite

  Aabb BoxAt(const Pose& X_WB) const;
};

/// The distance of two boxes, a lower bound of that of what they hold [m].
double BoxGap(const Aabb& a, const Aabb& b);

/// A body between two instants: its coordinates are the cubics that have their values and rates.
class BodyPath {
 public:
  BodyPath(const BodyInstant& from, const BodyInstant& to, double duration);

  /// At a share of the duration.
  BodyInstant At(double share) const;

 private:
  Eigen::Matrix<double, 7, 4, Eigen::DontAlign> coefficients_;
  double duration_;
};

/// The most that a point of the shape moves in the world within a step of this duration [m]; zero
/// for a body that stays, infinite for an unbounded shape that moves.
double ReachInStep(const ShapeExtent& shape, const BodyInstant& from, const BodyInstant& to,
                   double duration);

/// Two shapes that do not touch.
struct PairPath {
  const PairGeometry* geometry;
  const ShapeExtent *shape_A, *shape_B;
  BodyPath A, B;
  double duration;

  /// The gap [m], negative, where the shapes first overlap on the way, not at its ends; zero where
  /// they do not, and where they do from the beginning. No instant is passed over in which they
  /// might touch, as far as distances tell, but for spans in which they move by less than
  /// `least_travel` > 0 [m]. The cost: a query for each such span, and where there are many, now
  /// and then a distance, by which the next ones are passed over. Throws std::runtime_error where
  /// there are thousands, which an integrator with error control takes for too long a step.
  double FirstOverlap(double least_travel) const;
};

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
