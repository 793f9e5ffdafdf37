#include "simbody/contact_element.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "simbody/simbody_frames.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::Vector3d;
using SimTK::SpatialVec;
using SimTK::Stage;
using SimTK::State;
using SimTK::Value;
using SimTK::Vec3;

// Window in which first contact and separation are located [s]: an impact at 1 m/s is seen at a
// depth of a nanometre.
constexpr double kEventWindow = 1e-9;
// Simbody gives the window in units of this, the default time scale of a system [s].
constexpr double kTimeScale = 0.1;
// Of the thinner shape: bodies that move by less within a step are not looked at on the way.
constexpr double kLeastTravel = 1.0 / 32.0;

bool IsSameTwist(const Twist& a, const Twist& b) {
  return a.velocity_W == b.velocity_W && a.angular_velocity_W == b.angular_velocity_W;
}

// Steps end where they have been looked at already.
bool IsSameWay(const WayLook& a, const WayLook& b) {
  return a.from == b.from && a.to == b.to && IsSame(a.X_WA, b.X_WA) && IsSame(a.X_WB, b.X_WB) &&
         IsSameTwist(a.V_WA, b.V_WA) && IsSameTwist(a.V_WB, b.V_WB);
}

// Ends a step where a contact begins or ends.
class TouchHandler : public SimTK::TriggeredEventHandler {
 public:
  explicit TouchHandler(const ContactElement* element)
      : TriggeredEventHandler(Stage::Dynamics), element_(element) {
    getTriggerInfo().setRequiredLocalizationTimeWindow(kEventWindow / kTimeScale);
    getTriggerInfo().setTriggerOnRisingSignTransition(false);
  }

  double getValue(const State& state) const override { return element_->Witness(state); }
  void handleEvent(State& state, double, bool&) const override { element_->Latch(&state); }

 private:
  const ContactElement* element_;
};

// Ends steps within a contact. Nothing happens there.
class StopHandler : public SimTK::ScheduledEventHandler {
 public:
  explicit StopHandler(const ContactElement* element) : element_(element) {}

  SimTK::Real getNextEventTime(const State& state, bool) const override {
    return element_->NextStop(state);
  }
  void handleEvent(State&, double, bool&) const override {}

 private:
  const ContactElement* element_;
};

}  // namespace

const ContactElement* AddElement(SimTK::MultibodySystem* system,
                                 SimTK::GeneralForceSubsystem* forces, ElementParts parts,
                                 bool has_events) {
  auto element = std::make_unique<ContactElement>(forces, std::move(parts), has_events);
  const ContactElement* added = element.get();
  SimTK::Force::Custom(*forces, element.release());  // the subsystem owns it
  if (has_events) {
    system->addEventHandler(new TouchHandler(added));
    system->addEventHandler(new StopHandler(added));
  }
  return added;
}

ContactElement::ContactElement(SimTK::GeneralForceSubsystem* forces, ElementParts parts,
                               bool has_events)
    : forces_(forces), parts_(std::move(parts)), has_events_(has_events) {}

void ContactElement::realizeTopology(State& state) const {
  z_ = forces_->allocateZ(state, SimTK::Vector(parts_.num_slots * kNumVariables, 0.0));
  auto* memory = new Value<ElementMemory>();
  memory->upd().latches.slots.resize(At(parts_.num_slots));
  memory_ = forces_->allocateAutoUpdateDiscreteVariable(state, Stage::Dynamics, memory,
                                                        Stage::Acceleration);
  sight_ = forces_->allocateDiscreteVariable(state, Stage::Dynamics,
                                             new Value<int>(static_cast<int>(Sight::kPlain)));
  moment_ = forces_->allocateCacheEntry(state, Stage::Dynamics, new Value<ElementMoment>());
}

void ContactElement::calcForce(const State& state, SimTK::Vector_<SpatialVec>& body_forces,
                               SimTK::Vector_<Vec3>&, SimTK::Vector&) const {
  auto& moment = Value<ElementMoment>::updDowncast(forces_->updCacheEntry(state, moment_)).upd();
  moment = Compute(state, std::move(moment.looks));
  for (const SlotEvaluation& patch : moment.patches) {
    const ContactForce& now = patch.evaluation.force;
    const Vec3 force = ToSimbody(now.force_W), torque = ToSimbody(now.torque_W);
    const Vec3 point = ToSimbody(now.point_W);
    const ElementParts::Pair& pair = parts_.pairs[At(patch.pair)];
    for (const auto& [shape, sign] : {std::pair{pair.a, 1.0}, {pair.b, -1.0}}) {
      const SimTK::MobilizedBody& body = parts_.shapes[At(shape)].body;
      const Vec3 arm = point - body.getBodyOriginLocation(state);
      body_forces[body.getMobilizedBodyIndex()] +=
          SpatialVec(sign * (torque + arm % force), sign * force);
    }
  }
}

double ContactElement::calcPotentialEnergy(const State& state) const {
  const ContactEnergies stored = Energies(state);
  return stored.elastic + stored.bristle_elastic + stored.spin_elastic;
}

void ContactElement::realizeAcceleration(const State& state) const {
  SimTK::Vector& z_dot = forces_->updZDot(state);
  for (int i = 0; i < parts_.num_slots * kNumVariables; ++i) z_dot[z_ + i] = 0.0;
  const SlotLatches& latches = LatchesOf(state);
  for (const SlotEvaluation& patch : MomentOf(state).patches) {
    const int slot = patch.origin.slot;
    const Variables rate = latches.slots[At(slot)].latch.RateOf(patch.evaluation.force);
    for (int i = 0; i < kNumVariables; ++i) z_dot[z_ + slot * kNumVariables + i] = rate[i];
  }
  if (SightOf(state) == Sight::kNear) return;  // no step ends here
  Value<ElementMemory>::updDowncast(forces_->updDiscreteVarUpdateValue(state, memory_)).upd() =
      NextMemory(state);
  forces_->markDiscreteVarUpdateValueRealized(state, memory_);
}

ElementMemory ContactElement::NextMemory(const State& state) const {
  const ElementMoment& moment = MomentOf(state);
  ElementMemory next;
  next.latches = Next(LatchesOf(state), moment.patches, VariablesOf(state));
  next.time = state.getTime();
  next.motions = moment.motions;
  double force = 0.0;
  for (const SlotEvaluation& patch : moment.patches) {
    if (patch.origin.from.empty()) next.made.push_back(patch.origin.slot);
    force += patch.evaluation.force.normal_W.norm();
  }
  next.greatest_force = std::max(GreatestForce(state), force);
  return next;
}

void ContactElement::Latch(State* state) const {
  forces_->getSystem().realize(*state, Stage::Dynamics);
  SetMemory(NextMemory(*state), state);
}

ElementMoment ContactElement::Compute(const State& state, std::vector<PairLook> before) const {
  ElementMoment moment;
  const ElementMemory& memory = MemoryOf(state);
  const Sight sight = SightOf(state);
  const std::vector<Variables> z = VariablesOf(state);
  std::vector<Aabb> boxes;
  for (const ElementParts::Shape& shape : parts_.shapes) {
    const Pose X = PoseOf(shape.body, state);
    moment.motions.push_back({X, TwistOf(shape.body, state)});
    boxes.push_back(shape.extent.BoxAt(X));
  }
  // How far each shape moves within the step, where what happens on the way is asked for.
  const double duration = state.getTime() - memory.time;
  std::vector<double> reaches;
  if (has_events_ && duration > 0.0 && sight != Sight::kNear && sight != Sight::kMade) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      reaches.push_back(
          ReachInStep(parts_.shapes[i].extent, memory.motions[i], moment.motions[i], duration));
    }
  }
  const std::vector<int> touching = memory.latches.TouchingByPair();
  auto next = touching.begin();
  std::vector<bool> taken(At(parts_.num_slots), false);
  for (int p = 0; p < static_cast<int>(parts_.pairs.size()); ++p) {
    const ElementParts::Pair& pair = parts_.pairs[At(p)];
    PairSlots slots{p, {}, pair.geometry->MostPatches() > 0};
    for (; next != touching.end() && memory.latches.slots[At(*next)].pair == p; ++next) {
      slots.touching.push_back(*next);
    }
    const double box_gap = BoxGap(boxes[At(pair.a)], boxes[At(pair.b)]);
    FoundGeometry found;
    found.gap = box_gap;
    const std::size_t begin = moment.patches.size();
    if (!(box_gap > 0.0)) {
      found = Find(p, slots.touching, memory, sight, &before, &moment);
      Evaluate(p, found, slots, memory, z, &taken, &moment);
    }
    if (!has_events_) continue;
    const SlotEvaluation* patches = moment.patches.data();
    double witness = WitnessOf(slots, found.gap, patches + begin, patches + moment.patches.size());
    if (!reaches.empty() && slots.touching.empty() && found.patches.empty()) {
      witness =
          std::min(witness, WitnessOnTheWay(p, box_gap, memory, reaches, state.getTime(), &moment));
    }
    moment.witness = std::min(moment.witness, witness);
  }
  return moment;
}

void ContactElement::Evaluate(int p, const FoundGeometry& found, const PairSlots& slots,
                              const ElementMemory& memory, const std::vector<Variables>& z,
                              std::vector<bool>* taken, ElementMoment* moment) const {
  const ElementParts::Pair& pair = parts_.pairs[At(p)];
  moment->none.converged = moment->none.converged && found.converged;
  moment->none.without_direction |= found.without_direction;
  if (found.patches.empty()) return;
  const std::vector<SlotOrigin> origins = AssignSlots(memory.latches, slots, found.patches, taken);
  const std::vector<ContactState> states =
      StatesOf(*pair.model, memory.latches, found.patches, origins, z);
  const BodyInstant &A = moment->motions[At(pair.a)], &B = moment->motions[At(pair.b)];
  for (std::size_t i = 0; i < found.patches.size(); ++i) {
    SlotEvaluation& patch = moment->patches.emplace_back();
    patch.pair = p;
    patch.model = pair.model.get();
    patch.origin = origins[i];
    patch.mark = found.patches[i].mark;
    ContactEvaluation& now = patch.evaluation;
    now.converged = found.converged;
    now.without_direction = found.without_direction;
    now.geometry = found.patches[i].geometry;
    now.state = states[i];
    now.motion =
        MotionAt(now.geometry.point_W, now.geometry.normal_W, A.X_WB, A.V_W, B.X_WB, B.V_W);
    std::vector<PressureSample>& pressure = moment->looks.back().pressure;
    if (pair.model->Needs().pressure && moment->looks.back().sight != Sight::kNear) {
      pressure = pair.geometry->Pressure(A.X_WB, B.X_WB, now.geometry,
                                         pair.model->SlidingVelocity(now.geometry, now.motion),
                                         now.motion.spin);
    }
    now.force = pair.model->Evaluate(now.geometry, now.motion, now.state, pressure);
  }
}

// Patches that grow together or come apart make no event: their forces go on.
double ContactElement::WitnessOf(const PairSlots& slots, double gap, const SlotEvaluation* begin,
                                 const SlotEvaluation* end) const {
  if (begin == end) {
    // What overlaps without a direction makes no contact, nor an event.
    if (slots.touching.empty()) {
      return gap > 0.0 ? std::max(gap, kLeastGap) : std::numeric_limits<double>::infinity();
    }
    return -std::max(gap, kLeastGap);
  }
  double witness = std::numeric_limits<double>::infinity();
  for (const int slot : slots.touching) {
    const bool lasts = std::any_of(begin, end, [&](const SlotEvaluation& patch) {
      const std::vector<int>& from = patch.origin.from;
      return patch.origin.slot == slot || std::count(from.begin(), from.end(), slot) > 0;
    });
    if (!lasts) witness = -kLeastGap;
  }
  for (const SlotEvaluation* patch = begin; patch != end; ++patch) {
    const double depth = DepthOf(patch->evaluation.geometry);
    witness = std::min(witness, patch->origin.from.empty() ? -depth : depth);
  }
  return witness;
}

double ContactElement::WitnessOnTheWay(int p, double box_gap, const ElementMemory& memory,
                                       const std::vector<double>& reaches, double time,
                                       ElementMoment* moment) const {
  const ElementParts::Pair& pair = parts_.pairs[At(p)];
  const double reach = reaches[At(pair.a)] + reaches[At(pair.b)];
  const ShapeExtent &a = parts_.shapes[At(pair.a)].extent, &b = parts_.shapes[At(pair.b)].extent;
  const double least_travel = kLeastTravel * LeastThicknessOf(pair);
  constexpr double kNone = std::numeric_limits<double>::infinity();
  if (box_gap > reach || !(reach > least_travel)) return kNone;
  const BodyInstant &A = moment->motions[At(pair.a)], &B = moment->motions[At(pair.b)];
  const bool is_looked_at = !moment->looks.empty() && moment->looks.back().pair == p;
  std::optional<WayLook> none;
  std::optional<WayLook>& look = is_looked_at ? moment->looks.back().way : none;
  const WayLook way{memory.time, time, A.X_WB, B.X_WB, A.V_W, B.V_W, 0.0};
  if (!look || !IsSameWay(*look, way)) {
    const double duration = time - memory.time;
    const PairPath path{pair.geometry.get(),
                        &a,
                        &b,
                        BodyPath(memory.motions[At(pair.a)], A, duration),
                        BodyPath(memory.motions[At(pair.b)], B, duration),
                        duration};
    look = way;
    look->gap = path.FirstOverlap(least_travel);
  }
  return look->gap < 0.0 ? look->gap : kNone;
}

double ContactElement::LeastThicknessOf(const ElementParts::Pair& pair) const {
  return std::min(parts_.shapes[At(pair.a)].extent.thickness,
                  parts_.shapes[At(pair.b)].extent.thickness);
}

// All trial states of a step may lie beyond a contact that it begins with, and its error then seems
// to be none. So the bodies must not come through each other in a step: not deeper than a part of
// their thickness, and, where a contact is made, not out of it again on the other side of a round
// shape that they graze, a chord of length 2 R |v_n|/|v|.
double ContactElement::NextStop(const State& state) const {
  constexpr double kOfChord = 0.125;
  forces_->getSystem().realize(state, Stage::Dynamics);
  const ElementMemory& memory = MemoryOf(state);
  const bool is_made_now = memory.time == state.getTime();
  double least = std::numeric_limits<double>::infinity();
  for (const SlotEvaluation& patch : MomentOf(state).patches) {
    const ContactMotion& motion = patch.evaluation.motion;
    const double thickness = LeastThicknessOf(parts_.pairs[At(patch.pair)]);
    const double approach = -motion.normal_speed;
    if (!(approach > 0.0) || !std::isfinite(thickness)) continue;
    least = std::min(least, kLeastTravel * thickness / approach);
    const std::vector<int>& made = memory.made;
    if (is_made_now && std::count(made.begin(), made.end(), patch.origin.slot) > 0) {
      const double square = approach * approach + motion.tangential_velocity_W.squaredNorm();
      least = std::min(least, kOfChord * thickness * approach / square);
    }
  }
  return state.getTime() + std::max(least, kEventWindow);
}

const ElementMoment& ContactElement::MomentOf(const State& state) const {
  return Value<ElementMoment>::downcast(forces_->getCacheEntry(state, moment_)).get();
}

const ElementMemory& ContactElement::MemoryOf(const State& state) const {
  return Value<ElementMemory>::downcast(forces_->getDiscreteVariable(state, memory_)).get();
}

const SlotLatches& ContactElement::LatchesOf(const State& state) const {
  return MemoryOf(state).latches;
}

void ContactElement::SetMemory(ElementMemory memory, State* state) const {
  Value<ElementMemory>::updDowncast(forces_->updDiscreteVariable(*state, memory_)).upd() =
      std::move(memory);
}

std::vector<Variables> ContactElement::VariablesOf(const State& state) const {
  std::vector<Variables> result(At(parts_.num_slots));
  const SimTK::Vector& z = forces_->getZ(state);
  int next = z_;
  for (Variables& variables : result) {
    for (int i = 0; i < kNumVariables; ++i) variables[i] = z[SimTK::ZIndex(next++)];
  }
  return result;
}

ContactEnergies ContactElement::Energies(const State& state) const {
  return LatchesOf(state).EnergiesOf(VariablesOf(state));
}

std::ostream& operator<<(std::ostream& stream, const ElementMemory& memory) {
  return stream << memory.latches;
}

std::ostream& operator<<(std::ostream& stream, Sight sight) {
  return stream << static_cast<int>(sight);
}

std::ostream& operator<<(std::ostream& stream, const ElementMoment& moment) {
  return stream << moment.witness;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
