// Joints of all types, and springs, limits and friction on their coordinates, against closed forms.
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

using Eigen::AngleAxisd;

// A body of 2 kg on a joint, with its centre of mass at the origin of its frame.
Json Jointed(const char* type, const Json& members = Json::object()) {
  Json joint = members;
  joint["type"] = type;
  return {{"name", "b"}, {"mass", 2}, {"inertia", {0.3, 0.4, 0.5}}, {"joint", joint}};
}

Json With(const Json& body) {
  Json document = Document();
  document["bodies"] = Json::array({body});
  return document;
}

TEST(Joints, AScrewAdvancesByItsLead) {
  // Energy of a fall along the thread: m g lead/(2π) drives I + m (lead/(2π))².
  const double lead = 0.6, slope = lead / (2 * M_PI);
  Json document = With(Jointed("screw", {{"lead", lead}}));
  document["gravity"] = {0, 0, -kGravity};
  document["bodies"][0]["coordinates"] = {0.25};
  Simulation simulation(document);
  EXPECT_NEAR(simulation("b.z"), 0.25 * slope, 1e-15);
  simulation.AdvanceTo(0.8);
  const double acceleration = -2 * kGravity * slope / (0.5 + 2 * slope * slope);
  EXPECT_NEAR(simulation("b.wz"), 0.8 * acceleration, 1e-9);
  EXPECT_NEAR(simulation("b.vz"), slope * simulation("b.wz"), 1e-14);
  EXPECT_NEAR(simulation("b.z"), slope * (0.25 + 0.32 * acceleration), 1e-9);
  EXPECT_LE(simulation.LedgerError(), 1e-9);
}

TEST(Joints, ACylindricalOneTurnsAndSlidesAboutOneAxis) {
  const Quaterniond q(AngleAxisd(0.9, Vector3d(1, 2, -0.5).normalized()));
  Json document = With(Jointed("cylindrical", {{"frame_parent", {{"q", ListOf(q)}}}}));
  document["bodies"][0]["coordinates"] = {{"z", 0.1}};
  document["bodies"][0]["rates"] = {{"angle", 3}, {"z", -0.5}};
  Simulation simulation(document);
  simulation.AdvanceTo(1);
  const Vector3d axis = q * Vector3d::UnitZ();
  ExpectNear(simulation.Position("b"), -0.4 * axis, 1e-9);
  ExpectNear(simulation.Spin("b"), 3 * axis, 1e-9);
}

TEST(Joints, AUniversalOneTurnsAboutXThenY) {
  Json document = With(Jointed("universal"));
  document["bodies"][0]["coordinates"] = {0.4, -0.3};
  document["bodies"][0]["rates"] = {1.5, 0.7};
  Simulation simulation(document);
  const Matrix3d R =
      (AngleAxisd(0.4, Vector3d::UnitX()) * AngleAxisd(-0.3, Vector3d::UnitY())).toRotationMatrix();
  EXPECT_LE((simulation.Rotation("b") - R).norm(), 1e-14);
  const Vector3d spin =
      1.5 * Vector3d::UnitX() + 0.7 * (AngleAxisd(0.4, Vector3d::UnitX()) * Vector3d::UnitY());
  ExpectNear(simulation.Spin("b"), spin, 1e-14);
}

TEST(Joints, AGimbalMovesAsABallJoint) {
  const Vector3d angles(0.3, -0.5, 0.8), rates(1, 2, -1.5);
  const auto turn = [](double angle, int axis) { return AngleAxisd(angle, Vector3d::Unit(axis)); };
  const Quaterniond first(turn(angles[0], 0)), second(first * turn(angles[1], 1)),
      third(second * turn(angles[2], 2));
  const Vector3d spin = rates[0] * Vector3d::UnitX() + rates[1] * (first * Vector3d::UnitY()) +
                        rates[2] * (second * Vector3d::UnitZ());
  Json gimbal = With(Jointed("gimbal")), ball = With(Jointed("ball"));
  gimbal["bodies"][0]["coordinates"] = ListOf(angles);
  gimbal["bodies"][0]["rates"] = ListOf(rates);
  ball["bodies"][0]["pose"] = {{"q", ListOf(third)}};
  ball["bodies"][0]["angular_velocity"] = ListOf(spin);
  for (Json* document : {&gimbal, &ball}) {
    (*document)["gravity"] = {1, -2, -kGravity};
    (*document)["bodies"][0]["center_of_mass"] = {0.05, 0.02, -0.1};
  }
  Simulation a(gimbal), b(ball);
  ExpectNear(a.Spin("b"), spin, 1e-14);
  for (Simulation* simulation : {&a, &b}) simulation->AdvanceTo(0.4);
  EXPECT_LE((a.Rotation("b") - b.Rotation("b")).norm(), 1e-8);
  ExpectNear(a.Spin("b"), b.Spin("b"), 1e-7);
}

TEST(Joints, SpringsGoWithAnyCoordinate) {
  // In a joint with several coordinates, each has its own frequency, and its own place in the
  // ledger.
  Json document =
      With(Jointed("cylindrical", {{"spring",
                                    {{{"coordinate", "angle"}, {"stiffness", 8}},
                                     {{"coordinate", "z"}, {"stiffness", 50}, {"rest", 0.2}}}}}));
  document["bodies"][0]["coordinates"] = {0.5, 0.1};
  Simulation simulation(document);
  EXPECT_NEAR(simulation("energy.potential"), 4 * 0.25 + 25 * 0.01, 1e-14);
  simulation.AdvanceTo(0.7);
  EXPECT_NEAR(simulation("b.wz"), -0.5 * 4 * std::sin(4 * 0.7), 1e-9);
  EXPECT_NEAR(simulation("b.z"), 0.2 - 0.1 * std::cos(5 * 0.7), 1e-9);
  EXPECT_LE(simulation.LedgerError(), 1e-9);

  // The same, listed beside the bodies.
  Json listed = With(Jointed("cylindrical"));
  listed["bodies"][0]["coordinates"] = {0.5, 0.1};
  listed["springs"] = document["bodies"][0]["joint"]["spring"];
  for (Json& spring : listed["springs"]) spring["body"] = "b";
  Simulation same(listed);
  same.AdvanceTo(0.7);
  EXPECT_EQ(same("b.z"), simulation("b.z"));
}

TEST(Joints, ALimitGivesBackWhatItsDampingLeaves) {
  // m v dv = −k x (1 + d v) dx from v to −w, and back to the same x: d (v + w) = ln of the ratio.
  const double damping = 0.8, speed = 1.5;
  Json document = With(
      Jointed("slider", {{"limits", {{"upper", 0.2}, {"stiffness", 1e5}, {"damping", damping}}}}));
  document["bodies"][0]["rates"] = {speed};
  Simulation simulation(document);
  simulation.Run(0.5, 50);
  const double rebound = -simulation("b.vx");
  EXPECT_NEAR(damping * (speed + rebound),
              std::log((1 + damping * speed) / (1 - damping * rebound)), 1e-7);
  EXPECT_LT(rebound, 0.7 * speed);
  EXPECT_NEAR(simulation("energy.dissipated_joint"), speed * speed - rebound * rebound, 1e-7);
  EXPECT_LE(simulation.LedgerError(), 1e-8);
}

TEST(Joints, ALimitWithoutDampingKeepsTheEnergyAndStopsBothWays) {
  Json document =
      With(Jointed("pin", {{"limits", {{"lower", -0.3}, {"upper", 0.4}, {"stiffness", 500}}}}));
  document["bodies"][0]["rates"] = {2};
  Simulation simulation(document);
  simulation.Run(1, 1000);
  // A free way of 0.7 rad, and half a period √(I/k) π at either end.
  const double most = 2 / std::sqrt(500 / 0.5);
  const std::vector<double>& spin = simulation.All("b.wz");
  EXPECT_LT(*std::min_element(spin.begin(), spin.end()), -1.99999);
  EXPECT_NEAR(simulation("energy.kinetic") + simulation("energy.potential"), 1, 1e-8);
  double angle = 0, lowest = 0, highest = 0;
  for (std::size_t i = 0; i < spin.size(); ++i) {
    angle = 2 * std::atan2(simulation.All("b.qz")[i], simulation.All("b.qw")[i]);
    lowest = std::min(lowest, angle);
    highest = std::max(highest, angle);
  }
  EXPECT_NEAR(highest, 0.4 + most, 1e-4);
  EXPECT_NEAR(lowest, -0.3 - most, 1e-4);
}

TEST(Joints, DryFrictionStopsABodyInTime) {
  // 3 N on 2 kg stop 1.2 m/s after 0.8 s and 0.48 m, but for the last millimetre a second.
  Json document = With(Jointed("slider", {{"friction", {{"coulomb", 3}, {"v_epsilon", 1e-4}}}}));
  document["bodies"][0]["rates"] = {1.2};
  document["integrator"]["tolerance"] = 1e-9;
  Simulation simulation(document);
  simulation.AdvanceTo(0.4);
  EXPECT_NEAR(simulation("b.vx"), 0.6, 1e-8);
  simulation.AdvanceTo(0.79);
  EXPECT_NEAR(simulation("b.x"), 1.2 * 0.79 - 0.75 * 0.79 * 0.79, 1e-8);
  simulation.AdvanceTo(1.0);
  EXPECT_NEAR(simulation("b.x"), 0.48, 1e-6);
  EXPECT_NEAR(simulation("energy.dissipated_joint"), 1.44, 1e-7);
}

TEST(Joints, ViscousFrictionDecays) {
  Json document = With(Jointed("pin", {{"friction", {{"viscous", 0.75}}}}));
  document["bodies"][0]["rates"] = {4};
  Simulation simulation(document);
  simulation.AdvanceTo(1);
  EXPECT_NEAR(simulation("b.wz"), 4 * std::exp(-1.5), 1e-9);
  EXPECT_LE(simulation.LedgerError(), 1e-9);
}

struct WrongJoint {
  const char *joint, *rest, *place, *words;
};

TEST(Joints, WrongOnesAreNamedWithTheCure) {
  const WrongJoint kWrong[] = {
      {R"({"type": "screw"})", "{}", "joint", "lead"},
      {R"({"type": "screw", "lead": 0})", "{}", "joint.lead", "pin"},
      {R"({"type": "pin", "lead": 1})", "{}", "joint.lead", "screw"},
      {R"({"type": "cylindircal"})", "{}", "joint.type", "cylindrical"},
      {R"({"type": "cylindrical", "limits": {"upper": 1, "stiffness": 1}})", "{}", "joint.limits",
       "angle, z"},
      {R"({"type": "ball", "limits": {"upper": 1, "stiffness": 1}})", "{}", "joint.limits",
       "no coordinates"},
      {R"({"type": "pin", "limits": {"coordinate": "x", "upper": 1, "stiffness": 1}})", "{}",
       "joint.limits.coordinate", "angle"},
      {R"({"type": "pin", "limits": {"stiffness": 1}})", "{}", "joint.limits", "upper"},
      {R"({"type": "pin", "limits": {"lower": 1, "upper": 0, "stiffness": 1}})", "{}",
       "joint.limits", "below"},
      {R"({"type": "pin", "limits": {"lower": 1, "stiffness": 0}})", "{}", "joint.limits.stiffness",
       "above zero"},
      {R"({"type": "pin", "friction": {"coulomb": -1}})", "{}", "joint.friction.coulomb",
       "negative"},
      {R"({"type": "pin", "friction": {}})", "{}", "joint.friction", "viscous"},
      {R"({"type": "pin", "spring": {"rest": 1}})", "{}", "joint.spring", "stiffness"},
      {R"({"type": "universal"})", R"({"coordinates": [1]})", "coordinates", "angle_x, angle_y"},
      {R"({"type": "universal"})", R"({"rates": {"angle_z": 1}})", "rates", "angle_y"},
      {R"({"type": "gimbal"})", R"({"pose": {"t": [1, 0, 0]}})", "pose", "coordinates"},
      {R"({"type": "weld"})", R"({"coordinates": [1]})", "coordinates", "no coordinates"},
      {R"({"type": "cylindrical"})", R"({"motion": {"rate": 1}})", "motion", "one coordinate"},
      {R"({"type": "pin"})", R"({"motion": {"position": {"times": [0, 1], "values": [0, 1]}}})",
       "motion.position", "smooth"},
      {R"({"type": "pin"})", R"({"motion": {"position": 1}, "coordinates": [0]})", "coordinates",
       "motion"},
  };
  for (const WrongJoint& wrong : kWrong) {
    SCOPED_TRACE(std::string(wrong.joint) + wrong.rest);
    Json document = With(Jointed("pin"));
    document["bodies"][0]["joint"] = Json::parse(wrong.joint);
    document["bodies"][0].update(Json::parse(wrong.rest));
    const std::string message = RefusalOf([&] { ScenarioOf(document); });
    ExpectContains(message, std::string("bodies[0].") + wrong.place);
    ExpectContains(message, wrong.words);
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing
