// Names of the bodies of a STEP file.
#pragma once

#include <string>
#include <vector>

#include "io/body_choice.h"
#include "step/step_solid.h"

namespace volcontact {

BodyChoice ChoiceOf(const std::vector<StepInstance>& bodies);

/// How messages call a solid: by the first body that has it, `solid 2 "bolt:1"`; a file's only
/// one is `solid 1`.
std::string Called(const std::vector<StepInstance>& bodies, int solid);

}  // namespace volcontact
