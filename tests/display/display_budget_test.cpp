// Overlaps that would take very many triangles, or are specks far apart.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>
#include <vector>

#include "volcontact/display/display.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The sum of heights over the area across z.
double VolumeUnderPatch(const PatchDisplay& patch) {
  double volume = 0.0;
  for (const auto& [a, b, c] : patch.mesh.triangles) {
    const auto& p = patch.mesh.points;
    const double area = 0.5 * (p[b] - p[a]).cross(p[c] - p[a]).z();
    volume += area * (patch.heights[a] + patch.heights[b] + patch.heights[c]) / 3.0;
  }
  return volume;
}

Pose Shifted(double x, double y, double z) { return {Vector3d(x, y, z), {1.0, 0.0, 0.0, 0.0}}; }

// Where triangles do not suffice, all of the overlap is there, coarser.
TEST(DisplayBudget, OverlapsGetCoarserAndNotSmaller) {
  DisplayOptions options;
  options.most_triangles = 30'000;
  const Solid ring = Torus(0.3, 0.1), plate = HalfSpace();
  const Pose X_WA = Shifted(0, 0, 0.0999);
  const OverlapDisplay overlap = DisplayOverlap(ring, X_WA, plate, Pose(), options);
  EXPECT_TRUE(overlap.mesh.complete);
  EXPECT_LE(overlap.mesh.triangles.size(), 2 * options.most_triangles);
  const double volume = PreparedPair(ring, plate).Query(X_WA, Pose()).volume;
  EXPECT_NEAR(VolumeUnderPatch(DisplayPatch(overlap, Vector3d::UnitZ())) / volume, 1.0, 0.05);
}

// As under the legs of a table: heights are found in each speck as fast.
TEST(DisplayBudget, PatchesFarApart) {
  constexpr double kDepth = 1e-5, kRadius = 0.01;
  std::vector<Solid> legs;
  for (const double x : {-1.0, 1.0}) {
    legs.push_back(Sphere(kRadius).Posed(Shifted(x, 0.5 * x, kRadius - kDepth)));
  }
  const PatchDisplay patch =
      DisplayPatch(DisplayOverlap(Union(legs), Pose(), HalfSpace(), Pose()), Vector3d::UnitZ());
  const double volume = 2.0 * std::numbers::pi * kDepth * kDepth * (kRadius - kDepth / 3.0);
  EXPECT_NEAR(VolumeUnderPatch(patch) / volume, 1.0, 1e-3);
  EXPECT_NEAR(*std::max_element(patch.heights.begin(), patch.heights.end()), kDepth, 1e-8);
}

}  // namespace
}  // namespace volcontact
