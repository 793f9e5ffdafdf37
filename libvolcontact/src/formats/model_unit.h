// Units of 3MF and AMF files.
#pragma once

#include <string>

#include "io/length_unit.h"

namespace volcontact {

/// The unit of this name in either format. Throws InvalidInput without a place for another one.
LengthUnit ModelUnit(const std::string& name);

}  // namespace volcontact
