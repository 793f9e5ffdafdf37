// Words near a mistyped one, for messages.
#pragma once

#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// ` (did you mean "radius"?)` for the nearest of the known words, in which a third of the letters
/// may differ; nothing when none is near. Any number of threads may call it at a time.
VOLCONTACT_EXPORT std::string DidYouMean(const std::string& word,
                                         const std::vector<std::string>& known);

VOLCONTACT_NAMESPACE_END
