#include "step/step_terms.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace volcontact {
namespace {

// Of more sides of one point that keep off another than this no more are counted.
constexpr std::uint8_t kManySides = 255;

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
      of_wanted_.push_back(SidesAt(wanted_, surface.of_labels));
      of_others_.push_back(SidesAt(others_, surface.of_labels));
    }
    left_.assign(wanted_.size(), 1);
  }

  std::optional<std::vector<StepTerm>> Run() {
    for (std::size_t seed = 0; seed < wanted_.size(); ++seed) {
      if (left_[seed] == 0) continue;
      std::optional<StepTerm> term = GrownFrom(seed);
      if (!term) {
        if (IsOnNoSurface(seed)) return std::nullopt;
        continue;  // it is too near to a surface to tell
      }
      terms_.emplace_back(std::move(*term), std::vector<char>());
      terms_.back().second = HeldBy(terms_.back().first);
      for (std::size_t i = 0; i < left_.size(); ++i) left_[i] &= !terms_.back().second[i];
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
    std::vector<std::pair<std::pair<bool, long>, std::size_t>> order;
    for (std::size_t s = 0; s < of_wanted_.size(); ++s) {
      const std::int8_t side = of_wanted_[s][seed];
      if (side == 0) continue;
      long kept_off = 0;
      for (std::size_t i = 0; i < left_.size(); ++i)
        kept_off += left_[i] & (of_wanted_[s][i] != side);
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
    for (const std::size_t s : surfaces) {
      const std::int8_t away = static_cast<std::int8_t>(-of_wanted_[s][seed]);
      const PointSides& sides = of_others_[s];
      for (std::size_t i = 0; i < counts_.size(); ++i)
        counts_[i] += static_cast<std::uint8_t>((sides[i] == away) & (counts_[i] != kManySides));
    }
    if (std::ranges::count(counts_, 0) > 0) return std::nullopt;
    StepTerm term;
    for (const std::size_t s : surfaces) {
      const std::int8_t side = of_wanted_[s][seed];
      if (IsNeeded(of_others_[s], static_cast<std::int8_t>(-side))) {
        term.push_back({static_cast<int>(s), side < 0});
      } else {
        Drop(of_others_[s], static_cast<std::int8_t>(-side));
      }
    }
    return term;
  }

  bool IsNeeded(const PointSides& sides, std::int8_t away) const {
    std::uint8_t needed = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      needed |= static_cast<std::uint8_t>((sides[i] == away) & (counts_[i] == 1));
    return needed != 0;
  }

  void Drop(const PointSides& sides, std::int8_t away) {
    for (std::size_t i = 0; i < counts_.size(); ++i)
      counts_[i] -= static_cast<std::uint8_t>((sides[i] == away) & (counts_[i] != kManySides));
  }

  std::vector<char> HeldBy(const StepTerm& term) const {
    std::vector<char> held(wanted_.size(), 1);
    for (const StepSide& side : term) {
      const PointSides& sides = of_wanted_[static_cast<std::size_t>(side.surface)];
      const std::int8_t here = side.below ? -1 : 1;
      for (std::size_t i = 0; i < held.size(); ++i) held[i] &= sides[i] == here;
    }
    return held;
  }

  // Terms that hold most of what is left, one after the other, until nothing is.
  std::vector<StepTerm> WithoutIdle() {
    std::ranges::fill(left_, 0);
    for (const auto& [term, held] : terms_) {
      for (std::size_t i = 0; i < left_.size(); ++i) left_[i] |= held[i];
    }
    const auto gain = [&](const auto& term) {
      long count = 0;
      for (std::size_t i = 0; i < left_.size(); ++i) count += left_[i] & term.second[i];
      return count;
    };
    std::vector<StepTerm> taken;
    while (true) {
      const auto most = std::ranges::max_element(terms_, {}, gain);
      if (most == terms_.end() || gain(*most) == 0) return taken;
      taken.push_back(most->first);
      for (std::size_t i = 0; i < left_.size(); ++i) left_[i] &= !most->second[i];
    }
  }

  const StepTable& table_;
  const LeftOut left_out_;
  std::vector<std::size_t> wanted_, others_;       // labels
  std::vector<PointSides> of_wanted_, of_others_;  // by surface
  std::vector<char> left_;                         // of what is wanted
  std::vector<std::uint8_t> counts_;               // of sides that keep off the others
  std::vector<std::pair<StepTerm, std::vector<char>>> terms_;
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
      const std::int8_t* const sides = surface.of_labels.data() + first;
      const std::int8_t here = side.below ? -1 : 1;
      for (std::size_t i = 0; i < held.size(); ++i) by_term[i] &= sides[i] == here;
    }
    for (std::size_t i = 0; i < held.size(); ++i) held[i] |= by_term[i];
  }
  return held;
}

bool HoldPoint(const std::vector<StepTerm>& terms, const StepTable& table,
               const Eigen::Vector3d& p) {
  return std::ranges::any_of(terms, [&](const StepTerm& term) {
    return std::ranges::all_of(term, [&](const StepSide& side) {
      const auto& surface = table.surfaces()[static_cast<std::size_t>(side.surface)];
      return (surface.surface->Height(p) < 0.0) == side.below;
    });
  });
}

}  // namespace volcontact
