// The exception for documents that are wrong whatever their numbers are.
#pragma once

#include "volcontact/export.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Invalid input whose structure is at fault: keys that are unknown or missing, values of another
/// type, lists of another length, names of what there is not. No other numbers in the same places
/// mend it.
class VOLCONTACT_EXPORT MalformedInput : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

VOLCONTACT_NAMESPACE_END
