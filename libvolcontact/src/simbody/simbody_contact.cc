#include "volcontact/simbody/simbody_contact.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "simbody/contact_latch.h"
#include "simbody/spring_energy.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Vector3d;
using simbody::ContactLatch;
using simbody::kNumVariables;
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
// The gap of solids that are apart, but closer than is known: only its sign makes an event.
constexpr double kLeastGap = 1e-6;  // [m]
// Samples of the pressure need no more: what is integrated over them has an error of its own.
constexpr double kPressureTolerance = 1e-4;
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

// The separation of two boxes, a lower bound of that of what they hold.
double Separation(const Aabb& a, const Aabb& b) {
  const Vector3d gap = (a.min - b.max).cwiseMax(b.min - a.max).cwiseMax(0.0);
  return gap.allFinite() ? gap.norm() : 0.0;
}

Aabb BoundsIn(const Pose& X_WB, const Aabb& bounds) {
  if (!bounds.IsBounded()) return Aabb::Everything();
  const Vector3d center = X_WB * bounds.Center();
  const Vector3d half = X_WB.Rotation().cwiseAbs() * bounds.HalfExtents();
  return {center - half, center + half};
}

struct FoundGeometry {
  ContactGeometry geometry;
  bool converged = true;
  bool without_direction = false;  // as ContactEvaluation's
  // Positive apart, negative in contact. Simbody asks for it with every evaluation, so that of
  // solids is what comes for free, and jumps where a distance would cost more than the contact.
  double gap = 0.0;
};

// The geometry of a contact, for either kind of pair.
class PairGeometry {
 public:
  virtual ~PairGeometry() = default;
  virtual FoundGeometry Find(const Pose& X_WA, const Pose& X_WB,
                             const Vector3d& last_normal_W) const = 0;
  virtual std::vector<PressureSample> Pressure(const Pose& X_WA, const Pose& X_WB,
                                               const ContactGeometry& geometry,
                                               const Vector3d& velocity_W, double spin) const = 0;
};

class SolidGeometry : public PairGeometry {
 public:
  SolidGeometry(const SolidPair& solids, ContactDirection direction)
      : pair_(solids.A, solids.B),
        bounds_A_(solids.A.Bounds()),
        bounds_B_(solids.B.Bounds()),
        direction_(direction) {
    options_.tolerance = solids.tolerance;
    options_.bound_distance = false;
  }

  FoundGeometry Find(const Pose& X_WA, const Pose& X_WB,
                     const Vector3d& last_normal_W) const override {
    FoundGeometry found;
    found.gap = Separation(BoundsIn(X_WA, bounds_A_), BoundsIn(X_WB, bounds_B_));
    if (found.gap > 0.0) return found;
    const Metrics metrics = pair_.Query(X_WA, X_WB, options_);
    found.geometry = GeometryOf(metrics, direction_, last_normal_W);
    found.converged = metrics.converged;
    found.without_direction = metrics.overlap && !found.geometry.touching;
    found.gap = metrics.overlap ? -std::cbrt(metrics.volume)
                                : std::max(metrics.distance.value_or(kLeastGap), kLeastGap);
    return found;
  }

  std::vector<PressureSample> Pressure(const Pose& X_WA, const Pose& X_WB,
                                       const ContactGeometry& geometry, const Vector3d& velocity_W,
                                       double spin) const override {
    QueryOptions options = options_;
    options.tolerance = std::max(options.tolerance, kPressureTolerance);
    return SlidingPressure(pair_, X_WA, X_WB, geometry, velocity_W, spin, options);
  }

 private:
  PreparedPair pair_;
  Aabb bounds_A_, bounds_B_;
  ContactDirection direction_;
  QueryOptions options_;
};

class PointGeometry : public PairGeometry {
 public:
  explicit PointGeometry(const PlacedPointPair& placed) : placed_(placed) { Validate(placed.pair); }

  FoundGeometry Find(const Pose& X_WA, const Pose& X_WB, const Vector3d&) const override {
    const PointContact contact =
        FindContact(placed_.pair, Compose(X_WA, placed_.X_AP), Compose(X_WB, placed_.X_BQ));
    return {contact.geometry, true, false, contact.gap};
  }

  std::vector<PressureSample> Pressure(const Pose&, const Pose&, const ContactGeometry&,
                                       const Vector3d&, double) const override {
    throw InvalidInput("friction over the patch needs solids, not a point pair");
  }

 private:
  PlacedPointPair placed_;
};

std::unique_ptr<const PairGeometry> MakeGeometry(const ContactPair& pair,
                                                 const ContactParameters& parameters) {
  const bool volumetric = std::holds_alternative<VolumetricNormal>(parameters.normal);
  if (const auto* solids = std::get_if<SolidPair>(&pair)) {
    if (!volumetric) {
      throw InvalidInput("two solids need a volumetric normal law; other laws need a point pair");
    }
    return std::make_unique<SolidGeometry>(*solids, parameters.direction);
  }
  if (volumetric) {
    throw InvalidInput("a point pair has no volume; give solids, or another normal law");
  }
  return std::make_unique<PointGeometry>(std::get<PlacedPointPair>(pair));
}

}  // namespace

// The force element that Simbody calls.
class SimbodyContact::Element : public SimTK::Force::Custom::Implementation {
 public:
  Element(SimTK::GeneralForceSubsystem* forces, const SimTK::MobilizedBody& A,
          const SimTK::MobilizedBody& B, const ContactPair& pair,
          const ContactParameters& parameters)
      : forces_(forces),
        A_(A),
        B_(B),
        model_(parameters),
        geometry_(MakeGeometry(pair, parameters)) {}

  void realizeTopology(State& state) const override {
    z_ = forces_->allocateZ(state, SimTK::Vector(kNumVariables, 0.0));
    latch_ = forces_->allocateAutoUpdateDiscreteVariable(
        state, Stage::Dynamics, new Value<ContactLatch>(), Stage::Acceleration);
    evaluation_ = forces_->allocateCacheEntry(state, Stage::Dynamics, new Value<Cache>());
  }

  void calcForce(const State& state, SimTK::Vector_<SpatialVec>& body_forces, SimTK::Vector_<Vec3>&,
                 SimTK::Vector&) const override {
    Cache& cache = Value<Cache>::updDowncast(forces_->updCacheEntry(state, evaluation_)).upd();
    cache = Compute(state);
    const ContactEvaluation& now = cache.evaluation;
    if (!now.geometry.touching) return;
    const Vec3 force = ToSimbody(now.force.force_W), torque = ToSimbody(now.force.torque_W);
    const Vec3 point = ToSimbody(now.force.point_W);
    for (const auto& [body, sign] : {std::pair{&A_, 1.0}, {&B_, -1.0}}) {
      const Vec3 arm = point - body->getBodyOriginLocation(state);
      body_forces[body->getMobilizedBodyIndex()] +=
          SpatialVec(sign * (torque + arm % force), sign * force);
    }
  }

  double calcPotentialEnergy(const State& state) const override {
    const ContactEnergies stored = LatchOf(state).EnergiesOf(VariablesOf(state));
    return stored.elastic + stored.bristle_elastic + stored.spin_elastic;
  }

  void realizeAcceleration(const State& state) const override {
    const ContactEvaluation& now = EvaluationOf(state);
    const ContactLatch& latch = LatchOf(state);
    const Variables rate = latch.RateOf(now.force);
    SimTK::Vector& z_dot = forces_->updZDot(state);
    for (int i = 0; i < kNumVariables; ++i) z_dot[z_ + i] = rate[i];
    Value<ContactLatch>::updDowncast(forces_->updDiscreteVarUpdateValue(state, latch_)).upd() =
        latch.Next(model_, now.geometry, now.motion, VariablesOf(state));
    forces_->markDiscreteVarUpdateValueRealized(state, latch_);
  }

  // Brings the latch up to date at the end of a step, as Simbody does at the start of the next.
  void Latch(State* state) const {
    forces_->getSystem().realize(*state, Stage::Dynamics);
    const ContactEvaluation& now = EvaluationOf(*state);
    SetLatch(LatchOf(*state).Next(model_, now.geometry, now.motion, VariablesOf(*state)), state);
  }

  bool Begin(State* state, const std::optional<FrictionState>& friction) const {
    forces_->getSystem().realize(*state, Stage::Dynamics);
    const ContactEvaluation& now = EvaluationOf(*state);
    if (!now.geometry.touching) return false;
    const Vector3d n = now.geometry.normal_W;
    ContactState begun;
    begun.touching = friction.has_value();
    begun.normal_W = n;
    if (friction) {
      begun.friction = *friction;
      begun.friction.deflection_W -= n * n.dot(friction->deflection_W);
    }
    SetLatch(LatchOf(*state).Begun(begun, StoredEnergy(*state, n), VariablesOf(*state)), state);
    return true;
  }

  double Gap(const State& state) const { return CacheOf(state).gap; }

  const ContactEvaluation& EvaluationOf(const State& state) const {
    return CacheOf(state).evaluation;
  }

  const ContactLatch& LatchOf(const State& state) const {
    return Value<ContactLatch>::downcast(forces_->getDiscreteVariable(state, latch_)).get();
  }

  void SetLatch(const ContactLatch& latch, State* state) const {
    Value<ContactLatch>::updDowncast(forces_->updDiscreteVariable(*state, latch_)).upd() = latch;
  }

  Variables VariablesOf(const State& state) const {
    Variables result;
    const SimTK::Vector& z = forces_->getZ(state);
    for (int i = 0; i < kNumVariables; ++i) result[i] = z[z_ + i];
    return result;
  }

  void SetVariables(const Variables& variables, State* state) const {
    SimTK::Vector& z = forces_->updZ(*state);
    for (int i = 0; i < kNumVariables; ++i) z[z_ + i] = variables[i];
  }

  void SetErrorWeights(State* state, double energy_scale) const {
    SimTK::Vector& weights = state->updZWeights(forces_->getMySubsystemIndex());
    double stiffness = 1.0;
    if (const auto* bristle = std::get_if<BristleFriction>(&model_.parameters().friction)) {
      stiffness = bristle->sigma0;
    }
    for (int i = 0; i < kNumVariables; ++i) {
      weights[z_ + i] = i < 3 ? stiffness : (i < simbody::kNumStates ? 1.0 : 1.0 / energy_scale);
    }
  }

 private:
  struct Cache {
    ContactEvaluation evaluation;
    double gap = 0.0;
    friend std::ostream& operator<<(std::ostream& stream, const Cache& cache) {
      return stream << cache.gap;  // Simbody prints values
    }
  };

  const Cache& CacheOf(const State& state) const {
    return Value<Cache>::downcast(forces_->getCacheEntry(state, evaluation_)).get();
  }

  // The work of the normal spring while A is drawn away from B along the normal.
  double StoredEnergy(const State& state, const Vector3d& n) const {
    Pose X_WA = PoseOf(A_, state);
    const Pose X_WB = PoseOf(B_, state);
    const NormalForceModel normal(model_.parameters().normal);
    const Vector3d start = X_WA.t;
    return simbody::EnergyAlong([&](double s) {
      X_WA.t = start + s * n;
      const ContactGeometry geometry = geometry_->Find(X_WA, X_WB, n).geometry;
      return geometry.touching ? normal.Evaluate(normal.CompressionOf(geometry), 0.0, 0.0).elastic
                               : 0.0;
    });
  }

  Cache Compute(const State& state) const {
    Cache cache;
    ContactEvaluation& now = cache.evaluation;
    now.state = LatchOf(state).StateOf(VariablesOf(state));
    const Pose X_WA = PoseOf(A_, state), X_WB = PoseOf(B_, state);
    const Vector3d last_normal_W = now.state.touching ? now.state.normal_W : Vector3d::Zero();
    const FoundGeometry found = geometry_->Find(X_WA, X_WB, last_normal_W);
    now.geometry = found.geometry;
    now.converged = found.converged;
    now.without_direction = found.without_direction;
    cache.gap = found.gap;
    if (!now.geometry.touching) return cache;
    now.motion = MotionAt(now.geometry.point_W, now.geometry.normal_W, X_WA, TwistOf(A_, state),
                          X_WB, TwistOf(B_, state));
    std::vector<PressureSample> pressure;
    if (std::holds_alternative<PatchCoulombFriction>(model_.parameters().friction)) {
      pressure =
          geometry_->Pressure(X_WA, X_WB, now.geometry,
                              model_.SlidingVelocity(now.geometry, now.motion), now.motion.spin);
    }
    now.force = model_.Evaluate(now.geometry, now.motion, now.state, pressure);
    return cache;
  }

  SimTK::GeneralForceSubsystem* forces_;
  SimTK::MobilizedBody A_, B_;
  ContactModel model_;
  std::unique_ptr<const PairGeometry> geometry_;
  // Simbody hands these out when it realizes the topology, through a const method.
  mutable SimTK::ZIndex z_;
  mutable DiscreteVariableIndex latch_;
  mutable SimTK::CacheEntryIndex evaluation_;
};

// Ends a step where a contact begins or ends.
class SimbodyContact::TouchHandler : public SimTK::TriggeredEventHandler {
 public:
  explicit TouchHandler(const Element* element)
      : TriggeredEventHandler(Stage::Dynamics), element_(element) {
    getTriggerInfo().setRequiredLocalizationTimeWindow(kEventWindow / kTimeScale);
  }

  double getValue(const State& state) const override { return element_->Gap(state); }

  void handleEvent(State& state, double, bool&) const override { element_->Latch(&state); }

 private:
  const Element* element_;
};

SimbodyContact::SimbodyContact(SimTK::MultibodySystem* system, SimTK::GeneralForceSubsystem* forces,
                               const SimTK::MobilizedBody& A, const SimTK::MobilizedBody& B,
                               const ContactPair& pair, const ContactParameters& parameters,
                               Events events) {
  auto element = std::make_unique<Element>(forces, A, B, pair, parameters);
  element_ = element.get();
  SimTK::Force::Custom(*forces, element.release());  // the subsystem owns it
  if (events == Events::kLocated) system->addEventHandler(new TouchHandler(element_));
}

ContactEvaluation SimbodyContact::Evaluate(const State& state) const {
  return element_->EvaluationOf(state);
}

ContactEnergies SimbodyContact::Energies(const State& state) const {
  return element_->LatchOf(state).EnergiesOf(element_->VariablesOf(state));
}

int SimbodyContact::TouchCount(const State& state) const {
  return element_->LatchOf(state).touch_count;
}

void SimbodyContact::SetErrorWeights(State* state, double energy_scale) const {
  element_->SetErrorWeights(state, energy_scale);
}

bool SimbodyContact::Begin(State* state, const std::optional<FrictionState>& friction) const {
  return element_->Begin(state, friction);
}

std::vector<double> SimbodyContact::Save(const State& state) const {
  std::vector<double> saved = element_->LatchOf(state).Save();
  const Variables z = element_->VariablesOf(state);
  saved.insert(saved.end(), z.data(), z.data() + kNumVariables);
  return saved;
}

void SimbodyContact::Load(const std::vector<double>& saved, State* state) const {
  const auto num_latch = static_cast<std::ptrdiff_t>(saved.size()) - kNumVariables;
  if (num_latch < 0) throw InvalidInput("the saved state of a contact is too short");
  element_->SetLatch(ContactLatch::Load({saved.begin(), saved.begin() + num_latch}), state);
  element_->SetVariables(Eigen::Map<const Variables>(saved.data() + num_latch), state);
}

VOLCONTACT_NAMESPACE_END
