// How an element's books begin, and what is saved of it.
#include <algorithm>
#include <string>

#include "simbody/contact_element.h"
#include "simbody/spring_energy.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::Vector3d;
using SimTK::Stage;
using SimTK::State;

// The state of a contact that was made before, at rest, with this friction.
ContactState BegunState(const ContactGeometry& geometry,
                        const std::optional<FrictionState>& friction) {
  const Vector3d& n = geometry.normal_W;
  ContactState begun;
  begun.touching = friction.has_value();
  begun.normal_W = n;
  if (friction) {
    begun.friction = *friction;
    begun.friction.deflection_W -= n * n.dot(friction->deflection_W);
  }
  return begun;
}

}  // namespace

// The patches of each pair that touches.
std::vector<ContactElement::PatchRange> ContactElement::ByPairs(
    const std::vector<SlotEvaluation>& patches) const {
  std::vector<PatchRange> ranges;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (i == 0 || patches[i].pair != patches[i - 1].pair) ranges.emplace_back(i, i);
    ranges.back().second = i + 1;
  }
  return ranges;
}

// The work of the normal springs of one pair while A is drawn away from B along their force.
double ContactElement::StoredEnergyOf(const std::vector<SlotEvaluation>& patches, PatchRange range,
                                      const std::vector<BodyInstant>& motions) const {
  const ElementParts::Pair& pair = parts_.pairs[At(patches[range.first].pair)];
  Pose X_WA = motions[At(pair.a)].X_WB;
  const Pose X_WB = motions[At(pair.b)].X_WB;
  const NormalForceModel normal(pair.model->parameters().normal);
  const auto elastic = [&](const ContactGeometry& geometry) {
    return Vector3d(normal.Evaluate(normal.CompressionOf(geometry), 0.0, 0.0).elastic *
                    geometry.normal_W);
  };
  std::vector<LastPatch> last;
  Vector3d force = Vector3d::Zero();
  double height = 0.0;  // of the highest patch
  for (std::size_t i = range.first; i < range.second; ++i) {
    const ContactGeometry& geometry = patches[i].evaluation.geometry;
    last.push_back({patches[i].mark, geometry.normal_W});
    force += elastic(geometry);
    height = std::max(height, geometry.volume > 0.0 ? MeanHeight(geometry) : geometry.depth);
  }
  if (force.isZero()) return 0.0;
  const Vector3d direction = force.normalized(), start = X_WA.t;
  return EnergyAlong(
      [&](double s) {
        X_WA.t = start + s * direction;
        double along = 0.0;
        for (const FoundPatch& patch : pair.geometry->Find(X_WA, X_WB, last, nullptr).patches) {
          along += elastic(patch.geometry).dot(direction);
        }
        return along;
      },
      height);
}

double ContactElement::StoredEnergy(const State& state) const {
  const ElementMoment& moment = MomentOf(state);
  double stored = 0.0;
  for (const PatchRange& range : ByPairs(moment.patches)) {
    stored += StoredEnergyOf(moment.patches, range, moment.motions);
  }
  return stored;
}

bool ContactElement::Begin(State* state, const std::optional<FrictionState>& friction) const {
  forces_->getSystem().realize(*state, Stage::Dynamics);
  const ElementMoment moment = MomentOf(*state);
  if (moment.patches.empty()) return false;
  const std::vector<Variables> z = VariablesOf(*state);
  ElementMemory memory = MemoryOf(*state);
  for (const PatchRange& range : ByPairs(moment.patches)) {
    const double stored = StoredEnergyOf(moment.patches, range, moment.motions);
    double shares = 0.0;
    for (std::size_t i = range.first; i < range.second; ++i) {
      shares += ElasticShare(moment.patches[i].evaluation.geometry);
    }
    for (std::size_t i = range.first; i < range.second; ++i) {
      const SlotEvaluation& patch = moment.patches[i];
      const ContactGeometry& geometry = patch.evaluation.geometry;
      SlotLatches::Slot& slot = memory.latches.slots[At(patch.origin.slot)];
      const double share = range.second - range.first > 1 ? ElasticShare(geometry) / shares : 1.0;
      slot.latch = slot.latch.Begun(BegunState(geometry, friction), share * stored,
                                    z[At(patch.origin.slot)]);
      slot.pair = patch.pair;
      slot.mark = patch.mark;
      slot.last = geometry;
    }
  }
  // Patches that are made now are so at once, in the slots that hold their shares.
  if (parts_.num_slots > 1 && !friction) memory.latches = Next(memory.latches, moment.patches, z);
  SetMemory(std::move(memory), state);
  return true;
}

void ContactElement::SetErrorWeights(State* state, double energy_scale) const {
  SimTK::Vector& weights = state->updZWeights(forces_->getMySubsystemIndex());
  double stiffness = 0.0;  // a slot may become any pair's
  for (const ElementParts::Pair& pair : parts_.pairs) {
    const auto* bristle = std::get_if<BristleFriction>(&pair.model->parameters().friction);
    if (bristle != nullptr) stiffness = std::max(stiffness, bristle->sigma0);
  }
  if (stiffness == 0.0) stiffness = 1.0;
  for (int i = 0; i < parts_.num_slots * kNumVariables; ++i) {
    const int variable = i % kNumVariables;
    weights[z_ + i] = variable < 3 ? stiffness : (variable < kNumStates ? 1.0 : 1.0 / energy_scale);
  }
}

std::vector<double> ContactElement::Save(const State& state) const {
  std::vector<double> saved = LatchesOf(state).Save();
  for (const Variables& z : VariablesOf(state)) {
    saved.insert(saved.end(), z.data(), z.data() + kNumVariables);
  }
  saved.push_back(GreatestForce(state));
  return saved;
}

void ContactElement::Load(const std::vector<double>& saved, State* state) const {
  SlotLatches one;
  one.slots.resize(1);
  const std::size_t size = one.Save().size() + kNumVariables;
  const int num_saved = static_cast<int>(saved.size() / size);
  if (num_saved == 0 || num_saved > parts_.num_slots || saved.size() % size != 1) {
    throw InvalidInput("the saved state of a contact has " + std::to_string(saved.size()) +
                       " numbers, which do not fit " + std::to_string(parts_.num_slots) +
                       " patches");
  }
  const auto num_latches =
      static_cast<std::ptrdiff_t>(saved.size()) - 1 - num_saved * std::ptrdiff_t{kNumVariables};
  ElementMemory memory;
  memory.greatest_force = saved.back();
  memory.latches = SlotLatches::Load({saved.begin(), saved.begin() + num_latches}, num_saved);
  memory.latches.slots.resize(At(parts_.num_slots));
  for (const SlotLatches::Slot& slot : memory.latches.slots) {
    if (slot.pair >= 0 && At(slot.pair) < parts_.pairs.size()) continue;
    throw InvalidInput("the saved state is of a contact between pair " + std::to_string(slot.pair) +
                       " of a set that has " + std::to_string(parts_.pairs.size()) + " pairs");
  }
  SetMemory(std::move(memory), state);
  SimTK::Vector& z = forces_->updZ(*state);
  for (int i = 0; i < parts_.num_slots * kNumVariables; ++i) {
    z[z_ + i] = i < num_saved * kNumVariables ? saved[At(static_cast<int>(num_latches) + i)] : 0.0;
  }
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
