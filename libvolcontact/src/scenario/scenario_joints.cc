// The joints of a scenario's bodies, and references to their coordinates.
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <string_view>

#include "scenario/scenario_parts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

// "angle, x, y".
std::string NamesOf(const std::vector<JointCoordinate>& coordinates) {
  std::string text;
  for (const JointCoordinate& coordinate : coordinates) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", coordinate.name);
  }
  return text;
}

// How an initial state is given, for messages.
const char* StartKeys(const JointKind& kind) {
  switch (kind.start) {
    case JointStart::kCoordinates:
      return "\"coordinates\" and \"rates\"";
    case JointStart::kOrientation:
      return "\"pose\" (its \"q\") and \"angular_velocity\"";
    default:
      return "\"pose\", \"velocity\" and \"angular_velocity\"";
  }
}

JointType ReadType(const JsonCursor& joint) {
  std::vector<std::string_view> names;
  for (const JointKind& kind : JointKinds()) names.emplace_back(kind.name);
  return static_cast<JointType>(joint.Choice("type", names, 0));
}

// One number for each coordinate: in their order, or some of them by name.
std::vector<double> ReadCoordinates(const JsonCursor& input, const char* key,
                                    const JointKind& kind) {
  const bool by_number = kind.start == JointStart::kCoordinates;
  const std::vector<JointCoordinate>& coordinates = kind.coordinates;
  const std::size_t count = by_number ? coordinates.size() : 0;
  std::vector<double> values(count, 0.0);
  if (!input.Has(key)) return values;
  const JsonCursor given = input.Member(key);
  if (count == 0) {
    given.Fail(by_number ? "this joint has no coordinates; leave this out"
                         : fmt::format("this joint takes {} instead", StartKeys(kind)));
  }
  if (given.value().is_object()) {
    std::vector<std::string_view> names;
    for (const JointCoordinate& coordinate : coordinates) names.emplace_back(coordinate.name);
    given.ExpectObject(names);
    for (std::size_t i = 0; i < count; ++i) values[i] = given.Number(names[i], 0.0);
    return values;
  }
  values = given.Numbers();
  if (values.size() != count) {
    given.Fail(fmt::format("the joint has {} coordinates ({}), here are {}", count,
                           NamesOf(coordinates), values.size()));
  }
  return values;
}

// What a joint of another kind would start with is refused.
void CheckStart(const JsonCursor& input, const BodySpec& body) {
  const JointKind& kind = KindOf(body.joint);
  const bool placed = kind.start == JointStart::kPose || kind.start == JointStart::kPosition;
  for (const char* key : {"pose", "velocity", "angular_velocity"}) {
    const bool ball = kind.start == JointStart::kOrientation && key != std::string_view("velocity");
    if (input.Has(key) && !placed && !ball) {
      input.Member(key).Fail(fmt::format("this joint takes {} instead", StartKeys(kind)));
    }
  }
  if (kind.start == JointStart::kPosition &&
      (body.pose.q != Pose().q || !body.angular_velocity.isZero(0.0))) {
    input.Fail("a body with a \"translation\" joint does not rotate; rotate the joint's frame");
  }
  if (placed && body.parent >= 0) {
    input.Member("joint").Fail("a free body is one on the ground");
  }
}

JointMotion ReadMotion(const JsonCursor& input) {
  if (input.Has("rate") || input.Has("position")) {
    const bool of_position = input.Has("position");
    const char* key = of_position ? "position" : "rate";
    input.ExpectObject({key});
    return {ReadProfile(input.Member(key)), of_position};
  }
  if (input.Has("times") || input.Has("rates")) {
    input.ExpectObject({"times", "rates"});
    return {ReadPiecewiseLinear(input, "rates"), false};
  }
  input.ExpectObject({"amplitude", "frequency", "phase", "offset", "rate", "position"});
  return {ReadSine(input), false};
}

// A position that jumps would need an infinite force.
void CheckContinuous(const JsonCursor& motion, const JointMotion& read) {
  if (!read.of_position) return;
  const auto* ramp = std::get_if<RampProfile>(&read.profile);
  const bool smooth = ramp != nullptr && ramp->smooth;
  if (!smooth && !CornersOf(read.profile).empty()) {
    motion.Member("position")
        .Fail(
            "its rate would jump, which needs an infinite effort; give a \"ramp\" with \"smooth\": "
            "true, a \"sine\", or a \"rate\" instead");
  }
}

void ReadDrive(const JsonCursor& input, BodySpec* body) {
  if (!input.Has("motion")) return;
  const JsonCursor motion = input.Member("motion");
  if (KindOf(body->joint).coordinates.size() != 1) {
    motion.Fail(
        "only a joint with one coordinate can be driven: a \"slider\", \"pin\" or "
        "\"screw\"");
  }
  body->motion = ReadMotion(motion);
  CheckContinuous(motion, *body->motion);
  if (input.Has("rates")) input.Member("rates").Fail("\"motion\" sets the rate; leave this out");
  if (body->motion->of_position && input.Has("coordinates")) {
    input.Member("coordinates").Fail("\"motion\" sets the position; leave this out");
  }
}

// The kind of joint that "lead" is for, and the members of joints that ReadMechanism reads.
void ReadShape(const JsonCursor& joint, const std::vector<BodySpec>& before, BodySpec* body) {
  joint.ExpectObject(
      {"type", "parent", "frame_parent", "frame_body", "lead", "spring", "limits", "friction"});
  body->joint = ReadType(joint);
  if (joint.Has("parent")) body->parent = BodyIndex(joint.Member("parent"), before);
  body->frame_parent = joint.PoseValue("frame_parent", {});
  body->frame_body = joint.PoseValue("frame_body", {});
  if (body->joint == JointType::kScrew) {
    body->lead = joint.Member("lead").Number();
    if (body->lead == 0.0) joint.Member("lead").Fail("is 0; a \"pin\" has no lead");
  } else if (joint.Has("lead")) {
    joint.Member("lead").Fail("only a \"screw\" has a lead");
  }
}

}  // namespace

void ReadJoint(const JsonCursor& input, const std::vector<BodySpec>& before, BodySpec* body) {
  if (input.Has("joint")) ReadShape(input.Member("joint"), before, body);
  // A frame may hang on a joint, not fly.
  const bool has_joint = KindOf(body->joint).start == JointStart::kCoordinates;
  if (body->mass == 0.0 && !has_joint) input.Member("mass").PositiveNumber();
  const bool turns = body->joint == JointType::kFree || body->joint == JointType::kBall;
  if (turns && !(body->inertia.determinant() > 0.0)) {
    input.Fail(
        "a body that turns freely needs an \"inertia\" above zero about every axis, beside its "
        "\"mass\", or the \"density\" of its solid, from which both follow");
  }
  body->coordinates = ReadCoordinates(input, "coordinates", KindOf(body->joint));
  body->rates = ReadCoordinates(input, "rates", KindOf(body->joint));
  CheckStart(input, *body);
  ReadDrive(input, body);
}

int MovingBody(const JsonCursor& name, const std::vector<BodySpec>& bodies) {
  const int body = BodyIndex(name, bodies);
  if (body < 0 || bodies[static_cast<std::size_t>(body)].fixed) {
    name.Fail("this body does not move");
  }
  return body;
}

CoordinateRef ReadCoordinateOf(const JsonCursor& input, const char* coordinate, int body,
                               const std::vector<BodySpec>& bodies) {
  const BodySpec& moving = bodies[static_cast<std::size_t>(body)];
  const JointKind& kind = KindOf(moving.joint);
  if (kind.coordinates.empty()) {
    input.Fail(
        fmt::format("the joint of \"{}\" is of the type \"{}\", which has no coordinates; "
                    "\"bushings\" and springs between points go with any joint",
                    moving.name, kind.name));
  }
  if (!input.Has(coordinate)) {
    if (kind.coordinates.size() == 1) return {body, 0};
    input.Fail(fmt::format("the joint of \"{}\" has the coordinates {}; name one as \"{}\"",
                           moving.name, NamesOf(kind.coordinates), coordinate));
  }
  std::vector<std::string_view> names;
  for (const JointCoordinate& known : kind.coordinates) names.emplace_back(known.name);
  return {body, input.Choice(coordinate, names, 0)};
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
