#include "volcontact/version.h"

VOLCONTACT_NAMESPACE_BEGIN

const char* LibraryVersion() { return VOLCONTACT_VERSION; }

VOLCONTACT_NAMESPACE_END
