// The contact parameters within a larger object, as in a scenario.
#pragma once

#include "io/json_cursor.h"
#include "volcontact/scenario/contact_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The members of a contact file that an object has; whether it has others the caller checks.
ContactFile ReadContactMembers(const JsonCursor& input);

/// The deflection, twist and dwell of an object that may have other members.
FrictionState ReadFrictionMembers(const JsonCursor& input);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
