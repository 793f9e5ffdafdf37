// Sets of numbers that are joined step by step.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace volcontact {

/// The least member of a set stands for it, so that numbers follow from the mesh
/// alone.
class DisjointSets {
 public:
  explicit DisjointSets(int count) { Reset(count); }
  /// So many sets of one number each. Keeps its memory.
  void Reset(int count) {
    parent_.resize(static_cast<std::size_t>(count));
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int Find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(int i, int j) {
    i = Find(i);
    j = Find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace volcontact
