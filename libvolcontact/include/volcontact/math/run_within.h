// A time limit for several calls together.
#pragma once

#include <functional>
#include <string>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Calls work(), and lets what the calling thread asks of the library meanwhile end after so many
/// seconds, which may be infinite. A query answers as with QueryOptions::max_seconds. Where there
/// is no answer to give, as when a file is read or checked or a pair prepared, this throws
/// OutOfTime with the message, a tenth of the time and a fifth of a second later at the latest. A
/// limit within another one ends with that.
VOLCONTACT_EXPORT void RunWithin(double seconds, const std::string& late,
                                 const std::function<void()>& work);

VOLCONTACT_NAMESPACE_END
