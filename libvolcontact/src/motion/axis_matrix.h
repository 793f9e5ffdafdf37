// The room `motion`: implicit steps. Here: the matrix of Newton's method, one and positive terms.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <utility>
#include <vector>

namespace volcontact {

/// A symmetric positive matrix of some hundred rows, most of it zero where bodies do not touch: its
/// upper half, row by row, each up to its last number that is not zero.
class AxisMatrix {
 public:
  void SetIdentity(int size) {
    if (size != size_) {
      size_ = size;
      rows_.setZero(size, size);
    } else {
      for (int i = 0; i < size_; ++i) std::fill(Row(i) + i, Row(i) + ends_[Place(i)], 0.0);
    }
    rows_.diagonal().setOnes();
    ends_.resize(Place(size));
    for (int i = 0; i < size; ++i) ends_[Place(i)] = i + 1;
  }

  double& At(int i, int j) {
    if (i > j) std::swap(i, j);
    ends_[Place(i)] = std::max(ends_[Place(i)], j + 1);
    return rows_(i, j);
  }

  /// In place, Uᵀ D U.
  void Factor() {
    for (int k = 0; k < size_; ++k) {
      const double* const pivot = Row(k);
      const int end = ends_[Place(k)];
      for (int i = k + 1; i < end; ++i) {
        if (pivot[i] == 0.0) continue;
        const double share = pivot[i] / pivot[k];
        double* const row = Row(i);
        for (int j = i; j < end; ++j) row[j] -= share * pivot[j];
        ends_[Place(i)] = std::max(ends_[Place(i)], end);
      }
    }
  }

  void Solve(Eigen::VectorXd* x) const {
    for (int k = 0; k < size_; ++k) {
      const double share = (*x)[k] / rows_(k, k);
      for (int j = k + 1; j < ends_[Place(k)]; ++j) (*x)[j] -= share * rows_(k, j);
    }
    for (int k = size_ - 1; k >= 0; --k) {
      double sum = (*x)[k];
      for (int j = k + 1; j < ends_[Place(k)]; ++j) sum -= rows_(k, j) * (*x)[j];
      (*x)[k] = sum / rows_(k, k);
    }
  }

 private:
  static std::size_t Place(int i) { return static_cast<std::size_t>(i); }
  double* Row(int i) { return rows_.data() + static_cast<Eigen::Index>(i) * size_; }

  int size_ = 0;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;
  std::vector<int> ends_;  // of rows: all beyond is zero
};

}  // namespace volcontact
