// Contacts of a MuJoCo model whose laws are too fast for its steps: their forces at the end of a
// step, all together (motion/moving_bodies.h).
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

#include "mujoco/passive/contact_track.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// A contact of two bodies of the model, and what its query found at their present poses.
struct BodiesInContact {
  const ContactTrack* track;
  int body_A, body_B;
  const std::vector<Metrics>* present;
};

/// What a contact that was followed by its law begins an implicit step with. Its springs may give
/// back what they hold; where it was `met_late`, within the last step and not at its end, nothing.
SteppedPairState StartOf(const MujocoContactMoment& now, bool met_late);

/// Gives the patches of a contact their forces over a step and their states at its end. One that
/// touches now stays where it is; what the step has begun is where it ended.
void TakeEnd(const SteppedPairState& end, std::vector<MujocoPatch>* patches);

/// Adds the forces that contacts have at the end of a step to qfrc_passive, in which all other
/// passive forces are, and returns the contacts there. Constraints of MuJoCo's are solved along.
std::vector<SteppedPairState> PushToEnd(const mjModel* model, mjData* data,
                                        const std::vector<BodiesInContact>& contacts, double step,
                                        std::vector<SteppedPairState> states);

/// The motion that a body would have at the end of a step, but for all forces except its weight.
BodyMotion ComingMotion(const mjModel* model, const BodyMotion& now, int body, double step);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
