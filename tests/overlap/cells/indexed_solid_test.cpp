// What an index leaves of a solid within a box is the solid there, and no more than is there.
#include "overlap/cells/operands/indexed_solid.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "overlap/cells/operands/fetch_overlap.h"
#include "overlap/cells/operands/operand_tree.h"
#include "overlap/region_testing.h"

namespace volcontact::testing::indexed_solid_test {
namespace {

using Eigen::Vector3d;

constexpr int kAll = std::numeric_limits<int>::max();

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  double Number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vector3d Point(double size) {
    return {Number(-size, size), Number(-size, size), Number(-size, size)};
  }
  Pose PoseNear(double size) {
    const Vector3d p = Point(size);
    return PoseAt(p.x(), p.y(), p.z(), Number(-1, 1), Number(-1, 1), Number(-1, 1));
  }

 private:
  std::mt19937 random_;
};

// A plate of n² squares of side one, each with a hole in its middle.
Solid PerforatedPlate(int n, double hole_height) {
  std::vector<Solid> holes;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double x = i - 0.5 * (n - 1), y = j - 0.5 * (n - 1);
      holes.push_back(Cylinder(0.2, hole_height).Posed(PoseAt(x, y, 0)));
    }
  }
  return Difference(Box({1.0 * n, 1.0 * n, 0.4}), holes);
}

// Parts of all kinds within the cube |x| <= size, in booleans of three levels, turned as a whole.
Solid Machine(unsigned seed, double size) {
  Draw draw(seed);
  const auto primitive = [&]() -> Solid {
    switch (static_cast<int>(draw.Number(0.0, 4.0))) {
      case 0:
        return Sphere(draw.Number(0.3, 0.8));
      case 1:
        return Box({draw.Number(0.3, 1.5), draw.Number(0.3, 1.5), draw.Number(0.3, 1.5)});
      case 2:
        return Cylinder(draw.Number(0.2, 0.5), draw.Number(0.5, 2.0));
      case 3:
        return Cone(draw.Number(0.2, 0.5), draw.Number(0.5, 2.0));
      case 4:
        return Torus(draw.Number(0.4, 0.7), draw.Number(0.1, 0.3));
      default:
        return Capsule(draw.Number(0.2, 0.4), draw.Number(0.5, 1.5));
    }
  };
  std::vector<Solid> parts;
  for (int k = 0; k < 40; ++k) {
    std::vector<Solid> cuts;
    for (int m = 0; m < 3; ++m) cuts.push_back(primitive().Posed(draw.PoseNear(0.5)));
    const Solid part =
        Difference(Union({primitive(), primitive().Posed(draw.PoseNear(0.5))}), cuts);
    parts.push_back(part.Posed(draw.PoseNear(size)));
  }
  std::vector<Solid> bores;
  for (int k = 0; k < 10; ++k) bores.push_back(InfiniteCylinder(0.3).Posed(draw.PoseNear(size)));
  return Difference(Union(std::move(parts)), bores);
}

bool IsInside(const ImplicitSolid& solid, const Vector3d& p) {
  std::vector<std::uint8_t> below(solid.surfaces.size());
  for (std::size_t s = 0; s < below.size(); ++s) {
    const SurfacePolynomial& psi = solid.surfaces[s];
    below[s] = psi(DoubleDouble(p.x()), DoubleDouble(p.y()), DoubleDouble(p.z())).hi <= 0.0 ? 1 : 0;
  }
  return solid.expression.Evaluate(below.data());
}

// Boxes of all sizes: each part must be the whole at all points of its box.
void ExpectEquivalent(const IndexedSolid& solid, double size, unsigned seed, int boxes) {
  Draw draw(seed);
  IndexedSolid::Part part;
  int undecided = 0;
  for (int k = 0; k < boxes; ++k) {
    const Vector3d center = draw.Point(size);
    const double scale = std::pow(10.0, draw.Number(-3.0, 0.5));
    const Vector3d half = scale * (draw.Point(1.0).cwiseAbs() + Vector3d::Constant(0.01));
    solid.Fetch({center - half, center + half}, kAll, &part);
    ASSERT_TRUE(part.exact);
    ASSERT_EQ(part.solid->kinds.size(), part.solid->surfaces.size());
    undecided += part.solid->expression.IsConstant() ? 0 : 1;
    for (int m = 0; m < 20; ++m) {
      const Vector3d p = center + half.cwiseProduct(draw.Point(1.0));
      ASSERT_EQ(IsInside(*part.solid, p), IsInside(solid.whole(), p)) << k << ' ' << p.transpose();
    }
    // What holds more than the solid holds it.
    solid.Fetch({center - half, center + half}, 3, &part);
    for (int m = 0; m < 20; ++m) {
      const Vector3d p = center + half.cwiseProduct(draw.Point(1.0));
      ASSERT_TRUE(!IsInside(solid.whole(), p) || IsInside(*part.solid, p)) << k;
    }
  }
  EXPECT_GT(undecided, boxes / 10);
}

TEST(IndexedSolid, IsTheSolidInEveryBox) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    const IndexedSolid machine(Machine(seed, 4.0));
    ASSERT_TRUE(machine.IsIndexed());
    ExpectEquivalent(machine, 5.0, seed, 200);
  }
}

TEST(IndexedSolid, IsThePlateInEveryBox) {
  // Flush holes, holes that stick out, blind ones; and in the parts of a tilted solid.
  for (const double height : {0.4, 1.0, 0.3}) {
    SCOPED_TRACE(height);
    ExpectEquivalent(IndexedSolid(PerforatedPlate(8, height)), 4.5, 5, 300);
    const Solid turned = PerforatedPlate(8, height).Posed(PoseAt(0.3, 0.2, 0.1, 0.5, 0.2, 0.3));
    ExpectEquivalent(IndexedSolid(Union({turned, Sphere(0.7)})), 4.5, 6, 300);
  }
}

TEST(IndexedSolid, OfAnUnboundedSolidIsItInEveryBox) {
  Draw draw(7);
  std::vector<Solid> pockets;
  for (int k = 0; k < 60; ++k) pockets.push_back(Sphere(0.5).Posed(draw.PoseNear(6.0)));
  const IndexedSolid ground(Difference(HalfSpace(), pockets));
  ASSERT_TRUE(ground.IsIndexed());
  ExpectEquivalent(ground, 6.0, 8, 300);
  // Beyond what is indexed the whole answers.
  IndexedSolid::Part part;
  ground.Fetch({Vector3d::Constant(1e6), Vector3d::Constant(2e6)}, kAll, &part);
  EXPECT_TRUE(part.IsWhole());
}

TEST(IndexedSolid, FetchesWhatIsNearOfTenThousandHoles) {
  const IndexedSolid plate(PerforatedPlate(100, 1.0));
  IndexedSolid::Part part;
  Draw draw(9);
  for (int k = 0; k < 1000; ++k) {
    const Vector3d center(draw.Number(-49, 49), draw.Number(-49, 49), draw.Number(-0.2, 0.2));
    const Vector3d half = Vector3d::Constant(0.3);
    plate.Fetch({center - half, center + half}, kAll, &part);
    // Two faces, four holes with an end face each way.
    EXPECT_LE(part.solid->surfaces.size(), 8u);
  }
  plate.Fetch({{-49, -49, 0.1}, {49, 49, 0.3}}, 100, &part);
  EXPECT_FALSE(part.exact);
  EXPECT_LE(part.solid->surfaces.size(), 100u);
}

TEST(IndexedSolid, SmallSolidsAreTakenWhole) {
  const IndexedSolid plate(PerforatedPlate(2, 1.0));
  EXPECT_FALSE(plate.IsIndexed());
  IndexedSolid::Part part;
  plate.Fetch({Vector3d::Constant(5.0), Vector3d::Constant(6.0)}, 1, &part);
  EXPECT_TRUE(part.IsWhole());
  EXPECT_TRUE(part.exact);
}

TEST(OperandTree, IsTheSameForAnyNumberOfThreads) {
  const ImplicitSolid solid = Compile(Machine(4, 4.0));
  const Aabb domain = {Vector3d::Constant(-12.0), Vector3d::Constant(12.0)};
  const OperandTree one(solid, domain, 1), two(solid, domain, 2), four(solid, domain, 4);
  Draw draw(10);
  std::vector<Expression::Node> nodes[3];
  for (int k = 0; k < 200; ++k) {
    const Vector3d center = draw.Point(5.0), half = draw.Point(2.0).cwiseAbs();
    const Aabb box = {center - half, center + half};
    one.Reduce(box, kAll, &nodes[0]);
    two.Reduce(box, kAll, &nodes[1]);
    four.Reduce(box, kAll, &nodes[2]);
    for (const int other : {1, 2}) {
      ASSERT_EQ(nodes[0].size(), nodes[other].size());
      for (std::size_t n = 0; n < nodes[0].size(); ++n) {
        ASSERT_EQ(nodes[0][n].kind, nodes[other][n].kind);
        ASSERT_EQ(nodes[0][n].value, nodes[other][n].value);
        ASSERT_EQ(nodes[0][n].flag, nodes[other][n].flag);
      }
    }
  }
}

// The set holds A ∩ B everywhere, although surfaces are left out: also far outside of the box.
TEST(OverlapFetcher, HoldsTheOverlapEverywhere) {
  const IndexedSolid A(Machine(5, 2.0)), B(Machine(6, 2.0));
  OverlapFetcher fetcher;
  SurfaceSet set;
  Draw draw(11);
  int overlaps = 0;
  for (int k = 0; k < 30; ++k) {
    const Vector3d away = draw.Point(1.0).normalized() * draw.Number(0.0, 4.0);
    Pose pose = draw.PoseNear(0.0);
    pose.t = away;
    const Rigid X_AB(pose), X_BA = X_AB.Inverse();
    Aabb box;
    fetcher.Run(A, B, X_AB, &set, &box);
    const ImplicitSolid merged = {set.surfaces, set.kinds, set.expression};
    for (int m = 0; m < 300; ++m) {
      const Vector3d p = draw.Point(4.0);
      const bool inside =
          IsInside(A.whole(), p) && IsInside(B.whole(), Round(X_BA * ToDoubleDouble(p)));
      ASSERT_EQ(IsInside(merged, p), inside) << k << ' ' << p.transpose();
      overlaps += inside ? 1 : 0;
      ASSERT_TRUE(!inside || !Intersect(box, {p, p}).IsEmpty()) << k;
    }
  }
  EXPECT_GT(overlaps, 20);
}

}  // namespace
}  // namespace volcontact::testing::indexed_solid_test
