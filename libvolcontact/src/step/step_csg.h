// From the faces of a solid to an expression over their surfaces.
#pragma once

#include <optional>
#include <string>

#include "step/step_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// The solid as CSG, where that is certain: see ReadStep. Nothing, with the reason, where it is
/// not.
std::optional<Solid> ExactSolid(const StepSolid& step, std::string* why);

}  // namespace volcontact
