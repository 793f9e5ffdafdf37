// Where faces go over into smooth neighbours.
#pragma once

#include <map>
#include <optional>

#include "step/csg/step_joints.h"

namespace volcontact {

/// The end of a face along a smooth joint.
struct StepBorder {
  StepFace separator;  ///< a surface that meets the face there at a right angle
  bool below = false;  ///< whether the face lies where its height is negative
  double bulge = 0.0;  ///< how far edges of the mesh along the joint are off it [m]

  /// The direction into the face, of unit length.
  Eigen::Vector3d Into(const Eigen::Vector3d& p) const;
};

/// By the other face; nothing where a smooth joint of the face has no such surface.
std::optional<std::map<int, StepBorder>> BordersOf(const StepJoints& joints, int face);

}  // namespace volcontact
