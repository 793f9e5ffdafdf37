// SweepVariables that follow from others by expressions (docs/scenarios.md has their grammar).
#pragma once

#include <string>
#include <vector>

#include "io/json/json_cursor.h"
#include "volcontact/export.h"
#include "volcontact/scenario/time_series.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

struct DerivedVariable {
  std::string name, unit, expression;
};

/// The members of "derived", {name: expression} or {name: {"value": expression, "unit": text}},
/// such that each stands behind those that it is made of. `known` names the columns that there are
/// already. Throws InvalidInput that names the place: for what an expression does not find, a
/// circle, and functions of more than one row, such as mean.
std::vector<DerivedVariable> ReadDerivedVariables(const JsonCursor& input,
                                                  std::vector<std::string> known);

/// Adds a column for each to a series over rows, the first column of which is their numbers. Throws
/// InvalidInput that names the variable.
void Derive(const std::vector<DerivedVariable>& derived, scenario::TimeSeries* series);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
