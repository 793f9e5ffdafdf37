// How the rows of a sweep are computed.
#pragma once

#include <string>
#include <vector>

#include "io/json/json_cursor.h"
#include "volcontact/export.h"
#include "volcontact/overlap/options.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// What "options" of a run says, by the fields of QueryOptions; one thread. Throws InvalidInput
/// that names the place for unknown keys and what is not of the right type; ranges are checked by
/// the query.
QueryOptions ReadRunOptions(const JsonCursor& input);

/// Adds a note where the options of `run` name a method by an old name.
void NoteOldMethod(const JsonCursor& run, std::vector<std::string>* notes);

/// Why a row did not converge: the first of the warnings, or where there are none the method and
/// the limit of its work.
std::string ReasonUnconverged(const std::vector<std::string>& warnings, Method method,
                              const QueryOptions& options);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
