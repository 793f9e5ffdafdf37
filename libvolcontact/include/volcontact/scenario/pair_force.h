// The names that 0.2 had for forces of a pair, now of the core: include
// volcontact/forces/pair_force.h. This header goes with 0.4.
#pragma once

#include "volcontact/forces/pair_force.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

using volcontact::ForceAnswer;
using volcontact::PairForce;
using volcontact::PairInstant;
using volcontact::RequireVolumetric;

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
