// The energy of springs from their forces, beside closed forms, and how often these are asked.
#include "simbody/spring_energy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace {

namespace simbody = volcontact::simbody;

struct Asked {
  double energy = 0.0;
  int evaluations = 0;
};

Asked Along(const std::function<double(double)>& force, double height) {
  Asked asked;
  asked.energy = simbody::EnergyAlong(
      [&](double s) {
        ++asked.evaluations;
        return std::max(force(s), 0.0);
      },
      height);
  return asked;
}

TEST(SpringEnergy, OfPowerLawsTakesFewEvaluationsWhateverTheHeight) {
  constexpr double kReach = 2e-6;
  for (const double power : {1.0, 1.5, 2.0, 2.5, 3.0}) {
    for (const double factor : {0.3, 1.0, 3.0, 100.0}) {
      SCOPED_TRACE(testing::Message() << "power " << power << ", height times " << factor);
      const auto force = [&](double s) { return std::pow(std::max(1.0 - s / kReach, 0.0), power); };
      const Asked asked = Along(force, factor * kReach / power);
      EXPECT_NEAR(asked.energy, kReach / (power + 1.0), 1e-8 * kReach);
      EXPECT_LE(asked.evaluations, 30);
    }
  }
}

TEST(SpringEnergy, OfACapIsThatOfItsVolume) {
  constexpr double kRadius = 4e-3;
  for (const double depth : {1e-11, 1e-9, 2e-6, 1e-3, 6e-3}) {
    const auto force = [&](double s) {
      const double h = depth - s;
      return h > 0.0 ? h * h * (kRadius - h / 3.0) : 0.0;
    };
    const double energy = std::pow(depth, 3) * (kRadius / 3.0 - depth / 12.0);
    EXPECT_NEAR(Along(force, 0.5 * depth).energy, energy, 1e-8 * energy);
  }
}

// As of patches that let go one after another.
TEST(SpringEnergy, OfForcesWithKinksIsFoundByHalving) {
  const auto prism = [](double s, double reach) { return std::max(1.0 - s / reach, 0.0); };
  const Asked two = Along([&](double s) { return prism(s, 3e-6) + prism(s, 1e-6); }, 1e-6);
  EXPECT_NEAR(two.energy, 2e-6, 1e-4 * 2e-6);
  EXPECT_LE(two.evaluations, 130);
  // The first falls within a fiftieth of the reach.
  const Asked narrow = Along([&](double s) { return prism(s, 1e-6) + 100 * prism(s, 2e-8); }, 1e-8);
  EXPECT_NEAR(narrow.energy, 1.5e-6, 0.05 * 1.5e-6);
}

TEST(SpringEnergy, OfAForceThatDoesNotEndIsZero) {
  EXPECT_EQ(Along([](double) { return 1.0; }, 1e-3).energy, 0.0);
  EXPECT_EQ(Along([](double) { return 0.0; }, 1e-3).energy, 0.0);
}

}  // namespace
