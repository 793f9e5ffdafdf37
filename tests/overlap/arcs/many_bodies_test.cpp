// Unions of many bodies in one contact, against sums of parts that are cut out of them, and in
// other frames.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "overlap/arcs/sums_testing.h"
#include "support/random_solids.h"

namespace volcontact::testing::many_bodies_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 997;
constexpr double kTolerance = 1e-9;
constexpr long kManyCells = 100'000;

// Turned bodies about the plane z = 0, several of them in each other, some in none.
Solid Heap(Random* random, int count) {
  const double width = 0.1 * std::sqrt(static_cast<double>(count));
  std::vector<Solid> bodies;
  for (int n = 0; n < count; ++n) {
    const Vector3d t = random->UniformVector(-1.0, 1.0);
    const Pose X = random->PoseAt(t.cwiseProduct(Vector3d(width, width, 0.1)));
    const Solid body = n % 3 == 0   ? Box({0.1, 0.15, 0.2})
                       : n % 3 == 1 ? Cylinder(0.05, 0.2)
                                    : Cone(0.08, 0.2);
    bodies.push_back(body.Posed(X));
  }
  return Union(bodies);
}

struct Opposite {
  std::string name;
  Solid solid;
};

std::vector<Opposite> Opposites() {
  return {{"half-space", HalfSpace()},
          {"ball", Sphere(3.0).Posed(PoseAt(0.02, 0.01, -3.0))},
          {"slab", Box({4.0, 4.0, 0.1}).Posed(PoseAt(0.0, 0.0, -0.03, 0.02, 0.01))}};
}

ArcMethodResult SumOf(const SurfaceSet& set, const Solid& A, const Solid& B, bool curves) {
  return ArcMethod().Run(
      set, CommonBox(A, B),
      {.tolerance = kTolerance, .max_cells = kManyCells, .whole_curves = curves});
}

// The quadrants about a line askew are other regions with other surfaces near them.
TEST(ManyBodies, AsTheSumOfQuadrants) {
  Random random(kSeed);
  for (const int count : {6, 15, 40}) {
    const Solid heap = Heap(&random, count);
    for (const auto& [name, B] : Opposites()) {
      SCOPED_TRACE(name + ' ' + std::to_string(count));
      const ArcMethodResult whole = SumOf(RegionOf(heap, B), heap, B, true);
      ASSERT_EQ(whole.failure, ArcFailure::kNone);
      ASSERT_TRUE(whole.raw.converged);
      const Pose askew = AxisAngle({0.3, -0.2, 0.9}, 0.7, {0.013, -0.007, 0.0});
      SumsInA sum;
      for (int k = 0; k < 4; ++k) {
        const double x = (k & 1) != 0 ? 2.0 : -2.0, y = (k & 2) != 0 ? 2.0 : -2.0;
        const Solid quadrant = Box({4.0, 4.0, 8.0}).Posed(PoseAt(x, y, 0.0)).Posed(askew);
        const Solid cut = Intersection({heap, quadrant});
        const ArcMethodResult part = SumOf(RegionOf(cut, B), cut, B, true);
        ASSERT_EQ(part.failure, ArcFailure::kNone) << k;
        sum.moments.volume += SumsInA(part.raw).moments.volume;
        sum.moments.first += SumsInA(part.raw).moments.first;
      }
      const VolumeMoments moments = SumsInA(whole.raw).moments;
      EXPECT_NEAR(moments.volume, sum.moments.volume, 1e-9 * moments.volume);
      EXPECT_LT((moments.first - sum.moments.first).norm(), 1e-9 * moments.volume);
    }
  }
}

// Moved with both bodies the frames are others, and with them boxes, parts of curves and nodes;
// cells find rims where lines right beside them tell, to the width of these.
TEST(ManyBodies, ProjectionsOfOtherFramesAndOfCells) {
  Random random(kSeed + 1);
  for (const int count : {6, 15, 30}) {
    const Solid heap = Heap(&random, count);
    for (const auto& [name, B] : Opposites()) {
      SCOPED_TRACE(name + ' ' + std::to_string(count));
      const Pose X = random.PoseAt(random.UniformVector(-0.3, 0.3));
      const auto area_of = [](const Solid& one, const Solid& other, bool curves) {
        const ArcMethodResult result = SumOf(RegionOf(one, other), one, other, curves);
        EXPECT_EQ(result.failure, ArcFailure::kNone);
        EXPECT_EQ(result.incomplete, ArcFailure::kNone);
        return result.raw.projected_area;
      };
      const double area = area_of(heap, B, true);
      EXPECT_NEAR(area_of(heap.Posed(X), B.Posed(X), true), area, 1e-10 * area);
      EXPECT_NEAR(area_of(B, heap, true), area, 1e-10 * area);
      EXPECT_NEAR(area_of(heap, B, false), area, 3e-6 * area);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::many_bodies_test
