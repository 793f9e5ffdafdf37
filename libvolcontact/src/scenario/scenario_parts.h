// The parts of a scenario file that have readers of their own.
#pragma once

#include <string>
#include <vector>

#include "io/json/json_cursor.h"
#include "volcontact/scenario/measures.h"
#include "volcontact/scenario/scenario.h"
#include "volcontact/scenario/time_series.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// Throws InvalidInput unless this is an object with no other keys than those of scenarios.
void ExpectScenario(const JsonCursor& scenario);

/// The members of "bodies". Links of a URDF are named so in messages.
std::vector<JsonCursor> BodyItems(const JsonCursor& scenario);

/// The bodies of a scenario; solids in files are looked for in the source's folder. What their
/// readers remark joins the notes.
std::vector<BodySpec> ReadBodies(const JsonCursor& scenario, std::vector<std::string>* notes);

/// The joint of a body whose other members but "motion" are read, with the bodies listed before:
/// its type and frames, how it starts, and how it is driven.
void ReadJoint(const JsonCursor& body, const std::vector<BodySpec>& before, BodySpec* result);

/// What joins and drives the bodies of a scenario, and its sensors; of the scenario the bodies and
/// contacts must have been read.
Mechanism ReadMechanism(const JsonCursor& scenario, const Scenario& read);

/// The sensors of a scenario with these bodies, contacts and loops.
std::vector<SensorSpec> ReadSensors(const JsonCursor& scenario, const Scenario& read,
                                    const std::vector<LoopSpec>& loops);

/// The contacts of a scenario, of which gravity and the bodies must have been read. What was chosen
/// for them joins the notes.
/// Bodies that are to begin at rest get other poses.
std::vector<ContactSpec> ReadContacts(const JsonCursor& scenario, Scenario* read);

/// Lowers the body that rests in a contact, whose parameters have been read, along gravity until
/// the contact carries its weight, and makes the contact one that has been there before. `input` is
/// the member that asks for it.
void BeginAtRest(const JsonCursor& input, Scenario* read, ContactSpec* contact);

/// The stiffness [N/m³] of a contact with "stiffness": "auto" between bodies that have been read:
/// of the depth that is wanted at rest, or of the bodies' materials. What was chosen joins the
/// notes.
double ChooseStiffness(const JsonCursor& input, const ContactSpec& contact, const Scenario& read,
                       std::vector<std::string>* notes);

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

/// The same, of a body that moves.
int MovingBody(const JsonCursor& name, const std::vector<BodySpec>& bodies);

/// The coordinate of a body's joint that the member `coordinate` of an object names, or the only
/// one there is.
CoordinateRef ReadCoordinateOf(const JsonCursor& input, const char* coordinate, int body,
                               const std::vector<BodySpec>& bodies);

/// A function of time: a number, or an object with what makes one of the kinds of TimeProfile.
TimeProfile ReadProfile(const JsonCursor& input);
/// What is in the braces of a "sine".
SineProfile ReadSine(const JsonCursor& input);

/// {"times", `values`}: throws InvalidInput unless both are as long and the times ascend.
PiecewiseLinear ReadPiecewiseLinear(const JsonCursor& input, const char* values);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
