// Why a file cannot be written, as the end of a message.
#pragma once

#include <string>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// What an error of the system says, with its cure where there is one to be told: "No space left on
/// device; make room". `error` as of errno; "for an unknown reason" of 0.
VOLCONTACT_EXPORT std::string WriteErrorText(int error);

VOLCONTACT_NAMESPACE_END
