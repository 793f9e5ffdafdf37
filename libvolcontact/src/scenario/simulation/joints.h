// Joints as Simbody's mobilizers. C++17, as Simbody's headers are.
#pragma once

#include <SimTKsimbody.h>

#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The body on its joint, driven where the scenario says so. X_PF: the joint's frame in the parent.
SimTK::MobilizedBody MakeJoint(const BodySpec& body, SimTK::MobilizedBody* parent,
                               const SimTK::Transform& X_PF);

/// Sets the joint's coordinates and rates to the initial ones; those of the parent must be set.
void SetInitial(const BodySpec& body, const SimTK::MobilizedBody& mobilized, SimTK::State* state);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
