// The names that 0.2 had for units of measured quantities, now of the core: include
// volcontact/io/units.h. This header goes with 0.4.
#pragma once

#include "volcontact/io/units.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

using volcontact::Quantity;
using volcontact::SiUnit;
using volcontact::UnitFactor;

}  // namespace identify
VOLCONTACT_NAMESPACE_END
