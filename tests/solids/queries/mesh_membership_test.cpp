// Points located in meshes in doubles, against exact numbers.
#include "solids/mesh/mesh_membership.h"

#include <gtest/gtest.h>

#include "solids/mesh/exact_mesh_membership.h"
#include "support/meshes.h"
#include "support/random_solids.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

void ExpectSamePlace(const MeshTree& tree, const Vector3d& p) {
  EXPECT_EQ(LocateInMesh(tree, p), LocateInMesh(tree, {Rational(p.x()), p.y(), p.z()}))
      << p.transpose();
}

// At random places, and where doubles do not decide: on vertices, edges and faces, and where the
// ray from the point runs through an edge or in a face.
TEST(MeshMembership, InDoublesIsThatOfExactNumbers) {
  Random random(14);
  for (const TriangleMesh& mesh : {StarMesh(&random, 2, 0.3), GearMesh(7, 1.0, 0.5), LPrism(),
                                   BoxMesh(Vector3d::Constant(-1.0), Vector3d::Ones(), 3)}) {
    const MeshTree tree(mesh);
    int inside = 0;
    for (int n = 0; n < 200; ++n) {
      const Vector3d p = random.UniformVector(-1.1, 1.1);
      ExpectSamePlace(tree, p);
      inside += LocateInMesh(tree, p) == Truth::kTrue ? 1 : 0;
    }
    EXPECT_GT(inside, 0);
    for (std::size_t f = 0; f < mesh.faces.size(); f += 7) {
      const auto& [a, b, c] = mesh.faces[f];
      const Vector3d &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
      EXPECT_EQ(LocateInMesh(tree, p), Truth::kUnknown);
      for (const Vector3d& at : {Vector3d(0.5 * (p + q)), Vector3d((p + q + r) / 3.0)}) {
        ExpectSamePlace(tree, at);
        ExpectSamePlace(tree, at - Vector3d(0.25, 0.0, 0.0));
      }
    }
  }
}

}  // namespace
}  // namespace volcontact::testing
