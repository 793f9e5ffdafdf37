// Coincident surfaces are found among many, and nothing else is.
#include "solids/implicit/surface_lookup.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/random_solids.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

// A lattice of n³ unit cubes that share their walls.
Solid Lattice(int n, const Pose& pose, double scale) {
  std::vector<Solid> cubes;
  for (int i = 0; i < n * n * n; ++i) {
    const Eigen::Vector3d cell(i % n, i / n % n, i / (n * n));
    cubes.push_back(Box({scale, scale, scale}).Posed({scale * cell, Pose().q}).Posed(pose));
  }
  return Union(std::move(cubes));
}

TEST(SurfaceLookup, SharedWallsAreOneSurfaceAtAnyPoseAndScale) {
  Random random(3);
  for (const double scale : {0x1p-20, 1.0, 0x1p17}) {
    for (int k = 0; k < 3; ++k) {
      const Pose pose = random.PoseAt(scale * random.UniformVector(-20.0, 20.0));
      EXPECT_EQ(Compile(Lattice(5, pose, scale)).surfaces.size(), 18u) << scale;
    }
  }
}

TEST(SurfaceLookup, FindsWhatCoincides) {
  Random random(4);
  std::vector<Solid> parts;
  for (int k = 0; k < 300; ++k) {
    const Pose pose = random.PoseAt(random.UniformVector(-5.0, 5.0));
    parts.push_back(Ellipsoid({0.3, 0.4, 0.5}).Posed(pose));
  }
  const ImplicitSolid all = Compile(Union(parts));
  ASSERT_EQ(all.surfaces.size(), 300u);
  SurfaceLookup lookup;
  for (int s = 0; s < 300; ++s) lookup.Add(all.surfaces[s], all.length, s);
  int candidates = 0;
  for (int s = 0; s < 300; ++s) {
    // The same ellipsoid, an axis turned over, upside down and scaled.
    SurfacePolynomial psi =
        Compile(
            Complement(parts[s].Posed(AxisAngle({0, 0, 1}, 1.0)).Posed(AxisAngle({0, 0, 1}, -1.0))))
            .surfaces[0];
    for (int m = 0; m < psi.size(); ++m) psi.c[m] = psi.c[m] * DoubleDouble(-3.7);
    int found = -1;
    bool opposite = false;
    lookup.ForCandidates(psi, all.length, [&](int i) {
      ++candidates;
      // Two turns in doubles cancel to their rounding only.
      if (i == s) found = i;
    });
    EXPECT_EQ(found, s);
    EXPECT_FALSE(Coincide(all.surfaces[s], all.surfaces[(s + 1) % 300], &opposite));
  }
  EXPECT_LT(candidates, 330);
}

}  // namespace
}  // namespace volcontact::testing
