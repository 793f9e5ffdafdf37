// What joins and drives the bodies of a scenario: springs, limits, friction, motors, bushings,
// couplings and loops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/scenario_parts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using Bodies = std::vector<BodySpec>;

// Below this speed [m/s, rad/s] dry friction of a joint is less than full where the file gives no
// "v_epsilon": 1 mm/s or 1 mrad/s, far below the speeds of mechanisms, as v_S of the bristles.
constexpr double kJointEpsilon = 1e-3;
constexpr double kRadiansPerTurn = 6.283185307179586;

double NotNegative(const JsonCursor& input, const char* key, double otherwise = 0.0) {
  return input.Has(key) ? input.Member(key).NumberNotBelowZero() : otherwise;
}

CoordinateRef ReadNamedCoordinate(const JsonCursor& input, const char* body, const char* coordinate,
                                  const Bodies& bodies) {
  const int index = MovingBody(input.Member(body), bodies);
  if (KindOf(bodies[static_cast<std::size_t>(index)].joint).coordinates.empty()) {
    ReadCoordinateOf(input.Member(body), coordinate, index, bodies);  // says what is wrong
  }
  return ReadCoordinateOf(input, coordinate, index, bodies);
}

SpringSpec ReadSpringLaw(const JsonCursor& input, const CoordinateRef& at) {
  SpringSpec spring;
  spring.at = at;
  spring.stiffness = input.Member("stiffness").NumberNotBelowZero();
  spring.damping = NotNegative(input, "damping");
  spring.rest = input.Number("rest", 0.0);
  return spring;
}

LimitSpec ReadLimit(const JsonCursor& input, const CoordinateRef& at) {
  input.ExpectObject({"coordinate", "lower", "upper", "stiffness", "damping", "note"});
  LimitSpec limit;
  limit.at = at;
  limit.lower = input.Number("lower", limit.lower);
  limit.upper = input.Number("upper", limit.upper);
  if (std::isinf(limit.lower) && std::isinf(limit.upper)) {
    input.Fail("limits need a \"lower\" or an \"upper\" one");
  }
  if (!(limit.lower < limit.upper)) {
    input.Fail(fmt::format("\"lower\", {}, must be below \"upper\", {}", limit.lower, limit.upper));
  }
  limit.stiffness = input.Member("stiffness").PositiveNumber();
  limit.damping = NotNegative(input, "damping");
  return limit;
}

JointFrictionSpec ReadJointFriction(const JsonCursor& input, const CoordinateRef& at) {
  input.ExpectObject({"coordinate", "coulomb", "viscous", "v_epsilon", "note"});
  JointFrictionSpec friction;
  friction.at = at;
  friction.coulomb = NotNegative(input, "coulomb");
  friction.viscous = NotNegative(input, "viscous");
  friction.v_epsilon =
      input.Has("v_epsilon") ? input.Member("v_epsilon").PositiveNumber() : kJointEpsilon;
  if (friction.coulomb == 0.0 && friction.viscous == 0.0) {
    input.Fail("friction needs \"coulomb\", \"viscous\" or both above zero");
  }
  return friction;
}

// A member that is an object or, for several coordinates, a list of them.
std::vector<JsonCursor> OneOrMore(const JsonCursor& joint, const char* key) {
  if (!joint.Has(key)) return {};
  const JsonCursor member = joint.Member(key);
  if (member.value().is_array()) return member.Items();
  return {member};
}

// Springs, limits and friction that stand with a body's joint.
void ReadJointMembers(const JsonCursor& joint, int body, const Bodies& bodies, Mechanism* all) {
  const auto at = [&](const JsonCursor& input) {
    return ReadCoordinateOf(input, "coordinate", body, bodies);
  };
  for (const JsonCursor& input : OneOrMore(joint, "spring")) {
    input.ExpectObject({"coordinate", "stiffness", "damping", "rest", "note"});
    all->springs.push_back(ReadSpringLaw(input, at(input)));
  }
  for (const JsonCursor& input : OneOrMore(joint, "limits")) {
    all->limits.push_back(ReadLimit(input, at(input)));
  }
  for (const JsonCursor& input : OneOrMore(joint, "friction")) {
    all->frictions.push_back(ReadJointFriction(input, at(input)));
  }
}

// The bodies "a" and "b" of what acts between two.
std::pair<int, int> ReadPair(const JsonCursor& input, const Bodies& bodies) {
  const int a = BodyIndex(input.Member("a"), bodies), b = BodyIndex(input.Member("b"), bodies);
  const auto still = [&](int i) { return i < 0 || bodies[static_cast<std::size_t>(i)].fixed; };
  if (a == b) input.Fail("\"a\" and \"b\" must be two bodies");
  if (still(a) && still(b)) input.Fail("neither body moves");
  return {a, b};
}

PointSpringSpec ReadPointSpring(const JsonCursor& input, const Bodies& bodies) {
  input.ExpectObject({"a", "b", "point_a", "point_b", "stiffness", "damping", "rest", "note"});
  PointSpringSpec spring;
  std::tie(spring.a, spring.b) = ReadPair(input, bodies);
  spring.point_a = input.Numbers3("point_a", spring.point_a);
  spring.point_b = input.Numbers3("point_b", spring.point_b);
  spring.stiffness = NotNegative(input, "stiffness");
  spring.damping = NotNegative(input, "damping");
  if (spring.stiffness == 0.0 && spring.damping == 0.0) {
    input.Fail("a spring needs \"stiffness\", \"damping\" or both above zero");
  }
  if (input.Has("rest")) spring.rest = input.Member("rest").NumberNotBelowZero();
  return spring;
}

void ReadSpring(const JsonCursor& input, const Bodies& bodies, Mechanism* all) {
  if (input.Has("a") || input.Has("b")) {
    all->point_springs.push_back(ReadPointSpring(input, bodies));
    return;
  }
  input.ExpectObject({"body", "coordinate", "stiffness", "damping", "rest", "a", "b", "point_a",
                      "point_b", "note"});
  const CoordinateRef at = ReadNamedCoordinate(input, "body", "coordinate", bodies);
  all->springs.push_back(ReadSpringLaw(input, at));
}

// A number for all three axes, or one for each.
Eigen::Vector3d ReadAxes(const JsonCursor& input, const char* key) {
  if (!input.Has(key)) return Eigen::Vector3d::Zero();
  const JsonCursor member = input.Member(key);
  if (member.value().is_number()) return Eigen::Vector3d::Constant(member.NumberNotBelowZero());
  const Eigen::Vector3d values = member.Numbers3();
  if (values.minCoeff() < 0.0) member.Fail("none may be negative");
  return values;
}

BushingSpec ReadBushing(const JsonCursor& input, const Bodies& bodies) {
  input.ExpectObject({"a", "b", "frame_a", "frame_b", "stiffness", "angular_stiffness", "damping",
                      "angular_damping", "note"});
  BushingSpec bushing;
  std::tie(bushing.a, bushing.b) = ReadPair(input, bodies);
  bushing.frame_a = input.PoseValue("frame_a", {});
  bushing.frame_b = input.PoseValue("frame_b", {});
  bushing.stiffness = ReadAxes(input, "stiffness");
  bushing.angular_stiffness = ReadAxes(input, "angular_stiffness");
  bushing.damping = ReadAxes(input, "damping");
  bushing.angular_damping = ReadAxes(input, "angular_damping");
  return bushing;
}

// What a motor follows, and by which law.
void ReadTarget(const JsonCursor& input, MotorSpec* motor) {
  static constexpr const char* kTargets[] = {"effort", "rate", "position"};
  int given = 0;
  for (int i = 0; i < 3; ++i) {
    if (!input.Has(kTargets[i])) continue;
    ++given;
    motor->target = static_cast<MotorSpec::Target>(i);
    motor->profile = ReadProfile(input.Member(kTargets[i]));
  }
  if (given != 1) {
    input.Fail("a motor follows one of \"effort\", \"rate\" and \"position\"");
  }
  const auto refuse = [&](const char* key, const char* why) {
    if (input.Has(key)) input.Member(key).Fail(why);
  };
  switch (motor->target) {
    case MotorSpec::Target::kEffort:
      refuse("stiffness", "an \"effort\" follows no position; leave this out");
      refuse("damping", "an \"effort\" follows no rate; leave this out");
      break;
    case MotorSpec::Target::kRate:
      refuse("stiffness", "a \"rate\" is followed by \"damping\" alone; leave this out");
      motor->damping = input.Member("damping").PositiveNumber();
      break;
    case MotorSpec::Target::kPosition:
      motor->stiffness = input.Member("stiffness").PositiveNumber();
      motor->damping = NotNegative(input, "damping");
      break;
  }
}

MotorSpec ReadMotor(const JsonCursor& input, const Bodies& bodies) {
  input.ExpectObject({"name", "body", "coordinate", "effort", "rate", "position", "stiffness",
                      "damping", "limit", "note"});
  MotorSpec motor;
  motor.name = input.Member("name").String();
  CheckName(input, motor.name);
  motor.at = ReadNamedCoordinate(input, "body", "coordinate", bodies);
  ReadTarget(input, &motor);
  if (input.Has("limit")) motor.limit = input.Member("limit").PositiveNumber();
  return motor;
}

bool IsAngle(const CoordinateRef& at, const Bodies& bodies) {
  const BodySpec& body = bodies[static_cast<std::size_t>(at.body)];
  return KindOf(body.joint).coordinates[static_cast<std::size_t>(at.index)].is_angle;
}

// The ratio of the coordinates, as such or as what makes one.
double ReadRatio(const JsonCursor& input, const CouplingSpec& coupling, const Bodies& bodies) {
  int given = 0;
  for (const char* key : {"ratio", "radius", "lead"}) given += input.Has(key) ? 1 : 0;
  if (given != 1) {
    input.Fail(
        "a coupling has one of \"ratio\" (of the coordinates), \"radius\" (of a pinion) and "
        "\"lead\" (way for a turn)");
  }
  const char* key = input.Has("ratio") ? "ratio" : input.Has("radius") ? "radius" : "lead";
  const JsonCursor member = input.Member(key);
  const double value = member.Number();
  if (value == 0.0) member.Fail("is 0; b would not move");
  if (input.Has("ratio")) return value;
  if (!IsAngle(coupling.a, bodies) || IsAngle(coupling.b, bodies)) {
    member.Fail("the coordinate of \"a\" must be an angle and that of \"b\" a length");
  }
  return input.Has("radius") ? value : value / kRadiansPerTurn;
}

CouplingSpec ReadCoupling(const JsonCursor& input, const Bodies& bodies) {
  input.ExpectObject(
      {"a", "b", "coordinate_a", "coordinate_b", "ratio", "radius", "lead", "offset", "note"});
  CouplingSpec coupling;
  coupling.a = ReadNamedCoordinate(input, "a", "coordinate_a", bodies);
  coupling.b = ReadNamedCoordinate(input, "b", "coordinate_b", bodies);
  if (coupling.a.body == coupling.b.body && coupling.a.index == coupling.b.index) {
    input.Fail("a coordinate cannot be coupled with itself");
  }
  coupling.ratio = ReadRatio(input, coupling, bodies);
  if (input.Has("offset")) coupling.offset = input.Member("offset").Number();
  return coupling;
}

LoopSpec ReadLoop(const JsonCursor& input, const Bodies& bodies) {
  input.ExpectObject({"name", "type", "a", "b", "frame_a", "frame_b", "length", "note"});
  LoopSpec loop;
  loop.name = input.Member("name").String();
  CheckName(input, loop.name);
  loop.type = static_cast<LoopSpec::Type>(
      input.Choice("type", {"ball", "weld", "rod", "point_on_plane", "point_on_line"}, 0));
  std::tie(loop.a, loop.b) = ReadPair(input, bodies);
  loop.frame_a = input.PoseValue("frame_a", {});
  loop.frame_b = input.PoseValue("frame_b", {});
  if (!input.Has("length")) return loop;
  if (loop.type != LoopSpec::Type::kRod) input.Member("length").Fail("only a \"rod\" has a length");
  loop.length = input.Member("length").PositiveNumber();
  return loop;
}

// Names stand before columns: each may be there once.
class TakenNames {
 public:
  explicit TakenNames(const Scenario& read) {
    for (const BodySpec& body : read.bodies) names_.push_back(body.name);
    for (const ContactSpec& contact : read.contacts) names_.push_back(contact.name);
  }
  void Take(const JsonCursor& input, const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
      input.Member("name").Fail("the name is taken; choose another");
    }
    names_.push_back(name);
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace

Mechanism ReadMechanism(const JsonCursor& input, const Scenario& read) {
  const Bodies& bodies = read.bodies;
  Mechanism all;
  TakenNames names(read);
  const std::vector<JsonCursor> bodies_input = BodyItems(input);
  for (std::size_t i = 0; i < bodies_input.size(); ++i) {
    if (!bodies_input[i].Has("joint")) continue;
    ReadJointMembers(bodies_input[i].Member("joint"), static_cast<int>(i), bodies, &all);
  }
  for (const JsonCursor& item : input.Items("springs")) ReadSpring(item, bodies, &all);
  for (const JsonCursor& item : input.Items("bushings")) {
    all.bushings.push_back(ReadBushing(item, bodies));
  }
  for (const JsonCursor& item : input.Items("motors")) {
    all.motors.push_back(ReadMotor(item, bodies));
    names.Take(item, all.motors.back().name);
  }
  for (const JsonCursor& item : input.Items("couplings")) {
    all.couplings.push_back(ReadCoupling(item, bodies));
  }
  for (const JsonCursor& item : input.Items("loops")) {
    all.loops.push_back(ReadLoop(item, bodies));
    names.Take(item, all.loops.back().name);
  }
  all.sensors = ReadSensors(input, read, all.loops);
  const std::vector<JsonCursor> sensors_input = input.Items("sensors");
  for (std::size_t i = 0; i < all.sensors.size(); ++i) {
    names.Take(sensors_input[i], all.sensors[i].name);
  }
  return all;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
