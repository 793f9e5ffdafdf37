// Bodies of a scenario: mass properties from a density, names, joints, and the scenarios of the
// papers.
#include <filesystem>
#include <fstream>
#include <set>

#include "scenario/scenarios.h"
#include "support/paths.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact::scenario::testing {
namespace {

TEST(ScenarioBodies, DensityGivesTheMassPropertiesOfTheSolid) {
  // A box of 0.2 × 0.3 × 0.4, turned by a quarter about z and moved.
  Json document = Document();
  document["bodies"] = {
      {{"name", "box"},
       {"density", 500},
       {"solid",
        {{"box", {{"size", {0.2, 0.3, 0.4}}}},
         {"pose", {{"t", {1, 2, 3}}, {"q", {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}}}}}}}};
  const BodySpec body = ScenarioOf(document).bodies[0];
  const double mass = 500 * 0.2 * 0.3 * 0.4;
  EXPECT_NEAR(body.mass, mass, 1e-9 * mass);
  ExpectNear(body.center_of_mass, {1, 2, 3}, 1e-9);
  const Vector3d moments =
      mass / 12 * Vector3d(0.04 + 0.16, 0.09 + 0.16, 0.04 + 0.09);  // x and y swapped by the turn
  EXPECT_LE((body.inertia - Matrix3d(moments.asDiagonal())).norm(), 1e-9 * moments.norm());
}

TEST(ScenarioBodies, DensityMayNameAMaterial) {
  Json document = Document();
  document["bodies"] = {
      {{"name", "box"}, {"density", "steel"}, {"solid", {{"box", {{"size", {0.2, 0.3, 0.4}}}}}}}};
  EXPECT_NEAR(ScenarioOf(document).bodies[0].mass, 7850 * 0.2 * 0.3 * 0.4, 1e-9);
  document["bodies"][0]["density"] = "steal";
  EXPECT_THROW(ScenarioOf(document), InvalidInput);
}

TEST(ScenarioBodies, DensityAndGivenMassPropertiesMoveAlike) {
  Json document = Document();
  document["gravity"] = {0.3, -0.5, -9.81};
  Json body = {{"name", "b"},
               {"density", 2700},
               {"solid",
                {{"union",
                  {{{"box", {{"size", {0.2, 0.1, 0.1}}}}},
                   {{"box", {{"size", {0.1, 0.1, 0.1}}}}, {"pose", {{"t", {0.05, 0.1, 0}}}}}}}}},
               {"velocity", {1, 2, 3}},
               {"angular_velocity", {3, -4, 5}}};
  document["bodies"] = {body};
  Simulation solid(document);
  // 0.002 and 0.001 m³, at the origin and at (0.05, 0.1, 0).
  const double m1 = 5.4, m2 = 2.7, m = m1 + m2;
  const Vector3d p1 = Vector3d::Zero(), p2(0.05, 0.1, 0), com = (m1 * p1 + m2 * p2) / m;
  const auto shifted = [&](double mass, const Vector3d& moments, const Vector3d& p) {
    const Vector3d r = p - com;
    return Matrix3d(mass / 12 * Matrix3d(moments.asDiagonal()) +
                    mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose()));
  };
  const Matrix3d inertia =
      shifted(m1, {0.02, 0.05, 0.05}, p1) + shifted(m2, {0.02, 0.02, 0.02}, p2);
  body.erase("density");
  body["mass"] = m;
  body["center_of_mass"] = ListOf(com);
  body["inertia"] = {ListOf(Vector3d(inertia.row(0))), ListOf(Vector3d(inertia.row(1))),
                     ListOf(Vector3d(inertia.row(2)))};
  document["bodies"] = {body};
  Simulation given(document);
  for (Simulation* simulation : {&solid, &given}) simulation->AdvanceTo(1);
  ExpectNear(solid.Position("b"), given.Position("b"), 1e-7);
  EXPECT_LE((solid.Rotation("b") - given.Rotation("b")).norm(), 1e-7);
  EXPECT_NEAR(solid("energy.kinetic"), given("energy.kinetic"), 1e-7);
}

TEST(ScenarioBodies, DensityNeedsASolidAndNothingElse) {
  Json document = Document();
  document["bodies"] = {{{"name", "b"}, {"density", 1000}}};
  ExpectContains(RefusalOf([&] { ScenarioOf(document); }), "bodies[0].density");
  document["bodies"][0]["solid"] = {{"half_space", Json::object()}};  // has no volume
  RefusalOf([&] { ScenarioOf(document); });
  document["bodies"][0]["solid"] = {{"sphere", {{"radius", 0.1}}}};
  document["bodies"][0]["density"] = 0;
  ExpectContains(RefusalOf([&] { ScenarioOf(document); }), "bodies[0].density");
  document["bodies"][0]["density"] = 1000;
  document["bodies"][0]["inertia"] = {1, 1, 1};
  ExpectContains(RefusalOf([&] { ScenarioOf(document); }), "bodies[0].inertia");
}

TEST(ScenarioBodies, SolidsInFilesStandBesideTheScenario) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "volcontact_beside";
  std::filesystem::create_directories(folder / "parts");
  std::ofstream(folder / "parts" / "ball.json") << R"({"sphere": {"radius": 0.2}})";
  Json document = Document();
  document["bodies"] = {
      {{"name", "b"}, {"density", 1000}, {"solid", {{"file", "parts/ball.json"}}}}};
  std::ofstream(folder / "s.json") << document.dump();
  const ScenarioFile file = ReadScenarioFile((folder / "s.json").string(), {});
  const double volume = 4.0 / 3.0 * M_PI * 0.008;
  EXPECT_NEAR(ReadScenario(file, file.variants[0]).bodies[0].mass, 1000 * volume, 1e-6);
  std::filesystem::remove(folder / "parts" / "ball.json");
  ExpectContains(RefusalOf([&] { ReadScenario(file, file.variants[0]); }), "ball.json");
  std::filesystem::remove_all(folder);
}

TEST(ScenarioBodies, ColumnsAreThoseOfTheDocument) {
  Json document = Document();
  document["bodies"] = {Ball("ball"), Plane()};
  document["contacts"] = {Volumetric("ball", "plane", 1e7, 0.5)};
  Simulation simulation(document);
  std::vector<std::string> expected = {"t"};
  for (const char* column :
       {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"}) {
    expected.push_back(std::string("ball.") + column);
  }
  for (const char* column :
       {"touching", "touches", "volume",  "depth",    "px",         "py",           "pz",   "nx",
        "ny",       "nz",      "fx",      "fy",       "fz",         "tx",           "ty",   "tz",
        "fn",       "ft",      "rolling", "spinning", "vn",         "vt",           "wn",   "zx",
        "zy",       "zz",      "theta",   "s_dw",     "relaxation", "impact_speed", "cells"}) {
    expected.push_back(std::string("contact.") + column);
  }
  for (const char* column :
       {"kinetic", "potential", "elastic", "dissipated_damping", "dissipated_rolling",
        "dissipated_bristle", "dissipated_viscous", "dissipated_spin", "dissipated_clutch",
        "dissipated_separation", "dissipated_joint", "elastic_work", "work", "residual"}) {
    expected.push_back(std::string("energy.") + column);
  }
  EXPECT_EQ(simulation.simulator().column_names(), expected);
}

TEST(ScenarioBodies, AModelThatCannotStartIsRefused) {
  // Nothing resists the turn: a point mass on the axis of a pin.
  Json document = Document();
  document["bodies"] = {{{"name", "b"}, {"mass", 1}, {"joint", {{"type", "pin"}}}}};
  document["loads"] = {{{"body", "b"}, {"torque", {0, 0, 1}}}};
  RefusalOf([&] { Simulation simulation(document); });
}

TEST(ScenarioBodies, ThePapersScenariosCanAllBeRead) {
  std::set<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(volcontact::DataFolder()) + "/scenarios")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().string());
    names.insert(entry.path().stem().string());
    const ScenarioFile file = ReadScenarioFile(entry.path().string(), {});
    EXPECT_FALSE(file.title.empty());
    EXPECT_FALSE(file.source.empty());
    EXPECT_FALSE(file.measures.empty());
    for (const ScenarioVariant& variant : file.variants) {
      const Scenario scenario = ReadScenario(file, variant);
      Simulator simulator(scenario);
      // Every measure names columns that there are.
      TimeSeries series;
      series.names = simulator.column_names();
      for (const double value : simulator.Row()) series.columns.push_back({value});
      TakeMeasures(file.measures, variant.name, series);
    }
  }
  for (const char* name : {"impact",
                           "bounce",
                           "rolling_sphere",
                           "stick_slip",
                           "inclined_plane",
                           "ball_in_cylinder_point",
                           "ball_in_cylinder_volumetric",
                           "ball_on_table",
                           "double_pendulum",
                           "pendulum_benchmark",
                           "tippe_top",
                           "battery_box",
                           "friction_ramp",
                           "dwell",
                           "contensou",
                           "elastic_box",
                           "gliding_box",
                           "box_on_stairs",
                           "stack",
                           "spinning_disc",
                           "ball_in_mesh_bowl",
                           "peg_in_mesh_plate",
                           "peg_jamming",
                           "peg_jamming_cylinder",
                           "slider_crank",
                           "lifting_spindle"}) {
    EXPECT_TRUE(names.count(name)) << name;
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing
