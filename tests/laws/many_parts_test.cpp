// Unions of many parts: far more surfaces in one contact than any part of it has.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::many_parts_test {
namespace {

using Eigen::Vector3d;

// No part reaches farther from its middle.
constexpr double kReach = 0.062;

enum class Kind { kBox, kCylinder, kCone, kCapsule };
enum class Base { kPlane, kBall };

struct Case {
  const char* name;
  Kind kind;
  Base base;
  int count;
  double spread;
};

Solid RandomPart(Kind kind, Random* random) {
  const double width = random->Uniform(0.03, 0.05), height = random->Uniform(0.05, 0.09);
  switch (kind) {
    case Kind::kBox:
      return Box({width, random->Uniform(0.03, 0.05), height});
    case Kind::kCylinder:
      return Cylinder(0.5 * width, height);
    case Kind::kCone:
      return Cone(0.5 * width, 0.5 * height).Posed(Pose{{0.0, 0.0, -0.2 * height}});
    case Kind::kCapsule:
      return Capsule(0.4 * width, 0.5 * height);
  }
  return {};
}

Solid SolidOf(Base base) {
  return base == Base::kPlane ? HalfSpace() : Sphere(2.0).Posed(Pose{{0.0, 0.0, -2.0}});
}

// Parts of which no two meet, though their bounding boxes do in chains, as do those of their
// contacts: by their boxes alone they look connected.
std::vector<Solid> ScatteredParts(const Case& test, std::uint64_t seed) {
  Random random(seed);
  std::vector<Solid> parts;
  std::vector<Vector3d> middles;
  while (static_cast<int>(parts.size()) < test.count) {
    const Vector3d p(random.Uniform(-test.spread, test.spread),
                     random.Uniform(-test.spread, test.spread), random.Uniform(-0.05, 0.03));
    bool is_free = true;
    for (const Vector3d& q : middles) is_free &= (p - q).norm() > 2.0 * kReach;
    if (!is_free) continue;
    middles.push_back(p);
    parts.push_back(RandomPart(test.kind, &random).Posed(random.PoseAt(p)));
  }
  return parts;
}

class ManyParts : public ::testing::TestWithParam<Case> {};

TEST_P(ManyParts, AreNoneLost) {
  const Case& test = GetParam();
  QueryOptions options;
  options.tolerance = 1e-9;
  const Solid base = SolidOf(test.base);
  for (const std::uint64_t seed : {11, 12}) {
    SCOPED_TRACE(seed);
    const std::vector<Solid> parts = ScatteredParts(test, seed);
    double volume = 0.0;
    Vector3d first = Vector3d::Zero(), area = Vector3d::Zero();
    for (const Solid& part : parts) {
      const Metrics one = PreparedPair(part, base).Query(Pose(), Pose(), options);
      ASSERT_TRUE(one.converged);
      if (!one.overlap) continue;
      volume += one.volume;
      first += one.volume * one.centroid_W;
      area += one.area_vector_W;
    }
    ASSERT_GT(volume, 0.0);
    const Solid all = Union(parts);
    const Metrics m = PreparedPair(all, base).Query(Pose(), Pose(), options);
    EXPECT_TRUE(m.converged);
    EXPECT_NEAR(m.volume, volume, 1e-8 * volume);
    EXPECT_LT((m.centroid_W - first / volume).norm(), 1e-8 * test.spread);
    EXPECT_LT((m.area_vector_W - area).norm(), 1e-7 * area.norm());
    const Metrics exchanged = PreparedPair(base, all).Query(Pose(), Pose(), options);
    EXPECT_NEAR(exchanged.volume, volume, 1e-8 * volume);
    EXPECT_LT((exchanged.area_vector_W + area).norm(), 1e-7 * area.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ManyParts,
    ::testing::Values(Case{"BoxesOnAPlane", Kind::kBox, Base::kPlane, 40, 0.5},
                      Case{"BoxesOnABall", Kind::kBox, Base::kBall, 12, 0.25},
                      Case{"ManyBoxesOnABall", Kind::kBox, Base::kBall, 100, 0.9},
                      Case{"CylindersOnAPlane", Kind::kCylinder, Base::kPlane, 30, 0.4},
                      Case{"ConesOnAPlane", Kind::kCone, Base::kPlane, 30, 0.4},
                      Case{"ConesOnABall", Kind::kCone, Base::kBall, 40, 0.5},
                      Case{"CapsulesOnABall", Kind::kCapsule, Base::kBall, 30, 0.4}),
    [](const auto& test) { return std::string(test.param.name); });

// For two unions U and P whose parts cross, V(U ∪ P) + V(U ∩ P) = V(U) + V(P). The left-hand side
// has more surfaces in one contact than each of the others.
TEST(ManyParts, ThatCrossAddUp) {
  QueryOptions options;
  options.tolerance = 1e-9;
  for (const Kind kind : {Kind::kBox, Kind::kCylinder, Kind::kCone, Kind::kCapsule}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Random random(77 + static_cast<std::uint64_t>(kind));
    std::vector<Solid> halves[2], all;
    for (int n = 0; n < 24; ++n) {
      const Vector3d p(random.Uniform(-0.15, 0.15), random.Uniform(-0.15, 0.15),
                       random.Uniform(-0.04, 0.04));
      all.push_back(RandomPart(kind, &random).Posed(random.PoseAt(p)));
      halves[n % 2].push_back(all.back());
    }
    const Solid U = Union(halves[0]), P = Union(halves[1]);
    const auto volume_of = [&](const Solid& solid) {
      const Metrics m = PreparedPair(solid, HalfSpace()).Query(Pose(), Pose(), options);
      EXPECT_TRUE(m.converged);
      EXPECT_GT(m.volume, 0.0);
      return m.volume;
    };
    const double left = volume_of(Union(all)) + volume_of(Intersection({U, P}));
    const double right = volume_of(U) + volume_of(P);
    EXPECT_NEAR(left, right, 1e-8 * right);
  }
}

}  // namespace
}  // namespace volcontact::testing::many_parts_test
