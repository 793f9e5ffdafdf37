// The parts of a scenario file that have readers of their own.
#pragma once

#include <string>
#include <vector>

#include "io/json_cursor.h"
#include "volcontact/scenario/measures.h"
#include "volcontact/scenario/scenario.h"
#include "volcontact/scenario/time_series.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// Throws InvalidInput unless this is an object with no other keys than those of scenarios.
void ExpectScenario(const JsonCursor& scenario);

/// The bodies of a scenario; solids in files are looked for in the source's folder. What their
/// readers remark joins the notes.
std::vector<BodySpec> ReadBodies(const JsonCursor& scenario, std::vector<std::string>* notes);

/// The contacts of a scenario with these bodies.
std::vector<ContactSpec> ReadContacts(const JsonCursor& scenario,
                                      const std::vector<BodySpec>& bodies);

/// The "measures" of a scenario.
std::vector<MeasureSpec> ReadMeasures(const JsonCursor& scenario);

/// A number that an expression gives, and the last time [s] that it depends on: beyond the end of
/// the series where that could still change it.
struct TimedValue {
  double value;
  double until;
};

/// As EvaluateMeasure.
TimedValue EvaluateTimed(const std::string& expression, const TimeSeries& series);

/// Throws InvalidInput unless the name of a body or contact can stand before a column's.
void CheckName(const JsonCursor& input, const std::string& name);

/// The index of the body that a text names, -1 for "ground". Throws InvalidInput for another name.
int BodyIndex(const JsonCursor& name, const std::vector<BodySpec>& bodies);

/// {"times", `values`}: throws InvalidInput unless both are as long and the times ascend.
PiecewiseLinear ReadPiecewiseLinear(const JsonCursor& input, const char* values);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
