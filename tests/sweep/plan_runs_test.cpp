// What rows give, against the library called directly, and what files are refused.
#include <atomic>
#include <cmath>
#include <limits>

#include "support/message_of.h"
#include "support/paths.h"
#include "sweep/plan_files.h"
#include "volcontact/contact/contact_geometry.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/io/contact_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/scenario/scenario_file.h"
#include "volcontact/solids/primitives.h"
#if VOLCONTACT_TEST_HAS_SIMULATOR
#include "volcontact/scenario/scenario_run.h"
#endif

namespace volcontact::sweep {
namespace {

using nlohmann::json;

json Parsed(const char* text) { return json::parse(text); }

double At(const Plan& plan, const ChunkRows& rows, const std::string& name, std::size_t row) {
  return ColumnOf(plan, rows, name)[row];
}

TEST(PlanRuns, QueriesAreThoseOfTheLibrary) {
  const PlanFolder folder;
  json document = TwoBalls({{"rows", 20},
                            {"variables",
                             {{"x", {{"uniform", {-0.1, 0.1}}}},
                              {"z", {{"uniform", {0.05, 0.25}}}},
                              {"turn", {{"uniform", {-3, 3}}}},
                              {"r", {{"uniform", {0.05, 0.1}}}}}}});
  json& query = document["run"]["query"];
  query["b"] = {{"box", {{"size", {0.1, 0.2, 0.3}}}}};
  query["pose_a"] = {{"t", {"x", 0.01, "z"}}};
  query["pose_b"] = {{"rotation_vector", {0, "turn", 0}}};
  for (const bool varies : {false, true}) {
    query["a"] = BallJson(0.1);
    // By "set", which puts it in the same place.
    if (varies) document["set"] = {{"a.sphere.radius", "r"}};
    const Plan plan = folder.Read(document);
    const ChunkRows rows = AllRows(plan, 2);
    EXPECT_TRUE(rows.reasons.empty());
    for (std::size_t k = 0; k < 20; ++k) {
      const double half = 0.5 * At(plan, rows, "turn", k);
      const PreparedPair pair(Sphere(varies ? At(plan, rows, "r", k) : 0.1), Box({0.1, 0.2, 0.3}));
      Pose X_WA, X_WB;
      X_WA.t = {At(plan, rows, "x", k), 0.01, At(plan, rows, "z", k)};
      X_WB.q = {std::cos(half), 0.0, std::sin(half), 0.0};
      const Metrics m = pair.Query(X_WA, X_WB);
      EXPECT_EQ(At(plan, rows, "overlap", k), m.overlap ? 1.0 : 0.0);
      // The sine of half an angle comes over a quotient there.
      EXPECT_NEAR(At(plan, rows, "volume", k), m.volume, 1e-14 * m.volume);
      if (m.overlap) {
        EXPECT_NEAR(At(plan, rows, "centroid.z", k), m.centroid_W.z(), 1e-14);
        EXPECT_TRUE(std::isnan(At(plan, rows, "distance", k)));
      } else {
        EXPECT_TRUE(std::isnan(At(plan, rows, "centroid.z", k)));
        EXPECT_NEAR(At(plan, rows, "distance", k), *m.distance, 1e-14);
      }
    }
  }
}

TEST(PlanRuns, QueriesOfTranslationsAreThoseOfTheLibraryBitByBit) {
  const PlanFolder folder;
  json document = TwoBalls({{"rows", 300}, {"variables", {{"z", {{"uniform", {0.1, 0.21}}}}}}});
  document["run"]["query"]["pose_a"] = {{"t", {0.01, 0, "z"}}};
  document["keep"] = {"z", "volume", "inertia.xy", "area_vector.z", "distance", "volume_high"};
  const Plan plan = folder.Read(document);
  const ChunkRows rows = AllRows(plan, 2);
  const PreparedPair pair(Sphere(0.1), Sphere(0.1));
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < 300; ++k) {
    Pose X_WA;
    X_WA.t = {0.01, 0.0, rows.columns[0][k]};
    const Metrics m = pair.Query(X_WA, Pose());
    const std::vector<double> expected = {
        m.volume, m.overlap ? m.inertia_W(0, 1) : none, m.overlap ? m.area_vector_W.z() : none,
        m.overlap ? none : m.distance.value(), (*m.volume_bounds)[1]};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double given = rows.columns[i + 1][k];
      EXPECT_TRUE(given == expected[i] || (std::isnan(given) && std::isnan(expected[i])))
          << plan.columns()[i + 1].name << " of row " << k << ": " << given << " " << expected[i];
    }
  }
}

TEST(PlanRuns, ForcesAreThoseOfTheModel) {
  const PlanFolder folder;
  folder.Write("contact.json",
               R"({"normal": {"stiffness": 1e8, "restitution": 0.5, "v_small": 1e-3},
      "friction": {"mu_s": 0.5, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 300}})");
  json document = Parsed(R"({
    "run": {"force": {"b": {"half_space": {}}, "contact": "contact.json",
                      "pose_a": {"t": [0, 0, "z"]},
                      "twist_a": {"velocity": ["v", 0, -0.1], "angular_velocity": [0, 0, 2]}}},
    "over": {"rows": 10, "variables": {"z": {"uniform": [0.095, 0.101]}, "v": {"uniform": [0, 1]},
                                       "k": {"log_uniform": [1e7, 1e9]}}},
    "set": {"contact.normal.stiffness": "k"}})");
  document["run"]["force"]["a"] = BallJson(0.1);
  const Plan plan = folder.Read(document);
  ASSERT_EQ(plan.inputs().size(), 1u);
  const ChunkRows rows = AllRows(plan);
  const PreparedPair pair(Sphere(0.1), HalfSpace());
  ContactFile contact = ReadContactFile(folder.path() / "contact.json");
  int touching = 0;
  for (std::size_t k = 0; k < 10; ++k) {
    const double stiffness = 2.0 * At(plan, rows, "k", k);
    auto& law = std::get<VolumetricNormal>(contact.parameters.normal);
    law.stiffness_a = law.stiffness_b = stiffness;
    const ContactModel model(contact.parameters);
    Pose X_WA;
    X_WA.t.z() = At(plan, rows, "z", k);
    const Metrics m = pair.Query(X_WA, Pose());
    EXPECT_EQ(At(plan, rows, "volume", k), m.volume);
    EXPECT_EQ(At(plan, rows, "touching", k), m.overlap ? 1.0 : 0.0);
    if (!m.overlap) continue;
    ++touching;
    const ContactGeometry geometry =
        GeometryOf(m, contact.parameters.direction, Eigen::Vector3d::Zero());
    const ContactMotion motion =
        MotionAt(geometry.point_W, geometry.normal_W, X_WA,
                 {{At(plan, rows, "v", k), 0, -0.1}, {0, 0, 2}}, Pose(), {});
    const ContactState state = model.Touch(geometry, motion);
    const ContactForce force = model.Evaluate(geometry, motion, state, {});
    EXPECT_EQ(At(plan, rows, "force.x", k), force.force_W.x());
    EXPECT_EQ(At(plan, rows, "force.z", k), force.force_W.z());
    EXPECT_EQ(At(plan, rows, "torque.z", k), force.torque_W.z());
    EXPECT_EQ(At(plan, rows, "state.impact_speed", k), state.impact_speed);
  }
  EXPECT_GT(touching, 5);
}

TEST(PlanRuns, MassPropertiesFollowTheParameter) {
  const PlanFolder folder;
  const json document = Parsed(R"({
    "run": {"mass": {"a": {"torus": {"major_radius": 0.1, "minor_radius": "r"}}}},
    "over": {"variables": {"r": {"grid": {"from": -0.01, "to": 0.05, "count": 7}}}}})");
  const Plan plan = folder.Read(document);
  const ChunkRows rows = AllRows(plan);
  for (std::size_t k = 0; k < 7; ++k) {
    const double r = At(plan, rows, "r", k);
    if (!(r > 1e-12)) {
      // No such torus: a row with a reason, and the sweep goes on.
      EXPECT_EQ(rows.status[k], RowStatus::kFailed);
      EXPECT_TRUE(std::isnan(At(plan, rows, "volume", k)));
      continue;
    }
    EXPECT_EQ(rows.status[k], RowStatus::kOk);
    const double volume = 2.0 * M_PI * M_PI * 0.1 * r * r;
    EXPECT_NEAR(At(plan, rows, "volume", k), volume, 1e-9 * volume);
    EXPECT_EQ(At(plan, rows, "inertia.zz", k),
              ComputeMassProperties(Torus(0.1, r)).inertia_W(2, 2));
  }
  ASSERT_GE(rows.reasons.size(), 1u);
  EXPECT_EQ(rows.reasons[0].row, 0u);
  EXPECT_NE(rows.reasons[0].text.find("run.mass.a"), std::string::npos) << rows.reasons[0].text;
}

TEST(PlanRuns, RowsThatDoNotConvergeSaySo) {
  const PlanFolder folder;
  const json document = Parsed(R"({
    "run": {"query": {"a": {"union": [{"sphere": {"radius": 0.1}}, {"box": {"size": [0.1, 0.1, 0.3]}}]},
                      "b": {"polynomial": {"terms": [{"c": 1, "e": [4, 0, 0]}, {"c": 1, "e": [0, 4, 0]}, {"c": 1, "e": [0, 0, 4]},
                                                     {"c": -1e-4, "e": [0, 0, 0]}]}},
                      "pose_a": {"t": ["x", 0, 0]},
                      "options": {"tolerance": 1e-9, "max_cells": 10}}},
    "over": {"rows": 2, "variables": {"x": {"uniform": [0.05, 0.1]}}}})");
  const Plan plan = folder.Read(document);
  const ChunkRows rows = AllRows(plan);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(rows.status[k], RowStatus::kNotConverged);
    EXPECT_EQ(At(plan, rows, "converged", k), 0.0);
    EXPECT_FALSE(rows.reasons[k].text.empty());
  }
}

TEST(PlanRuns, ScenariosGiveTheirMeasures) {
  const PlanFolder folder;
  const std::string fall = folder.Write("fall.json", R"j({
    "bodies": [{"name": "b", "mass": 1, "inertia": [1, 1, 1]}], "end_time": 0.5, "output_interval": 0.1,
    "measures": [{"name": "height, at the end", "value": "last(b.z)", "unit": "m"},
                 {"name": "speed", "value": "last(b.vz)", "variant": "down"}],
    "variants": [{"name": "up", "set": {"gravity": [0, 0, 5]}}, {"name": "down"}]})j");
  const json document = Parsed(R"j({
    "run": {"simulate": {"scenario": "fall.json", "variant": "down", "set": {"gravity": [0, 0, "g"]}}},
    "over": {"csv": "values.csv"}, "set": {"end_time": "end"},
    "keep": ["g", "height, at the end", "speed"]})j");
  folder.Write("values.csv", "g,end\n-9.81,0.5\n1,-1\n2,0.3\n");
#if VOLCONTACT_TEST_HAS_SIMULATOR
  const Plan plan = folder.Read(document);
  ASSERT_EQ(plan.inputs().size(), 2u);
  const ChunkRows rows = AllRows(plan, 2);
  EXPECT_EQ(rows.status[1], RowStatus::kFailed);
  EXPECT_NE(rows.reasons[0].text.find("end_time"), std::string::npos) << rows.reasons[0].text;
  EXPECT_NEAR(At(plan, rows, "height, at the end", 0), -0.5 * 9.81 * 0.25, 1e-9);
  EXPECT_NEAR(At(plan, rows, "speed", 2), 2.0 * 0.3, 1e-9);
  // The run with files gives the same bits.
  const auto file = scenario::ReadScenarioFile(fall, {"gravity=[0,0,2]", "end_time=0.3"});
  const auto run = scenario::RunVariant(file, file.variants[1], folder.path() / "run", {});
  ASSERT_EQ(run->measures.size(), 2u);
  for (const scenario::MeasureSummary& measure : run->measures) {
    EXPECT_EQ(At(plan, rows, measure.name, 2), measure.value) << measure.name;
  }
#else
  EXPECT_THROW(folder.Read(document), InvalidInput);
#endif
}

TEST(PlanRuns, StopsBetweenRows) {
  const PlanFolder folder;
  const Plan plan =
      folder.Read(TwoBalls({{"rows", 1000}, {"variables", {{"x", {{"uniform", {0, 1}}}}}}}));
  std::atomic<int> asked = 0;
  EXPECT_FALSE(plan.Run(0, 2, [&] { return ++asked > 300; }));
  EXPECT_LT(asked, 310);
  EXPECT_TRUE(plan.Run(0, 2, [] { return false; }));
  EXPECT_THROW(plan.Run(1, 1), InvalidInput);
}

TEST(PlanRuns, NoteAnOldNameOfAMethodOnce) {
  const PlanFolder folder;
  json document = TwoBalls({{"rows", 3}, {"variables", {{"z", {{"uniform", {0.1, 0.15}}}}}}});
  for (const auto& [name, notes] : {std::pair{"boundary", 0u}, {"octree", 1u}}) {
    document["run"]["query"]["options"]["method"] = name;
    const Plan plan = folder.Read(document);
    ASSERT_EQ(plan.notes().size(), notes);
    for (const std::string& note : plan.notes()) {
      EXPECT_NE(note.find("octree is called boundary"), std::string::npos) << note;
    }
  }
}

TEST(PlanRuns, NameTheFilesThatTheyRead) {
  const PlanFolder folder;
  folder.Write("t.csv", "x\n1\n2\n");
  folder.Write("a.json",
               R"({"difference": [{"sphere": {"radius": 0.1}}, {"mesh": {"file": "m.off"}}]})");
  folder.Write("m.off",
               "OFF\n4 4 0\n0 0 0\n3 0 0\n0 3 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n");
  json document = TwoBalls({{"csv", {{"file", "t.csv"}, {"columns", {"x"}}}}});
  document["run"]["query"]["a"] = {{"file", "a.json"}};
  document["keep"] = {"x"};
  const Plan plan = folder.Read(document, {"title=A sweep", "run.query.options.tolerance=0.01"});
  ASSERT_EQ(plan.inputs().size(), 3u);
  EXPECT_EQ(plan.inputs()[0].path, "a.json");
  EXPECT_EQ(plan.inputs()[1].path, "m.off");
  EXPECT_EQ(plan.inputs()[2].path, "t.csv");
  // The mesh is 3 m long, as is unusual.
  ASSERT_EQ(plan.notes().size(), 1u);
  EXPECT_NE(plan.notes()[0].find("unit"), std::string::npos) << plan.notes()[0];
  // By sha256sum.
  EXPECT_EQ(plan.inputs()[2].sha256,
            "aea284871ddeeebac4b57b7a8ee7dad070886e690408ce2409306b9b6487beb1");
  const json kept = json::parse(plan.document());
  EXPECT_EQ(kept["title"], "A sweep");
  EXPECT_EQ(kept["run"]["query"]["options"]["tolerance"], 0.01);
}

struct Hostile {
  const char* place;  // a JSON pointer into a good file
  const char* value;
  const char* message;  // a part of it
};

TEST(PlanRuns, RefusesWhatMakesNoSense) {
  const PlanFolder folder;
  folder.Write("bad.csv", "x,y\n1,two\n");
  folder.Write("mm.csv", "x [mm]\n1\n");
  const json good = Parsed(R"({
    "run": {"force": {"a": {"sphere": {"radius": 0.1}}, "b": {"sphere": {"radius": 0.1}},
                      "contact": {"normal": {"stiffness": 1e8}}, "pose_a": {"t": ["x", 0, 0]}}},
    "over": {"rows": 10, "variables": {"x": {"uniform": [0, 0.1]}}}})");
  folder.Read(good);
  const std::vector<Hostile> cases = {
      {"/rnu", "{}", "did you mean \"run\""},
      {"/volcontact", "7", "version 7"},
      {"/run/query", "{}", "one of \"query\""},
      {"/run/force/poes_a", "{}", "did you mean \"pose_a\""},
      {"/run/force/a/sphere/radius", "-1", "run.force.a"},
      {"/run/force/a", R"({"file": "none.json"})", "none.json"},
      {"/run/force/contact", "\"none.json\"", "none.json"},
      {"/run/force/contact/normal/stifness", "1", "stiffness"},
      {"/run/force/contact/normal", R"({"law": "hertz", "stiffness": 1})", "volumetric"},
      {"/run/force/pose_a/t/1", "\"xx\"", "did you mean \"x\""},
      {"/run/force/pose_a/q", "[1, 1, 0, 0]", "sweep.json"},
      {"/run/force/pose_a/q", "\"x\"", "no rotation"},
      {"/run/force/pose_a", "\"x\"", "no pose"},
      {"/run/force/options", R"({"method": "boundry"})", "boundary"},
      {"/over/rows", "0", "whole number"},
      {"/over/rows", "1e30", "whole number"},
      {"/over/rows", "2.5", "whole number"},
      {"/over/seed", "-1", "whole number"},
      {"/over/repeat", "2", "rows"},
      {"/over/csv", "\"none.csv\"", "none.csv"},
      {"/over/csv", "\"bad.csv\"", "bad.csv: line 2"},
      {"/over/csv", "\"mm.csv\"", "SI units"},
      {"/over/sampling", "\"sobl\"", "did you mean \"sobol\""},
      {"/over/variables/x/uniform", "[1, 0]", "over.variables.x.uniform"},
      {"/over/variables/x/uniform", "[-1e308, 1e308]", "too wide"},
      {"/over/variables/x", R"({"unifrom": [0, 1]})", "did you mean \"uniform\""},
      {"/over/variables/x", R"({"log_uniform": [0, 1]})", "positive"},
      {"/over/variables/x", R"({"normal": {"sd": 0}})", "sd"},
      {"/over/variables/x", R"({"normal": {"sd": 1, "within": [50, 60]}})", "standard deviations"},
      {"/over/variables/x", R"({"choice": []})", "choice"},
      {"/over/variables/x", R"({"choice": [1, 2], "weights": [0, 0]})", "weights"},
      {"/over/variables/x", R"({"grid": {"from": 0, "to": 1, "count": 1e99}})", "whole number"},
      {"/over/variables/x", R"({"uniform": [0, 1], "unit": "mm"})", "not converted"},
      {"/over/variables/row", R"({"uniform": [0, 1]})", "another name"},
      {"/over/variables/a b", R"({"uniform": [0, 1]})", "letters"},
      {"/over/variables/volume", R"({"uniform": [0, 1]})", "a result of the run"},
      {"/over/variables/P", R"({"near_contact": {"gap": [0, 0]}})", "gap"},
      {"/over/derived", R"j({"y": "mean(x)"})j", "is not a function of one row"},
      {"/over/derived", R"({"y": "2*z"})", "no variable \"z\""},
      {"/over/derived", R"({"y": "z + x", "z": "y"})", "derived from itself"},
      {"/over/derived", R"({"y": "3"})", "reads no variable"},
      {"/over/derived", R"({"y": "x +"})", "over.derived.y"},
      {"/over/derived", R"({"x": "2*x"})", "two variables"},
      {"/set", R"({"a.sphere.radius.deep": "x"})", "radius"},
      {"/set", R"({"a.sphere.radus": "x"})", "radius"},
      {"/keep", R"(["volum"])", "did you mean \"volume\""},
      {"/keep", R"(["x", "x"])", "already"},
      {"/keep", "[]", "keep"},
      {"/chunk", "0", "chunk"},
      {"/chunk", "1e8", "chunk"},
      {"/rows", "1", "rows"},
  };
  for (const Hostile& hostile : cases) {
    json document = good;
    document[json::json_pointer(hostile.place)] = json::parse(hostile.value);
    const std::string message = MessageOf([&] { folder.Read(document); });
    EXPECT_NE(message.find(hostile.message), std::string::npos)
        << hostile.place << " " << hostile.value << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  EXPECT_THROW(Plan::Read(folder.Write("cut.json", "{\"run\": ")), InvalidInput);
  EXPECT_THROW(Plan::Read((folder.path() / "none.json").string()), InvalidInput);
}

// Every row of the shipped sweeps' first chunks has an answer.
TEST(PlanRuns, ReadsTheShippedSweeps) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(DataFolder()) + "/sweeps")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
#if !VOLCONTACT_TEST_HAS_SIMULATOR
    if (json::parse(std::ifstream(entry.path()))["run"].contains("simulate")) continue;
#endif
    const Plan plan = Plan::Read(entry.path().string(), {"chunk=1"});
    const auto rows = plan.Run(0, 1);
    EXPECT_TRUE(rows->reasons.empty()) << entry.path() << ": " << rows->reasons[0].text;
  }
  EXPECT_GE(files, 4);
}

}  // namespace
}  // namespace volcontact::sweep
