// Simbody's vectors, poses and velocities as ours, and back.
#pragma once

#include <SimTKsimbody.h>

#include "volcontact/contact/contact_motion.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

inline Eigen::Vector3d FromSimbody(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }
inline SimTK::Vec3 ToSimbody(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

/// Stage::Position.
inline Pose PoseOf(const SimTK::MobilizedBody& body, const SimTK::State& state) {
  const SimTK::Transform& X = body.getBodyTransform(state);
  const SimTK::Quaternion q = X.R().convertRotationToQuaternion();
  return {FromSimbody(X.p()), {q[0], q[1], q[2], q[3]}};
}

/// Stage::Velocity.
inline Twist TwistOf(const SimTK::MobilizedBody& body, const SimTK::State& state) {
  const SimTK::SpatialVec& V = body.getBodyVelocity(state);
  return {FromSimbody(V[1]), FromSimbody(V[0])};
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
