// Contact patches against the connected components of corefined meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "overlap/meshes/corefinement.h"
#include "overlap/meshes/patch_checks.h"
#include "support/meshes.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 223606797;

// Returns the number of patches.
std::size_t Compare(const TriangleMesh& A, const TriangleMesh& B, const Pose& X_AB) {
  const std::vector<Truth> truth = ExactPatches(A, B, X_AB);
  const PreparedPair pair(Mesh(A), Mesh(B));
  const std::vector<Metrics> patches = pair.QueryPatches(Pose{}, X_AB);
  ExpectAddUp(patches, pair.QueryRelative(X_AB));
  EXPECT_EQ(patches.size(), truth.size());
  if (patches.size() != truth.size()) return 0;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    SCOPED_TRACE(::testing::Message() << "patch " << i);
    ExpectMetrics(patches[i], truth[i], 1e-12);
  }
  return patches.size();
}

TEST(MeshPatchesExact, RandomStars) {
  Random random(kSeed);
  std::size_t most = 0;
  int several = 0;
  for (int sample = 0; sample < 5; ++sample) {
    SCOPED_TRACE(sample);
    const TriangleMesh A = StarMesh(&random, 2, 0.9), B = StarMesh(&random, 1, 0.9);
    const std::size_t count =
        Compare(A, B, random.PoseAt(random.Uniform(0.8, 2.0) * random.UnitVector()));
    most = std::max(most, count);
    several += count > 1 ? 1 : 0;
  }
  EXPECT_GE(several, 4);
  EXPECT_GE(most, 4u);
}

TEST(MeshPatchesExact, SpikesOnLargeFaces) {
  Random random(kSeed + 1);
  const TriangleMesh plate = BoxMesh({-9.0, -9.0, -1.0}, {9.0, 9.0, 0.0});
  std::size_t most = 0;
  for (int sample = 0; sample < 6; ++sample) {
    SCOPED_TRACE(sample);
    const TriangleMesh star = StarMesh(&random, 3, 0.6);
    const Pose X_AB = random.PoseAt(
        {random.Uniform(-3.0, 3.0), random.Uniform(-3.0, 3.0), random.Uniform(0.7, 1.4)});
    most = std::max(most, Compare(plate, star, X_AB));
    Compare(star, plate, Inverse(X_AB));
  }
  EXPECT_GE(most, 5u);
}

// Rings leave holes in the faces that they cross.
TEST(MeshPatchesExact, RingsAndGears) {
  Random random(kSeed + 2);
  const TriangleMesh plate = BoxMesh({-9.0, -9.0, -0.25}, {9.0, 9.0, 0.0});
  const TriangleMesh torus = TorusMesh(1.0, 0.375, 8, 5), gear = GearMesh(8, 1.0, 0.5);
  std::size_t most = 0;
  for (int sample = 0; sample < 3; ++sample) {
    SCOPED_TRACE(sample);
    const Pose flat = AxisAngle(random.UnitVector(), 0.2, random.UniformVector(-0.2, 0.1));
    most = std::max(most, Compare(plate, torus, flat));
    most = std::max(most, Compare(torus, plate, Inverse(flat)));
    most = std::max(most, Compare(torus, gear, random.PoseAt(random.UniformVector(-0.8, 0.8))));
    most = std::max(most, Compare(gear, gear, random.PoseAt(random.UniformVector(-0.8, 0.8))));
    most = std::max(most, Compare(torus, torus, random.PoseAt(random.UniformVector(-0.8, 0.8))));
  }
  EXPECT_GE(most, 3u);
}

}  // namespace
}  // namespace volcontact::testing
