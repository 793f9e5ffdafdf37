#include "simbody/patch_slots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <set>
#include <string>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::Vector3d;

// Beside a latch.
constexpr std::size_t kNumOfPatch = 16;

// The energy of bent bristles under the elastic load: of their deflection, and of their turn.
std::array<double, 2> BentEnergy(const ContactModel& model, const ContactGeometry& geometry,
                                 const FrictionState& friction) {
  const NormalForceModel normal(model.parameters().normal);
  const double load = normal.Evaluate(geometry.volume, 0.0, 0.0).elastic;
  FrictionState straight = friction;
  straight.twist = 0.0;
  const double bent = model.BristleEnergy(geometry, load, straight);
  return {bent, model.BristleEnergy(geometry, load, friction) - bent};
}

// Patches that share slots that they come from, and these slots.
struct SlotExchange {
  std::set<int> from;
  std::vector<const SlotEvaluation*> to;
};

std::vector<SlotExchange> ExchangesOf(const std::vector<SlotEvaluation>& now) {
  std::vector<SlotExchange> exchanges;
  for (const SlotEvaluation& patch : now) {
    if (!patch.origin.exchanges) continue;
    SlotExchange joined;
    joined.from.insert(patch.origin.from.begin(), patch.origin.from.end());
    joined.to.push_back(&patch);
    for (auto other = exchanges.begin(); other != exchanges.end();) {
      const bool shared = std::any_of(other->from.begin(), other->from.end(),
                                      [&](int i) { return joined.from.count(i) > 0; });
      if (!shared) {
        ++other;
        continue;
      }
      joined.from.insert(other->from.begin(), other->from.end());
      joined.to.insert(joined.to.end(), other->to.begin(), other->to.end());
      other = exchanges.erase(other);
    }
    exchanges.push_back(joined);
  }
  return exchanges;
}

// Passes on what the springs of an exchange hold, and the states that come of it.
void PassOn(const SlotLatches& before, const SlotExchange& exchange,
            const std::vector<Variables>& z, SlotLatches* after) {
  const ContactModel& model = *exchange.to[0]->model;  // they are of one pair
  ContactEnergies all;
  double bent_before = 0.0, bent_after = 0.0, elastic_after = 0.0;
  for (const int i : exchange.from) {
    const SlotLatches::Slot& slot = before.slots[At(i)];
    all += slot.latch.EnergiesOf(z[At(i)]);
    const std::array<double, 2> bent =
        BentEnergy(model, slot.last, slot.latch.StateOf(z[At(i)]).friction);
    bent_before += bent[0] + bent[1];
    after->slots[At(i)].latch.Leave(z[At(i)]);
  }
  for (const SlotEvaluation* patch : exchange.to) {
    // What came into the slot since it was found within the step.
    const std::size_t slot = At(patch->origin.slot);
    if (exchange.from.count(patch->origin.slot) == 0) {
      all += before.slots[slot].latch.EnergiesOf(z[slot]);
    }
    const ContactEvaluation& now = patch->evaluation;
    for (const double bent : BentEnergy(model, now.geometry, now.state.friction))
      bent_after += bent;
    elastic_after += ElasticShare(now.geometry);
  }
  const double held = all.bristle_elastic + all.spin_elastic;
  const double lost = std::clamp(bent_before - bent_after, 0.0, std::max(held, 0.0));
  after->slots[At(exchange.to[0]->origin.slot)].latch.lost += lost;
  for (const SlotEvaluation* patch : exchange.to) {
    const ContactEvaluation& now = patch->evaluation;
    const double share = ElasticShare(now.geometry) / elastic_after;
    const std::array<double, 2> bent = BentEnergy(model, now.geometry, now.state.friction);
    const auto part = [&](double energy) {
      return (held - lost) * (bent_after > 0.0 ? energy / bent_after : 0.5 * share);
    };
    after->slots[At(patch->origin.slot)].latch.Continue(
        now.state, {share * all.elastic, part(bent[0]), part(bent[1])}, z[At(patch->origin.slot)]);
  }
}

// A patch that was there within a step, and is not at its end, leaves what it took to another.
void PassOnStrays(const SlotLatches& before, const std::vector<SlotEvaluation>& now,
                  const std::vector<Variables>& z, SlotLatches* after) {
  for (std::size_t i = 0; i < before.slots.size(); ++i) {
    ContactLatch& latch = after->slots[i].latch;
    if (before.slots[i].latch.touching || latch.touching) continue;
    if (now.empty()) {
      latch.End(z[i]);
      continue;
    }
    const ContactEnergies stray = latch.EnergiesOf(z[i]);
    latch.Leave(z[i]);
    ContactLatch& heir = after->slots[At(now[0].origin.slot)].latch;
    heir.left_elastic -= stray.elastic;
    heir.left_bristle -= stray.bristle_elastic;
    heir.left_spin -= stray.spin_elastic;
  }
}

}  // namespace

double ElasticShare(const ContactGeometry& geometry) {
  return geometry.volume * MeanHeight(geometry);
}

std::vector<int> SlotLatches::TouchingByPair() const {
  std::vector<int> touching;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].latch.touching) touching.push_back(static_cast<int>(i));
  }
  std::stable_sort(touching.begin(), touching.end(),
                   [&](int i, int j) { return slots[At(i)].pair < slots[At(j)].pair; });
  return touching;
}

std::vector<LastPatch> SlotLatches::LastPatches(const std::vector<int>& touching) const {
  std::vector<LastPatch> patches;
  for (const int i : touching) {
    patches.push_back({slots[At(i)].mark, slots[At(i)].latch.normal_W});
  }
  return patches;
}

ContactEnergies SlotLatches::EnergiesOf(const std::vector<Variables>& z) const {
  ContactEnergies sum;
  for (std::size_t i = 0; i < slots.size(); ++i) sum += slots[i].latch.EnergiesOf(z[i]);
  return sum;
}

int SlotLatches::TouchCount() const {
  int count = 0;
  for (const Slot& slot : slots) count += slot.latch.touch_count;
  return count;
}

std::vector<double> SlotLatches::Save() const {
  std::vector<double> saved;
  for (const Slot& slot : slots) {
    const std::vector<double> latch = slot.latch.Save();
    saved.insert(saved.end(), latch.begin(), latch.end());
    for (const Vector3d& point : {slot.mark.point_A, slot.mark.point_B, slot.last.point_W}) {
      saved.insert(saved.end(), point.data(), point.data() + 3);
    }
    saved.insert(saved.end(), {static_cast<double>(slot.pair), static_cast<double>(slot.mark.piece),
                               slot.mark.volume, slot.mark.radius, slot.last.volume,
                               slot.last.contact_area, slot.last.gyration_radius});
  }
  return saved;
}

SlotLatches SlotLatches::Load(const std::vector<double>& saved, int count) {
  const std::size_t size = saved.size() / static_cast<std::size_t>(count);
  if (size * static_cast<std::size_t>(count) != saved.size() || size < kNumOfPatch) {
    throw InvalidInput("the saved state of a contact has " + std::to_string(saved.size()) +
                       " numbers, which do not fit " + std::to_string(count) + " patches");
  }
  SlotLatches latches;
  for (const double* next = saved.data(); next != saved.data() + saved.size();) {
    Slot& slot = latches.slots.emplace_back();
    slot.latch = ContactLatch::Load({next, next + size - kNumOfPatch});
    next += size - kNumOfPatch;
    for (Vector3d* point : {&slot.mark.point_A, &slot.mark.point_B, &slot.last.point_W}) {
      *point = Eigen::Map<const Vector3d>(next);
      next += 3;
    }
    slot.pair = static_cast<int>(*next++);
    slot.mark.piece = static_cast<int>(*next++);
    for (double* value : {&slot.mark.volume, &slot.mark.radius, &slot.last.volume,
                          &slot.last.contact_area, &slot.last.gyration_radius}) {
      *value = *next++;
    }
  }
  return latches;
}

std::ostream& operator<<(std::ostream& stream, const SlotLatches& latches) {
  for (const SlotLatches::Slot& slot : latches.slots) stream << slot.latch << ' ';
  return stream;
}

std::vector<SlotOrigin> AssignSlots(const SlotLatches& latches, const PairSlots& of,
                                    const std::vector<FoundPatch>& patches,
                                    std::vector<bool>* taken) {
  std::vector<std::vector<int>> from(patches.size());
  if (of.has_patch_each) {
    std::vector<PatchMark> before, now;
    for (const int i : of.touching) before.push_back(latches.slots[At(i)].mark);
    for (const FoundPatch& patch : patches) now.push_back(patch.mark);
    from = TrackPatches(before, now);
  } else if (!patches.empty() && !of.touching.empty()) {
    from[0] = {0};  // one contact of all is the same as long as it lasts
  }
  std::vector<int> uses(of.touching.size(), 0);
  std::vector<SlotOrigin> origins(patches.size());
  for (std::size_t j = 0; j < patches.size(); ++j) {
    for (const int i : from[j]) {
      origins[j].from.push_back(of.touching[At(i)]);
      ++uses[At(i)];
    }
  }
  for (std::size_t j = 0; j < patches.size(); ++j) {
    SlotOrigin& origin = origins[j];
    origin.slot = -1;
    double largest = -1.0;
    for (const int i : origin.from) {
      if ((*taken)[At(i)] || latches.slots[At(i)].mark.volume <= largest) continue;
      largest = latches.slots[At(i)].mark.volume;
      origin.slot = i;
    }
    for (std::size_t i = 0; i < taken->size() && origin.slot < 0; ++i) {
      if (!(*taken)[i] && !latches.slots[i].latch.touching) origin.slot = static_cast<int>(i);
    }
    if (origin.slot < 0) {
      throw InvalidInput("more than " + std::to_string(taken->size()) +
                         " patches touch; raise \"most_patches\" of the contact, or "
                         "\"most_contacts\" of the set");
    }
    (*taken)[At(origin.slot)] = true;
    origin.exchanges = !from[j].empty() && (from[j].size() > 1 || uses[At(from[j][0])] > 1);
  }
  return origins;
}

std::vector<ContactState> StatesOf(const ContactModel& model, const SlotLatches& latches,
                                   const std::vector<FoundPatch>& patches,
                                   const std::vector<SlotOrigin>& origins,
                                   const std::vector<Variables>& z) {
  const auto last = [&](int i) {
    const SlotLatches::Slot& slot = latches.slots[At(i)];
    return PatchState{slot.latch.StateOf(z[At(i)]), slot.last};
  };
  std::vector<ContactState> states;
  for (std::size_t j = 0; j < patches.size(); ++j) {
    const std::vector<int>& from = origins[j].from;
    if (!origins[j].exchanges) {
      const std::size_t slot = At(origins[j].slot);
      states.push_back(latches.slots[slot].latch.StateOf(z[slot]));
    } else if (from.size() > 1) {
      std::vector<PatchState> parts;
      for (const int i : from) parts.push_back(last(i));
      states.push_back(model.Joined(parts, patches[j].geometry));
    } else {
      double volume = 0.0;
      Vector3d middle = Vector3d::Zero();
      for (std::size_t k = 0; k < patches.size(); ++k) {
        if (std::count(origins[k].from.begin(), origins[k].from.end(), from[0]) == 0) continue;
        volume += patches[k].geometry.volume;
        middle += patches[k].geometry.volume * patches[k].geometry.point_W;
      }
      const ContactGeometry& piece = patches[j].geometry;
      states.push_back(model.PieceOf(last(from[0]), piece, piece.point_W - middle / volume,
                                     piece.volume / volume));
    }
  }
  return states;
}

SlotLatches Next(const SlotLatches& latches, const std::vector<SlotEvaluation>& now,
                 const std::vector<Variables>& z) {
  SlotLatches next = latches;
  std::vector<bool> exchanged(next.slots.size(), false);
  for (const SlotExchange& exchange : ExchangesOf(now)) {
    PassOn(latches, exchange, z, &next);
    for (const int i : exchange.from) exchanged[At(i)] = true;
    for (const SlotEvaluation* patch : exchange.to) exchanged[At(patch->origin.slot)] = true;
  }
  std::vector<bool> found(next.slots.size(), false);
  for (const SlotEvaluation& patch : now) {
    const std::size_t i = At(patch.origin.slot);
    found[i] = true;
    SlotLatches::Slot& slot = next.slots[i];
    slot.pair = patch.pair;
    slot.mark = patch.mark;
    slot.last = patch.evaluation.geometry;
    if (exchanged[i]) continue;
    slot.latch =
        slot.latch.Next(*patch.model, patch.evaluation.geometry, patch.evaluation.motion, z[i]);
  }
  for (std::size_t i = 0; i < next.slots.size(); ++i) {
    ContactLatch& latch = next.slots[i].latch;
    if (!found[i] && !exchanged[i] && latch.touching) latch.End(z[i]);
  }
  if (next.slots.size() > 1) PassOnStrays(latches, now, z, &next);
  return next;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
