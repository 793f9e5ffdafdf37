#include "step/step_terms.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "math/time_limit.h"

namespace volcontact {
namespace {

// The loops over labels, which are all that takes time. Bytes that are stored may be those of any
// object to a compiler, but not of a span that is passed by value: so many are done at a time.
using Sides = std::span<const std::int8_t>;

// Leaves those that are on this side.
void KeepOnSide(Sides sides, std::int8_t side, std::span<char> held) {
  for (std::size_t i = 0; i < held.size(); ++i) held[i] &= sides[i] == side;
}
void Join(std::span<const char> more, std::span<char> held) {
  for (std::size_t i = 0; i < held.size(); ++i) held[i] |= more[i];
}

// A set of points by one bit of each.
class PointSet {
 public:
  PointSet() = default;
  explicit PointSet(std::size_t points) : words_((points + kBits - 1) / kBits) {}
  static PointSet All(std::size_t points) {
    PointSet all(points);
    for (std::size_t i = 0; i < points; ++i) all.Insert(i);
    return all;
  }

  void Insert(std::size_t i) { words_[i / kBits] |= Word{1} << (i % kBits); }
  bool Has(std::size_t i) const { return (words_[i / kBits] >> (i % kBits) & 1u) != 0; }
  void Clear() { std::ranges::fill(words_, Word{0}); }
  void Add(const PointSet& more) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= more.words_[w];
  }
  void Remove(const PointSet& taken) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~taken.words_[w];
  }
  void KeepOnly(const PointSet& kept) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= kept.words_[w];
  }
  int CountCommon(const PointSet& other) const {
    int count = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      count += std::popcount(words_[w] & other.words_[w]);
    }
    return count;
  }
  // Whether each point is in one of the others.
  bool IsWithin(const PointSet& a, const PointSet& b) const {
    Word more = 0;
    for (std::size_t w = 0; w < words_.size(); ++w)
      more |= words_[w] & ~(a.words_[w] | b.words_[w]);
    return more == 0;
  }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t kBits = 64;

  std::vector<Word> words_;
};

// The points on either side of a surface.
struct SidesOfSurface {
  PointSet below, above;

  SidesOfSurface(const std::vector<std::size_t>& points, const PointSides& all)
      : below(points.size()), above(points.size()) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::int8_t side = all[points[i]];
      if (side != 0) (side < 0 ? below : above).Insert(i);
    }
  }

  const PointSet& On(bool is_below) const { return is_below ? below : above; }
};

// A term grows from a point: of all sides that the point is on those are left out, one after the
// other, that keep off no point of the other kind which no other side keeps off.
class TermSearch {
 public:
  TermSearch(const StepTable& table, const std::vector<std::size_t>& labels, bool inside,
             LeftOut left_out)
      : table_(table), left_out_(left_out) {
    for (const std::size_t i : labels) {
      (table.labels()[i].inside == inside ? wanted_ : others_).push_back(i);
    }
    for (const StepTable::Surface& surface : table.surfaces()) {
      of_wanted_.emplace_back(wanted_, surface.of_labels);
      of_others_.emplace_back(others_, surface.of_labels);
    }
    left_ = PointSet::All(wanted_.size());
    all_others_ = PointSet::All(others_.size());
  }

  std::optional<std::vector<StepTerm>> Run() {
    for (std::size_t seed = 0; seed < wanted_.size(); ++seed) {
      if (!left_.Has(seed)) continue;
      if (TimeLimit::IsOver()) return std::nullopt;
      std::optional<StepTerm> term = GrownFrom(seed);
      if (!term) {
        if (IsOnNoSurface(seed)) return std::nullopt;
        continue;  // it is too near to a surface to tell
      }
      PointSet held = HeldBy(*term);
      left_.Remove(held);
      terms_.emplace_back(std::move(*term), std::move(held));
    }
    return WithoutIdle();
  }

 private:
  bool IsOnSide(std::size_t seed, std::size_t surface, bool below) const {
    return of_wanted_[surface].On(below).Has(seed);
  }

  bool IsOnNoSurface(std::size_t seed) const {
    for (std::size_t s = 0; s < of_wanted_.size(); ++s) {
      if (!IsOnSide(seed, s, true) && !IsOnSide(seed, s, false)) return false;
    }
    return true;
  }

  // The sides that the seed is on, in the order in which they are left out: of either kind of
  // surfaces first those that keep off most of what is left.
  StepTerm SidesFor(std::size_t seed) const {
    std::vector<std::pair<std::pair<bool, int>, StepSide>> order;
    for (std::size_t s = 0; s < of_wanted_.size(); ++s) {
      const bool below = IsOnSide(seed, s, true);
      if (!below && !IsOnSide(seed, s, false)) continue;
      const int held = left_.CountCommon(of_wanted_[s].On(below));
      const bool has_faces = !table_.surfaces()[s].faces.empty();
      order.push_back(
          {{has_faces == (left_out_ == LeftOut::kSeparators), held}, {static_cast<int>(s), below}});
    }
    std::ranges::sort(order, {},
                      [](const auto& one) { return std::pair(one.first, one.second.surface); });
    StepTerm sides;
    for (const auto& [rank, side] : order) sides.push_back(side);
    return sides;
  }

  // The others that a side keeps off.
  const PointSet& KeptOffBy(const StepSide& side) const {
    return of_others_[static_cast<std::size_t>(side.surface)].On(!side.below);
  }

  std::optional<StepTerm> GrownFrom(std::size_t seed) {
    const StepTerm sides = SidesFor(seed);
    // What the sides from each one on keep off.
    kept_off_from_.assign(sides.size() + 1, PointSet(others_.size()));
    for (std::size_t k = sides.size(); k-- > 0;) {
      kept_off_from_[k] = kept_off_from_[k + 1];
      kept_off_from_[k].Add(KeptOffBy(sides[k]));
    }
    PointSet kept_off(others_.size());
    if (!all_others_.IsWithin(kept_off_from_.front(), kept_off)) return std::nullopt;
    StepTerm term;
    for (std::size_t k = 0; k < sides.size(); ++k) {
      const PointSet& by_side = KeptOffBy(sides[k]);
      if (by_side.IsWithin(kept_off, kept_off_from_[k + 1]) && !IsEnd(sides[k].surface, term, seed))
        continue;
      term.push_back(sides[k]);
      kept_off.Add(by_side);
    }
    return term;
  }

  // Whether a face on one of the term's surfaces that is around the seed ends at this one.
  bool IsEnd(int surface, const StepTerm& term, std::size_t seed) const {
    if (left_out_ != LeftOut::kFacesAndFarSeparators) return false;
    const auto is_around_seed = [&](const StepSide& end) {
      return IsOnSide(seed, static_cast<std::size_t>(end.surface), end.below);
    };
    return std::ranges::any_of(term, [&](const StepSide& side) {
      return std::ranges::any_of(table_.surfaces()[static_cast<std::size_t>(side.surface)].ends,
                                 [&](const StepTerm& ends) {
                                   return std::ranges::find(ends, surface, &StepSide::surface) !=
                                              ends.end() &&
                                          std::ranges::all_of(ends, is_around_seed);
                                 });
    });
  }

  PointSet HeldBy(const StepTerm& term) const {
    PointSet held = PointSet::All(wanted_.size());
    for (const StepSide& side : term) {
      held.KeepOnly(of_wanted_[static_cast<std::size_t>(side.surface)].On(side.below));
    }
    return held;
  }

  // Terms that hold most of what is left, one after the other, until nothing is.
  std::vector<StepTerm> WithoutIdle() {
    left_.Clear();
    for (const auto& [term, held] : terms_) left_.Add(held);
    const auto gain = [&](const auto& term) { return left_.CountCommon(term.second); };
    std::vector<StepTerm> taken;
    while (true) {
      const auto most = std::ranges::max_element(terms_, {}, gain);
      if (most == terms_.end() || gain(*most) == 0) return taken;
      taken.push_back(most->first);
      left_.Remove(most->second);
    }
  }

  const StepTable& table_;
  const LeftOut left_out_;
  std::vector<std::size_t> wanted_, others_;           // labels
  std::vector<SidesOfSurface> of_wanted_, of_others_;  // by surface
  PointSet left_, all_others_;                         // of what is wanted; of the others
  std::vector<PointSet> kept_off_from_;                // of the others
  std::vector<std::pair<StepTerm, PointSet>> terms_;
};

}  // namespace

std::optional<std::vector<StepTerm>> TermsOf(const StepTable& table,
                                             const std::vector<std::size_t>& labels, bool inside,
                                             LeftOut left_out) {
  return TermSearch(table, labels, inside, left_out).Run();
}

// Side by side through all labels, which takes a hundredth of the time of label by label.
std::vector<char> HeldLabels(const std::vector<StepTerm>& terms, const StepTable& table,
                             std::size_t first) {
  std::vector<char> held(table.labels().size() - first, 0), by_term;
  for (const StepTerm& term : terms) {
    by_term.assign(held.size(), 1);
    for (const StepSide& side : term) {
      const auto& surface = table.surfaces()[static_cast<std::size_t>(side.surface)];
      KeepOnSide(Sides(surface.of_labels).subspan(first), side.below ? -1 : 1, by_term);
    }
    Join(by_term, held);
  }
  return held;
}

void SidesOfPoint::MoveTo(const Eigen::Vector3d& p) {
  p_ = p;
  std::ranges::fill(sides_, std::int8_t{0});
}

bool SidesOfPoint::IsBelow(int surface) {
  const auto s = static_cast<std::size_t>(surface);
  if (sides_[s] == 0) sides_[s] = table_.surfaces()[s].surface->Height(p_) < 0.0 ? -1 : 1;
  return sides_[s] < 0;
}

bool HoldPoint(const std::vector<StepTerm>& terms, SidesOfPoint* point) {
  return std::ranges::any_of(terms, [&](const StepTerm& term) {
    return std::ranges::all_of(
        term, [&](const StepSide& side) { return point->IsBelow(side.surface) == side.below; });
  });
}

}  // namespace volcontact
