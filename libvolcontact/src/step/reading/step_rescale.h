// Files that name another unit than their lengths are in.
#pragma once

#include <STEPControl_Reader.hxx>
#include <string>

#include "step/reading/step_bodies.h"

namespace volcontact {

/// The bodies of the file `origin`, which `reader` has read, as if it named a unit of so many
/// millimetres. Throws InvalidInput if it names several units of length, and Standard_Failure.
StepBodies Rescaled(StepBodies bodies, double millimetres_per_unit,
                    const STEPControl_Reader& reader, const std::string& origin);

}  // namespace volcontact
