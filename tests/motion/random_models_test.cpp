// What steps keep whatever the model: contacts make no energy, push, and rub within their cone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "motion/world.h"
#include "support/random_solids.h"
#include "support/samples.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 4711;
constexpr int kMostSteps = 150;
// Energy that is made, relative to the energy put in: roundings of some hundred steps.
constexpr double kMade = 1e-9;
// Friction beyond its limit, as a part of it, where lagged quantities have settled.
constexpr double kOutside = 1e-4;

struct RandomModel {
  World world;
  double step = 0.0, most_mu = 0.0;
};

ContactParameters RandomLaw(Random* random) {
  const auto log_uniform = [&](double low, double high) {
    return std::exp(random->Uniform(std::log(low), std::log(high)));
  };
  ContactParameters parameters;
  VolumetricNormal normal;
  normal.stiffness_a = log_uniform(1e6, 1e14);
  normal.damping.restitution = random->Uniform(0.05, 1.0);
  normal.damping.v_small = log_uniform(1e-3, 1e-1);
  parameters.normal = normal;
  BristleFriction bristles;
  bristles.mu_c = random->Uniform(0.0, 1.0);
  bristles.mu_s = bristles.mu_c * random->Uniform(1.0, 1.5);
  bristles.sigma0 = log_uniform(1e3, 1e6);
  bristles.sigma1 = log_uniform(0.3, 3.0) * std::sqrt(bristles.sigma0);
  bristles.v_stribeck = log_uniform(1e-4, 1e-2);
  bristles.tau_dwell = random->Uniform(0.0, 1.0) < 0.5 ? 0.0 : 0.1;
  parameters.friction = bristles;
  if (random->Uniform(0.0, 1.0) < 0.2) {
    parameters.friction = CoulombFriction{bristles.mu_c, log_uniform(1e-5, 1e-2)};
  }
  return parameters;
}

// Two to four bodies, of masses up to four decades apart, thrown on a plane and on each other.
void Make(std::uint64_t seed, RandomModel* model) {
  Random random(seed);
  const auto uniform = [&](double low, double high) { return random.Uniform(low, high); };
  model->step = std::exp(uniform(std::log(1e-4), std::log(5e-3)));
  World& world = model->world;
  const int floor = world.Add({});
  const int count = 2 + static_cast<int>(uniform(0.0, 3.0));
  std::vector<int> bodies;
  std::vector<Solid> solids;
  for (int i = 0; i < count; ++i) {
    WorldBody body;
    const double size = uniform(0.02, 0.06);
    body.mass = std::exp(uniform(std::log(1e-2), std::log(1e2)));
    body.inertia = Vector3d::Constant(body.mass * 4.0 * size * size / 6.0);
    body.X_WB = random.PoseAt({uniform(-0.05, 0.05), uniform(-0.05, 0.05), 0.11 + 0.22 * i});
    body.twist.velocity_W = {uniform(-1, 1), uniform(-1, 1), uniform(-3, 0)};
    body.twist.angular_velocity_W = {uniform(-10, 10), uniform(-10, 10), uniform(-10, 10)};
    bodies.push_back(world.Add(body));
    const double kind = uniform(0.0, 3.0);
    solids.push_back(kind < 1.0   ? Sphere(size)
                     : kind < 2.0 ? Box({2.0 * size, 2.0 * size, 2.0 * size})
                                  : Cylinder(size, 2.0 * size));
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    world.AddPair(bodies[i], solids[i], floor, HalfSpace(), RandomLaw(&random));
    for (std::size_t j = 0; j < i; ++j) {
      world.AddPair(bodies[i], solids[i], bodies[j], solids[j], RandomLaw(&random));
    }
  }
}

void ExpectLawful(RandomModel* model, const StepReport& report) {
  World& world = model->world;
  for (int pair = 0; pair < world.pair_count(); ++pair) {
    for (const SteppedPatch& patch : world.patches(pair)) {
      const Vector3d& n = patch.geometry.normal_W;
      const double pushes = patch.force.normal_W.dot(n);
      EXPECT_GE(pushes, -1e-9 * patch.force.force_W.norm());
      EXPECT_TRUE(patch.force.force_W.allFinite() && patch.force.torque_W.allFinite());
      if (!report.outcome.converged) continue;
      const FrictionLaw& law = world.parameters(pair).friction;
      const auto* bristles = std::get_if<BristleFriction>(&law);
      const double mu = bristles ? bristles->mu_s : std::get<CoulombFriction>(law).mu;
      EXPECT_LE(patch.force.tangential_W.norm(),
                mu * pushes * (1.0 + kOutside) + 1e-6 * patch.force.force_W.norm());
    }
  }
}

TEST(RandomModels, MakeNoEnergyAndPushAndStayInTheCone) {
  const int models = Samples(60, 300);
  int steps = 0, gave_up = 0;
  for (int i = 0; i < models; ++i) {
    SCOPED_TRACE("model " + std::to_string(i));
    RandomModel model;
    Make(kSeed + static_cast<std::uint64_t>(i), &model);
    const double before = model.world.Kinetic();
    double put_in = before;
    for (int k = 0; k < kMostSteps; ++k, ++steps) {
      const StepReport report = model.world.Step(model.step);
      gave_up += report.outcome.gave_up ? 1 : 0;
      put_in = std::max(put_in, before + std::abs(model.world.work));
      ASSERT_LE(model.world.Kinetic() - model.world.work - before, kMade * put_in) << "step " << k;
      ExpectLawful(&model, report);
    }
  }
  EXPECT_LE(gave_up, steps / 1000);
}

}  // namespace
}  // namespace volcontact::testing
