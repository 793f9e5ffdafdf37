// From one normal of a contact to another.
#pragma once

#include <Eigen/Geometry>

#include "math/minimal_rotation.h"

namespace volcontact {

inline Eigen::Vector3d AcrossNormal(const Eigen::Vector3d& v, const Eigen::Vector3d& n) {
  return v - n * n.dot(v);
}

/// The least rotation that takes one unit vector to another. A plain value.
class NormalTurn {
 public:
  NormalTurn(const Eigen::Vector3d& from, const Eigen::Vector3d& to) : to_(to), turns_(from != to) {
    if (turns_) rotation_ = MinimalRotation(from, to).toRotationMatrix();
  }

  /// A vector across `from`, turned, and across `to` to the last digit.
  Eigen::Vector3d Tangent(const Eigen::Vector3d& v) const {
    return AcrossNormal(turns_ ? Eigen::Vector3d(rotation_ * v) : v, to_);
  }
  /// A vector, turned back.
  Eigen::Vector3d Back(const Eigen::Vector3d& v) const {
    return turns_ ? Eigen::Vector3d(rotation_.transpose() * v) : v;
  }

 private:
  Eigen::Vector3d to_;
  bool turns_;
  Eigen::Matrix3d rotation_;  // where it turns
};

}  // namespace volcontact
