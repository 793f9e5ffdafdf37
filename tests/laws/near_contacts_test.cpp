// Meshes beside other solids, gaps from 1e-9 to 1e-2 of the size and depths from 1e-7: a sample of
// what bench/near_contacts_survey.cc does ten thousand times.
#include "support/near_contacts.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

const std::vector<NearMesh>& Meshes() {
  static const std::vector<NearMesh> meshes = NearMeshes();
  return meshes;
}

class NearContacts : public ::testing::TestWithParam<int> {
 protected:
  // Calls visit(mesh, solid, place) for so many gaps, or depths.
  template <class Visit>
  void ForPlaces(int count, double least, double sign, const Visit& visit) {
    std::mt19937_64 random(static_cast<std::uint64_t>(31 + GetParam()));
    std::uniform_real_distribution<double> exponent(std::log10(least), -2.0);
    int n = 0;
    for (int tries = 0; n < count && tries < 100 * count; ++tries) {
      const NearMesh& mesh = Meshes()[static_cast<std::size_t>(n) % Meshes().size()];
      const NearSolid solid = MakeNearSolid(GetParam(), mesh.size, &random);
      const double gap = sign * std::pow(10.0, exponent(random)) * mesh.size;
      const auto place = PlaceNear(mesh, solid, static_cast<Feature>(tries % 3), gap, &random);
      if (!place) continue;
      ++n;
      SCOPED_TRACE(mesh.name + " and " + solid.name + ", " + std::to_string(n));
      visit(mesh, solid, *place);
    }
    EXPECT_EQ(n, count);
  }
};

TEST_P(NearContacts, AreMissedByTheirDistance) {
  ForPlaces(11, 1e-9, 1.0,
            [](const NearMesh& mesh, const NearSolid& solid, const NearPlace& place) {
              const PreparedPair pair(mesh.solid, solid.solid);
              const double gap = place.truth, rounding = 1e-13 * mesh.size;
              const Metrics metrics = pair.Query(Pose{}, place.X_MB);
              EXPECT_FALSE(metrics.overlap);
              EXPECT_TRUE(metrics.converged);
              EXPECT_LE(metrics.distance.value(), gap * (1.0 + 1e-9) + rounding);
              EXPECT_GE(metrics.distance.value(), 0.9 * gap - rounding);
              ASSERT_TRUE(metrics.nearest_W.has_value());
              const auto& [x, y] = *metrics.nearest_W;
              EXPECT_GE((x - y).norm(), gap * (1.0 - 2e-3) - rounding);
              EXPECT_LE((x - y).norm(), gap / 0.9 + rounding);
              EXPECT_EQ(pair.Overlaps(Pose{}, place.X_MB), OverlapProof::kSeparated);
              // The other way round, the world elsewhere.
              const PreparedPair turned(solid.solid, mesh.solid);
              const Pose X_WM = AxisAngle(Vector3d(1.0, 2.0, 3.0).normalized(), 0.7,
                                          Vector3d(0.3, -0.2, 0.5) * mesh.size);
              const Separation apart = turned.Separate(Compose(X_WM, place.X_MB), X_WM);
              EXPECT_LE(apart.distance_bound, gap * (1.0 + 1e-9) + rounding);
              EXPECT_GE(apart.distance_bound, 0.9 * gap - rounding);
            });
}

TEST_P(NearContacts, AreOverlapsAtAnyDepth) {
  ForPlaces(
      11, 1e-7, -1.0, [](const NearMesh& mesh, const NearSolid& solid, const NearPlace& place) {
        const PreparedPair pair(mesh.solid, solid.solid);
        const Metrics metrics = pair.Query(Pose{}, place.X_MB);
        EXPECT_TRUE(metrics.overlap);
        EXPECT_TRUE(metrics.converged);
        EXPECT_GT(metrics.volume, 0.0);
        const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(metrics.inertia_W);
        EXPECT_GT(solver.eigenvalues().minCoeff(), 0.0);
        const Vector3d margin = Vector3d::Constant(1e-13 * mesh.size);
        for (const Aabb& box : {mesh.solid.Bounds(), solid.solid.Posed(place.X_MB).Bounds()}) {
          EXPECT_TRUE(((metrics.centroid_W - box.min + margin).array() >= 0.0).all());
          EXPECT_TRUE(((box.max + margin - metrics.centroid_W).array() >= 0.0).all());
        }
        EXPECT_EQ(pair.DistanceBound(Pose{}, place.X_MB), 0.0);
      });
}

// From a gap to a depth of the same size along one line the event function falls through zero, and
// is small on both sides.
TEST_P(NearContacts, EventFunctionIsContinuousThroughContact) {
  ForPlaces(3, 1e-9, 1.0, [](const NearMesh& mesh, const NearSolid& solid, const NearPlace& place) {
    const PreparedPair pair(mesh.solid, solid.solid);
    const Separation apart = pair.Separate(Pose{}, place.X_MB);
    ASSERT_TRUE(apart.nearest_W.has_value());
    const auto& [x, y] = *apart.nearest_W;
    double last = std::numeric_limits<double>::infinity();
    // At 1, or 1.1 at most, the solids touch.
    for (const double share : {0.0, 0.5, 0.9, 1.2, 2.0}) {
      const Pose moved = {place.X_MB.t + share * (x - y), place.X_MB.q};
      const double f = pair.EventFunction(Pose{}, moved);
      const double gap = (1.0 - share) * place.truth;
      if (share < 1.0) {
        EXPECT_GT(f, 0.0);
        EXPECT_LE(f, gap + 0.15 * place.truth);
      } else {
        EXPECT_LT(f, 0.0);
        // A layer of that depth over all of the smaller solid at most.
        EXPECT_GE(f, -std::cbrt(4.0 * place.truth * mesh.size * mesh.size));
      }
      EXPECT_LT(f, last);
      last = f;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, NearContacts, ::testing::Range(0, kNearKinds));

// Boundaries that are far apart are no distance where one solid holds the other.
TEST(Enclosed, SolidsHaveNoDistance) {
  const Solid ball = Mesh(SphereMesh(1.0, 2)), pea = Mesh(SphereMesh(0.1, 0));
  const Pose aside = {{0.3, 0.2, 0.1}};
  int number = 0;
  const Solid block = Difference(Box({6, 6, 6}), {Cylinder(0.5, 8.0)});
  const Solid two = Mesh(Joined(SphereMesh(0.1, 0), Translated(SphereMesh(0.1, 0), {4, 0, 0})));
  for (const auto& [outer, inner] : std::vector<std::pair<Solid, Solid>>{
           {ball, Sphere(0.1)},
           {ball, Torus(0.2, 0.05)},
           {ball, Ellipsoid({0.1, 0.2, 0.3})},
           {ball, Difference(Box({0.4, 0.4, 0.4}), {Cylinder(0.1, 1.0)})},
           {ball, pea},
           {Sphere(1.0), pea},
           {Torus(0.3, 0.25), pea},
           {Cylinder(1.0, 2.0), two},
           {Union({ball, Sphere(0.2).Posed(Pose{{3, 0, 0}})}), Box({0.1, 0.1, 0.1})}}) {
    SCOPED_TRACE(number++);
    EXPECT_EQ(PreparedPair(outer, inner).DistanceBound(Pose{}, aside), 0.0);
    EXPECT_EQ(PreparedPair(inner, outer).DistanceBound(aside, Pose{}), 0.0);
    EXPECT_EQ(PreparedPair(outer, inner).Overlaps(Pose{}, aside), OverlapProof::kOverlap);
  }
  const Pose beside = {{1.7, 1.5, 0.2}};
  for (const Solid& inner : {pea, Torus(0.3, 0.1), Sphere(0.2), Cylinder(0.1, 0.3)}) {
    EXPECT_EQ(PreparedPair(block, inner).DistanceBound(Pose{}, beside), 0.0);
  }
}

// What is not convex: a mesh in a bore, a boss in a bore of a mesh, several parts.
TEST(NearContactsOf, CombinationsAreBoundedWithinATenth) {
  const Solid plate = Difference(Box({8, 8, 2}), {Cylinder(1.0, 4.0)});
  const TriangleMesh peg = StarPrism(std::vector<double>(24, 1.0), 3.0);
  for (const double gap : {0.1, 1e-3}) {
    SCOPED_TRACE(gap);
    const auto expect = [&](const Solid& A, const Solid& B, const Pose& X_AB, double truth) {
      const PreparedPair pair(A, B);
      const double bound = pair.DistanceBound(Pose{}, X_AB);
      EXPECT_LE(bound, truth * (1.0 + 1e-9) + 1e-13);
      EXPECT_GE(bound, 0.9 * truth);
      EXPECT_EQ(pair.Overlaps(Pose{}, X_AB), OverlapProof::kSeparated);
      EXPECT_FALSE(pair.Query(Pose{}, X_AB).overlap);
    };
    const Solid slim = Mesh(Mapped(peg, [&](const Vector3d& p) {
      return Vector3d(p.x() * (1 - gap), p.y() * (1 - gap), p.z());
    }));
    expect(plate, slim, Pose{}, gap);
    expect(slim, Difference(Sphere(2.0), {Cylinder(1.0, 5.0)}), Pose{}, gap);
    expect(Union({slim, Sphere(0.2).Posed(Pose{{0, 0, 3}})}), plate, Pose{}, gap);
    const Solid ring = Mesh(TorusMesh(2.0, 0.5, 60, 24));
    // The waist of its hole is a polygon, nearest to the axis in the middle of its sides.
    const double waist = 1.5 * std::cos(M_PI / 60.0);
    expect(ring, Cylinder(waist - gap, 4.0), Pose{}, gap);
    expect(Union({Sphere(0.5), ring}), Box({0.2, 0.2, 0.2}), Pose{{0.6 + gap, 0, 0}}, gap);
  }
}

}  // namespace
}  // namespace volcontact::testing
