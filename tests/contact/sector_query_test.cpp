// All sectors of a divided contact from one search for edges, against a query of each.
#include "overlap/query/sector_query.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "contact/sectors.h"
#include "support/random_solids.h"
#include "support/samples.h"
#include "volcontact/contact/division.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::sector_query_test {
namespace {

using Eigen::Vector3d;
using Found = std::vector<std::optional<Metrics>>;

constexpr double kSame = 1e-9;

struct Case {
  Solid A, B;
  Pose X_WA, X_WB;
  DivisionAxis axis;
  int count;

  Found AtOnce(const QueryOptions& options, const Pose& X) const {
    const Rigid X_SF(FrameAbout(axis.axis), ToDoubleDouble(axis.point));
    return SectorQuery(A, B, axis.of_A, count, X_SF).Query(X, X_WB, options);
  }
  // By cutting the solid.
  std::vector<Metrics> OneByOne(const QueryOptions& options) const {
    std::vector<Metrics> all;
    for (const Solid& sector : SectorsOf(axis.of_A ? A : B, axis.point, axis.axis, count)) {
      all.push_back(
          PreparedPair(axis.of_A ? sector : A, axis.of_A ? B : sector).Query(X_WA, X_WB, options));
    }
    return all;
  }
  Metrics Whole(const QueryOptions& options) const {
    return PreparedPair(A, B).Query(X_WA, X_WB, options);
  }
};

QueryOptions Fine(bool hessian = false) {
  QueryOptions options;
  options.tolerance = 1e-10;
  options.bound_distance = options.bound_volume = options.contact_area = false;
  options.hessian = hessian;
  return options;
}

// Bored plates, pegs, cones and balls that go around an axis near that of the sectors, or random
// primitives, partly in a union.
Case RandomCase(std::uint64_t seed) {
  Random random(seed);
  Case made;
  const int kind = static_cast<int>(seed % 5);
  const double depth = std::pow(10.0, random.Uniform(-4.0, -1.5));
  const Solid bored = Difference(Box({3.0, 3.0, 1.0}), {Cylinder(1.0, 3.0)});
  const std::vector<PrimitiveKind>& kinds = PrimitiveKinds();
  made.X_WA = AxisAngle(random.UnitVector(), 0.3 * depth, 0.3 * depth * random.UnitVector());
  made.B = bored;
  switch (kind) {
    case 0:
      made.A = Cylinder(1.0 + depth, 4.0);
      break;
    case 1:
      made.A = Sphere(1.3);
      made.X_WA.t.z() += 0.5 + std::sqrt(1.69 - 1.0) - depth;
      break;
    case 2:
      made.A = Intersection({Cone(2.0, 2.0), Box({5.0, 5.0, 3.0})});
      made.X_WA.t.z() += random.Uniform(-0.3, 0.3);
      break;
    case 3:
      made.A = Union({Box({2.1, 1.0, 0.8}), Sphere(1.0 + depth)});
      break;
    default: {
      const SolidPair pair = RandomPair({kinds[seed % 7], kinds[(seed / 7) % 7]}, seed);
      made.A = pair.A;
      made.B = pair.B;
      made.X_WA = pair.X_WA;
      made.X_WB = pair.X_WB;
    }
  }
  const bool is_fan = kind != 4;
  made.axis = {
      random.Uniform(0.0, 1.0) < 0.5, 0.02 * random.UnitVector(),
      is_fan ? Vector3d(Vector3d::UnitZ() + 0.05 * random.UnitVector()) : random.UnitVector()};
  made.count = 3 + static_cast<int>(random.Uniform(0.0, 22.0));
  return made;
}

double AreaOf(const Metrics& metrics) {
  return metrics.overlap ? metrics.area_vector_W.norm() : 0.0;
}

TEST(SectorQuery, IsThatOfEachSector) {
  int asked = 0, at_once = 0;
  for (int seed = 0; seed < Samples(40, 2000); ++seed) {
    SCOPED_TRACE(seed);
    const Case made = RandomCase(static_cast<std::uint64_t>(seed));
    const Metrics whole = made.Whole(Fine());
    if (!whole.overlap) continue;
    const Found found = made.AtOnce(Fine(), made.X_WA);
    const std::vector<Metrics> each = made.OneByOne(Fine());
    asked += made.count;
    if (found.empty()) continue;
    ASSERT_EQ(found.size(), each.size());
    double areas = 0.0;
    for (const Metrics& one : each) areas += AreaOf(one);
    const double size = std::cbrt(whole.volume) + whole.inertia_W.norm();
    double volume = 0.0;
    bool are_all = true;
    for (std::size_t k = 0; k < each.size(); ++k) {
      are_all &= found[k].has_value();
      if (!found[k]) continue;
      ++at_once;
      const Metrics &one = *found[k], &other = each[k];
      volume += one.volume;
      if (!other.converged) continue;
      EXPECT_NEAR(one.volume, other.volume, kSame * whole.volume) << k;
      if (!one.overlap || !other.overlap) continue;
      EXPECT_LT((one.area_vector_W - other.area_vector_W).norm(), kSame * areas) << k;
      EXPECT_LT((one.volume * (one.centroid_W - other.centroid_W)).norm(),
                kSame * whole.volume * size)
          << k;
      EXPECT_LT((one.inertia_W - other.inertia_W).norm(), kSame * whole.inertia_W.norm()) << k;
    }
    if (!are_all) continue;
    EXPECT_NEAR(volume, whole.volume, kSame * whole.volume);
  }
  // Few have an edge in a wall, or are too thin beside the whole.
  EXPECT_GT(at_once, 0.8 * asked);
}

// The gradient of a sector's volume by the motion of A is its area vector and moment; the Hessian
// is the derivative of these, and that of the sector's own query.
TEST(SectorQuery, KnowsDerivatives) {
  int checked = 0;
  for (int seed = 0; seed < Samples(15, 500); ++seed) {
    SCOPED_TRACE(seed);
    const Case made = RandomCase(static_cast<std::uint64_t>(seed));
    const Found found = made.AtOnce(Fine(true), made.X_WA);
    if (found.empty()) continue;
    const std::vector<Metrics> each = made.OneByOne(Fine(true));
    double largest = 0.0;
    for (const Metrics& one : each) {
      if (one.hessian_W) largest = std::max(largest, one.hessian_W->norm());
    }
    // Volumes are of order one, divided by the step.
    constexpr double kStep = 1e-6, kRounding = 1e-9;
    const Vector3d way(0.36, 0.48, -0.8);
    const auto moved = [&](double step) {
      return made.AtOnce(Fine(), {made.X_WA.t + step * way, made.X_WA.q});
    };
    const Found ahead = moved(kStep), behind = moved(-kStep);
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (!found[k] || !found[k]->overlap) continue;
      const Metrics& one = *found[k];
      ASSERT_TRUE(one.hessian_W.has_value()) << k;
      if (each[k].hessian_W) {
        ++checked;
        EXPECT_LT((*one.hessian_W - *each[k].hessian_W).norm(), 1e-7 * largest) << k;
      }
      if (ahead.empty() || behind.empty() || !ahead[k] || !behind[k]) continue;
      const double slope = (ahead[k]->volume - behind[k]->volume) / (2.0 * kStep);
      EXPECT_NEAR(slope, -one.area_vector_W.dot(way),
                  kRounding + 1e-5 * (1.0 + AreaOf(one)) * AreaOf(one))
          << k;
    }
  }
  EXPECT_GT(checked, 50);
}

}  // namespace
}  // namespace volcontact::testing::sector_query_test
