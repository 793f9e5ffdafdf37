// What a variable may be called.
#pragma once

#include <string>

#include "io/json/json_cursor.h"
#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// The number of the row, in expressions, and the column of merged files.
inline constexpr const char* kRowName = "row";

/// Whether an expression can name it: letters, digits, _ and points, with a letter or _ first.
bool IsVariableName(const std::string& name);

/// Throws InvalidInput unless a variable may have this name; `at` is its place.
void CheckVariableName(const JsonCursor& at, const std::string& name);

/// The unit that a variable has. Throws InvalidInput for a unit that is not SI, in which no number
/// is read.
std::string ReadUnit(const JsonCursor& variable);
bool IsSiUnit(const std::string& unit);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
