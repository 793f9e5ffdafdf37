#include "math/small_systems.h"

#include <Eigen/Cholesky>
#include <Eigen/Jacobi>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace volcontact {
namespace {

// Rotations converge quadratically: five or six rounds leave nothing beside the diagonal.
constexpr int kMostRounds = 20;

}  // namespace

PivotedMatrix::PivotedMatrix(const Eigen::Matrix3d& A) : lu_(A) {}

bool PivotedMatrix::IsInvertible() const { return lu_.isInvertible(); }

Eigen::Vector3d PivotedMatrix::Solve(const Eigen::Vector3d& b) const { return lu_.solve(b); }

std::optional<Eigen::Matrix3d> CholeskyFactor(const Eigen::Matrix3d& A) {
  const Eigen::LLT<Eigen::Matrix3d> cholesky(A);
  const Eigen::Matrix3d L = cholesky.matrixL();
  // Eigen takes a pivot that is not a number.
  if (cholesky.info() != Eigen::Success || !(L(2, 2) > 0.0)) return std::nullopt;
  return L;
}

Eigen::Vector3d SolveCholesky(const Eigen::Matrix3d& L, const Eigen::Vector3d& b) {
  return SolveTransposed(L, L.triangularView<Eigen::Lower>().solve(b));
}

Eigen::Vector3d SolveTransposed(const Eigen::Matrix3d& L, const Eigen::Vector3d& b) {
  return L.transpose().triangularView<Eigen::Upper>().solve(b);
}

EigenSystem4 SymmetricEigenSystem(Eigen::Matrix4d A) {
  Eigen::Matrix4d vectors = Eigen::Matrix4d::Identity();
  const double rounding = std::numeric_limits<double>::epsilon() * A.norm();
  double beside = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostRounds && beside > rounding; ++round) {
    beside = 0.0;
    for (int p = 0; p < 3; ++p) {
      for (int q = p + 1; q < 4; ++q) {
        beside = std::max(beside, std::abs(A(p, q)));
        Eigen::JacobiRotation<double> rotation;
        rotation.makeJacobi(A, p, q);
        A.applyOnTheLeft(p, q, rotation.adjoint());
        A.applyOnTheRight(p, q, rotation);
        vectors.applyOnTheRight(p, q, rotation);
      }
    }
  }
  std::array<int, 4> order;
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int i, int j) { return A(i, i) < A(j, j); });
  EigenSystem4 system;
  for (int k = 0; k < 4; ++k) {
    system.values[k] = A(order[k], order[k]);
    system.vectors.col(k) = vectors.col(order[k]);
  }
  return system;
}

}  // namespace volcontact
