#include "simbody/stepping/energy_keeper.h"

#include <algorithm>
#include <cmath>
#include <limits>

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using SimTK::SpatialVec;
using SimTK::Stage;
using SimTK::State;
using SimTK::Vector;

// Rounding of sums of the energies of many bodies, of these; far less than anybody could see.
constexpr double kRounding = 1e-13;
// Of a change of speeds: what the law has made is no error of the step.
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// The change of speeds that an impulse along a contact's force makes, and what it takes.
struct Impulse {
  Vector speeds;
  double power = 0.0;   // of the impulse at the speeds that there are
  double square = 0.0;  // twice the kinetic energy of the change
};

Impulse ImpulseOf(const SimTK::SimbodyMatterSubsystem& matter, const TouchingPair& pair,
                  const SpatialVec& on_A, const SpatialVec& on_B, const State& state) {
  SimTK::Vector_<SpatialVec> wrenches(matter.getNumBodies(),
                                      SpatialVec(SimTK::Vec3(0), SimTK::Vec3(0)));
  SimTK::Vector_<SpatialVec> unused;
  const Vector none(matter.getNumMobilities(), 0.0);
  Vector without, with, momentum;
  matter.calcAcceleration(state, none, wrenches, without, unused);
  wrenches[pair.A.getMobilizedBodyIndex()] += on_A;
  wrenches[pair.B.getMobilizedBodyIndex()] += on_B;
  matter.calcAcceleration(state, none, wrenches, with, unused);
  Impulse impulse;
  impulse.speeds = with - without;
  matter.multiplyByM(state, impulse.speeds, momentum);
  impulse.power = ~momentum * state.getU();
  impulse.square = ~momentum * impulse.speeds;
  return impulse;
}

// Along the force, or, where that moves nothing, along the way that the bodies slide.
Impulse ImpulseOf(const SimTK::SimbodyMatterSubsystem& matter, const TouchingPair& pair,
                  bool along_force, const State& state) {
  if (along_force) return ImpulseOf(matter, pair, pair.on_A, pair.on_B, state);
  const SimTK::Vec3 arm_A = pair.point - pair.A.getBodyOriginLocation(state),
                    arm_B = pair.point - pair.B.getBodyOriginLocation(state);
  const SpatialVec &V_A = pair.A.getBodyVelocity(state), &V_B = pair.B.getBodyVelocity(state);
  const SimTK::Vec3 way = V_A[1] + V_A[0] % arm_A - V_B[1] - V_B[0] % arm_B;
  const double speed = way.norm();
  if (speed == 0.0) return {Vector(state.getNU(), 0.0), 0.0, 0.0};
  const SimTK::Vec3 along = way / speed;
  return ImpulseOf(matter, pair, {arm_A % along, along}, {-(arm_B % along), -along}, state);
}

// How much of it takes an energy away, or as much as it can.
double PartThatTakes(const Impulse& impulse, double energy) {
  if (!(impulse.square > 0.0)) return 0.0;
  const double root = impulse.power * impulse.power - 2.0 * impulse.square * energy;
  if (!(root > 0.0)) return -impulse.power / impulse.square;
  return -2.0 * energy / (impulse.power + std::copysign(std::sqrt(root), impulse.power));
}

// Changes speeds by a part of the impulse; returns the energy that it has taken.
double Apply(const Impulse& impulse, double part, const SimTK::MultibodySystem& system,
             State* state) {
  state->updU() += part * impulse.speeds;
  system.realize(*state, Stage::Acceleration);
  return -part * (impulse.power + 0.5 * part * impulse.square);
}

}  // namespace

void EnergyKeeper::Begin(const State& state) {
  ceiling_ = work_ ? EnergyOf(state) : std::numeric_limits<double>::infinity();
}

void EnergyKeeper::BeginStep(const State& state) {
  if (!work_) return;
  start_ = EnergyOf(state);
  ceiling_ = std::min(ceiling_, start_);
}

void EnergyKeeper::EndStep(State* state) {
  if (!work_) return;
  if (!AnyTouches(*state)) {
    // What free bodies err by is not contacts'.
    ceiling_ += EnergyOf(*state) - start_;
    return;
  }
  RepayOverdrafts(state);
  TakeSurplus(state);
  ceiling_ = std::min(ceiling_, EnergyOf(*state));
}

double EnergyKeeper::EnergyOf(const State& state) const {
  return system_->calcEnergy(state) - work_(state);
}

bool EnergyKeeper::AnyTouches(const State& state) const {
  return std::any_of(elements_.begin(), elements_.end(), [&](const ContactElement* element) {
    return !element->LatchesOf(state).TouchingByPair().empty();
  });
}

double EnergyKeeper::RoundingOf(const State& state) const {
  return kRounding * (system_->calcKineticEnergy(state) +
                      std::abs(system_->calcPotentialEnergy(state)) + std::abs(work_(state)));
}

double EnergyKeeper::Take(const TouchingPair& pair, double energy, double* left,
                          State* state) const {
  double taken = 0.0;
  for (const bool along_force : {true, false}) {
    const Impulse impulse = ImpulseOf(system_->getMatterSubsystem(), pair, along_force, *state);
    double part = PartThatTakes(impulse, energy - taken);
    const double change = std::abs(part) * rates_->SpeedNorm(*state, impulse.speeds);
    if (change > *left) part *= *left / change;
    *left -= std::min(change, *left);
    taken += Apply(impulse, part, *system_, state);
    if (taken >= energy - RoundingOf(*state) || *left == 0.0) break;
  }
  return taken;
}

// The elastic force of bodies whose surfaces turn on each other has no potential, and the geometry
// within steps is a model: a contact may give back more than it has taken. It pays for that from
// its bodies' motion.
void EnergyKeeper::RepayOverdrafts(State* state) const {
  const double rounding = RoundingOf(*state);
  for (const ContactElement* element : elements_) {
    for (const TouchingPair& pair : element->TouchingPairs(*state)) {
      if (!(pair.held < -rounding)) continue;
      double left = kNoLimit;
      element->AddElasticEnergy(pair.slot, Take(pair, -pair.held, &left, state), state);
      system_->realize(*state, Stage::Acceleration);
    }
  }
}

// By the contacts that move most of it, one after another: no further than errors may be.
void EnergyKeeper::TakeSurplus(State* state) const {
  double surplus = EnergyOf(*state) - ceiling_;
  const double rounding = RoundingOf(*state);
  if (!(surplus > rounding)) return;
  std::vector<TouchingPair> pairs;
  for (const ContactElement* element : elements_) {
    for (TouchingPair& pair : element->TouchingPairs(*state)) pairs.push_back(std::move(pair));
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const TouchingPair& a, const TouchingPair& b) {
    return std::abs(a.power) > std::abs(b.power);
  });
  double left = 1.0;  // of what errors may be
  for (const TouchingPair& pair : pairs) {
    surplus -= Take(pair, surplus, &left, state);
    if (!(surplus > rounding) || left == 0.0) return;
  }
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
