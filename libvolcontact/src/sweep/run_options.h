// How the rows of a sweep are computed.
#pragma once

#include "io/json_cursor.h"
#include "volcontact/export.h"
#include "volcontact/overlap/options.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// What "options" of a run says, by the fields of QueryOptions; one thread. Throws InvalidInput
/// that names the place for unknown keys and what is not of the right type; ranges are checked by
/// the query.
QueryOptions ReadRunOptions(const JsonCursor& input);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
