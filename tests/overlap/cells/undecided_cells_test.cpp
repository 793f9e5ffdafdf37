// What is undecided in boxes, and what has to be asked to know it.
#include "overlap/cells/undecided_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "overlap/cells/reduce_undecided.h"
#include "overlap/region_testing.h"
#include "support/random_solids.h"

namespace volcontact::testing::undecided_cells_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 431;

// Turned boxes and balls of some size all over the cube of a frame, cut by a ball.
LocalProblem Crowd(Random* random, int count, double size,
                   const Vector3d& half = Vector3d::Ones()) {
  std::vector<Solid> solids;
  for (int n = 0; n < count; ++n) {
    const Pose X = random->PoseAt(half.cwiseProduct(random->UniformVector(-0.9, 0.9)));
    const Solid solid =
        n % 2 == 0 ? Box(size * random->UniformVector(0.3, 1.0)) : Sphere(0.5 * size);
    solids.push_back(solid.Posed(X));
  }
  return ProblemOf(RegionOf(Union(solids), Sphere(0.95)), FrameAt(Pose(), half));
}

Undecided WholeOf(const LocalProblem& problem) {
  return {problem.expression, problem.expression.Surfaces()};
}

Cell SomeBox(Random* random) {
  const double size = std::pow(10.0, random->Uniform(-3.0, -0.1));
  Cell box;
  for (int i = 0; i < 3; ++i) {
    box.half[i] = size * random->Uniform(0.1, 1.0);
    box.center[i] = random->Uniform(-1.0, 1.0) * (1.0 - box.half[i]);
  }
  return box;
}

bool Holds(const LocalProblem& problem, const Expression& expression, const Vector3d& p) {
  LocalProblem of_expression = problem;
  of_expression.expression = expression;
  return Contains(of_expression, p);
}

TEST(UndecidedCells, SayTheSameAsTheWholeInTheBox) {
  Random random(kSeed);
  const LocalProblem problem = Crowd(&random, 60, 0.5);
  UndecidedCells cells;
  cells.Begin(problem, WholeOf(problem));
  int inside = 0;
  for (int n = 0; n < 300; ++n) {
    const Cell box = SomeBox(&random);
    const Undecided& left = cells.Around(box);
    EXPECT_EQ(left.surfaces, left.expression.Surfaces());
    for (int k = 0; k < 20; ++k) {
      // Corners, too.
      Vector3d t = random.UniformVector(-1.3, 1.3).cwiseMax(-1.0).cwiseMin(1.0);
      const Vector3d p = box.center + box.half.cwiseProduct(t);
      const bool is_inside = Contains(problem, p);
      inside += is_inside ? 1 : 0;
      EXPECT_EQ(Holds(problem, left.expression, p), is_inside) << n << ' ' << k;
    }
  }
  EXPECT_GT(inside, 100);
}

// Boxes on the middle planes of the cube, which no cell of a plain octree but the cube holds, too.
TEST(UndecidedCells, SmallBoxesAskAboutFewSurfaces) {
  Random random(kSeed + 1);
  const LocalProblem problem = Crowd(&random, 400, 0.2);
  const std::vector<int> all = problem.expression.Surfaces();
  UndecidedCells cells;
  cells.Begin(problem, WholeOf(problem));
  std::size_t most = 0;
  for (int n = 0; n < 200; ++n) {
    Cell box{random.UniformVector(-0.9, 0.9), Vector3d::Constant(0.02)};
    if (n % 2 == 0) box.center[n % 3] = 0.0;
    most = std::max(most, cells.Around(box).surfaces.size());
  }
  EXPECT_GT(all.size(), 1000u);
  EXPECT_LT(most, 60u);
}

// In a cube that is flat, boxes as long one way as another in metres are tall.
TEST(UndecidedCells, SmallBoxesOfFlatCubesAskAboutFewSurfaces) {
  Random random(kSeed + 3);
  const Vector3d half(1.0, 1.0, 0.05);
  const LocalProblem problem = Crowd(&random, 400, 0.1, half);
  const std::vector<int> all = problem.expression.Surfaces();
  UndecidedCells cells;
  cells.Begin(problem, WholeOf(problem));
  std::size_t most = 0;
  for (int n = 0; n < 200; ++n) {
    const Vector3d at = random.UniformVector(-0.5, 0.5);
    most = std::max(most, cells.Around({at, 0.02 * half.cwiseInverse()}).surfaces.size());
  }
  EXPECT_GT(all.size(), 1000u);
  EXPECT_LT(most, 80u);
}

TEST(UndecidedCells, DoNotDependOnWhatWasAskedBefore) {
  Random random(kSeed + 2);
  const LocalProblem problem = Crowd(&random, 60, 0.5);
  std::vector<Cell> boxes;
  for (int n = 0; n < 100; ++n) boxes.push_back(SomeBox(&random));
  UndecidedCells forward, backward;
  forward.Begin(problem, WholeOf(problem));
  backward.Begin(problem, WholeOf(problem));
  std::vector<std::vector<int>> found;
  for (const Cell& box : boxes) found.push_back(forward.Around(box).surfaces);
  for (std::size_t n = boxes.size(); n-- > 0;) {
    EXPECT_EQ(backward.Around(boxes[n]).surfaces, found[n]) << n;
  }
}

// One literal decides for a body that is elsewhere: the others are not asked about.
TEST(ReduceUndecided, AsksOnlyWhatMatters) {
  std::vector<Expression> bodies;
  constexpr int kBodies = 50, kSides = 6;
  for (int n = 0; n < kBodies; ++n) {
    std::vector<Expression> sides;
    for (int k = 0; k < kSides; ++k) sides.push_back(Expression::Below(kSides * n + k));
    bodies.push_back(Expression::And(sides));
  }
  Undecided whole;
  whole.expression = Expression::Or(bodies);
  whole.surfaces = whole.expression.Surfaces();
  std::vector<Truth> states(kBodies * kSides, Truth::kFalse);
  for (int k = 0; k < kSides; ++k) states[kSides * 7 + k] = Truth::kUnknown;
  int asked = 0;
  Undecided left;
  const auto truth_of = [&](int s) {
    ++asked;
    return states[s];
  };
  ReduceUndecided(whole, truth_of, &left);
  EXPECT_EQ(asked, kBodies - 1 + kSides);
  Undecided expected;
  expected.AssignReduced(whole, states);
  EXPECT_EQ(left.surfaces, expected.surfaces);
  EXPECT_EQ(left.surfaces.size(), static_cast<std::size_t>(kSides));
  // What is known as a whole is a constant.
  states[kSides * 7] = Truth::kFalse;
  ReduceUndecided(whole, truth_of, &left);
  EXPECT_TRUE(left.expression.IsConstant());
  EXPECT_TRUE(left.surfaces.empty());
}

}  // namespace
}  // namespace volcontact::testing::undecided_cells_test
