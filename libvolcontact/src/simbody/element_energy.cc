// What contacts hold, and along which forces they can give some of their bodies' motion back.
#include <algorithm>
#include <limits>
#include <map>

#include "simbody/contact_element.h"
#include "simbody/simbody_frames.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::Vector3d;
using SimTK::SpatialVec;
using SimTK::State;

// A force on a body, of which the first is the torque, about the body's origin.
SpatialVec AboutOrigin(const SimTK::MobilizedBody& body, const Vector3d& point_W,
                       const Vector3d& force_W, const Vector3d& torque_W, const State& state) {
  const SimTK::Vec3 force = ToSimbody(force_W), torque = ToSimbody(torque_W);
  const SimTK::Vec3 arm = ToSimbody(point_W) - body.getBodyOriginLocation(state);
  return {torque + arm % force, force};
}

}  // namespace

std::vector<TouchingPair> ContactElement::TouchingPairs(const State& state) const {
  const SlotLatches& latches = LatchesOf(state);
  const std::vector<int> touching = latches.TouchingByPair();
  const std::vector<Variables> z = VariablesOf(state);
  std::vector<TouchingPair> pairs;
  double least = 0.0;  // that a slot of the last pair holds
  for (const int slot : touching) {
    const int p = latches.slots[At(slot)].pair;
    if (pairs.empty() || pairs.back().pair != p) {
      pairs.push_back(BeginPair(p, slot, state));
      least = std::numeric_limits<double>::infinity();
    }
    const ContactEnergies of = latches.slots[At(slot)].latch.EnergiesOf(z[At(slot)]);
    const double held = of.elastic + of.bristle_elastic + of.spin_elastic;
    pairs.back().held += held;
    if (held < least) pairs.back().slot = slot;
    least = std::min(least, held);
  }
  for (TouchingPair& pair : pairs) {
    const ElementParts::Pair& of = parts_.pairs[At(pair.pair)];
    if (of.model->parameters().direction == ContactDirection::kEigenvector) {
      pair.held = std::max(pair.held, 0.0);
    }
  }
  return pairs;
}

// Of one that has just let go along the normal that it had.
TouchingPair ContactElement::BeginPair(int p, int slot, const State& state) const {
  const ElementParts::Pair& of = parts_.pairs[At(p)];
  const SimTK::MobilizedBody &A = parts_.shapes[At(of.a)].body, &B = parts_.shapes[At(of.b)].body;
  TouchingPair pair;
  pair.pair = p;
  pair.slot = slot;
  pair.A = A;
  pair.B = B;
  const SlotLatches::Slot& last = LatchesOf(state).slots[At(slot)];
  pair.point = ToSimbody(last.last.point_W);
  const auto add = [&](const Vector3d& point, const Vector3d& force, const Vector3d& torque) {
    pair.on_A += AboutOrigin(A, point, force, torque, state);
    pair.on_B -= AboutOrigin(B, point, force, torque, state);
  };
  for (const SlotEvaluation& patch : MomentOf(state).patches) {
    if (patch.pair != p || patch.origin.from.empty()) continue;
    const ContactForce& now = patch.evaluation.force;
    add(now.point_W, now.force_W, now.torque_W);
  }
  if (pair.on_A[1].norm() == 0.0) {
    add(last.last.point_W, last.latch.normal_W, Vector3d::Zero());
  } else {
    pair.power = ~pair.on_A * A.getBodyVelocity(state) + ~pair.on_B * B.getBodyVelocity(state);
  }
  const double force = pair.on_A[1].norm();
  pair.on_A /= force;
  pair.on_B /= force;
  return pair;
}

void ContactElement::AddElasticEnergy(int slot, double energy, State* state) const {
  forces_->updZ(*state)[SimTK::ZIndex(z_ + slot * kNumVariables + kElastic)] += energy;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
