// Rest: a box on a slope at half the friction angle does not creep.
#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

using Eigen::AngleAxisd;

// Falls 0.1 mm onto the slope, settles, and is watched for 10 s.
void ExpectNoCreep(const Quaterniond& turn, const char* method) {
  const double mu = 0.5, angle = std::atan(mu) / 2;
  const Quaterniond tilt(AngleAxisd(angle, Vector3d::UnitY()));
  const Vector3d along = tilt * Vector3d::UnitX(), across = Vector3d::UnitY();
  Json document = Document();
  document["gravity"] = {0, 0, -9.81};
  document["integrator"] = {{"method", method}, {"tolerance", 1e-10}};
  document["bodies"] = {Ball("box"), Plane(Vector3d::Zero(), tilt)};
  document["bodies"][0]["solid"] = {{"box", {{"size", {0.2, 0.2, 0.1}}}}};
  document["bodies"][0]["pose"] = {{"t", ListOf(Vector3d(tilt * Vector3d(0, 0, 0.0501)))},
                                   {"q", ListOf(Quaterniond(tilt * turn))}};
  document["contacts"] = Json::array({Volumetric("box", "plane", 1e7, 0.5)});
  document["contacts"][0]["normal"]["v_small"] = 0.01;
  document["contacts"][0]["friction"] = {
      {"mu_s", mu}, {"mu_c", mu}, {"sigma0", 1e4}, {"sigma1", 64}, {"tau_dwell", 0.1}};
  Simulation simulation(document);
  // Means over a few periods of what is left of the settling.
  const auto mean = [&](double from) {
    simulation.AdvanceTo(from);
    Vector3d sum = Vector3d::Zero();
    for (int i = 1; i <= 100; ++i) {
      simulation.AdvanceTo(from + 0.005 * i);
      sum += simulation.Position("box") / 100;
    }
    return sum;
  };
  const Vector3d before = mean(1.5), after = mean(11.5);
  EXPECT_LE(std::abs((after - before).dot(along)), 1e-9);
  EXPECT_LE(std::abs((after - before).dot(across)), 1e-9);
  // The weight is borne. Friction tilts the box a little, and the contact's normal with it.
  ExpectNear(simulation.Vector("contact", "fx", "fy", "fz"), {0, 0, 0.7 * 9.81}, 1e-6);
  EXPECT_NEAR(simulation("contact.ft"), 0.7 * 9.81 * std::sin(angle), 1e-3);
  EXPECT_NEAR(simulation("contact.fn"), 0.7 * 9.81 * std::cos(angle), 1e-3);
  EXPECT_LE(simulation.LedgerError(), 1e-6);
}

TEST(Rest, ABoxDoesNotCreep) { ExpectNoCreep(Quaterniond::Identity(), "adaptive"); }

TEST(Rest, ATurnedBoxDoesNotCreep) {
  ExpectNoCreep(Quaterniond(AngleAxisd(0.5, Vector3d::UnitZ())), "adaptive");
}

TEST(Rest, ABoxDoesNotCreepInStiffIntegration) { ExpectNoCreep(Quaterniond::Identity(), "stiff"); }

}  // namespace
}  // namespace volcontact::scenario::testing
