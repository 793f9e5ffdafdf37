// Finds the pairs of surfaces of a region that are near each other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "overlap/cells/cell.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/owner.h"

namespace volcontact {

/// Tells which two surfaces of a region may have an edge of it, in which box, and which third
/// surfaces may have to do with that: a shallow tree of cells knows what is undecided where.
/// If pairs are few, all are near each other. Cost: linear in the cells, and in the pairs that
/// share a cell, not in all pairs.
class NearPairs {
 public:
  struct Pair {
    int first, second;  ///< first <= second; a surface makes a pair with itself, too
    Cell box;           ///< of all cells in which both are
    std::size_t thirds_from = 0, thirds_end = 0;  ///< of all surfaces in these cells
  };

  /// `surfaces`: those of the problem's expression, ascending. `known`: bodies; two surfaces of one
  /// of them are no pair. No more pairs than those of `few` surfaces all count as near each other.
  /// The same for any number of threads.
  void Run(const LocalProblem& problem, const std::vector<int>& surfaces, std::size_t few,
           int threads = 1, std::span<const Owner> known = {});

  /// Whether there are so few that nothing was asked.
  bool AreAllNear() const { return all_near_; }
  /// By first, then by second surface.
  const std::vector<Pair>& pairs() const { return pairs_; }
  bool IsNear(const Pair& pair, int surface) const {
    return all_near_ || std::binary_search(thirds_.data() + pair.thirds_from,
                                           thirds_.data() + pair.thirds_end, surface);
  }

 private:
  static constexpr int kMostDepth = 7;

  // A cell in which several surfaces are undecided; their ranks stand in the search's list.
  struct Place {
    Cell cell;
    std::size_t from, end;
  };

  // Two surfaces, by rank, and a cell in which both are.
  struct Meeting {
    std::uint64_t pair;  // first rank * number of surfaces + second
    std::size_t place;
    bool operator<(const Meeting& other) const { return pair < other.pair; }
  };

  // Of one thread.
  struct Search {
    std::vector<Place> places;
    std::vector<std::size_t> ranks;
    std::array<Undecided, kMostDepth + 1> levels;
  };

  bool IsAsked(int first, int second) const;
  std::size_t CountPairs(const std::vector<int>& surfaces, std::span<const Owner> known) const;
  void Note(const Cell& cell, const std::vector<int>& surfaces, Search* search) const;
  bool Descend(const Cell& cell, const Undecided& parent, int depth, Search* search,
               Undecided* left) const;
  void Visit(const Cell& cell, const Undecided& parent, int depth, Search* search) const;
  void SearchCells(const std::vector<int>& surfaces, int threads);
  void Gather();
  void SortMeetings();
  void EndPair();
  void PutTogether(const std::vector<int>& surfaces);
  void TakeAll(const std::vector<int>& surfaces);

  const LocalProblem* problem_ = nullptr;
  bool all_near_ = false;
  int depth_ = 0;  // of the smallest cells
  std::size_t count_ = 0;
  std::vector<std::size_t> rank_;  // by surface
  std::vector<Owner> known_of_;    // by surface, its body if that is known, else kNone
  std::vector<Pair> pairs_;
  std::vector<int> thirds_;  // surfaces, ascending for each pair
  Undecided whole_;
  std::array<Undecided, 8> octants_;  // what is left in them
  std::vector<Search> searches_;
  Search all_;  // what they have found
  std::vector<Meeting> meetings_, sorted_;
  std::vector<std::size_t> by_first_;           // by rank, where its meetings begin
  std::vector<int> others_of_A_, others_of_B_;  // surfaces that are not of a known body
};

}  // namespace volcontact
