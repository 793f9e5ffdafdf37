// Scenario files: what is wrong is refused with the file and the place; --set and variants.
#include <filesystem>
#include <fstream>

#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

Json Base() {
  Json base = Document();
  base["bodies"] = {Ball("ball"), Plane()};
  base["contacts"] = {Volumetric("ball", "plane", 1e7, 0.5)};
  return base;
}

Json Changed(const std::string& path, const char* value) {
  Json document = Base();
  SetValue(path, Json::parse(value), &document);
  return document;
}

struct WrongValue {
  const char *path, *value, *place;
};

// Each with one wrong value, and what the message must name.
const WrongValue kWrongValues[] = {
    {"gravity", "[0, 0]", "gravity"},
    {"gravity", "9.81", "gravity"},
    {"gravity", "[0, 0, \"-9.81\"]", "gravity"},
    {"end_time", "0", "end_time"},
    {"end_time", "-1", "end_time"},
    {"end_time", "\"1\"", "end_time"},
    {"output_interval", "0", "output_interval"},
    {"output_interval", "-1e-3", "output_interval"},
    {"end_tme", "1", "end_tme"},
    {"bodies", "{}", "bodies"},
    {"bodies", "[]", "bodies"},
    {"bodies.0", "3", "bodies[0]"},
    {"bodies.0.name", "\"ground\"", "bodies[0].name"},
    {"bodies.0.name", "\"t\"", "bodies[0].name"},
    {"bodies.0.name", "\"energy\"", "bodies[0].name"},
    {"bodies.0.name", "\"a.b\"", "bodies[0].name"},
    {"bodies.0.name", "\"a,b\"", "bodies[0].name"},
    {"bodies.0.name", "\"\"", "bodies[0].name"},
    {"bodies.0.name", "\"plane\"", "bodies[1].name"},
    {"bodies.0.nmae", "\"x\"", "nmae"},
    {"bodies.0.mass", "0", "bodies[0].mass"},
    {"bodies.0.mass", "-1", "bodies[0].mass"},
    {"bodies.0.mass", "\"heavy\"", "bodies[0].mass"},
    {"bodies.0.density", "1000", "density"},
    {"bodies.0.inertia", "[1, 1, 3]", "bodies[0].inertia"},
    {"bodies.0.inertia", "[1, 1, -1]", "bodies[0].inertia"},
    {"bodies.0.inertia", "[1, 1]", "bodies[0].inertia"},
    {"bodies.0.inertia", "[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]", "bodies[0].inertia"},
    {"bodies.0.inertia", "[0, 0, 0]", "bodies[0]"},
    {"bodies.0.center_of_mass", "[0, 0]", "bodies[0].center_of_mass"},
    {"bodies.0.solid", "{\"sphere\": {\"radius\": -1}}", "bodies[0].solid"},
    {"bodies.0.solid", "{\"ball\": {}}", "bodies[0].solid"},
    {"bodies.0.pose.q", "[1, 1, 0, 0]", "bodies[0].pose"},
    {"bodies.0.pose.q", "[1, 0, 0]", "bodies[0].pose.q"},
    {"bodies.0.pose.x", "1", "bodies[0].pose"},
    {"bodies.0.velocity", "[1, 0]", "bodies[0].velocity"},
    {"bodies.0.joint.type", "\"hinge\"", "bodies[0].joint.type"},
    {"bodies.0.joint.parent", "\"plane\"", "bodies[0].joint"},  // listed later
    {"bodies.0.joint.parent", "\"ball\"", "bodies[0].joint"},   // itself
    {"bodies.0.joint.axis", "[1, 0, 0]", "axis"},
    {"bodies.0.coordinates", "[1]", "bodies[0].coordinates"},
    {"bodies.0.rates", "[1]", "bodies[0].rates"},
    {"bodies.0.motion", "{\"amplitude\": 1, \"frequency\": 1}", "bodies[0].motion"},
    {"bodies.0.fixed", "1", "bodies[0].fixed"},
    {"bodies.1.mass", "1", "bodies[1]"},
    {"contacts.0.name", "\"ball\"", "contacts[0].name"},
    {"contacts.0.name", "\"energy\"", "contacts[0].name"},
    {"contacts.0.name", "\"t\"", "contacts[0].name"},
    {"contacts.0.name", "\"ground\"", "contacts[0].name"},
    {"contacts.0.name", "\"a.b\"", "contacts[0].name"},
    {"contacts.0.name", "\"a,b\"", "contacts[0].name"},
    {"contacts.0.name", "\"a b\"", "contacts[0].name"},
    {"contacts.0.a", "\"bal\"", "contacts[0].a"},
    {"contacts.0.b", "\"ball\"", "contacts[0]"},
    {"contacts.0.a", "\"ground\"", "contacts[0]"},
    {"contacts.0.b", "\"ground\"", "contacts[0].b"},  // the ground has no solid
    {"contacts.0.geometry.type", "\"mesh\"", "contacts[0].geometry.type"},
    {"contacts.0.geometry.type", "\"sphere_plane\"", "contacts[0].geometry"},
    {"contacts.0.geometry.sphere_radius", "0.1", "contacts[0].geometry"},
    {"contacts.0.geometry.tolerance", "-1", "contacts[0].geometry"},
    {"contacts.0.geometry.tolerance", "0", "contacts[0].geometry"},
    {"contacts.0.geometry.cells", "1", "contacts[0].geometry.cells"},
    {"contacts.0.geometry", "{\"type\": \"sphere_plane\", \"sphere_radius\": 0.1}", "contacts[0]"},
    {"contacts.0.geometry", "{\"type\": \"sphere_plane\", \"sphere_radius\": 0}", "contacts[0]"},
    {"contacts.0.geometry", "{\"type\": \"sphere_bore\", \"sphere_radius\": 1, \"radius\": 0.5}",
     "contacts[0]"},
    {"contacts.0.geometry", "{\"type\": \"sphere_cone\", \"sphere_radius\": 1}", "radius"},
    {"contacts.0.normal.law", "\"hertz\"", "contacts[0].normal"},
    {"contacts.0.normal.restitution", "0", "contacts[0].normal"},
    {"contacts.0.normal.restitution", "1.5", "contacts[0].normal"},
    {"contacts.0.normal.stiffness", "-1", "contacts[0].normal"},
    {"contacts.0.normal.stifness", "1", "stifness"},
    {"contacts.0.friction", "{\"mu_s\": 0.5}", "contacts[0].friction"},
    {"contacts.0.tau_relaxation", "-1", "tau_relaxation"},
    {"integrator.method", "\"rk5\"", "integrator.method"},
    {"integrator.method", "\"rk4\"", "integrator"},  // without a step, with a tolerance
    {"integrator", "{\"method\": \"rk4\", \"step\": 0}", "integrator.step"},
    {"integrator", "{\"method\": \"euler\", \"step\": -1e-3}", "integrator.step"},
    {"integrator.tolerance", "0", "integrator.tolerance"},
    {"integrator.tolerance", "-1e-6", "integrator.tolerance"},
    {"integrator.max_step", "0", "integrator.max_step"},
    {"integrator.step", "1e-3", "step"},
    {"springs", "[{\"body\": \"ball\", \"stiffness\": 1}]", "springs[0].body"},
    {"springs", "[{\"body\": \"plane\", \"stiffness\": 1}]", "springs[0].body"},
    {"loads", "[{\"body\": \"plane\", \"force\": [0, 0, 1]}]", "loads[0].body"},
    {"loads", "[{\"body\": \"ground\", \"force\": [0, 0, 1]}]", "loads[0].body"},
    {"loads", "[{\"body\": \"ball\", \"force\": [0, 1]}]", "loads[0].force"},
    {"loads", "[{\"body\": \"ball\", \"frame\": \"ball\"}]", "loads[0].frame"},
    {"loads", "[{\"body\": \"ball\", \"times\": [0, 1]}]", "loads[0]"},
    {"loads", "[{\"body\": \"ball\", \"times\": [0, 1], \"scale\": [1]}]", "loads[0]"},
    {"loads", "[{\"body\": \"ball\", \"times\": [1, 0], \"scale\": [1, 2]}]", "loads[0].times"},
    {"loads", "[{\"body\": \"ball\", \"times\": [], \"scale\": []}]", "loads[0]"},
};

TEST(ScenarioFile, TheBaseOfTheseTestsIsRight) {
  EXPECT_EQ(ScenarioOf(Base()).bodies.size(), 2u);
  EXPECT_EQ(ScenarioOf(Base()).output_interval, 1e-3);
}

TEST(ScenarioFile, EveryWrongValueIsNamedWithItsPlace) {
  for (const WrongValue& wrong : kWrongValues) {
    SCOPED_TRACE(std::string(wrong.path) + " = " + wrong.value);
    const std::string message = RefusalOf([&] { ScenarioOf(Changed(wrong.path, wrong.value)); });
    ExpectContains(message, "scenario.json");
    ExpectContains(message, wrong.place);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(ScenarioFile, WhatIsMissingIsNamed) {
  for (const char* path : {"/end_time", "/bodies/0/name", "/bodies/0/mass", "/contacts/0/name",
                           "/contacts/0/a", "/contacts/0/normal", "/contacts/0/normal/stiffness",
                           "/bodies/0/solid", "/bodies/1/solid"}) {
    SCOPED_TRACE(path);
    Json document = Base();
    const Json::json_pointer pointer(path);
    document.at(pointer.parent_pointer()).erase(pointer.back());
    const std::string message = RefusalOf([&] { ScenarioOf(document); });
    ExpectContains(message, "scenario.json");
    ExpectContains(message, pointer.back());
  }
}

Json WithJoint(const char* joint) {
  Json document = Base();
  document["contacts"] = Json::array();
  document["bodies"][0]["joint"] = Json::parse(joint);
  return document;
}

TEST(ScenarioFile, InitialValuesMustSuitTheJoint) {
  const auto refuse = [](const char* joint, const char* key, const char* value) {
    Json document = WithJoint(joint);
    document["bodies"][0][key] = Json::parse(value);
    SCOPED_TRACE(document["bodies"][0].dump());
    ExpectContains(RefusalOf([&] { ScenarioOf(document); }), "bodies[0]");
  };
  refuse(R"({"type": "slider"})", "velocity", "[1, 0, 0]");
  refuse(R"({"type": "pin"})", "pose", R"({"t": [1, 0, 0]})");
  refuse(R"({"type": "pin"})", "coordinates", "[1, 2]");
  refuse(R"({"type": "planar"})", "coordinates", "[1, 2]");
  refuse(R"({"type": "planar"})", "rates", "[]");
  refuse(R"({"type": "ball"})", "coordinates", "[1, 2, 3]");
  refuse(R"({"type": "ball"})", "velocity", "[1, 2, 3]");
  refuse(R"({"type": "weld"})", "rates", "[1]");
  refuse(R"({"type": "planar"})", "motion", R"({"times": [0], "rates": [1]})");
  // A body that only translates has no orientation of its own.
  refuse(R"({"type": "translation"})", "angular_velocity", "[1, 0, 0]");
  refuse(R"({"type": "translation"})", "pose", R"({"q": [0, 1, 0, 0]})");
}

TEST(ScenarioFile, SetReachesListsAndNewKeys) {
  Json document = Base();
  SetValue("contacts.0.normal.restitution", 0.3, &document);
  SetValue("contacts.0.rolling", "none", &document);
  SetValue("bodies.0.pose.t", {1, 2, 3}, &document);
  SetValue("bodies.0.pose.t.2", 4, &document);
  SetValue("integrator", {{"method", "rk3"}, {"step", 1e-3}}, &document);
  const Scenario scenario = ScenarioOf(document);
  EXPECT_EQ(std::get<VolumetricNormal>(scenario.contacts[0].parameters.normal).damping.restitution,
            0.3);
  EXPECT_EQ(scenario.contacts[0].parameters.rolling, RollingInertia::kNone);
  ExpectNear(scenario.bodies[0].pose.t, {1, 2, 4}, 0);
  EXPECT_EQ(scenario.integrator.method, IntegratorMethod::kRk3);
}

TEST(ScenarioFile, SetRefusesPathsThatLeadNowhere) {
  for (const char* path :
       {"contacts.1.name", "contacts.-1.name", "contacts.x.name", "contacts.0x.name", "contacts.",
        "end_time.x", "bodies.0.mass.0", "bodies.0.name.first", "bodies.99999999999999999999.mass",
        "gravity.3", "contacts.0.name.0"}) {
    SCOPED_TRACE(path);
    Json document = Base();
    document["gravity"] = {0, 0, 0};
    ExpectContains(RefusalOf([&] { SetValue(path, 1, &document); }), path);
  }
}

// A scenario on disk, in a folder of its own.
class ScenarioFileOnDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("volcontact_scenario_") + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& text) const {
    const std::filesystem::path path = folder_ / "s.json";
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  std::filesystem::path folder_;
};

TEST_F(ScenarioFileOnDisk, RefusesWhatIsNoScenario) {
  for (const char* text :
       {"", "{", "[]", "3", "{\"end_time\": 1, \"end_time\": 2}", "\xff", "{\"end_time\": 1e999}",
        "{\"title\": 3}", "{\"notes\": \"a\"}", "{\"body\": []}", "{\"variants\": {}}",
        "{\"variants\": [{}]}", "{\"variants\": [{\"name\": \"../x\"}]}",
        "{\"variants\": [{\"name\": \"\"}]}", "{\"variants\": [{\"name\": \"a\", \"set\": 3}]}",
        "{\"variants\": [{\"name\": \"a\", \"set\": [3]}]}",
        "{\"variants\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}",
        "{\"variants\": [{\"name\": \"a\", \"set\": {\"title.7\": 3}}], \"title\": \"t\"}",
        "{\"variants\": [{\"name\": \"a\", \"ste\": {}}]}"}) {
    SCOPED_TRACE(text);
    const std::string file = Write(text);
    ExpectContains(RefusalOf([&] { ReadScenarioFile(file, {}); }), "s.json");
  }
  RefusalOf([&] { ReadScenarioFile((folder_ / "absent.json").string(), {}); });
  RefusalOf([&] { ReadScenarioFile(folder_.string(), {}); });
}

TEST_F(ScenarioFileOnDisk, MeasuresOfUnknownVariantsAreRefused) {
  Json document = Base();
  document["variants"] = {{{"name", "one"}}};
  document["measures"] = {{{"name", "m"}, {"value", "1"}, {"variant", "tow"}}};
  const std::string file = Write(document.dump());
  ExpectContains(RefusalOf([&] { ReadScenarioFile(file, {}); }), "tow");
}

TEST_F(ScenarioFileOnDisk, VariantsChangeValuesAndTheCommandLineWins) {
  Json document = Base();
  document["variants"] = {{{"name", "slow"}, {"set", {{"end_time", 7}}}},
                          {{"name", "bouncy"}, {"set", {{"contacts.0.normal.restitution", 0.9}}}}};
  const std::string path = Write(document.dump());
  const auto end_times = [&](const std::vector<std::string>& set) {
    const ScenarioFile file = ReadScenarioFile(path, set);
    std::vector<double> times;
    for (const ScenarioVariant& variant : file.variants) {
      times.push_back(ReadScenario(file, variant).end_time);
    }
    return times;
  };
  EXPECT_EQ(end_times({}), (std::vector<double>{7, 1}));
  EXPECT_EQ(end_times({"end_time=3"}), (std::vector<double>{3, 3}));
  EXPECT_EQ(end_times({"end_time=3", "end_time=4"}), (std::vector<double>{4, 4}));
  const ScenarioFile file = ReadScenarioFile(path, {});
  EXPECT_EQ(file.variants[1].name, "bouncy");
  EXPECT_EQ(
      std::get<VolumetricNormal>(ReadScenario(file, file.variants[1]).contacts[0].parameters.normal)
          .damping.restitution,
      0.9);
}

TEST_F(ScenarioFileOnDisk, AVariantWithAnUnknownKeyIsRefused) {
  Json document = Base();
  document["variants"] = {{{"name", "slow"}, {"set", {{"end_tme", 7}}}}};
  const ScenarioFile file = ReadScenarioFile(Write(document.dump()), {});
  ExpectContains(RefusalOf([&] { ReadScenario(file, file.variants[0]); }), "end_tme");
}

TEST_F(ScenarioFileOnDisk, SetTakesJsonOrElseAText) {
  const std::string path = Write(Base().dump());
  const auto read = [&](const std::string& setting) {
    const ScenarioFile file = ReadScenarioFile(path, {setting});
    return ReadScenario(file, file.variants[0]);
  };
  EXPECT_EQ(read("bodies.0.pose.t=[1,2,3]").bodies[0].pose.t, Vector3d(1, 2, 3));
  EXPECT_EQ(read("contacts.0.rolling=thesis").contacts[0].parameters.rolling,
            RollingInertia::kThesis);
  EXPECT_EQ(read("contacts.0.rolling=\"none\"").contacts[0].parameters.rolling,
            RollingInertia::kNone);
  EXPECT_EQ(read("integrator.max_step=1e-3").integrator.max_step, 1e-3);
  for (const char* setting : {"end_time", "=3", "end_time=", "end_time=soon", "end_time.x=1",
                              "contacts.5.name=a", "gravity=1e999"}) {
    SCOPED_TRACE(setting);
    RefusalOf([&] { read(setting); });
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing
