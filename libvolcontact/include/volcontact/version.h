// The version of the headers, and of the library that is linked.
#pragma once

#include "volcontact/export.h"

// The one place that states the version: CMake reads these numbers, too. With the major or the
// minor number the namespace in export.h changes.
#define VOLCONTACT_VERSION_MAJOR 0
#define VOLCONTACT_VERSION_MINOR 3
#define VOLCONTACT_VERSION_PATCH 0

#define VOLCONTACT_QUOTED_VERSION(major, minor, patch) #major "." #minor "." #patch
#define VOLCONTACT_VERSION_TEXT(major, minor, patch) VOLCONTACT_QUOTED_VERSION(major, minor, patch)
/// "major.minor.patch" of the headers.
#define VOLCONTACT_VERSION                                                    \
  VOLCONTACT_VERSION_TEXT(VOLCONTACT_VERSION_MAJOR, VOLCONTACT_VERSION_MINOR, \
                          VOLCONTACT_VERSION_PATCH)

VOLCONTACT_NAMESPACE_BEGIN

/// "major.minor.patch" of the library, which a shared one may have newer than the headers. Never
/// null; any thread.
VOLCONTACT_EXPORT const char* LibraryVersion();

VOLCONTACT_NAMESPACE_END
