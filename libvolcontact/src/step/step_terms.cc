#include "step/step_terms.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace volcontact {
namespace {

// Of more sides of one point that keep off another than this no more are counted.
constexpr std::uint8_t kManySides = 255;

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
void Remove(std::span<const char> taken, std::span<char> left) {
  for (std::size_t i = 0; i < left.size(); ++i) left[i] &= !taken[i];
}
int CountBoth(std::span<const char> a, std::span<const char> b) {
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] & b[i];
  return count;
}
int CountOffSide(Sides sides, std::int8_t side, std::span<const char> left) {
  int count = 0;
  for (std::size_t i = 0; i < left.size(); ++i) count += left[i] & (sides[i] != side);
  return count;
}
// Of sides that keep off each point.
void CountOneMore(Sides sides, std::int8_t away, std::span<std::uint8_t> counts) {
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] += static_cast<std::uint8_t>((sides[i] == away) & (counts[i] != kManySides));
}
void CountOneLess(Sides sides, std::int8_t away, std::span<std::uint8_t> counts) {
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] -= static_cast<std::uint8_t>((sides[i] == away) & (counts[i] != kManySides));
}
bool IsOnlyOne(Sides sides, std::int8_t away, std::span<const std::uint8_t> counts) {
  std::uint8_t only = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    only |= static_cast<std::uint8_t>((sides[i] == away) & (counts[i] == 1));
  return only != 0;
}

// A term grows from a point: of all sides that the point is on those are left out, one after the
// other, that keep off no point of the other kind which no other side keeps off.
class TermSearch {
 public:
  TermSearch(const StepTable& table, const std::vector<std::size_t>& labels, bool inside,
             LeftOut left_out, const Deadline& deadline)
      : table_(table), left_out_(left_out), deadline_(deadline) {
    for (const std::size_t i : labels) {
      (table.labels()[i].inside == inside ? wanted_ : others_).push_back(i);
    }
    for (const StepTable::Surface& surface : table.surfaces()) {
      of_wanted_.push_back(SidesAt(wanted_, surface.of_labels));
      of_others_.push_back(SidesAt(others_, surface.of_labels));
    }
    left_.assign(wanted_.size(), 1);
    if (left_out != LeftOut::kFacesAndFarSeparators) return;
    for (const StepTable::Surface& surface : table.surfaces()) {
      std::vector<StepTerm>& ends = ends_.emplace_back();
      for (const StepFace* face : surface.faces) ends.push_back(table.EndsOf(*face));
    }
  }

  std::optional<std::vector<StepTerm>> Run() {
    for (std::size_t seed = 0; seed < wanted_.size(); ++seed) {
      if (left_[seed] == 0) continue;
      if (deadline_.IsOver()) return std::nullopt;
      std::optional<StepTerm> term = GrownFrom(seed);
      if (!term) {
        if (IsOnNoSurface(seed)) return std::nullopt;
        continue;  // it is too near to a surface to tell
      }
      terms_.emplace_back(std::move(*term), std::vector<char>());
      terms_.back().second = HeldBy(terms_.back().first);
      Remove(terms_.back().second, left_);
    }
    return WithoutIdle();
  }

 private:
  static PointSides SidesAt(const std::vector<std::size_t>& points, const PointSides& all) {
    PointSides sides;
    sides.reserve(points.size());
    for (const std::size_t i : points) sides.push_back(all[i]);
    return sides;
  }

  bool IsOnNoSurface(std::size_t seed) const {
    return std::ranges::none_of(of_wanted_,
                                [&](const PointSides& sides) { return sides[seed] == 0; });
  }

  // The surfaces that the seed is beside, in the order in which they are left out: of either kind
  // first those that keep off most of what is left.
  std::vector<std::size_t> SurfacesFor(std::size_t seed) const {
    std::vector<std::pair<std::pair<bool, int>, std::size_t>> order;
    for (std::size_t s = 0; s < of_wanted_.size(); ++s) {
      const std::int8_t side = of_wanted_[s][seed];
      if (side == 0) continue;
      const int kept_off = CountOffSide(of_wanted_[s], side, left_);
      const bool has_faces = !table_.surfaces()[s].faces.empty();
      order.push_back({{has_faces == (left_out_ == LeftOut::kSeparators), -kept_off}, s});
    }
    std::ranges::sort(order);
    std::vector<std::size_t> surfaces;
    for (const auto& [rank, s] : order) surfaces.push_back(s);
    return surfaces;
  }

  std::optional<StepTerm> GrownFrom(std::size_t seed) {
    const std::vector<std::size_t> surfaces = SurfacesFor(seed);
    counts_.assign(others_.size(), 0);
    for (const std::size_t s : surfaces) CountOneMore(of_others_[s], AwayFrom(seed, s), counts_);
    if (std::ranges::count(counts_, 0) > 0) return std::nullopt;
    StepTerm term;
    for (const std::size_t s : surfaces) {
      const std::int8_t away = AwayFrom(seed, s);
      if (IsOnlyOne(of_others_[s], away, counts_) || IsEnd(s, term, seed)) {
        term.push_back({static_cast<int>(s), away > 0});
      } else {
        CountOneLess(of_others_[s], away, counts_);
      }
    }
    return term;
  }

  // Whether a face on one of the term's surfaces that is around the seed ends at this one.
  bool IsEnd(std::size_t surface, const StepTerm& term, std::size_t seed) const {
    if (ends_.empty()) return false;
    const auto is_around_seed = [&](const StepSide& end) {
      return of_wanted_[static_cast<std::size_t>(end.surface)][seed] == (end.below ? -1 : 1);
    };
    return std::ranges::any_of(term, [&](const StepSide& side) {
      return std::ranges::any_of(
          ends_[static_cast<std::size_t>(side.surface)], [&](const StepTerm& ends) {
            return std::ranges::find(ends, static_cast<int>(surface), &StepSide::surface) !=
                       ends.end() &&
                   std::ranges::all_of(ends, is_around_seed);
          });
    });
  }

  // The side of a surface on which the seed is not.
  std::int8_t AwayFrom(std::size_t seed, std::size_t surface) const {
    return static_cast<std::int8_t>(-of_wanted_[surface][seed]);
  }

  std::vector<char> HeldBy(const StepTerm& term) const {
    std::vector<char> held(wanted_.size(), 1);
    for (const StepSide& side : term) {
      KeepOnSide(of_wanted_[static_cast<std::size_t>(side.surface)], side.below ? -1 : 1, held);
    }
    return held;
  }

  // Terms that hold most of what is left, one after the other, until nothing is.
  std::vector<StepTerm> WithoutIdle() {
    std::ranges::fill(left_, 0);
    for (const auto& [term, held] : terms_) Join(held, left_);
    const auto gain = [&](const auto& term) { return CountBoth(left_, term.second); };
    std::vector<StepTerm> taken;
    while (true) {
      const auto most = std::ranges::max_element(terms_, {}, gain);
      if (most == terms_.end() || gain(*most) == 0) return taken;
      taken.push_back(most->first);
      Remove(most->second, left_);
    }
  }

  const StepTable& table_;
  const LeftOut left_out_;
  const Deadline& deadline_;
  std::vector<std::size_t> wanted_, others_;       // labels
  std::vector<PointSides> of_wanted_, of_others_;  // by surface
  std::vector<std::vector<StepTerm>> ends_;        // by surface, of each of its faces; or none
  std::vector<char> left_;                         // of what is wanted
  std::vector<std::uint8_t> counts_;               // of sides that keep off the others
  std::vector<std::pair<StepTerm, std::vector<char>>> terms_;
};

}  // namespace

std::optional<std::vector<StepTerm>> TermsOf(const StepTable& table,
                                             const std::vector<std::size_t>& labels, bool inside,
                                             LeftOut left_out, const Deadline& deadline) {
  return TermSearch(table, labels, inside, left_out, deadline).Run();
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
