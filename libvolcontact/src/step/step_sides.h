// The two sides of a surface of a STEP file, as solids.
#pragma once

#include "step/step_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Where the height over the surface is negative, or what is outside of that.
Solid SideOf(const StepFace& surface, bool inside);

}  // namespace volcontact
