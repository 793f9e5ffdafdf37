// Forces of contacts that a step can follow: where the law's own are too fast for it, those at the
// end of the step, of all such contacts together. Knows nothing of MuJoCo.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "mujoco/contact_track.h"
#include "volcontact/motion/step_solver.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// A patch in a step. Refers to what it was made of, of which it changes the force.
struct StepPatch {
  int contact;  ///< of the model
  const ContactTrack* track;
  MujocoPatch* patch;
  AxisResponse response;  ///< of forces and torques at its point, axes descending
  /// Where its friction is integrated over it.
  const std::vector<PressureSample>* pressure = nullptr;
};

/// Those patches whose law a step of `step` [s] does not follow: the impulse of springs and damping
/// along the normals, of friction, or of the foundation against rocking, of all patches together,
/// would be more than what stops the motion.
std::vector<StepPatch*> TooFast(std::vector<StepPatch>* patches, double step);

/// Gives patches the forces that their laws have with the velocities at the end of a step, of all
/// of them together, and with what constraints do then (motion/step_solver.h). `free` is what all
/// other forces add to the axes' velocities in the step, as the responses have them. The geometry
/// is modelled to first order from where the bodies are. Where numbers are not finite the law's own
/// forces stay.
void SolveForces(const std::vector<StepPatch*>& patches, const std::vector<SoftMotion>& motions,
                 const Eigen::VectorXd& free, double step);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
