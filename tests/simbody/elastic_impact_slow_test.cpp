// Energy and direction of elastic impacts on a plane, of each body in 25 orientations. A hundred of
// each, which take two minutes, gave the same.
#include "simbody/elastic_drop.h"

namespace volcontact::scenario::testing {
namespace {

constexpr int kOrientations = 25;

TEST(ElasticImpactSlow, GivesBackTheEnergyInManyOrientations) {
  for (const char* name : {"box", "bracket", "gear"}) {
    SCOPED_TRACE(name);
    const ElasticErrors worst = DropElastic(SolidNamed(name), kOrientations, 1);
    std::printf("%s: energy off by %.1e, sideways %.1e of the impact\n", name, worst.energy,
                worst.sideways);
    EXPECT_LT(worst.energy, 1e-6);
    EXPECT_LT(worst.sideways, 1e-6);
    EXPECT_LT(worst.made, 1e-6);
    EXPECT_EQ(worst.stored, 0.0);
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing
