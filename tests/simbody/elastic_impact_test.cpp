// Elastic impacts on a plane in any orientation: the energy comes back, nothing goes sideways, and
// the books show what an eigenvector makes.
#include <array>
#include <random>

#include "simbody/elastic_drop.h"

namespace volcontact::scenario::testing {
namespace {

TEST(ElasticImpact, GivesBackTheEnergyInAnyOrientation) {
  for (const char* name : {"box", "bracket", "gear"}) {
    SCOPED_TRACE(name);
    const ElasticErrors worst = DropElastic(SolidNamed(name), 5, 20260101);
    std::printf("%s: energy off by %.1e, sideways %.1e of the impact\n", name, worst.energy,
                worst.sideways);
    EXPECT_LT(worst.energy, 1e-7);
    EXPECT_LT(worst.sideways, 1e-9);
    EXPECT_LT(worst.made, 1e-7);
    EXPECT_EQ(worst.stored, 0.0);
  }
}

// The published direction leans at corners: the energy that it makes has a column of its own, and
// the springs are empty when nothing touches.
TEST(ElasticBooks, ShowWhatAnEigenvectorMakes) {
  std::mt19937_64 random(20260101);
  double most = 0.0;
  for (int i = 0; i < 4; ++i) {
    Simulation simulation(Drop(BoxSolid(), RandomRotation(&random), 1e9, 1.0, "eigenvector"));
    simulation.Run(0.3, 3);
    const double kinetic = simulation.All("energy.kinetic").front();
    const double made = simulation("energy.elastic_work");
    EXPECT_EQ(simulation("energy.elastic"), 0.0);
    EXPECT_NEAR(simulation("energy.kinetic") - kinetic, made, 1e-7 * kinetic);
    most = std::max(most, std::abs(made) / kinetic);
  }
  EXPECT_GT(most, 0.1);
}

// In an impact so stiff that the body hardly moves meanwhile, the point of contact leaves at e
// times the speed at which it came, wherever the mass is.
TEST(ElasticBooks, TheReboundIsTheRestitutionInAnyOrientation) {
  const double soft = ReboundError(BoxSolid(), 1e12, 3, 5);
  const double stiff = ReboundError(BoxSolid(), 1e15, 3, 5);
  std::printf("restitution off by %.1e at 1e12 N/m^3, by %.1e at 1e15\n", soft, stiff);
  EXPECT_LT(soft, 0.1);
  EXPECT_LT(stiff, 0.2 * soft);
}

// A box with its mass off the middle lies on a level floor without friction.
TEST(ElasticBooks, NothingGlidesOnALevelFloor) {
  Json document = Document();
  document["gravity"] = {0.0, 0.0, -9.81};
  document["bodies"] = {{{"name", "box"},
                         {"solid", BoxSolid()},
                         {"mass", 2.0},
                         {"center_of_mass", {0.05, 0.02, -0.01}},
                         {"inertia", {0.005, 0.007, 0.009}},
                         {"pose", {{"t", {0.0, 0.0, 0.0501}}}}},
                        Plane()};
  Json contact = Volumetric("box", "plane", 1e7, 0.3);
  contact["normal"]["v_small"] = 0.01;
  document["contacts"] = Json::array({contact});
  Simulation simulation(document);
  simulation.Run(10.0, 10);
  const Vector3d com =
      simulation.Position("box") + simulation.Rotation("box") * Vector3d(0.05, 0.02, -0.01);
  std::printf("glides %.1e m\n", std::hypot(com.x() - 0.05, com.y() - 0.02));
  EXPECT_LT(std::hypot(com.x() - 0.05, com.y() - 0.02), 1e-9);
}

// The spring's energy of bodies that touch at the start: k ∫ h dV over the overlap, h the depth.
TEST(ElasticBooks, BeginWithWhatTheSpringHolds) {
  for (const double depth : {1e-3, 0.02}) {
    Json document = Document();
    document["bodies"] = {Ball("ball"), Plane()};
    document["bodies"][0]["pose"] = {{"t", {0.0, 0.0, 0.1 - depth}}};
    document["contacts"] = {Volumetric("ball", "plane", 1e7, 1.0)};
    Simulation simulation(document);
    // ∫_0^δ k π δ²(R − δ/3) dδ.
    const double energy = 1e7 * kPi * (0.1 * std::pow(depth, 3) / 3.0 - std::pow(depth, 4) / 12.0);
    EXPECT_NEAR(simulation("energy.elastic"), energy, 1e-8 * energy);
    simulation.AdvanceTo(0.5);
    EXPECT_EQ(simulation("energy.elastic"), 0.0);
    EXPECT_NEAR(simulation("energy.kinetic"), energy, 1e-8 * energy);
    EXPECT_NEAR(simulation("energy.elastic_work"), 0.0, 1e-8 * energy);
  }
}

// During the contact, too: on a plane nothing is made along the area vector, and along the
// eigenvector at the end what is booked then in any case.
TEST(ElasticBooks, TellAtEveryOutputWhatIsMade) {
  std::mt19937_64 random(20260101);
  const Quaterniond q = RandomRotation(&random);
  for (const char* direction : {"area_vector", "eigenvector"}) {
    SCOPED_TRACE(direction);
    Json document = Drop(BoxSolid(), q, 1e9, 1.0, direction);
    document["contacts"][0]["books"] = "at_outputs";
    Simulation simulation(document);
    while (simulation("contact.touches") == 0) {
      simulation.AdvanceTo(simulation.simulator().time() + 5e-4);
    }
    double most = 0.0;
    while (simulation("contact.touching") == 1) {
      simulation.AdvanceTo(simulation.simulator().time() + 5e-4);
      if (simulation("contact.touching") == 0) break;
      EXPECT_GE(simulation("energy.elastic"), 0.0);
      most = std::max(most, std::abs(simulation("energy.elastic_work")));
    }
    const double kinetic = simulation.All("energy.kinetic").front();
    const double made = simulation("energy.elastic_work");
    std::printf("%s: %.1e of the energy made in the contact, %.1e after it\n", direction,
                most / kinetic, made / kinetic);
    EXPECT_LT(simulation.LedgerError(), 1e-8);
    if (std::string(direction) == "area_vector") {
      EXPECT_LT(most, 1e-6 * kinetic);
    } else {
      EXPECT_GT(most, 0.5 * std::abs(made));
      EXPECT_NEAR(simulation("energy.kinetic") - kinetic, made, 1e-7 * kinetic);
    }
  }
}

// Spring, damper and clutch: a point that slides while it rebounds. Its dissipation fell by a
// quarter when the contact ended.
TEST(ElasticBooks, NoDissipationFalls) {
  for (const char* law : {"clutch", "bristle"}) {
    SCOPED_TRACE(law);
    Json document = Document();
    document["bodies"] = {Ball("ball"), Plane()};
    document["bodies"][0]["pose"] = {{"t", {0.0, 0.0, 0.1001}}};
    document["bodies"][0]["velocity"] = {0.4, 0.0, -1.0};
    Json contact = Hertz("ball", "plane", 1e7, 0.8);
    contact["friction"] =
        std::string(law) == "clutch"
            ? Json{{"law", "clutch"}, {"mu", 0.3}, {"stiffness", 3e6}, {"damping", 50.0}}
            : Json{{"law", "bristle"},
                   {"mu_s", 0.5},
                   {"mu_c", 0.4},
                   {"sigma0", 1e5},
                   {"sigma1", 30.0}};
    document["contacts"] = {contact};
    Simulation simulation(document);
    simulation.Run(0.02, 4000);
    ASSERT_EQ(simulation("contact.touches"), 1);
    ASSERT_EQ(simulation("contact.touching"), 0);
    EXPECT_EQ(simulation("energy.elastic"), 0.0);
    for (const char* name :
         {"damping", "rolling", "bristle", "viscous", "spin", "clutch", "separation", "joint"}) {
      const std::vector<double>& loss = simulation.All(std::string("energy.dissipated_") + name);
      for (std::size_t i = 1; i < loss.size(); ++i) {
        ASSERT_GE(loss[i], loss[i - 1] - 1e-13) << name << " at output " << i;
      }
    }
    EXPECT_LT(simulation.LedgerError(), 1e-8);
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing
