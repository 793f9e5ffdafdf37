// Which surfaces of a region are near each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "overlap/cells/cell.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Tells for each two surfaces of a region whether they may have an edge of it, in which box, and
/// which third surfaces may have to do with that: a shallow octree over the cube knows what is
/// undecided where. Of few surfaces all are near each other.
class NearPairs {
 public:
  static constexpr std::size_t kMost = 64;

  /// At most kMost surfaces, those of the problem's expression. The same for any number of threads.
  void Run(const LocalProblem& problem, const std::vector<int>& surfaces, int threads = 1);

  /// Whether there are so few that nothing was asked.
  bool AreAllNear() const { return all_near_; }
  struct Pair {
    std::uint64_t thirds = 0;  ///< bits by the surfaces' ranks; zero where the two never meet
    Cell box;                  ///< of all cells in which both are
  };
  const Pair& Of(int first, int second) const {
    return pairs_[rank_[first] * count_ + rank_[second]];
  }
  bool IsNear(const Pair& pair, int surface) const { return pair.thirds >> rank_[surface] & 1; }

 private:
  static constexpr int kPairDepth = 3;

  // Of one thread.
  struct Search {
    std::vector<Pair> pairs;  // by rank and rank
    std::vector<Truth> states;
    std::array<Undecided, kPairDepth + 1> levels;
  };

  void Join(const Pair& found, Pair* pair) const;
  void Note(const Cell& cell, const std::vector<int>& surfaces, std::vector<Pair>* pairs) const;
  bool Descend(const Cell& cell, const Undecided& parent, int depth, Search* search,
               Undecided* left) const;
  void Visit(const Cell& cell, const Undecided& parent, int depth, Search* search) const;
  void SearchCells(const std::vector<int>& surfaces, int threads);

  const LocalProblem* problem_ = nullptr;
  bool all_near_ = false;
  std::size_t count_ = 0;
  std::vector<std::size_t> rank_;  // by surface
  std::vector<Pair> pairs_;        // by rank and rank
  Undecided whole_;
  std::array<Undecided, 8> octants_;  // what is left in them
  std::vector<Search> searches_;
};

}  // namespace volcontact
