// What a solid is made of, read back.
#include "volcontact/solids/solid_parts.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "volcontact/solids/csg.h"

namespace volcontact {
namespace {

using Numbers = std::vector<double>;

TEST(SolidParts, Primitives) {
  EXPECT_EQ(PartsOf(Cone(0.5, 2.0, 0.25)).shape, "cone");
  EXPECT_EQ(PartsOf(Cone(0.5, 2.0, 0.25)).numbers, Numbers({0.5, 2.0, 0.25}));
  EXPECT_EQ(PartsOf(Box({1.0, 2.0, 3.0})).numbers, Numbers({1.0, 2.0, 3.0}));
  EXPECT_EQ(PartsOf(InfiniteCylinder(0.5)).numbers,
            Numbers({0.5, std::numeric_limits<double>::infinity()}));
  EXPECT_TRUE(PartsOf(HalfSpace()).numbers.empty());
  QuadricMatrix Q = QuadricMatrix::Identity();
  Q(3, 3) = -0.25;
  Q(0, 1) = Q(1, 0) = 0.125;
  const SolidParts quadric = PartsOf(Quadric(Q));
  EXPECT_EQ(quadric.shape, "quadric");
  EXPECT_EQ(quadric.numbers[1], 0.125);
  EXPECT_EQ(quadric.numbers[15], -0.25);
  const SolidParts polynomial = PartsOf(PolynomialSolid({{1.0, {2, 0, 0}}, {-1.0, {0, 0, 0}}}));
  EXPECT_EQ(polynomial.terms.size(), 2u);
}

TEST(SolidParts, CombinationsKeepOrderAndPoses) {
  const Pose inner{{1.0, 0.0, 0.0}}, outer{{0.0, 2.0, 0.0}, {0.8, 0.0, 0.6, 0.0}};
  const Solid solid =
      Difference(Sphere(1.0), {Sphere(0.5), Sphere(0.25)}).Posed(inner).Posed(outer);
  const SolidParts parts = PartsOf(solid);
  EXPECT_EQ(parts.shape, "difference");
  ASSERT_EQ(parts.children.size(), 3u);
  EXPECT_EQ(PartsOf(parts.children[1]).numbers, Numbers({0.5}));
  ASSERT_EQ(parts.poses.size(), 2u);
  EXPECT_EQ(parts.poses[0].t, outer.t);
  EXPECT_EQ(parts.poses[1].t, inner.t);
  EXPECT_EQ(PartsOf(Complement(solid)).shape, "complement");
  EXPECT_EQ(PartsOf(Solid()).shape, "union");
  EXPECT_TRUE(PartsOf(Solid()).children.empty());
}

TEST(SolidParts, Meshes) {
  const TriangleMesh mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                             {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  const Solid solid = Mesh(mesh).Posed({{1.0, 0.0, 0.0}});
  EXPECT_EQ(PartsOf(solid).mesh_vertices, 4u);
  EXPECT_EQ(PartsOf(solid).mesh_faces, 4u);
  const std::optional<TriangleMesh> back = MeshOf(solid);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->vertices, mesh.vertices);
  EXPECT_EQ(back->faces, mesh.faces);
  EXPECT_FALSE(MeshOf(Sphere(1.0)));
  EXPECT_FALSE(MeshOf(Union({solid})));
}

}  // namespace
}  // namespace volcontact
