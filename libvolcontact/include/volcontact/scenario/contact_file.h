// The names that 0.2 had for contact files, now of the core: include
// volcontact/io/contact_file.h. This header goes with 0.4.
#pragma once

#include "volcontact/io/contact_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

using volcontact::ContactFile;
using volcontact::ParseContactFile;
using volcontact::ReadContactFile;
using volcontact::ReadContactState;

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
