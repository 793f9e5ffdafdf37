#include "step/csg/step_terms.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "math/time_limit.h"

namespace volcontact {
namespace {

// Of so many points those on all sides of a term, each of which `on` gives.
template <class On>
PointSet HeldBy(const StepTerm& term, std::size_t points, const On& on) {
  PointSet held = PointSet::All(points);
  for (const StepSide& side : term) held.KeepOnly(on(side));
  return held;
}

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
      of_wanted_.push_back(surface.of_labels.Some(wanted_));
      of_others_.push_back(surface.of_labels.Some(others_));
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
      PointSet held = HeldBy(
          *term, wanted_.size(), [&](const StepSide& side) -> auto& {
            return of_wanted_[static_cast<std::size_t>(side.surface)].On(side.below);
          });
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

PointSet HeldLabels(const std::vector<StepTerm>& terms, const StepTable& table) {
  PointSet held(table.labels().size());
  for (const StepTerm& term : terms) {
    held.Add(HeldBy(
        term, table.labels().size(), [&](const StepSide& side) -> auto& {
          return table.surfaces()[static_cast<std::size_t>(side.surface)].of_labels.On(side.below);
        }));
  }
  return held;
}

void SidesOfPoints::MoveTo(std::span<const Eigen::Vector3d> points) {
  points_ = points;
  std::ranges::fill(known_, PointBits{0});
  std::ranges::fill(below_, PointBits{0});
}

PointBits SidesOfPoints::Below(int surface, PointBits some) {
  const auto s = static_cast<std::size_t>(surface);
  const StepFace& face = *table_.surfaces()[s].surface;
  for (PointBits left = some & ~known_[s]; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    const bool is_below = face.Height(points_[static_cast<std::size_t>(i)]) < 0.0;
    below_[s] |= static_cast<PointBits>(is_below) << i;
  }
  known_[s] |= some;
  return some & below_[s];
}

PointBits HeldPoints(const std::vector<StepTerm>& terms, SidesOfPoints* points) {
  const PointBits all = points->All();
  PointBits held = 0;
  for (const StepTerm& term : terms) {
    PointBits left = all & ~held;
    for (const StepSide& side : term) {
      if (left == 0) break;
      const PointBits below = points->Below(side.surface, left);
      left = side.below ? below : left & ~below;
    }
    held |= left;
  }
  return held;
}

}  // namespace volcontact
