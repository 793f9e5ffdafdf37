// Functions of time in scenarios.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "scenario/scenario_parts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

RampProfile ReadRamp(const JsonCursor& input) {
  input.ExpectObject({"from", "to", "start", "end", "smooth"});
  RampProfile ramp;
  ramp.from = input.Number("from", ramp.from);
  ramp.to = input.Member("to").Number();
  ramp.start = input.Number("start", ramp.start);
  ramp.end = input.Member("end").Number();
  ramp.smooth = input.Flag("smooth", ramp.smooth);
  if (!(ramp.start < ramp.end)) {
    input.Member("end").Fail(
        fmt::format("is {} s; it must be after \"start\", {} s", ramp.end, ramp.start));
  }
  return ramp;
}

}  // namespace

SineProfile ReadSine(const JsonCursor& input) {
  input.ExpectObject({"amplitude", "frequency", "phase", "offset"});
  SineProfile sine;
  sine.amplitude = input.Member("amplitude").Number();
  sine.frequency = input.Member("frequency").Number();
  sine.phase = input.Number("phase", sine.phase);
  sine.offset = input.Number("offset", sine.offset);
  return sine;
}

PiecewiseLinear ReadPiecewiseLinear(const JsonCursor& input, const char* values) {
  PiecewiseLinear f{input.Member("times").Numbers(), input.Member(values).Numbers()};
  if (f.times.empty() || f.times.size() != f.values.size()) {
    input.Fail(
        fmt::format("\"times\" and \"{}\" must be lists of the same length, at least one", values));
  }
  if (std::adjacent_find(f.times.begin(), f.times.end(), std::greater_equal<>()) != f.times.end()) {
    input.Member("times").Fail("the times must ascend");
  }
  return f;
}

TimeProfile ReadProfile(const JsonCursor& input) {
  if (input.value().is_number()) return ConstantProfile{input.Number()};
  if (input.Has("ramp")) {
    input.ExpectObject({"ramp"});
    return ReadRamp(input.Member("ramp"));
  }
  if (input.Has("sine")) {
    input.ExpectObject({"sine"});
    return ReadSine(input.Member("sine"));
  }
  if (!input.Has("times") && !input.Has("values")) {
    input.Fail(
        "a function of time is expected: a number, {\"ramp\": {\"from\", \"to\", \"start\", "
        "\"end\"}}, {\"sine\": {\"amplitude\", \"frequency\"}}, or {\"times\", \"values\"}");
  }
  input.ExpectObject({"times", "values"});
  return ReadPiecewiseLinear(input, "values");
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
