// The version of the headers, and of the library that is linked.
#pragma once

#include "volcontact/export.h"

#define VOLCONTACT_VERSION_MAJOR 0
#define VOLCONTACT_VERSION_MINOR 2
#define VOLCONTACT_VERSION_PATCH 0
/// "major.minor.patch" of the headers.
#define VOLCONTACT_VERSION "0.2.0"

VOLCONTACT_NAMESPACE_BEGIN

/// "major.minor.patch" of the library, which a shared one may have newer than the headers. Never
/// null; any thread.
VOLCONTACT_EXPORT const char* LibraryVersion();

VOLCONTACT_NAMESPACE_END
