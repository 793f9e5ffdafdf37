// Sensors: columns against what follows from the other columns, and against equilibrium.
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

using Eigen::AngleAxisd;

Json Sensor(const char* name, const char* type, const Json& members) {
  Json sensor = {{"name", name}, {"type", type}};
  sensor.update(members);
  return sensor;
}

Json TwoTumbling() {
  Json document = Document();
  document["gravity"] = {0.3, 1, -kGravity};
  document["bodies"] = {Ball("a"), Ball("c")};
  document["bodies"][0]["angular_velocity"] = {3, -2, 1};
  document["bodies"][0]["velocity"] = {0.5, 0.2, 1};
  document["bodies"][1]["angular_velocity"] = {-1, 4, 2};
  document["bodies"][1]["velocity"] = {-1, 0.5, 0.3};
  document["bodies"][1]["pose"] = {{"t", {0.5, -0.3, 0.2}}};
  return document;
}

TEST(Sensors, ARelativePoseAndItsTwistAreThoseOfTheBodies) {
  const Quaterniond turn(AngleAxisd(0.6, Vector3d(2, 1, -1).normalized()));
  const Vector3d p_of(0.1, 0.2, -0.1), p_from(-0.2, 0.1, 0.3);
  Json document = TwoTumbling();
  document["sensors"] =
      Json::array({Sensor("seen", "pose",
                          {{"body", "a"},
                           {"seen_from", "c"},
                           {"frame", {{"t", ListOf(p_of)}}},
                           {"frame_seen_from", {{"t", ListOf(p_from)}, {"q", ListOf(turn)}}}}),
                   Sensor("own", "pose", {{"body", "a"}})});
  Simulation simulation(document);
  const auto relative = [&] {
    const Matrix3d R_F = simulation.Rotation("c") * turn.toRotationMatrix();
    const Vector3d at_F = simulation.Position("c") + simulation.Rotation("c") * p_from;
    const Vector3d at = simulation.Position("a") + simulation.Rotation("a") * p_of;
    return Vector3d(R_F.transpose() * (at - at_F));
  };
  const double h = 1e-5;
  simulation.AdvanceTo(0.4 - h);
  const Vector3d before = relative();
  simulation.AdvanceTo(0.4);
  ExpectNear(simulation.Position("seen"), relative(), 1e-12);
  const Vector3d velocity = simulation.Velocity("seen"), spin = simulation.Spin("seen");
  const Matrix3d R_F = simulation.Rotation("c") * turn.toRotationMatrix();
  ExpectNear(spin, R_F.transpose() * (simulation.Spin("a") - simulation.Spin("c")), 1e-12);
  EXPECT_LE((simulation.Rotation("seen") - R_F.transpose() * simulation.Rotation("a")).norm(),
            1e-12);
  // From the ground: the body's own columns.
  ExpectNear(simulation.Position("own"), simulation.Position("a"), 1e-14);
  ExpectNear(simulation.Velocity("own"), simulation.Velocity("a"), 1e-14);
  ExpectNear(simulation.Spin("own"), simulation.Spin("a"), 1e-14);
  simulation.AdvanceTo(0.4 + h);
  ExpectNear(velocity, (relative() - before) / (2 * h), 1e-7);
}

TEST(Sensors, ADistanceAndItsRate) {
  Json document = TwoTumbling();
  document["sensors"] =
      Json::array({Sensor("gap", "distance", {{"a", "a"}, {"b", "c"}, {"point_a", {0.1, 0, 0}}})});
  Simulation simulation(document);
  const double h = 1e-5;
  simulation.AdvanceTo(0.3 - h);
  const double before = simulation("gap.distance");
  simulation.AdvanceTo(0.3);
  const double rate = simulation("gap.rate");
  const Vector3d point = simulation.Position("a") + simulation.Rotation("a") * Vector3d(0.1, 0, 0);
  EXPECT_NEAR(simulation("gap.distance"), (simulation.Position("c") - point).norm(), 1e-13);
  simulation.AdvanceTo(0.3 + h);
  EXPECT_NEAR(rate, (simulation("gap.distance") - before) / (2 * h), 1e-8);
}

TEST(Sensors, TheEnergiesOfAllBodiesAreThatOfTheModel) {
  Json document = TwoTumbling();
  document["bodies"][1]["center_of_mass"] = {0.02, -0.01, 0.03};
  document["sensors"] = Json::array({Sensor("energy_a", "energy", {{"body", "a"}}),
                                     Sensor("energy_c", "energy", {{"body", "c"}})});
  Simulation simulation(document);
  simulation.AdvanceTo(0.5);
  EXPECT_NEAR(simulation("energy_a.kinetic") + simulation("energy_c.kinetic"),
              simulation("energy.kinetic"), 1e-12);
  EXPECT_NEAR(simulation("energy_a.potential") + simulation("energy_c.potential"),
              simulation("energy.potential"), 1e-12);
}

TEST(Sensors, AJointCarriesTheWeightAndTheMotor) {
  // Two arms in line on two pins about y, held by a motor: the first joint carries both.
  Json document = Document();
  document["gravity"] = {0, 0, -kGravity};
  const Quaterniond about_y(AngleAxisd(-M_PI / 2, Vector3d::UnitX()));
  const Json frame = {{"q", ListOf(about_y)}};
  const auto arm = [&](const char* name) {
    return Json{{"name", name},
                {"mass", 2},
                {"center_of_mass", {0.25, 0, 0}},
                {"inertia", {0.01, 0.05, 0.05}},
                {"joint", {{"type", "pin"}, {"frame_parent", frame}, {"frame_body", frame}}}};
  };
  document["bodies"] = {arm("upper"), arm("fore")};
  document["bodies"][1]["joint"]["parent"] = "upper";
  document["bodies"][1]["joint"]["frame_parent"]["t"] = {0.5, 0, 0};
  document["bodies"][0]["motion"] = {{"rate", 0}};
  document["bodies"][1]["motion"] = {{"rate", 0}};
  document["sensors"] =
      Json::array({Sensor("shoulder", "joint", {{"body", "upper"}}),
                   Sensor("elbow", "joint", {{"body", "fore"}, {"frame", "joint"}})});
  Simulation simulation(document);
  simulation.AdvanceTo(0.1);
  EXPECT_NEAR(simulation("shoulder.fz"), 4 * kGravity, 1e-9);
  EXPECT_NEAR(simulation("shoulder.ty"), -(0.25 + 0.75) * 2 * kGravity, 1e-9);
  // In the joint's frame, whose z is W's y: upward is −y there.
  EXPECT_NEAR(simulation("elbow.fy"), -2 * kGravity, 1e-9);
  EXPECT_NEAR(simulation("elbow.tz"), -0.25 * 2 * kGravity, 1e-9);
  EXPECT_EQ(simulation("elbow.angle"), 0);
  EXPECT_EQ(simulation("elbow.angle_rate"), 0);
}

TEST(Sensors, APendulumPullsWithItsWeightAndItsTurn) {
  Json document = Document();
  document["gravity"] = {0, -kGravity, 0};
  document["bodies"] = Json::array({{{"name", "b"},
                                     {"mass", 1.5},
                                     {"center_of_mass", {0, -0.4, 0}},
                                     {"inertia", {0.01, 0.01, 0.01}},
                                     {"joint", {{"type", "pin"}}},
                                     {"rates", {3}}}});
  document["sensors"] = Json::array({Sensor("hook", "joint", {{"body", "b"}})});
  Simulation simulation(document);
  EXPECT_NEAR(simulation("hook.fy"), 1.5 * (kGravity + 9 * 0.4), 1e-12);
  EXPECT_NEAR(simulation("hook.angle_rate"), 3, 1e-15);
  simulation.AdvanceTo(0.5);
  EXPECT_NEAR(2 * std::atan2(simulation("b.qz"), simulation("b.qw")), simulation("hook.angle"),
              1e-12);
}

TEST(Sensors, AContactForceInAFrame) {
  // A ball on a plane, in a frame of the ground and in one of the ball.
  Json document = Document();
  document["gravity"] = {0, 0, -kGravity};
  document["bodies"] = {Ball("ball"), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0.3, 0, 0.0999}}};
  document["bodies"][0]["angular_velocity"] = {0, 5, 0};
  document["contacts"] = {Volumetric("ball", "plane", 1e8, 0.5)};
  document["contacts"][0]["friction"] = Bristles();
  const Quaterniond turn(AngleAxisd(0.5, Vector3d::UnitX()));
  document["sensors"] = Json::array(
      {Sensor("floor", "contact",
              {{"contact", "contact"}, {"body", "ground"}, {"frame", {{"q", ListOf(turn)}}}}),
       Sensor("hub", "contact", {{"contact", "contact"}, {"body", "ball"}})});
  Simulation simulation(document);
  simulation.AdvanceTo(0.03);
  const Vector3d force = simulation.Vector("contact", "fx", "fy", "fz");
  const Vector3d torque = simulation.Vector("contact", "tx", "ty", "tz");
  const Vector3d point = simulation.Vector("contact", "px", "py", "pz");
  ASSERT_GT(force.norm(), 1);
  ExpectNear(turn * simulation.Vector("floor", "fx", "fy", "fz"), force, 1e-10);
  ExpectNear(turn * simulation.Vector("floor", "tx", "ty", "tz"), torque + point.cross(force),
             1e-10);
  const Matrix3d R = simulation.Rotation("ball");
  ExpectNear(R * simulation.Vector("hub", "fx", "fy", "fz"), force, 1e-10);
  ExpectNear(R * simulation.Vector("hub", "tx", "ty", "tz"),
             torque + (point - simulation.Position("ball")).cross(force), 1e-10);
}

TEST(Sensors, WrongOnesAreNamedWithTheCure) {
  const char* const kWrong[][3] = {
      {R"({"name": "s"})", "sensors[0]", "type"},
      {R"({"name": "s", "type": "speed"})", "sensors[0].type", "distance"},
      {R"({"name": "a", "type": "energy", "body": "a"})", "sensors[0].name", "taken"},
      {R"({"name": "s", "type": "energy", "body": "ground"})", "sensors[0].body", "not move"},
      {R"({"name": "s", "type": "loop", "loop": "l"})", "sensors[0].loop", "no loop"},
      {R"({"name": "s", "type": "contact", "contact": "l", "body": "a"})", "sensors[0].contact",
       "no contact"},
      {R"({"name": "s", "type": "distance", "a": "a", "b": "a"})", "sensors[0]", "two bodies"},
      {R"({"name": "s", "type": "joint", "body": "a", "frame": "body"})", "sensors[0].frame",
       "joint"},
      {R"({"name": "s", "type": "pose", "body": "a", "in": "c"})", "sensors[0]", "seen_from"},
  };
  for (const auto& wrong : kWrong) {
    SCOPED_TRACE(wrong[0]);
    Json document = TwoTumbling();
    document["sensors"] = Json::array({Json::parse(wrong[0])});
    const std::string message = RefusalOf([&] { ScenarioOf(document); });
    ExpectContains(message, wrong[1]);
    ExpectContains(message, wrong[2]);
  }
}

TEST(Sensors, ColumnsStandBetweenContactsAndEnergies) {
  Json document = TwoTumbling();
  document["bodies"][0] = {
      {"name", "a"}, {"mass", 1}, {"inertia", {1, 1, 1}}, {"joint", {{"type", "cylindrical"}}}};
  document["motors"] =
      Json::array({{{"name", "m"}, {"body", "a"}, {"coordinate", "z"}, {"effort", 1}}});
  document["sensors"] = Json::array({Sensor("s", "joint", {{"body", "a"}})});
  Simulation simulation(document);
  const std::vector<std::string>& names = simulation.simulator().column_names();
  const std::vector<std::string> expected = {
      "m.target", "m.effort", "m.power", "s.angle", "s.angle_rate", "s.z",  "s.z_rate",
      "s.fx",     "s.fy",     "s.fz",    "s.tx",    "s.ty",         "s.tz", "energy.kinetic"};
  const auto first = std::find(names.begin(), names.end(), "m.target");
  ASSERT_GE(names.end() - first, static_cast<std::ptrdiff_t>(expected.size()));
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), first));
}

}  // namespace
}  // namespace volcontact::scenario::testing
