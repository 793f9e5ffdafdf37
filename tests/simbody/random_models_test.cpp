// What the implicit integrator keeps whatever the model: contacts make no energy beyond its
// tolerance, or none at all.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "scenario/scenarios.h"
#include "support/random_solids.h"
#include "support/samples.h"

namespace volcontact::scenario::testing {
namespace {

using volcontact::testing::Random;
using volcontact::testing::Samples;

constexpr std::uint64_t kSeed = 4711;
constexpr double kDuration = 0.1, kInterval = 0.0025;
constexpr int kOutputs = static_cast<int>(kDuration / kInterval + 0.5);

class ModelMaker {
 public:
  explicit ModelMaker(std::uint64_t seed) : random_(seed) {}

  // Two or three bodies, of masses up to four decades apart, thrown on a plane and on each other.
  Json Make(double tolerance) {
    Json document = Document();
    document["gravity"] = {0, 0, -9.81};
    document["bodies"] = Json::array({Plane()});
    const int count = Uniform(0, 1) < 0.5 ? 2 : 3;
    for (int i = 0; i < count; ++i) {
      document["bodies"].push_back(Body("body" + std::to_string(i), 0.07 + 0.14 * i));
    }
    for (int i = 1; i <= count; ++i) {
      for (int j = 0; j < i; ++j) document["contacts"].push_back(Contact(document, i, j));
    }
    document["loads"] = {NoLoad()};
    document["integrator"] = {
        {"method", "implicit"}, {"tolerance", tolerance}, {"max_step", kDuration}};
    return document;
  }

 private:
  double Uniform(double low, double high) { return random_.Uniform(low, high); }
  double Decades(double low, double high) {
    return std::exp(Uniform(std::log(low), std::log(high)));
  }

  // Steps end at its corners, which are the outputs: between them outputs are interpolated.
  static Json NoLoad() {
    Json load = {{"body", "body0"}, {"force", {1, 0, 0}}};
    for (int i = 1; i <= kOutputs; ++i) {
      load["times"].push_back(kDuration * i / kOutputs);
      load["scale"].push_back(0);
    }
    return load;
  }

  Json Body(const std::string& name, double height) {
    Json body = Ball(name);
    const double size = Uniform(0.02, 0.035), mass = Decades(1e-2, 1e2);
    const double inertia = mass * 4.0 * size * size / 6.0, kind = Uniform(0, 3);
    body["mass"] = mass;
    body["inertia"] = {inertia, inertia, inertia};
    body["solid"] = kind < 1   ? Json{{"sphere", {{"radius", size}}}}
                    : kind < 2 ? Json{{"box", {{"size", {2 * size, 2 * size, 2 * size}}}}}
                               : Json{{"cylinder", {{"radius", size}, {"height", 2 * size}}}};
    const Pose at = random_.PoseAt({Uniform(-0.01, 0.01), Uniform(-0.01, 0.01), height});
    body["pose"] = {{"t", ListOf(at.t)}, {"q", {at.q[0], at.q[1], at.q[2], at.q[3]}}};
    body["velocity"] = {Uniform(-1, 1), Uniform(-1, 1), Uniform(-3, 0)};
    body["angular_velocity"] = {Uniform(-10, 10), Uniform(-10, 10), Uniform(-10, 10)};
    return body;
  }

  Json Contact(const Json& document, int i, int j) {
    Json contact = Volumetric(document["bodies"][i]["name"], document["bodies"][j]["name"],
                              Decades(1e6, 1e14), Uniform(0.05, 1));
    contact["name"] = "contact" + std::to_string(i) + std::to_string(j);
    contact["geometry"]["tolerance"] = 1e-6;
    const double mu = Uniform(0, 1), sigma0 = Decades(1e3, 1e5);
    contact["friction"] = {{"mu_s", mu * Uniform(1, 1.5)},
                           {"mu_c", mu},
                           {"sigma0", sigma0},
                           {"sigma1", Decades(0.3, 3) * std::sqrt(sigma0)},
                           {"v_stribeck", Decades(1e-3, 1e-2)}};
    return contact;
  }

  Random random_;
};

// The most by which kinetic, potential and contacts' elastic energy have risen again together, of
// what bodies had at the start or fell.
double MadeBy(std::uint64_t seed, double tolerance, bool is_passive) {
  Json document = ModelMaker(seed).Make(tolerance);
  document["integrator"]["passive"] = is_passive;
  Simulation simulation(document);
  simulation.Run(kDuration, kOutputs);
  const std::vector<double>&kinetic = simulation.All("energy.kinetic"),
        &potential = simulation.All("energy.potential"),
        &elastic = simulation.All("energy.elastic");
  double least = std::numeric_limits<double>::infinity(), made = 0.0;
  for (std::size_t i = 0; i < kinetic.size(); ++i) {
    const double energy = kinetic[i] + potential[i] + elastic[i];
    least = std::min(least, energy);
    made = std::max(made, energy - least);
  }
  return made / simulation.Measure(
                    "first(energy.kinetic) + first(energy.potential) - min(energy.potential)");
}

constexpr double kMostMade = 1e-9;

TEST(Implicit, MakesNoEnergyInRandomModelsIfItIsPassive) {
  const int models = Samples(4, 300);
  for (const double tolerance : {1e-3, 1e-4}) {
    for (int i = 0; i < models; ++i) {
      EXPECT_LE(MadeBy(kSeed + static_cast<std::uint64_t>(i), tolerance, true), kMostMade)
          << "model " << i << " at " << tolerance;
    }
  }
}

// To its tolerance: 20 models made up to 0.3 % at 1e-3, 0.02 % at 1e-4.
TEST(Implicit, RandomModelsMakeNoMoreEnergyThanIsAllowed) {
  const int models = Samples(3, 300);
  for (const double tolerance : {1e-3, 1e-4}) {
    for (int i = 0; i < models; ++i) {
      EXPECT_LE(MadeBy(kSeed + static_cast<std::uint64_t>(i), tolerance, false), 10 * tolerance)
          << "model " << i << " at " << tolerance;
    }
  }
}

// The elastic force of corners has no potential: the law itself makes energy in this model.
TEST(Implicit, MakesTheEnergyThatTheLawMakesIfItIsNotPassive) {
  constexpr std::uint64_t kCorners = kSeed + 1;
  EXPECT_GE(MadeBy(kCorners, 1e-3, false), 1e-4);
  EXPECT_LE(MadeBy(kCorners, 1e-3, true), kMostMade);
}

}  // namespace
}  // namespace volcontact::scenario::testing
