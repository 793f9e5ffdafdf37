// Unions and differences of meshes against exact overlaps of the meshes that they are made of.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "corefinement/corefinement.h"
#include "solids/mesh_boolean/join_meshes.h"
#include "support/meshes.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"

namespace volcontact::testing::combined_slow_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 264575131;
// The error of rounding the new points.
constexpr double kRounding = 1e-13;

double VolumeOf(const TriangleMesh& mesh) { return ComputeMassProperties(Mesh(mesh)).volume; }

TEST(CombinedMeshes, JoinedMeshesHaveTheirVolumes) {
  Random random(kSeed + 2);
  for (int sample = 0; sample < 6; ++sample) {
    SCOPED_TRACE(sample);
    const TriangleMesh A = StarMesh(&random, 2, 0.3);
    const Pose X = random.PoseAt(random.Uniform(0.3, 1.2) * random.UnitVector());
    const TriangleMesh B =
        Mapped(StarMesh(&random, 2, 0.3), [&](const Vector3d& p) -> Vector3d { return X * p; });
    const auto both = CorefinedOverlap(A, B, Pose());
    ASSERT_TRUE(both);
    const auto volume_of = [](const Solid& s) { return ComputeMassProperties(s).volume; };
    const Solid a = Mesh(A), b = Mesh(B);
    const double of_a = VolumeOf(A), of_b = VolumeOf(B);
    EXPECT_NEAR(volume_of(JoinMeshes(Intersection({a, b}))), both->volume, kRounding);
    EXPECT_NEAR(volume_of(JoinMeshes(Union({a, b}))), of_a + of_b - both->volume, kRounding);
    EXPECT_NEAR(volume_of(JoinMeshes(Difference(b, {a}))), of_b - both->volume, kRounding);
  }
}

// The bore goes through the plate, so that what it takes of a ball is what its middle has of it.
TEST(CombinedMeshes, BoredPlatesMeetBalls) {
  Random random(kSeed + 1);
  for (int sample = 0; sample < 5; ++sample) {
    SCOPED_TRACE(sample);
    const Pose X = random.PoseAt(random.UnitVector());
    const auto moved = [&](const Vector3d& p) -> Vector3d { return X * p; };
    const std::vector<double> radii(335, 0.2);
    const TriangleMesh plate = Mapped(BoxMesh({-0.5, -0.5, -0.2}, {0.5, 0.5, 0.2}), moved);
    const TriangleMesh bore = Mapped(StarPrism(radii, 0.8), moved);
    const TriangleMesh middle = Mapped(StarPrism(radii, 0.4), moved);
    const TriangleMesh ball = Mapped(Translated(SphereMesh(0.3, 4), {0.2, 0.1, 0.45}), moved);
    const auto with_plate = CorefinedOverlap(plate, ball, Pose());
    const auto with_middle = CorefinedOverlap(middle, ball, Pose());
    ASSERT_TRUE(with_plate && with_middle);
    EXPECT_GT(with_middle->volume, 0.0);
    const PreparedPair pair(Difference(Mesh(plate), {Mesh(bore)}), Mesh(ball));
    EXPECT_NEAR(pair.QueryRelative(Pose()).volume, with_plate->volume - with_middle->volume,
                kRounding);
  }
}

}  // namespace
}  // namespace volcontact::testing::combined_slow_test
