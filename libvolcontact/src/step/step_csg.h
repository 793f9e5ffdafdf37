// From the faces of a solid to an expression over their surfaces.
#pragma once

#include <optional>
#include <string>

#include "step/step_deadline.h"
#include "step/step_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// The solid as CSG, where that is certain: see ReadStep. Nothing, with the reason, where it is
/// not, or the deadline is over before it is certain.
std::optional<Solid> ExactSolid(const StepSolid& step, const StepDeadline& deadline,
                                std::string* why);

}  // namespace volcontact
