// Unions and differences of meshes, rounded to doubles, against exact overlaps of what they are of
// and the library's own.
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

TEST(CombinedMeshes, VolumesAddUp) {
  Random random(kSeed);
  for (int sample = 0; sample < 4; ++sample) {
    SCOPED_TRACE(sample);
    const TriangleMesh A = StarMesh(&random, 1, 0.3);
    const Pose X = random.PoseAt(random.Uniform(0.5, 1.2) * random.UnitVector());
    const TriangleMesh B =
        Mapped(StarMesh(&random, 1, 0.3), [&](const Vector3d& p) -> Vector3d { return X * p; });
    const std::optional<ExactMoments> both = CorefinedOverlap(A, B, Pose());
    const auto united = Combined(Combination::kUnion, A, B);
    const auto rest = Combined(Combination::kDifference, A, B);
    ASSERT_TRUE(both && united && rest);
    EXPECT_NEAR(VolumeOf(*united), VolumeOf(A) + VolumeOf(B) - both->volume, kRounding);
    EXPECT_NEAR(VolumeOf(*rest), VolumeOf(A) - both->volume, kRounding);
  }
}

// Where the bore's segments leave a plate's face, rounding may put corners of triangles on a line.
TEST(CombinedMeshes, BoredPlatesMeetBalls) {
  Random random(kSeed + 1);
  for (int sample = 0; sample < 5; ++sample) {
    SCOPED_TRACE(sample);
    const Pose X = random.PoseAt(random.UnitVector());
    const auto moved = [&](const Vector3d& p) -> Vector3d { return X * p; };
    const TriangleMesh plate = Mapped(BoxMesh({-0.5, -0.5, -0.2}, {0.5, 0.5, 0.2}), moved);
    const TriangleMesh bore = Mapped(StarPrism(std::vector<double>(335, 0.2), 0.8), moved);
    const auto bored = Combined(Combination::kDifference, plate, bore);
    ASSERT_TRUE(bored);
    EXPECT_NEAR(VolumeOf(*bored), 0.4 - 0.5 * VolumeOf(bore), kRounding);
    const TriangleMesh ball = Mapped(Translated(SphereMesh(0.3, 4), {0.2, 0.1, 0.45}), moved);
    const auto overlap = MakeCorefinement(Constructions::kInexact, *bored, ball, Vector3d::Zero());
    ASSERT_TRUE(overlap->Run());
    const double volume = PreparedPair(Mesh(*bored), Mesh(ball)).QueryRelative(Pose()).volume;
    EXPECT_NEAR(overlap->Volume(), volume, kRounding);
  }
}

}  // namespace
}  // namespace volcontact::testing::combined_slow_test
