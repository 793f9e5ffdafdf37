// Poses and vectors as Simbody's, and places on its bodies. C++17, as Simbody's headers are.
#pragma once

#include <SimTKsimbody.h>

#include <Eigen/Core>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

inline SimTK::Vec3 ToSimbody(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

inline SimTK::Transform ToSimbody(const Pose& X) {
  return {SimTK::Rotation(SimTK::Quaternion(X.q[0], X.q[1], X.q[2], X.q[3])), ToSimbody(X.t)};
}

inline Pose FromSimbody(const SimTK::Transform& X) {
  const SimTK::Quaternion q = X.R().convertRotationToQuaternion();
  return {{X.p()[0], X.p()[1], X.p()[2]}, {q[0], q[1], q[2], q[3]}};
}

/// A frame of a body that Simbody moves, or of the ground.
struct PlacedFrame {
  SimTK::MobilizedBody body;
  SimTK::Transform X_BF;

  SimTK::Transform InWorld(const SimTK::State& state) const {
    return body.getBodyTransform(state) * X_BF;
  }
  /// Angular velocity, and velocity of the frame's origin, in W.
  SimTK::SpatialVec Velocity(const SimTK::State& state) const {
    return body.findFrameVelocityInGround(state, X_BF);
  }
};

/// One coordinate of a joint whose rates are the derivatives of its coordinates.
struct PlacedCoordinate {
  SimTK::MobilizedBody body;
  int index = 0;

  double Value(const SimTK::State& state) const { return body.getOneQ(state, index); }
  double Rate(const SimTK::State& state) const { return body.getOneU(state, index); }
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
