// The matrix of Newton's method: what bodies that do not touch leave out changes nothing.
#include "motion/axis_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

namespace volcontact {
namespace {

// One matrix is used again and again, with other sizes and other pairs that touch.
TEST(AxisMatrix, SolvesWhateverWasInItBefore) {
  std::mt19937 random(4711);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  AxisMatrix matrix;
  for (int trial = 0; trial < 200; ++trial) {
    const int bodies = trial % 3 == 0 ? 7 : 5, size = 6 * bodies;
    Eigen::MatrixXd dense = Eigen::MatrixXd::Identity(size, size);
    matrix.SetIdentity(size);
    for (int contact = 0; contact < 4; ++contact) {
      Eigen::VectorXd column = Eigen::VectorXd::Zero(size);
      for (int side = 0; side < 2; ++side) {
        const int first = 6 * static_cast<int>(random() % static_cast<unsigned>(bodies));
        for (int i = first; i < first + 6; ++i) column[i] = number(random);
      }
      dense += column * column.transpose();
      for (int i = 0; i < size; ++i) {
        for (int j = i; j < size; ++j) {
          // In either order, as axes of contacts come.
          if (column[i] != 0.0 && column[j] != 0.0) matrix.At(j, i) += column[i] * column[j];
        }
      }
    }
    const Eigen::VectorXd right =
        Eigen::VectorXd::NullaryExpr(size, [&] { return number(random); });
    Eigen::VectorXd x = right;
    matrix.Factor();
    matrix.Solve(&x);
    EXPECT_LE((x - dense.llt().solve(right)).norm(), 1e-12) << "trial " << trial;
  }
}

}  // namespace
}  // namespace volcontact
