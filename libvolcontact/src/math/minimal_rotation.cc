#include "math/minimal_rotation.h"

VOLCONTACT_NAMESPACE_BEGIN

Eigen::Quaterniond MinimalRotation(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to);
}

VOLCONTACT_NAMESPACE_END
