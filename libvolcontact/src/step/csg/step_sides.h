// The two sides of a surface of a STEP file, as solids.
#pragma once

#include "step/step_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Where the height over the surface is negative, or what is outside of that.
Solid SideOf(const StepFace& surface, bool inside);
/// Whether the surfaces at a distance from that of the face are of its kind.
bool HasOffset(const StepFace& face);
/// A surface so far from that of the face [m], seen from its axis. It must have one.
StepFace OffsetOf(StepFace face, double distance);
/// The same, away from the material of the face.
StepFace OffMaterial(const StepFace& face, double distance);
/// What is farther off the material of the face than that [m].
Solid VoidBeyond(const StepFace& face, double distance);

}  // namespace volcontact
