// The tree over a mesh's faces.
#include "solids/mesh/mesh_tree.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "support/meshes.h"
#include "support/metrics_checks.h"
#include "volcontact/math/error.h"

namespace volcontact::testing::mesh_tree_test {
namespace {

constexpr std::uint64_t kSeed = 244948974;

template <class T>
bool SameBytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

bool SameSums(const NodeSums& a, const NodeSums& b) {
  return SameBytes(a.faces, b.faces) && SameBytes(a.cone_axis, b.cone_axis) &&
         SameBytes(a.area, b.area) && SameBytes(a.cone_cosine, b.cone_cosine);
}

void ExpectSame(const MeshTree& a, const MeshTree& b) {
  EXPECT_EQ(a.faces(), b.faces());
  EXPECT_TRUE(SameBytes(a.bounds(), b.bounds()));
  ASSERT_EQ(a.nodes().size(), b.nodes().size());
  for (std::size_t i = 0; i < a.nodes().size(); ++i) {
    ASSERT_TRUE(SameBytes(a.nodes()[i], b.nodes()[i])) << "node " << i;
    if (a.nodes()[i].IsLeaf()) continue;
    ASSERT_TRUE(SameSums(a.sums(a.nodes()[i]), b.sums(b.nodes()[i]))) << "node " << i;
  }
  for (std::uint32_t f = 0; f < a.faces().size(); ++f) ASSERT_EQ(a.original(f), b.original(f));
}

// Returns the number of nodes under a node that holds the faces [begin, end), sums numbered from
// `inner`.
std::uint32_t CheckNode(const MeshTree& tree, std::uint32_t number, std::uint32_t begin,
                        std::uint32_t end, std::uint32_t inner) {
  const MeshNode& node = tree.nodes().at(number);
  EXPECT_EQ(node.begin, begin);
  EXPECT_EQ(node.end, end);
  EXPECT_EQ(node.IsLeaf(), end - begin <= MeshTree::kLeafFaces);
  for (std::uint32_t f = begin; f < end; ++f) {
    for (const std::uint32_t v : tree.faces()[f]) {
      EXPECT_TRUE((tree.vertices()[v].array() >= node.Min().array()).all());
      EXPECT_TRUE((tree.vertices()[v].array() <= node.Max().array()).all());
    }
  }
  if (node.IsLeaf()) return 1;
  EXPECT_EQ(node.sums, inner);
  const std::uint32_t middle = tree.nodes().at(node.right).begin;
  const std::uint32_t left = CheckNode(tree, number + 1, begin, middle, inner + 1);
  EXPECT_EQ(node.right, number + 1 + left);
  return 1 + left + CheckNode(tree, node.right, middle, end, inner + 1 + left / 2);
}

TEST(MeshTree, NodesStandInPreorder) {
  Random random(kSeed);
  for (const int points : {4, 5, 6, 7, 8, 9, 13, 21}) {
    const TriangleMesh mesh = HullMesh(&random, points);
    const MeshTree tree(mesh);
    EXPECT_EQ(CheckNode(tree, 0, 0, static_cast<std::uint32_t>(mesh.faces.size()), 0),
              tree.nodes().size());
  }
  const TriangleMesh star = StarMesh(&random, 5, 0.2);
  const MeshTree tree(star);
  EXPECT_EQ(CheckNode(tree, 0, 0, static_cast<std::uint32_t>(star.faces.size()), 0),
            tree.nodes().size());
}

TEST(MeshTree, IsTheSameForAnyNumberOfThreads) {
  Random random(kSeed);
  // Equal centres too, of faces in the same place.
  const TriangleMesh star = StarMesh(&random, 6, 0.2), torus = TorusMesh(1.0, 0.3, 101, 37);
  for (const TriangleMesh& mesh : {star, torus, Joined(torus, torus), HullMesh(&random, 12)}) {
    const MeshTree one(mesh);
    for (const int threads : {1, 2, 4, 8}) {
      SCOPED_TRACE(threads);
      ExpectSame(one, MeshTree(mesh, threads));
    }
  }
}

TEST(MeshTree, SolidsAreTheSameForAnyNumberOfThreads) {
  Random random(kSeed);
  // 5,120 and 20,480 faces: several subtrees each, which threads build.
  const TriangleMesh A = StarMesh(&random, 4, 0.3), B = StarMesh(&random, 5, 0.2);
  const Pose X_AB = random.PoseAt({0.5, 0.6, 0.7});
  const Metrics one = PreparedPair(Mesh(A), Mesh(B)).QueryRelative(X_AB);
  EXPECT_TRUE(one.overlap);
  for (const int threads : {2, 4, 8}) {
    EXPECT_TRUE(
        BitwiseEqual(one, PreparedPair(Mesh(A, threads), Mesh(B, threads)).QueryRelative(X_AB)));
  }
  EXPECT_THROW(Mesh(A, 0), InvalidInput);
}

}  // namespace
}  // namespace volcontact::testing::mesh_tree_test
