// Whether a step follows the laws of all patches, told from bounds that cost little.
#pragma once

#include <span>

#include "mujoco/passive/passive_step.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// True only where they are not AreTooFast; false, too, where what the step changes across patches
/// is within a factor of two of that.
bool IsFollowed(std::span<const StepPatch> patches, double step);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
