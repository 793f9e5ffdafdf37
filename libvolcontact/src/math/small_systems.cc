#include "math/small_systems.h"

#include <Eigen/Cholesky>

namespace volcontact {

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

}  // namespace volcontact
