// Points in a grid of cells, to be found by place.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace volcontact {

/// Numbered points in coordinates of order one; those within `same` of each other are one.
class PointGrid {
 public:
  /// `cell`: its size, about the distance of neighbours, much more than `same`.
  PointGrid(double cell, double same) : cell_(cell), same_(same) {}

  /// The number of the point at a place, a new one where there is none.
  std::uint32_t Add(const Eigen::Vector3d& p) {
    std::uint32_t found = static_cast<std::uint32_t>(points_.size());
    const double square = same_ * same_;
    ForNear(p, [&](std::uint32_t n) {
      if (n < found && (points_[n] - p).squaredNorm() <= square) found = n;
    });
    if (found == points_.size()) {
      points_.push_back(p);
      cells_[KeyOf(CellOf(p))].push_back(found);
    }
    return found;
  }

  bool Has(const Eigen::Vector3d& p) const {
    bool has = false;
    ForNear(p, [&](std::uint32_t n) { has |= (points_[n] - p).squaredNorm() <= same_ * same_; });
    return has;
  }

  const Eigen::Vector3d& point(std::uint32_t n) const { return points_[n]; }
  double cell() const { return cell_; }
  double same() const { return same_; }

  /// Calls visit(number) for all points within a cell's size of p, and some others.
  template <class Visit>
  void ForNear(const Eigen::Vector3d& p, const Visit& visit) const {
    const std::array<std::int64_t, 3> center = CellOf(p);
    for (int i = -1; i <= 1; ++i) {
      for (int j = -1; j <= 1; ++j) {
        for (int k = -1; k <= 1; ++k) {
          const auto it = cells_.find(KeyOf({center[0] + i, center[1] + j, center[2] + k}));
          if (it == cells_.end()) continue;
          for (const std::uint32_t n : it->second) visit(n);
        }
      }
    }
  }

 private:
  std::array<std::int64_t, 3> CellOf(const Eigen::Vector3d& p) const {
    std::array<std::int64_t, 3> cell;
    for (int i = 0; i < 3; ++i) cell[i] = static_cast<std::int64_t>(std::floor(p[i] / cell_));
    return cell;
  }
  // 21 bits each: cells are not smaller than 1e-6.
  static std::uint64_t KeyOf(const std::array<std::int64_t, 3>& cell) {
    std::uint64_t key = 0;
    for (const std::int64_t c : cell) key = key << 21 | (static_cast<std::uint64_t>(c) & 0x1fffff);
    return key;
  }

  double cell_, same_;
  std::vector<Eigen::Vector3d> points_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

}  // namespace volcontact
