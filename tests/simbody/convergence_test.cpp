// Results converge as the order of the method says.
#include <map>

#include "scenario/scenarios.h"
#include "support/paths.h"

namespace volcontact::scenario::testing::convergence_test {
namespace {

// Errors at the end when the step is halved from one to the next.
std::vector<double> Errors(Json document, const char* method, double step, int halvings, double end,
                           const std::string& column, double exact) {
  std::vector<double> errors;
  for (int i = 0; i <= halvings; ++i, step /= 2) {
    document["integrator"] = {{"method", method}, {"step", step}};
    Simulation simulation(document);
    simulation.AdvanceTo(end);
    errors.push_back(std::abs(simulation(column) - exact));
  }
  return errors;
}

void ExpectOrder(const std::vector<double>& errors, int order) {
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const double found = std::log2(errors[i - 1] / errors[i]);
    EXPECT_NEAR(found, order, 0.4) << errors[i - 1] << " to " << errors[i];
  }
}

const std::pair<const char*, int> kMethods[] = {{"euler", 1}, {"rk3", 3}, {"rk4", 4}};

TEST(Convergence, FixedStepsOnAPendulum) {
  Json document = Document();
  document["gravity"] = {0, -9.81, 0};
  Json bob = Ball("bob");
  bob["center_of_mass"] = {0, -0.5, 0};
  bob["joint"] = {{"type", "pin"}};
  bob["coordinates"] = {1.5};
  document["bodies"] = Json::array({bob});
  document["integrator"]["tolerance"] = 1e-13;
  Simulation reference(document);
  reference.AdvanceTo(1);
  for (const auto& [method, order] : kMethods) {
    SCOPED_TRACE(method);
    const double step = order == 1 ? 1.0 / 1024 : 1.0 / 32;
    ExpectOrder(Errors(document, method, step, 3, 1, "bob.wz", reference("bob.wz")), order);
  }
}

// On the spring of a volumetric contact without damping, from within, while it lasts.
TEST(Convergence, FixedStepsInContact) {
  Json document = Document();
  document["bodies"] = {Ball("ball"), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.098}}};
  document["bodies"][0]["velocity"] = {0, 0, -1};
  document["contacts"] = Json::array({Volumetric("ball", "plane", 1e7, 0.6)});
  document["contacts"][0]["geometry"]["tolerance"] = 1e-12;
  document["integrator"]["tolerance"] = 1e-13;
  const double end = 0.002;
  Simulation reference(document);
  reference.AdvanceTo(end);
  ASSERT_EQ(reference("contact.touching"), 1);
  for (const auto& [method, order] : kMethods) {
    SCOPED_TRACE(method);
    // That of rk3 needs finer steps to show, and rk4 soon errs by roundings alone.
    const double step = order == 1 ? end / 512 : order == 3 ? end / 32 : end / 8;
    ExpectOrder(Errors(document, method, step, 3, end, "ball.vz", reference("ball.vz")), order);
  }
}

// What a scenario of data/scenarios gives at an integrator's setting.
double Result(const ScenarioFile& file, const std::string& variant, const Json& integrator,
              double end, const std::string& column) {
  for (const ScenarioVariant& candidate : file.variants) {
    if (candidate.name != variant) continue;
    Json document = Json::parse(candidate.document);
    document["integrator"] = integrator;
    Simulation simulation(document);
    simulation.AdvanceTo(end);
    return simulation(column);
  }
  ADD_FAILURE() << "no variant " << variant;
  return 0;
}

struct PaperRun {
  const char *scenario, *variant, *column;
  double end;
};

// Past the first impacts, where the results hang on how they were located.
const PaperRun kPaperRuns[] = {{"impact", "e050", "ball.vz", 0.0015},
                               {"impact", "volumetric_e050", "ball.vz", 0.003},
                               {"rolling_sphere", "rough", "ball.wx", 0.2},
                               {"inclined_plane", "light_bristles", "ball.wy", 0.6}};

ScenarioFile Paper(const std::string& scenario) {
  return ReadScenarioFile(
      std::string(volcontact::DataFolder()) + "/scenarios/" + scenario + ".json", {});
}

TEST(Convergence, TighterTolerancesChangeThePapersResultsLess) {
  for (const PaperRun& run : kPaperRuns) {
    SCOPED_TRACE(std::string(run.scenario) + "/" + run.variant);
    const ScenarioFile file = Paper(run.scenario);
    const auto at = [&](const char* method, double tolerance) {
      // By default no step is longer than the interval of outputs, which alone makes these exact.
      return Result(file, run.variant,
                    {{"method", method}, {"tolerance", tolerance}, {"max_step", run.end}}, run.end,
                    run.column);
    };
    const double best = at("adaptive", 1e-11);
    double coarse = 0, fine = 0;
    for (const double tolerance : {1e-4, 1e-5}) {
      coarse = std::max(coarse, std::abs(at("adaptive", tolerance) - best));
    }
    for (const double tolerance : {1e-8, 1e-9}) {
      fine = std::max(fine, std::abs(at("adaptive", tolerance) - best));
    }
    EXPECT_LE(fine, 1e-5 * std::abs(best));
    EXPECT_LE(fine, 0.05 * coarse);
    EXPECT_NEAR(at("stiff", 1e-9), best, 1e-4 * std::abs(best));
  }
}

// Finding contact at the end of a step is an error of its own. With a start within the contact, and
// an end before it is lost, that is gone, and the order of the method shows.
TEST(Convergence, HalvingTheStepChangesThePapersResultsAsTheOrderSays) {
  struct Start {
    const char *scenario, *variant;
    Vector3d position, velocity;
    double end, step;
    const char* column;
  };
  const Start starts[] = {
      {"impact", "e050", {0, 0, 0.02498}, {0, 0, -2.5}, 8e-5, 2e-6, "ball.vz"},
      {"rolling_sphere", "thrown", {0, 0, 0.0498}, {0.5, 0.5, -1}, 1e-3, 2.5e-5, "ball.vz"},
      {"bounce", "drop", {0, 0, 0.012695}, {0, 0, -1}, 4e-5, 1e-6, "ball.vz"}};
  for (const Start& start : starts) {
    const ScenarioFile file = Paper(start.scenario);
    bool is_found = false;
    for (const ScenarioVariant& variant : file.variants) {
      if (variant.name != start.variant) continue;
      is_found = true;
      Json document = Json::parse(variant.document);
      document["bodies"][0]["pose"]["t"] = ListOf(start.position);
      document["bodies"][0]["velocity"] = ListOf(start.velocity);
      document["integrator"] = {{"method", "adaptive"}, {"tolerance", 1e-13}};
      document.erase("output_interval");  // would cut the steps
      Simulation reference(document);
      reference.AdvanceTo(start.end);
      ASSERT_EQ(reference("contact.touching"), 1);
      for (const auto& [method, order] : kMethods) {
        SCOPED_TRACE(::testing::Message() << start.scenario << ' ' << method);
        const double step = order == 1 ? start.step / 8 : start.step;
        ExpectOrder(
            Errors(document, method, step, 2, start.end, start.column, reference(start.column)),
            order);
      }
    }
    EXPECT_TRUE(is_found) << start.variant;
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing::convergence_test
