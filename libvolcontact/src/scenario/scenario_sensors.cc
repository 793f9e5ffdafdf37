// The sensors of a scenario.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/scenario_parts.h"
#include "volcontact/io/suggestion.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

// The index of what a text names among others that have names.
template <typename Named>
int IndexOf(const JsonCursor& name, const std::vector<Named>& all, const char* what) {
  const std::string text = name.String();
  std::vector<std::string> known;
  for (const Named& one : all) {
    if (one.name == text) return static_cast<int>(known.size());
    known.push_back(one.name);
  }
  name.Fail(fmt::format("there is no {} \"{}\"{}", what, text, DidYouMean(text, known)));
}

PoseSensor ReadPoseSensor(const JsonCursor& input, const std::vector<BodySpec>& bodies) {
  input.ExpectObject({"name", "type", "body", "seen_from", "frame", "frame_seen_from", "note"});
  PoseSensor sensor;
  sensor.of = BodyIndex(input.Member("body"), bodies);
  if (input.Has("seen_from")) sensor.seen_from = BodyIndex(input.Member("seen_from"), bodies);
  sensor.frame_of = input.PoseValue("frame", {});
  sensor.frame_seen_from = input.PoseValue("frame_seen_from", {});
  return sensor;
}

DistanceSensor ReadDistanceSensor(const JsonCursor& input, const std::vector<BodySpec>& bodies) {
  input.ExpectObject({"name", "type", "a", "b", "point_a", "point_b", "note"});
  DistanceSensor sensor;
  sensor.a = BodyIndex(input.Member("a"), bodies);
  sensor.b = BodyIndex(input.Member("b"), bodies);
  if (sensor.a == sensor.b) input.Fail("\"a\" and \"b\" must be two bodies");
  sensor.point_a = input.Numbers3("point_a", sensor.point_a);
  sensor.point_b = input.Numbers3("point_b", sensor.point_b);
  return sensor;
}

JointSensor ReadJointSensor(const JsonCursor& input, const std::vector<BodySpec>& bodies) {
  input.ExpectObject({"name", "type", "body", "frame", "note"});
  JointSensor sensor;
  sensor.body = MovingBody(input.Member("body"), bodies);
  sensor.in_joint_frame = input.Choice("frame", {"world", "joint"}, 0) == 1;
  return sensor;
}

ContactForceSensor ReadContactForceSensor(const JsonCursor& input, const Scenario& read) {
  input.ExpectObject({"name", "type", "contact", "body", "frame", "note"});
  ContactForceSensor sensor;
  sensor.contact = IndexOf(input.Member("contact"), read.contacts, "contact");
  sensor.body = BodyIndex(input.Member("body"), read.bodies);
  sensor.frame = input.PoseValue("frame", {});
  return sensor;
}

}  // namespace

std::vector<SensorSpec> ReadSensors(const JsonCursor& scenario, const Scenario& read,
                                    const std::vector<LoopSpec>& loops) {
  std::vector<SensorSpec> sensors;
  for (const JsonCursor& input : scenario.Items("sensors")) {
    SensorSpec sensor;
    sensor.name = input.Member("name").String();
    CheckName(input, sensor.name);
    input.Member("type");  // is needed
    switch (input.Choice("type", {"pose", "distance", "joint", "loop", "energy", "contact"}, 0)) {
      case 0:
        sensor.what = ReadPoseSensor(input, read.bodies);
        break;
      case 1:
        sensor.what = ReadDistanceSensor(input, read.bodies);
        break;
      case 2:
        sensor.what = ReadJointSensor(input, read.bodies);
        break;
      case 3:
        input.ExpectObject({"name", "type", "loop", "note"});
        sensor.what = LoopSensor{IndexOf(input.Member("loop"), loops, "loop")};
        break;
      case 4:
        input.ExpectObject({"name", "type", "body", "note"});
        sensor.what = EnergySensor{MovingBody(input.Member("body"), read.bodies)};
        break;
      default:
        sensor.what = ReadContactForceSensor(input, read);
        break;
    }
    sensors.push_back(std::move(sensor));
  }
  return sensors;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
