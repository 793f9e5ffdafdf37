// How an element finds its geometry, and on which of its variables forces depend.
#include <algorithm>

#include "simbody/contact_element.h"
#include "simbody/near_geometry.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using SimTK::State;
using SimTK::Value;

// From the first on; what relaxes does so by itself, slowly.
int NumStatesOf(const FrictionLaw& law) {
  const auto* bristles = std::get_if<BristleFriction>(&law);
  if (bristles != nullptr) return bristles->tau_dwell > 0.0 ? kRelaxation : kDwell;
  return std::holds_alternative<ClutchFriction>(law) ? kTwist : 0;
}

}  // namespace

void ContactElement::SetSight(Sight sight, State* state) const {
  Value<int>::updDowncast(forces_->updDiscreteVariable(*state, sight_)).upd() =
      static_cast<int>(sight);
}

// A number: the typeinfo of a Value's type would be a symbol that others see.
Sight ContactElement::SightOf(const State& state) const {
  return static_cast<Sight>(
      Value<int>::downcast(forces_->getDiscreteVariable(state, sight_)).get());
}

bool ContactElement::AreSecondOrder(const std::vector<PairLook>& looks) {
  return std::all_of(looks.begin(), looks.end(), [](const PairLook& look) {
    return look.pressure.empty() &&
           std::all_of(look.overlaps.begin(), look.overlaps.end(), [](const Metrics& overlap) {
             return !overlap.overlap || IsSecondOrder(overlap);
           });
  });
}

void ContactElement::PutLooks(std::vector<PairLook> looks, const State& state) const {
  Value<ElementMoment>::updDowncast(forces_->updCacheEntry(state, moment_)).upd().looks =
      std::move(looks);
}

void ContactElement::AddActiveContacts(const State& state,
                                       std::vector<ActiveContact>* contacts) const {
  const int first = state.getZStart(forces_->getMySubsystemIndex()) + z_;
  for (const SlotEvaluation& patch : MomentOf(state).patches) {
    const ElementParts::Pair& pair = parts_.pairs[At(patch.pair)];
    contacts->push_back({parts_.shapes[At(pair.a)].body.getMobilizedBodyIndex(),
                         parts_.shapes[At(pair.b)].body.getMobilizedBodyIndex(),
                         first + patch.origin.slot * kNumVariables,
                         NumStatesOf(pair.model->parameters().friction)});
  }
}

bool ContactElement::HasState(const State& state, int place) const {
  const int own = place - state.getZStart(forces_->getMySubsystemIndex()) - z_;
  return own >= 0 && own < parts_.num_slots * kNumVariables && own % kNumVariables < kNumStates;
}

// In `before` are the looks of the last time, ascending; those that are used up are taken out.
FoundGeometry ContactElement::Find(int p, const std::vector<int>& touching,
                                   const ElementMemory& memory, Sight sight,
                                   std::vector<PairLook>* before, ElementMoment* moment) const {
  const ElementParts::Pair& pair = parts_.pairs[At(p)];
  const Pose &X_WA = moment->motions[At(pair.a)].X_WB, &X_WB = moment->motions[At(pair.b)].X_WB;
  const auto found =
      std::lower_bound(before->begin(), before->end(), p,
                       [](const PairLook& look, int place) { return look.pair < place; });
  PairLook& look = moment->looks.emplace_back();
  if (found != before->end() && found->pair == p) look = std::move(*found);
  look.pair = p;
  look.sight = sight;
  const bool is_within_step = sight == Sight::kMade || sight == Sight::kNear;
  if (is_within_step && touching.empty()) {
    FoundGeometry none;
    none.gap = kLeastGap;
    return none;
  }
  const std::vector<LastPatch> last = memory.latches.LastPatches(touching);
  return sight == Sight::kNear ? pair.geometry->FindNear(X_WA, X_WB, last, &look)
                               : pair.geometry->Find(X_WA, X_WB, last, &look);
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
