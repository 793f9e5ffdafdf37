#include "volcontact/simbody/simbody_contact.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "simbody/pair_geometry.h"
#include "simbody/patch_slots.h"
#include "simbody/spring_energy.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Vector3d;
using simbody::FoundGeometry;
using simbody::FoundPatch;
using simbody::kNumVariables;
using simbody::SlotEvaluation;
using simbody::SlotLatches;
using simbody::SlotOrigin;
using simbody::Variables;
using SimTK::DiscreteVariableIndex;
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

Vector3d FromSimbody(const Vec3& v) { return {v[0], v[1], v[2]}; }
Vec3 ToSimbody(const Vector3d& v) { return {v[0], v[1], v[2]}; }

Pose PoseOf(const SimTK::MobilizedBody& body, const State& state) {
  const SimTK::Transform& X = body.getBodyTransform(state);
  const SimTK::Quaternion q = X.R().convertRotationToQuaternion();
  return {FromSimbody(X.p()), {q[0], q[1], q[2], q[3]}};
}

Twist TwistOf(const SimTK::MobilizedBody& body, const State& state) {
  const SpatialVec& V = body.getBodyVelocity(state);
  return {FromSimbody(V[1]), FromSimbody(V[0])};
}

}  // namespace

// The force element that Simbody calls: a slot for every patch that may be a contact of its own.
class SimbodyContact::Element : public SimTK::Force::Custom::Implementation {
 public:
  Element(SimTK::GeneralForceSubsystem* forces, const SimTK::MobilizedBody& A,
          const SimTK::MobilizedBody& B, const ContactPair& pair,
          const ContactParameters& parameters)
      : forces_(forces),
        A_(A),
        B_(B),
        model_(parameters),
        geometry_(simbody::MakeGeometry(pair, parameters)),
        num_slots_(geometry_->MostPatches()) {}

  void realizeTopology(State& state) const override {
    z_ = forces_->allocateZ(state, SimTK::Vector(num_slots_ * kNumVariables, 0.0));
    auto* latches = new Value<SlotLatches>();
    latches->upd().slots.resize(static_cast<std::size_t>(num_slots_));
    latches_ = forces_->allocateAutoUpdateDiscreteVariable(state, Stage::Dynamics, latches,
                                                           Stage::Acceleration);
    evaluation_ = forces_->allocateCacheEntry(state, Stage::Dynamics, new Value<Cache>());
  }

  void calcForce(const State& state, SimTK::Vector_<SpatialVec>& body_forces, SimTK::Vector_<Vec3>&,
                 SimTK::Vector&) const override {
    Cache& cache = Value<Cache>::updDowncast(forces_->updCacheEntry(state, evaluation_)).upd();
    cache = Compute(state);
    for (const SlotEvaluation& patch : cache.patches) {
      const ContactForce& now = patch.evaluation.force;
      const Vec3 force = ToSimbody(now.force_W), torque = ToSimbody(now.torque_W);
      const Vec3 point = ToSimbody(now.point_W);
      for (const auto& [body, sign] : {std::pair{&A_, 1.0}, {&B_, -1.0}}) {
        const Vec3 arm = point - body->getBodyOriginLocation(state);
        body_forces[body->getMobilizedBodyIndex()] +=
            SpatialVec(sign * (torque + arm % force), sign * force);
      }
    }
  }

  double calcPotentialEnergy(const State& state) const override {
    const ContactEnergies stored = LatchesOf(state).EnergiesOf(VariablesOf(state));
    return stored.elastic + stored.bristle_elastic + stored.spin_elastic;
  }

  void realizeAcceleration(const State& state) const override {
    const Cache& cache = CacheOf(state);
    const SlotLatches& latches = LatchesOf(state);
    SimTK::Vector& z_dot = forces_->updZDot(state);
    for (int i = 0; i < num_slots_ * kNumVariables; ++i) z_dot[z_ + i] = 0.0;
    for (const SlotEvaluation& patch : cache.patches) {
      const int slot = patch.origin.slot;
      const Variables rate =
          latches.slots[static_cast<std::size_t>(slot)].latch.RateOf(patch.evaluation.force);
      for (int i = 0; i < kNumVariables; ++i) z_dot[z_ + slot * kNumVariables + i] = rate[i];
    }
    Value<SlotLatches>::updDowncast(forces_->updDiscreteVarUpdateValue(state, latches_)).upd() =
        simbody::Next(model_, latches, cache.patches, VariablesOf(state));
    forces_->markDiscreteVarUpdateValueRealized(state, latches_);
  }

  // Brings the latches up to date at the end of a step, as Simbody does at the start of the next.
  void Latch(State* state) const {
    forces_->getSystem().realize(*state, Stage::Dynamics);
    SetLatches(
        simbody::Next(model_, LatchesOf(*state), CacheOf(*state).patches, VariablesOf(*state)),
        state);
  }

  bool Begin(State* state, const std::optional<FrictionState>& friction) const {
    forces_->getSystem().realize(*state, Stage::Dynamics);
    const std::vector<SlotEvaluation> patches = CacheOf(*state).patches;
    if (patches.empty()) return false;
    double shares = 0.0;
    for (const SlotEvaluation& patch : patches) {
      shares += simbody::ElasticShare(patch.evaluation.geometry);
    }
    const double stored = StoredEnergy(*state, patches);
    const std::vector<Variables> z = VariablesOf(*state);
    SlotLatches latches = LatchesOf(*state);
    for (const SlotEvaluation& patch : patches) {
      const ContactGeometry& geometry = patch.evaluation.geometry;
      const Vector3d& n = geometry.normal_W;
      ContactState begun;
      begun.touching = friction.has_value();
      begun.normal_W = n;
      if (friction) {
        begun.friction = *friction;
        begun.friction.deflection_W -= n * n.dot(friction->deflection_W);
      }
      const auto index = static_cast<std::size_t>(patch.origin.slot);
      SlotLatches::Slot& slot = latches.slots[index];
      const double share = patches.size() > 1 ? simbody::ElasticShare(geometry) / shares : 1.0;
      slot.latch = slot.latch.Begun(begun, share * stored, z[index]);
      slot.mark = patch.mark;
      slot.last = geometry;
    }
    // Patches that are made now are so at once, in the slots that hold their shares.
    if (num_slots_ > 1 && !friction) latches = simbody::Next(model_, latches, patches, z);
    SetLatches(latches, state);
    return true;
  }

  // Of a slot, so that every contact that begins or ends makes an event. Patches that grow together
  // or come apart make none: their forces go on.
  double Gap(const State& state, int slot) const {
    const Cache& cache = CacheOf(state);
    if (num_slots_ == 1 || cache.patches.empty()) return cache.gap;
    const bool touched = LatchesOf(state).slots[static_cast<std::size_t>(slot)].latch.touching;
    for (const SlotEvaluation& patch : cache.patches) {
      const SlotOrigin& origin = patch.origin;
      const bool is_here = origin.slot == slot && (touched || !origin.exchanges);
      const bool has_joined = touched && origin.exchanges &&
                              std::count(origin.from.begin(), origin.from.end(), slot) > 0;
      if (is_here || has_joined) return -std::cbrt(patch.mark.volume);
    }
    return simbody::kLeastGap;
  }

  int num_slots() const { return num_slots_; }

  const std::vector<SlotEvaluation>& PatchesOf(const State& state) const {
    return CacheOf(state).patches;
  }

  ContactEvaluation LeadingOf(const State& state) const {
    const Cache& cache = CacheOf(state);
    ContactEvaluation leading = cache.none;
    double most = -1.0;
    for (const SlotEvaluation& patch : cache.patches) {
      const double force = patch.evaluation.force.normal_W.norm();
      if (force <= most) continue;
      most = force;
      leading = patch.evaluation;
    }
    return leading;
  }

  const SlotLatches& LatchesOf(const State& state) const {
    return Value<SlotLatches>::downcast(forces_->getDiscreteVariable(state, latches_)).get();
  }

  void SetLatches(const SlotLatches& latches, State* state) const {
    Value<SlotLatches>::updDowncast(forces_->updDiscreteVariable(*state, latches_)).upd() = latches;
  }

  std::vector<Variables> VariablesOf(const State& state) const {
    std::vector<Variables> result(static_cast<std::size_t>(num_slots_));
    const SimTK::Vector& z = forces_->getZ(state);
    int next = z_;
    for (Variables& variables : result) {
      for (int i = 0; i < kNumVariables; ++i) variables[i] = z[SimTK::ZIndex(next++)];
    }
    return result;
  }

  void SetVariables(const std::vector<Variables>& all, State* state) const {
    SimTK::Vector& z = forces_->updZ(*state);
    int next = z_;
    for (const Variables& variables : all) {
      for (int i = 0; i < kNumVariables; ++i) z[SimTK::ZIndex(next++)] = variables[i];
    }
  }

  void SetErrorWeights(State* state, double energy_scale) const {
    SimTK::Vector& weights = state->updZWeights(forces_->getMySubsystemIndex());
    double stiffness = 1.0;
    if (const auto* bristle = std::get_if<BristleFriction>(&model_.parameters().friction)) {
      stiffness = bristle->sigma0;
    }
    for (int i = 0; i < num_slots_ * kNumVariables; ++i) {
      const int variable = i % kNumVariables;
      weights[z_ + i] =
          variable < 3 ? stiffness : (variable < simbody::kNumStates ? 1.0 : 1.0 / energy_scale);
    }
  }

  // The work of the normal springs while A is drawn away from B along their force.
  double StoredEnergy(const State& state, const std::vector<SlotEvaluation>& patches) const {
    Pose X_WA = PoseOf(A_, state);
    const Pose X_WB = PoseOf(B_, state);
    const NormalForceModel normal(model_.parameters().normal);
    const auto elastic = [&](const ContactGeometry& geometry) {
      return Vector3d(normal.Evaluate(normal.CompressionOf(geometry), 0.0, 0.0).elastic *
                      geometry.normal_W);
    };
    std::vector<simbody::LastPatch> last;
    Vector3d force = Vector3d::Zero();
    for (const SlotEvaluation& patch : patches) {
      last.push_back({patch.mark, patch.evaluation.geometry.normal_W});
      force += elastic(patch.evaluation.geometry);
    }
    if (force.isZero()) return 0.0;
    const Vector3d direction = force.normalized(), start = X_WA.t;
    return simbody::EnergyAlong([&](double s) {
      X_WA.t = start + s * direction;
      double along = 0.0;
      for (const FoundPatch& patch : geometry_->Find(X_WA, X_WB, last).patches) {
        along += elastic(patch.geometry).dot(direction);
      }
      return along;
    });
  }

 private:
  struct Cache {
    std::vector<SlotEvaluation> patches;  // those that touch
    ContactEvaluation none;               // what is known without any
    double gap = 0.0;
    friend std::ostream& operator<<(std::ostream& stream, const Cache& cache) {
      return stream << cache.gap;  // Simbody prints values
    }
  };

  const Cache& CacheOf(const State& state) const {
    return Value<Cache>::downcast(forces_->getCacheEntry(state, evaluation_)).get();
  }

  Cache Compute(const State& state) const {
    Cache cache;
    const SlotLatches& latches = LatchesOf(state);
    const std::vector<Variables> z = VariablesOf(state);
    const Pose X_WA = PoseOf(A_, state), X_WB = PoseOf(B_, state);
    const FoundGeometry found = geometry_->Find(X_WA, X_WB, latches.LastPatches());
    cache.gap = found.gap;
    cache.none.converged = found.converged;
    cache.none.without_direction = found.without_direction;
    const std::vector<SlotOrigin> origins = simbody::AssignSlots(latches, found.patches);
    const std::vector<ContactState> states =
        simbody::StatesOf(model_, latches, found.patches, origins, z);
    for (std::size_t i = 0; i < found.patches.size(); ++i) {
      SlotEvaluation& patch = cache.patches.emplace_back();
      patch.origin = origins[i];
      patch.mark = found.patches[i].mark;
      ContactEvaluation& now = patch.evaluation;
      now = cache.none;
      now.geometry = found.patches[i].geometry;
      now.state = states[i];
      now.motion = MotionAt(now.geometry.point_W, now.geometry.normal_W, X_WA, TwistOf(A_, state),
                            X_WB, TwistOf(B_, state));
      std::vector<PressureSample> pressure;
      if (std::holds_alternative<PatchCoulombFriction>(model_.parameters().friction)) {
        pressure =
            geometry_->Pressure(X_WA, X_WB, now.geometry,
                                model_.SlidingVelocity(now.geometry, now.motion), now.motion.spin);
      }
      now.force = model_.Evaluate(now.geometry, now.motion, now.state, pressure);
    }
    return cache;
  }

  SimTK::GeneralForceSubsystem* forces_;
  SimTK::MobilizedBody A_, B_;
  ContactModel model_;
  std::unique_ptr<const simbody::PairGeometry> geometry_;
  int num_slots_;
  // Simbody hands these out when it realizes the topology, through a const method.
  mutable SimTK::ZIndex z_;
  mutable DiscreteVariableIndex latches_;
  mutable SimTK::CacheEntryIndex evaluation_;
};

// Ends a step where a contact begins or ends.
class SimbodyContact::TouchHandler : public SimTK::TriggeredEventHandler {
 public:
  TouchHandler(const Element* element, int slot)
      : TriggeredEventHandler(Stage::Dynamics), element_(element), slot_(slot) {
    getTriggerInfo().setRequiredLocalizationTimeWindow(kEventWindow / kTimeScale);
  }

  double getValue(const State& state) const override { return element_->Gap(state, slot_); }

  void handleEvent(State& state, double, bool&) const override { element_->Latch(&state); }

 private:
  const Element* element_;
  int slot_;
};

SimbodyContact::SimbodyContact(SimTK::MultibodySystem* system, SimTK::GeneralForceSubsystem* forces,
                               const SimTK::MobilizedBody& A, const SimTK::MobilizedBody& B,
                               const ContactPair& pair, const ContactParameters& parameters,
                               Events events) {
  auto element = std::make_unique<Element>(forces, A, B, pair, parameters);
  element_ = element.get();
  SimTK::Force::Custom(*forces, element.release());  // the subsystem owns it
  if (events == Events::kNone) return;
  for (int slot = 0; slot < element_->num_slots(); ++slot) {
    system->addEventHandler(new TouchHandler(element_, slot));
  }
}

ContactEvaluation SimbodyContact::Evaluate(const State& state) const {
  return element_->LeadingOf(state);
}

std::vector<ContactEvaluation> SimbodyContact::EvaluatePatches(const State& state) const {
  std::vector<ContactEvaluation> evaluations;
  for (const SlotEvaluation& patch : element_->PatchesOf(state)) {
    evaluations.push_back(patch.evaluation);
  }
  return evaluations;
}

ContactEnergies SimbodyContact::Energies(const State& state) const {
  return element_->LatchesOf(state).EnergiesOf(element_->VariablesOf(state));
}

double SimbodyContact::StoredEnergy(const State& state) const {
  return element_->StoredEnergy(state, element_->PatchesOf(state));
}

int SimbodyContact::TouchCount(const State& state) const {
  return element_->LatchesOf(state).TouchCount();
}

void SimbodyContact::SetErrorWeights(State* state, double energy_scale) const {
  element_->SetErrorWeights(state, energy_scale);
}

bool SimbodyContact::Begin(State* state, const std::optional<FrictionState>& friction) const {
  return element_->Begin(state, friction);
}

std::vector<double> SimbodyContact::Save(const State& state) const {
  std::vector<double> saved = element_->LatchesOf(state).Save();
  for (const Variables& z : element_->VariablesOf(state)) {
    saved.insert(saved.end(), z.data(), z.data() + kNumVariables);
  }
  return saved;
}

void SimbodyContact::Load(const std::vector<double>& saved, State* state) const {
  const int count = element_->num_slots();
  const auto num_latches = static_cast<std::ptrdiff_t>(saved.size()) - count * kNumVariables;
  if (num_latches < 0) throw InvalidInput("the saved state of a contact is too short");
  element_->SetLatches(SlotLatches::Load({saved.begin(), saved.begin() + num_latches}, count),
                       state);
  std::vector<Variables> z;
  for (int i = 0; i < count; ++i) {
    z.emplace_back(Eigen::Map<const Variables>(saved.data() + num_latches + i * kNumVariables));
  }
  element_->SetVariables(z, state);
}

VOLCONTACT_NAMESPACE_END
