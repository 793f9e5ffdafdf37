// Which contacts' laws are too fast for a step. Knows nothing of MuJoCo.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "mujoco/passive/contact_track.h"
#include "volcontact/motion/step_solver.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// A patch in a step. Refers to what it was made of.
struct StepPatch {
  int contact;  ///< of the model
  const ContactTrack* track;
  const ContactModel* model;  ///< of the contact as it is divided
  MujocoPatch* patch;
  AxisResponse response;  ///< of forces and torques at its point, axes descending
};

/// Whether a step of `step` [s] does not follow the law of a patch: the impulse of springs and
/// damping along the normals, of friction, or of the foundation against rocking, of all patches
/// together, would be more than what stops the motion.
bool AreTooFast(const std::vector<StepPatch>& patches, double step);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
