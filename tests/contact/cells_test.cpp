#include "volcontact/contact/cells.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;
using testing::Random;

// Every point inside the solid is inside exactly one cell, and none outside is.
void ExpectPartition(const Solid& solid, const std::vector<Solid>& cells) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p = random.UniformVector(-3.0, 3.0);
    int holders = 0;
    for (const Solid& cell : cells) holders += cell.Locate(p) == Membership::kInside;
    ASSERT_EQ(holders, solid.Locate(p) == Membership::kInside ? 1 : 0) << p.transpose();
  }
}

Solid BoxAt(const Vector3d& size, const Vector3d& center) { return Box(size).Posed({center}); }

TEST(DisjointCells, AreOneForWhatIsNoUnion) {
  const Solid ball = Sphere(1.0), box = Box({1.0, 2.0, 3.0});
  for (const Solid& solid : {ball, Difference(box, {ball}), Intersection({box, ball}),
                             Complement(Union({box, ball})), Solid(), ball.Posed({{1, 2, 3}})}) {
    const std::vector<Solid> cells = DisjointCells(solid);
    ASSERT_EQ(cells.size(), 1u);
    EXPECT_EQ(&cells[0].node(), &solid.node());
  }
}

TEST(DisjointCells, LeaveAloneChildrenThatAreApartOrMeetInAFace) {
  const Solid a = BoxAt({1, 1, 1}, {0, 0, 0}), b = BoxAt({1, 2, 1}, {1, 0.5, 0});
  const Solid ball = Sphere(0.3).Posed({{0, 1.3, 0}});
  const std::vector<Solid> cells = DisjointCells(Union({a, b, ball}));
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(&cells[0].node(), &a.node());
  EXPECT_EQ(&cells[1].node(), &b.node());
  EXPECT_EQ(&cells[2].node(), &ball.node());
}

TEST(DisjointCells, LeaveAloneMeshesThatAreApart) {
  const Solid a = Mesh(testing::BoxMesh({0, 0, 0}, {1, 1, 1}));
  const Solid b = Mesh(testing::BoxMesh({1, 0, 0}, {2, 1, 1}));
  const std::vector<Solid> cells = DisjointCells(Union({a, b}));
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(&cells[1].node(), &b.node());
}

TEST(DisjointCells, DoNotShareVolume) {
  const Solid solid = Union(
      {Sphere(1.0), Box({3.0, 1.0, 1.0}), Cylinder(0.4, 4.0), Sphere(0.5).Posed({{2, 0, 0}})});
  const std::vector<Solid> cells = DisjointCells(solid);
  ASSERT_EQ(cells.size(), 4u);
  ExpectPartition(solid, cells);
  QueryOptions options;
  options.tolerance = 1e-4;
  double sum = 0.0;
  for (const Solid& cell : cells) sum += ComputeMassProperties(cell, options).volume;
  const double whole = ComputeMassProperties(solid, options).volume;
  EXPECT_NEAR(sum, whole, 2e-4 * whole);
}

TEST(DisjointCells, KeepTheIndexOfAChildThatIsHidden) {
  const std::vector<Solid> cells = DisjointCells(Union({Sphere(1.0), Sphere(0.5), Sphere(1.2)}));
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[1].Locate({0.1, 0.2, 0.3}), Membership::kOutside);
  EXPECT_EQ(cells[2].Locate({0.0, 0.0, 1.1}), Membership::kInside);
}

TEST(DisjointCells, MoveWithTheUnion) {
  Random random(5);
  const Pose X = random.PoseAt({0.3, -0.2, 0.1}), Y = random.PoseAt({-0.1, 0.4, 0.2});
  const Solid inner = Union({Sphere(1.0), Box({3.0, 1.0, 1.0}), Cylinder(0.4, 4.0)});
  for (const Solid& solid : {inner.Posed(X), inner.Posed(X).Posed(Y), Union({inner.Posed(X)}),
                             Union({Union({inner.Posed(X)}).Posed(Y)}).Posed(X)}) {
    const std::vector<Solid> cells = DisjointCells(solid);
    ASSERT_EQ(cells.size(), 3u);
    ExpectPartition(solid, cells);
  }
}

TEST(DisjointCells, GroupUnionsWithinAUnion) {
  const Solid solid = Union({Union({Sphere(1.0), Box({3, 1, 1})}), Cylinder(0.4, 4.0)});
  const std::vector<Solid> cells = DisjointCells(solid);
  ASSERT_EQ(cells.size(), 2u);
  ExpectPartition(solid, cells);
}

TEST(DisjointCells, OfUnboundedChildren) {
  const Solid tilted = HalfSpace().Posed(testing::AxisAngle({1, 2, 0}, 0.4));
  const Solid solid = Union({HalfSpace(), tilted, Box({1, 1, 1}), InfiniteCylinder(0.7)});
  const std::vector<Solid> cells = DisjointCells(solid);
  ASSERT_EQ(cells.size(), 4u);
  ExpectPartition(solid, cells);
}

}  // namespace
}  // namespace volcontact
