// Motions of bodies from a data of MuJoCo, and forces on them to it.
#pragma once

#include <mujoco/mujoco.h>

#include "mujoco/contact_track.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// Of the body's frame, as of mj_fwdPosition and mj_comVel.
BodyMotion MotionOf(const mjModel* model, const mjData* data, int body);

/// Adds the force of a contact, times `sign`, to qfrc_passive: as mj_applyFT, but along the
/// body's own joints, which costs nothing for those of others.
void AddWrench(const mjModel* model, mjData* data, int body, const ContactForce& force,
               double sign);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
