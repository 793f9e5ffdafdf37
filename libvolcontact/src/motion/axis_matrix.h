// The room `motion`: implicit steps. Here: the matrix of Newton's method, one and positive terms.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace volcontact {

/// A symmetric positive matrix of some hundred rows, most of it zero where bodies do not touch: its
/// upper half, row by row, of which zeros cost nothing but being read.
class AxisMatrix {
 public:
  void SetIdentity(int size) {
    size_ = size;
    rows_.setZero(size, size);
    rows_.diagonal().setOnes();
  }

  double& At(int i, int j) { return i <= j ? rows_(i, j) : rows_(j, i); }

  /// In place, Uᵀ D U.
  void Factor() {
    for (int k = 0; k < size_; ++k) {
      const double* const pivot = rows_.data() + static_cast<Eigen::Index>(k) * size_;
      for (int i = k + 1; i < size_; ++i) {
        if (pivot[i] == 0.0) continue;
        const double share = pivot[i] / pivot[k];
        double* const row = rows_.data() + static_cast<Eigen::Index>(i) * size_;
        for (int j = i; j < size_; ++j) row[j] -= share * pivot[j];
      }
    }
  }

  void Solve(Eigen::VectorXd* x) const {
    for (int k = 0; k < size_; ++k) {
      const double share = (*x)[k] / rows_(k, k);
      for (int j = k + 1; j < size_; ++j) (*x)[j] -= share * rows_(k, j);
    }
    for (int k = size_ - 1; k >= 0; --k) {
      double sum = (*x)[k];
      for (int j = k + 1; j < size_; ++j) sum -= rows_(k, j) * (*x)[j];
      (*x)[k] = sum / rows_(k, k);
    }
  }

 private:
  int size_ = 0;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;
};

}  // namespace volcontact
