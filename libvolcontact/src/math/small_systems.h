// Small linear systems, solved by Eigen's decompositions. They are compiled here once: each takes
// the compiler two seconds in every source that has it.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <optional>

namespace volcontact {

/// The LU decomposition of a matrix, with full pivoting.
class PivotedMatrix {
 public:
  explicit PivotedMatrix(const Eigen::Matrix3d& A);

  /// Whether no pivot is zero by rounding.
  bool IsInvertible() const;
  /// x with A x = b. If A is singular, unknowns without a pivot are 0, and equations without one
  /// are ignored.
  Eigen::Vector3d Solve(const Eigen::Vector3d& b) const;

 private:
  Eigen::FullPivLU<Eigen::Matrix3d> lu_;
};

/// The lower triangular L with A = L Lᵀ; nothing if A is not positive definite. Reads A below its
/// diagonal only.
std::optional<Eigen::Matrix3d> CholeskyFactor(const Eigen::Matrix3d& A);
/// x with L Lᵀ x = b.
Eigen::Vector3d SolveCholesky(const Eigen::Matrix3d& L, const Eigen::Vector3d& b);
/// x with Lᵀ x = b.
Eigen::Vector3d SolveTransposed(const Eigen::Matrix3d& L, const Eigen::Vector3d& b);

/// Eigenvalues, ascending, with an orthonormal matrix of their vectors.
struct EigenSystem4 {
  Eigen::Vector4d values;
  Eigen::Matrix4d vectors;
};
/// Those of a symmetric matrix, to a few roundings of its norm, by Jacobi's rotations: the compiler
/// takes ten times as long for Eigen's reduction to three diagonals.
EigenSystem4 SymmetricEigenSystem(Eigen::Matrix4d A);

}  // namespace volcontact
