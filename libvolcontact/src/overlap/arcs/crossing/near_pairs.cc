#include "overlap/arcs/crossing/near_pairs.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

#include "math/parallel.h"
#include "math/time_limit.h"
#include "overlap/cells/even_cells.h"
#include "overlap/cells/reduce_undecided.h"

namespace volcontact {
namespace {

// It is not asked in cells with so few surfaces.
constexpr std::size_t kFewOfCell = 5;
// Levels of cells, and one more for each time that there are so many times more surfaces than this.
constexpr int kPairDepth = 3;
constexpr std::size_t kManyOfDepth = 64, kMoreOfDepth = 4;

}  // namespace

// Whether two surfaces are a pair.
bool NearPairs::IsAsked(int first, int second) const {
  return first == second || known_of_[first] == Owner::kNone ||
         known_of_[first] != known_of_[second];
}

std::size_t NearPairs::CountPairs(const std::vector<int>& surfaces,
                                  std::span<const Owner> known) const {
  const auto pairs_of = [](std::size_t count) { return count * (count + 1) / 2; };
  std::size_t pairs = pairs_of(surfaces.size());
  for (const Owner body : known) {
    const auto is_of_body = [&](int s) { return known_of_[s] == body; };
    const std::size_t count = std::count_if(surfaces.begin(), surfaces.end(), is_of_body);
    pairs -= pairs_of(count) - count;
  }
  return pairs;
}

// All surfaces of a cell are near each other.
void NearPairs::Note(const Cell& cell, const std::vector<int>& surfaces, Search* search) const {
  const std::size_t from = search->ranks.size();
  for (const int s : surfaces) search->ranks.push_back(rank_[s]);
  search->places.push_back({cell, from, search->ranks.size()});
}

// Finds what is left in a cell; false where that is nothing, or noted.
bool NearPairs::Descend(const Cell& cell, const Undecided& parent, int depth, Search* search,
                        Undecided* left) const {
  const auto truth_of = [&](int s) { return ClassifyIn(problem_->surfaces[s], cell); };
  ReduceUndecided(parent, truth_of, left);
  if (left->expression.IsConstant()) return false;
  if (depth < depth_ && left->surfaces.size() > kFewOfCell) return true;
  Note(cell, left->surfaces, search);
  return false;
}

void NearPairs::Visit(const Cell& cell, const Undecided& parent, int depth, Search* search) const {
  Undecided& left = search->levels[depth];
  if (!Descend(cell, parent, depth, search, &left)) return;
  for (int k = 0; k < 8; ++k) Visit(EighthOf(*problem_, cell, k), left, depth + 1, search);
}

void NearPairs::SearchCells(const std::vector<int>& surfaces, int threads) {
  depth_ = kPairDepth;
  for (std::size_t n = kManyOfDepth; n < count_ && depth_ < kMostDepth; n *= kMoreOfDepth) ++depth_;
  whole_.expression = problem_->expression;
  whole_.surfaces = surfaces;
  searches_.resize(std::max(searches_.size(), static_cast<std::size_t>(std::max(1, threads))));
  for (Search& search : searches_) {
    search.places.clear();
    search.ranks.clear();
  }
  const Cell cube;
  std::array<bool, 8> goes_on;
  ParallelFor(goes_on.size(), threads, [&](std::size_t k, int worker) {
    goes_on[k] = Descend(EighthOf(*problem_, cube, static_cast<int>(k)), whole_, 1,
                         &searches_[worker], &octants_[k]);
  });
  ParallelFor(64, threads, [&](std::size_t n, int worker) {
    const int k = static_cast<int>(n / 8), child = static_cast<int>(n % 8);
    if (!goes_on[k]) return;
    const Cell octant = EighthOf(*problem_, cube, k);
    Visit(EighthOf(*problem_, octant, child), octants_[k], 2, &searches_[worker]);
  });
}

// Puts what all threads have found into one list.
void NearPairs::Gather() {
  all_.places.clear();
  all_.ranks.clear();
  for (const Search& search : searches_) {
    const std::size_t before = all_.ranks.size();
    all_.ranks.insert(all_.ranks.end(), search.ranks.begin(), search.ranks.end());
    for (const Place& place : search.places) {
      all_.places.push_back({place.cell, before + place.from, before + place.end});
    }
  }
}

// Those of one pair one after the other, by the first surface and then by the second.
void NearPairs::SortMeetings() {
  by_first_.assign(count_ + 1, 0);
  for (const Meeting& meeting : meetings_) ++by_first_[meeting.pair / count_];
  std::exclusive_scan(by_first_.begin(), by_first_.end(), by_first_.begin(), std::size_t{0});
  sorted_.resize(meetings_.size());
  for (const Meeting& meeting : meetings_) sorted_[by_first_[meeting.pair / count_]++] = meeting;
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < count_; ++rank) {
    std::sort(sorted_.data() + begin, sorted_.data() + by_first_[rank]);
    begin = by_first_[rank];
  }
  meetings_.swap(sorted_);
}

// Leaves each of the last pair's thirds once.
void NearPairs::EndPair() {
  if (pairs_.empty()) return;
  const auto from = thirds_.begin() + static_cast<std::ptrdiff_t>(pairs_.back().thirds_from);
  if (std::adjacent_find(from, thirds_.end(), std::greater_equal<>()) != thirds_.end()) {
    std::sort(from, thirds_.end());
    thirds_.erase(std::unique(from, thirds_.end()), thirds_.end());
  }
  pairs_.back().thirds_end = thirds_.size();
}

// From the surfaces of each cell to the cells of each pair.
void NearPairs::PutTogether(const std::vector<int>& surfaces) {
  meetings_.clear();
  for (std::size_t n = 0; n < all_.places.size(); ++n) {
    TimeLimit::Enforce();
    const Place& place = all_.places[n];
    for (std::size_t i = place.from; i < place.end; ++i) {
      for (std::size_t j = i; j < place.end; ++j) {
        if (IsAsked(surfaces[all_.ranks[i]], surfaces[all_.ranks[j]]))
          meetings_.push_back({all_.ranks[i] * count_ + all_.ranks[j], n});
      }
    }
  }
  SortMeetings();
  pairs_.clear();
  thirds_.clear();
  for (std::size_t n = 0; n < meetings_.size(); ++n) {
    const auto [pair, at] = meetings_[n];
    const Place& place = all_.places[at];
    if (n == 0 || pair != meetings_[n - 1].pair) {
      TimeLimit::Enforce();
      EndPair();
      pairs_.push_back(
          {surfaces[pair / count_], surfaces[pair % count_], place.cell, thirds_.size()});
    }
    // Cells are dyadic, so that boxes of them are exact and their order does not matter.
    Pair& found = pairs_.back();
    found.box = Hull(found.box, place.cell);
    for (std::size_t k = place.from; k < place.end; ++k) {
      thirds_.push_back(surfaces[all_.ranks[k]]);
    }
  }
  EndPair();
}

// All surfaces are near each other in all of the cube.
void NearPairs::TakeAll(const std::vector<int>& surfaces) {
  pairs_.clear();
  for (const Owner body : {Owner::kA, Owner::kB}) {
    std::vector<int>& others = body == Owner::kA ? others_of_A_ : others_of_B_;
    others.clear();
    for (const int s : surfaces) {
      if (known_of_[s] != body) others.push_back(s);
    }
  }
  for (const int s : surfaces) {
    const std::vector<int>& partners = known_of_[s] == Owner::kNone ? surfaces
                                       : known_of_[s] == Owner::kA  ? others_of_A_
                                                                    : others_of_B_;
    pairs_.push_back({s, s, Cell()});
    const auto first = std::upper_bound(partners.begin(), partners.end(), s);
    for (auto second = first; second != partners.end(); ++second) {
      pairs_.push_back({s, *second, Cell()});
    }
  }
}

void NearPairs::Run(const LocalProblem& problem, const std::vector<int>& surfaces, std::size_t few,
                    int threads, std::span<const Owner> known) {
  problem_ = &problem;
  count_ = surfaces.size();
  rank_.assign(problem.surfaces.size(), 0);
  for (std::size_t n = 0; n < count_; ++n) rank_[surfaces[n]] = n;
  known_of_.assign(problem.surfaces.size(), Owner::kNone);
  for (const int s : surfaces) {
    const Owner owner = problem.surfaces[s].owner;
    if (std::find(known.begin(), known.end(), owner) != known.end()) known_of_[s] = owner;
  }
  all_near_ = CountPairs(surfaces, known) <= few * (few + 1) / 2;
  if (all_near_) return TakeAll(surfaces);
  SearchCells(surfaces, threads);
  Gather();
  PutTogether(surfaces);
}

}  // namespace volcontact
