// Cell bounds against exact evaluation: never wrong, and tight.
#include "overlap/cells/cell_bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/arithmetic/double_double.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : random_(seed) {}
  double operator()(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

 private:
  std::mt19937 random_;
};

LocalSurface RandomSurface(RandomNumbers& number, int degree) {
  LocalSurface surface;
  surface.psi.degree = degree;
  double sum = 0.0;
  for (int m = 0; m < surface.psi.size(); ++m) {
    surface.psi.c[m] = number(-1.0, 1.0);
    sum += std::abs(surface.psi.c[m]);
  }
  surface.rounding = 0x1p-52 * sum;
  return surface;
}

Cell RandomCell(RandomNumbers& number, double largest) {
  Cell cell;
  for (int i = 0; i < 3; ++i) {
    cell.half[i] = largest * std::pow(10.0, number(-3.0, 0.0));
    cell.center[i] = number(-1.0, 1.0) * (1.0 - cell.half[i]);
  }
  return cell;
}

// psi in double-double, off by less than 1e-28.
DoubleDouble Exact(const LocalSurface& surface, const Vector3d& y) {
  Polynomial<DoubleDouble> psi;
  psi.degree = surface.psi.degree;
  for (int m = 0; m < psi.size(); ++m) psi.c[m] = surface.psi.c[m];
  return psi(y.x(), y.y(), y.z());
}

Vector3d PointIn(RandomNumbers& number, const Cell& cell, Vector3d* t) {
  for (int i = 0; i < 3; ++i) {
    (*t)[i] = number(-1.0, 1.0);
    if (number(0.0, 1.0) < 0.3) (*t)[i] = (*t)[i] < 0.0 ? -1.0 : 1.0;
  }
  return cell.center + cell.half.cwiseProduct(*t);
}

TEST(CellBounds, HoldEverywhereInRandomCells) {
  RandomNumbers number(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const LocalSurface surface = RandomSurface(number, trial % 5);
    const Cell cell = RandomCell(number, trial % 2 == 0 ? 1.0 : 1e-6);
    const LinearModel linear = Linearize(surface, cell);
    const QuadraticModel quadratic = Quadratize(surface, cell);
    for (int k = 0; k < 20; ++k) {
      Vector3d t;
      const Vector3d y = PointIn(number, cell, &t);
      const DoubleDouble psi = Exact(surface, y);
      ASSERT_LE(linear.low, psi.hi);
      ASSERT_GE(linear.high, psi.hi);
      ASSERT_LE(quadratic.low, psi.hi);
      ASSERT_GE(quadratic.high, psi.hi);
      const double plane = linear.value + linear.gradient.dot(y - cell.center);
      const double rounding = 0x1p-50 * surface.psi.size();
      ASSERT_LE(plane + linear.remainder_low, psi.hi + rounding);
      ASSERT_GE(plane + linear.remainder_high, psi.hi - rounding);
    }
  }
}

// At a point the bounds hold nothing but the rounding errors, and these are claimed to be covered:
// the exact value must lie between, and the slack be no more than some 1e-14.
TEST(CellBounds, CoverTheirOwnRounding) {
  RandomNumbers number(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const LocalSurface surface = RandomSurface(number, 1 + trial % 4);
    const Vector3d y(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0));
    const LinearModel model = Linearize(surface, {y, Vector3d::Zero()});
    const DoubleDouble psi = Exact(surface, y);
    ASSERT_LT(model.low, psi.hi);
    ASSERT_GT(model.high, psi.hi);
    ASSERT_LT(model.high - model.low, 200.0 * surface.rounding);
  }
}

// The derivative by t of what the quadratic model leaves out stays within its bounds.
TEST(CellBounds, HoldTheSlopeOfTheRest) {
  RandomNumbers number(5);
  for (int trial = 0; trial < 300; ++trial) {
    const LocalSurface surface = RandomSurface(number, trial % 4 + 1);
    const Cell cell = RandomCell(number, 1.0);
    const QuadraticModel model = Quadratize(surface, cell);
    Vector3d t;
    const Vector3d y = PointIn(number, cell, &t);
    const Vector3d square = model.square.cwiseProduct(t);
    const Vector3d known = model.linear + 2.0 * square +
                           Vector3d(model.cross[0] * t.y() + model.cross[1] * t.z(),
                                    model.cross[0] * t.x() + model.cross[2] * t.z(),
                                    model.cross[1] * t.x() + model.cross[2] * t.y());
    for (int i = 0; i < 3; ++i) {
      const Polynomial<double> derivative =
          DerivativeAlong(surface.psi, cell.half[i] * Vector3d::Unit(i));
      const double rest = derivative(y.x(), y.y(), y.z()) - known[i];
      EXPECT_LE(std::abs(rest), model.rest_slope[i] + 1e-13);
      if (surface.psi.degree <= 2) {
        EXPECT_EQ(model.rest_slope[i], 0.0);
      }
    }
  }
}

TEST(CellBounds, AreExactForSeparableQuadratics) {
  LocalSurface ball;
  ball.psi.degree = 2;
  ball.psi.c[kOne] = -0.25;
  ball.psi.c[kXX] = ball.psi.c[kYY] = ball.psi.c[kZZ] = 1.0;
  ball.rounding = 4 * 0x1p-52;
  // The nearest corner of this cell is at (0.25, 0.25, 0.25), the farthest at (0.75, 0.75, 0.75).
  const Cell corner = {Vector3d::Constant(0.5), Vector3d::Constant(0.25)};
  const QuadraticModel at_corner = Quadratize(ball, corner);
  EXPECT_NEAR(at_corner.low, 3.0 / 16.0 - 0.25, 1e-13);
  EXPECT_NEAR(at_corner.high, 27.0 / 16.0 - 0.25, 1e-13);
  // Here the minimum is inside the cell along x.
  const Cell across = {{0.1, 0.5, 0.5}, Vector3d::Constant(0.25)};
  EXPECT_NEAR(Quadratize(ball, across).low, 2.0 / 16.0 - 0.25, 1e-13);
}

TEST(CellBounds, SecondOrderPartsConvergeWithTheCell) {
  RandomNumbers number(3);
  const LocalSurface quartic = RandomSurface(number, 4);
  const Vector3d center(0.2, -0.3, 0.4);
  double previous = 0.0;
  for (double h = 0.1; h > 1e-4; h /= 2.0) {
    const LinearModel model = Linearize(quartic, {center, Vector3d::Constant(h)});
    const double width = model.remainder_high - model.remainder_low;
    if (previous > 0.0) {
      EXPECT_LT(width, previous / 3.3);
    }
    previous = width;
  }
}

TEST(CellBounds, ClassifyOnlyWhatIsCertain) {
  LocalSurface plane;
  plane.psi.degree = 1;
  plane.psi.c[kX] = 1.0;
  plane.rounding = 0x1p-52;
  const Vector3d half = Vector3d::Constant(0.25);
  EXPECT_EQ(Classify(Quadratize(plane, {{-0.5, 0, 0}, half})), Truth::kTrue);
  EXPECT_EQ(Classify(Quadratize(plane, {{0.5, 0, 0}, half})), Truth::kFalse);
  EXPECT_EQ(Classify(Quadratize(plane, {{0.2, 0, 0}, half})), Truth::kUnknown);
  // The cell that ends at the plane may be left open, but must not be called outside.
  EXPECT_NE(Classify(Quadratize(plane, {{-0.25, 0, 0}, half})), Truth::kFalse);
  // Coefficients known less well leave more open.
  plane.rounding = 0.1;
  EXPECT_EQ(Classify(Quadratize(plane, {{-0.5, 0, 0}, half})), Truth::kUnknown);
}

}  // namespace
}  // namespace volcontact
