// What every solid promises, whatever its kind.
#include <gtest/gtest.h>

#include <random>

#include "solids/implicit/implicit_solid.h"
#include "solids/tree/solid_kinds.h"

namespace volcontact::solid_contract_test {
namespace {

using Eigen::Vector3d;

constexpr int kPoints = 3000;

const Pose kPoses[] = {
    {{0.0, 0.0, 0.0}, {0.2, 0.4, 0.4, 0.8}},
    {{12.5, -3.25, 100.0}, {0.5, -0.5, 0.5, 0.5}},
    {{0.1, 0.2, 0.3},
     {0.18257418583505536, 0.36514837167011072, 0.54772255750516607, 0.73029674334022143}},
    {{-1e6, 3e5, 7.0}, {0.0, 0.6, 0.0, 0.8}},
};

class SolidContractTest : public testing::TestWithParam<SolidKind> {
 protected:
  const Solid& solid() const { return GetParam().solid; }

  Vector3d RandomPoint() {
    std::uniform_real_distribution<double> uniform(-1.5, 1.5);
    return {uniform(random_), uniform(random_), uniform(random_)};
  }

  std::mt19937_64 random_{3};
};

bool Contains(const Aabb& box, const Vector3d& p) {
  return (p.array() >= box.min.array()).all() && (p.array() <= box.max.array()).all();
}

Membership Opposite(Membership m) {
  if (m == Membership::kBoundary) return m;
  return m == Membership::kInside ? Membership::kOutside : Membership::kInside;
}

// Sign of a compiled expression at p in double-double arithmetic.
bool IsInside(const ImplicitSolid& solid, const Vector3d& p) {
  std::vector<std::uint8_t> inside(solid.surfaces.size());
  for (std::size_t s = 0; s < inside.size(); ++s) {
    inside[s] = solid.surfaces[s](p.x(), p.y(), p.z()).hi <= 0.0;
  }
  return solid.expression.Evaluate(inside.data());
}

TEST_P(SolidContractTest, LocateAgreesWithTheDefinition) {
  int inside = 0;
  for (int n = 0; n < kPoints; ++n) {
    const Vector3d p = RandomPoint();
    const double psi = GetParam().psi(p);
    if (std::abs(psi) < 1e-12) continue;
    EXPECT_EQ(solid().Locate(p), psi < 0.0 ? Membership::kInside : Membership::kOutside);
    inside += psi < 0.0;
  }
  EXPECT_GT(inside, kPoints / 200);
}

TEST_P(SolidContractTest, ComplementFlipsMembership) {
  const Solid complement = Complement(solid());
  for (int n = 0; n < kPoints; ++n) {
    const Vector3d p = RandomPoint();
    EXPECT_EQ(complement.Locate(p), Opposite(solid().Locate(p)));
  }
}

TEST_P(SolidContractTest, CompiledSurfacesAgreeWithLocate) {
  const Solid posed = solid().Posed(kPoses[0]).Posed(kPoses[1]);
  const ImplicitSolid here = Compile(solid()), there = Compile(posed);
  EXPECT_EQ(here.surfaces.size(), there.surfaces.size());
  EXPECT_EQ(here.convex, GetParam().convex);
  for (int n = 0; n < kPoints; ++n) {
    const Vector3d p = RandomPoint(), q = kPoses[1] * (kPoses[0] * p);
    const Membership at_p = solid().Locate(p), at_q = posed.Locate(q);
    if (at_p != Membership::kBoundary) {
      EXPECT_EQ(IsInside(here, p), at_p == Membership::kInside);
    }
    if (at_q != Membership::kBoundary) {
      EXPECT_EQ(IsInside(there, q), at_q == Membership::kInside);
    }
  }
}

TEST_P(SolidContractTest, BoundsContainTheSolidWhereverItIs) {
  EXPECT_EQ(solid().Bounds().IsBounded(), GetParam().bounded);
  for (const Pose& pose : kPoses) {
    const Solid posed = solid().Posed(pose);
    const Aabb box = posed.Bounds();
    if (GetParam().bounded) {
      EXPECT_TRUE(box.IsBounded());
    }
    for (int n = 0; n < kPoints; ++n) {
      const Vector3d p = pose * RandomPoint();
      if (posed.Locate(p) == Membership::kInside) {
        EXPECT_TRUE(Contains(box, p));
      }
    }
  }
}

// A pose that permutes the axes has images that are exact doubles: they keep their membership,
// those on the boundary included.
TEST_P(SolidContractTest, PosingMovesMembershipExactly) {
  const Pose quarter = {{0.25, -2.0, 0.5}, {0.5, -0.5, 0.5, 0.5}};
  const Solid posed = solid().Posed(quarter);
  for (int n = 0; n < kPoints; ++n) {
    const Vector3d p = (RandomPoint() * 64.0).array().round() / 64.0;
    EXPECT_EQ(posed.Locate(quarter * p), solid().Locate(p));
  }
}

TEST_P(SolidContractTest, AMotionAndItsInverseChangeNothing) {
  // R(q)'R(q) = I exactly, as the rotation belongs to q/|q| although |q| is not one.
  const Pose there = {{0.0, 0.0, 0.0}, {0.3, 0.1, -0.5, 0.8062257748298549}};
  const Pose back = {{0.0, 0.0, 0.0}, {there.q[0], -there.q[1], -there.q[2], -there.q[3]}};
  const Solid same = solid().Posed(there).Posed(back);
  for (int n = 0; n < 300; ++n) {
    const Vector3d p = (RandomPoint() * 16.0).array().round() / 16.0;
    EXPECT_EQ(same.Locate(p), solid().Locate(p));
  }
}

TEST_P(SolidContractTest, ConvexSolidsContainMidpoints) {
  EXPECT_EQ(solid().IsConvex(), GetParam().convex);
  if (!solid().IsConvex()) return;
  const Solid posed = solid().Posed(kPoses[2]);
  std::vector<Vector3d> inside;
  for (int n = 0; n < kPoints; ++n) {
    const Vector3d p = kPoses[2] * RandomPoint();
    if (posed.Locate(p) == Membership::kInside) inside.push_back(p);
  }
  EXPECT_GE(inside.size(), 20u);
  for (std::size_t n = 0; n + 1 < inside.size(); ++n) {
    EXPECT_NE(posed.Locate(0.5 * (inside[n] + inside[n + 1])), Membership::kOutside);
  }
}

TEST_P(SolidContractTest, CombinesWithItself) {
  const ImplicitSolid nothing = Compile(Difference(solid(), {solid()}));
  for (int n = 0; n < kPoints; ++n) EXPECT_FALSE(IsInside(nothing, RandomPoint()));
  if (GetParam().convex) {
    EXPECT_TRUE(nothing.expression.IsConstant());
  }
  const ImplicitSolid once = Compile(solid());
  const ImplicitSolid twice = Compile(Intersection({solid(), Union({solid(), solid()})}));
  EXPECT_EQ(once.surfaces.size(), twice.surfaces.size());
}

INSTANTIATE_TEST_SUITE_P(AllKinds, SolidContractTest, testing::ValuesIn(AllSolidKinds()),
                         [](const auto& instance) { return instance.param.name; });

TEST(SolidTest, DefaultConstructedIsEmpty) {
  const Solid empty;
  EXPECT_EQ(empty.Locate({0.0, 0.0, 0.0}), Membership::kOutside);
  EXPECT_TRUE(empty.Bounds().IsEmpty());
  EXPECT_TRUE(Compile(empty).expression.IsConstant());
  EXPECT_EQ(Complement(empty).Locate({0.0, 0.0, 0.0}), Membership::kInside);
}

}  // namespace
}  // namespace volcontact::solid_contract_test
