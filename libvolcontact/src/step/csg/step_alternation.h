// A solid whose faces bound it side by side, as an expression over their surfaces.
#pragma once

#include <optional>

#include "step/step_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// What holds all of the faces, minus the parts that the others cut out, each a solid of the same
/// kind with its faces turned: cut to the box around these where that is asked for, as surfaces of
/// a recess may go on into other material. Nothing where that comes to no end; it may be another
/// solid than that of the faces. Throws InvalidInput.
std::optional<Solid> SolidBySides(const StepSolid& step, bool bounded);

}  // namespace volcontact
