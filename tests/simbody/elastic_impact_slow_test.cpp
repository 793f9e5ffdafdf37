// Energy and direction of elastic impacts on a plane, and the rebound of inelastic ones, of each
// body in many orientations: a hundred by tools/full_samples.py.
#include "simbody/elastic_drop.h"
#include "support/samples.h"

namespace volcontact::scenario::testing {
namespace {

using volcontact::testing::Samples;

TEST(ElasticImpactSlow, GivesBackTheEnergyInManyOrientations) {
  for (const char* name : {"box", "bracket", "gear"}) {
    SCOPED_TRACE(name);
    const int orientations = Samples(3, 100);
    const ElasticErrors worst = DropElastic(SolidNamed(name), orientations, 1);
    std::printf("%s: energy off by %.1e, sideways %.1e of the impact, in %d orientations\n", name,
                worst.energy, worst.sideways, orientations);
    EXPECT_LT(worst.energy, 1e-6);
    EXPECT_LT(worst.sideways, 1e-6);
    EXPECT_LT(worst.made, 1e-6);
    EXPECT_EQ(worst.stored, 0.0);
  }
}

// The error of the restitution goes with the way that the body moves in the impact, and so falls as
// the contact gets stiffer; how fast, depends on what touches: a corner, an edge, or several teeth
// in turn.
TEST(ElasticImpactSlow, ReboundsAsAskedInManyOrientations) {
  for (const char* name : {"box", "bracket", "gear"}) {
    SCOPED_TRACE(name);
    const int orientations = Samples(1, 30);
    const double soft = ReboundError(SolidNamed(name), 1e12, orientations, 5);
    const double stiff = ReboundError(SolidNamed(name), 1e15, orientations, 5);
    std::printf("%s: restitution off by %.1e at 1e12 N/m^3, by %.1e at 1e15, in %d orientations\n",
                name, soft, stiff, orientations);
    EXPECT_LT(stiff, 0.03);
    EXPECT_LT(stiff, soft);
  }
}

}  // namespace
}  // namespace volcontact::scenario::testing
