// Forces of contacts that a step can follow: where the law's own are too fast for it, those at the
// end of the step, of all such contacts together. Knows nothing of MuJoCo.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "mujoco/contact_track.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// What pushes on a patch give to the axes of joints: each column is L^-T Jᵀ over the root of D,
/// with the mass matrix Lᵀ D L, of a unit force or torque on A and its opposite on B. The product
/// of two of them is what one push gives along the other [1/kg].
struct PatchResponse {
  std::vector<int> dofs;  ///< that move either body, descending
  Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor>
      columns;  ///< forces and torques along x, y, z of W
};

/// A motion that a constraint of the engine's acts on, in the step: its velocity is to be `wanted`
/// less `softness` times the impulse, which for one-way constraints is never negative.
struct HeldMotion {
  Eigen::VectorXd column;  ///< as of PatchResponse, of all axes
  double velocity = 0.0, wanted = 0.0, softness = 0.0;
  bool is_one_way = false;
};

/// A patch in a step. Refers to what it was made of, of which it changes the force.
struct StepPatch {
  int contact;  ///< of the model
  const ContactTrack* track;
  MujocoPatch* patch;
  PatchResponse response;
};

/// Those patches whose law a step of `step` [s] does not follow: the impulse of springs and damping
/// along the normals, of friction, or of the foundation against rocking, of all patches together,
/// would be more than what stops the motion.
std::vector<StepPatch*> TooFast(std::vector<StepPatch>* patches, double step);

/// Gives patches the forces that their laws have with the velocities at the end of a step, of all
/// of them together, and with what constraints do then. `free` is what all other forces add to the
/// axes' velocities in the step, as PatchResponse has them. A spring's force is taken to rise with
/// the depth by k_v A_c. Where numbers are not finite the law's own forces stay.
void SolveForces(const std::vector<StepPatch*>& patches, const std::vector<HeldMotion>& held,
                 const Eigen::VectorXd& free, double step);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
