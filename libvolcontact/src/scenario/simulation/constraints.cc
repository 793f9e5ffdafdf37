#include "scenario/simulation/constraints.h"

#include <cmath>
#include <sstream>

#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using SimTK::Constraint;
using SimTK::State;
using SimTK::Vec3;

// To what constraints are satisfied at the start [m or rad]: beyond the digits that matter, within
// those that assembly reaches.
constexpr double kClosed = 1e-10;

// ratio q_a + offset − q_b.
class LinearCoupling : public SimTK::Function {
 public:
  LinearCoupling(double ratio, std::shared_ptr<double> offset)
      : ratio_(ratio), offset_(std::move(offset)) {}

  SimTK::Real calcValue(const SimTK::Vector& q) const override {
    return ratio_ * q[0] + *offset_ - q[1];
  }
  SimTK::Real calcDerivative(const SimTK::Array_<int>& of, const SimTK::Vector&) const override {
    if (of.size() != 1) return 0.0;
    return of[0] == 0 ? ratio_ : -1.0;
  }
  int getArgumentSize() const override { return 2; }
  int getMaxDerivativeOrder() const override { return 2; }
  LinearCoupling* clone() const override { return new LinearCoupling(*this); }

 private:
  double ratio_;
  std::shared_ptr<double> offset_;
};

Constraint MakeLoop(PlacedFrame a, PlacedFrame b, const LoopSpec& spec) {
  const Vec3 p_a = a.X_BF.p(), p_b = b.X_BF.p();
  const SimTK::UnitVec3 z_a = a.X_BF.R().z();
  switch (spec.type) {
    case LoopSpec::Type::kWeld:
      return Constraint::Weld(a.body, a.X_BF, b.body, b.X_BF);
    case LoopSpec::Type::kRod:
      return Constraint::Rod(a.body, p_a, b.body, p_b, spec.length.value_or(1.0));
    case LoopSpec::Type::kPointOnPlane:
      return Constraint::PointInPlane(a.body, z_a, dot(z_a, p_a), b.body, p_b);
    case LoopSpec::Type::kPointOnLine:
      return Constraint::PointOnLine(a.body, z_a, p_a, b.body, p_b);
    case LoopSpec::Type::kBall:
      break;
  }
  return Constraint::Ball(a.body, p_a, b.body, p_b);
}

}  // namespace

void Constraints::AddCoupling(const PlacedCoordinate& a, const PlacedCoordinate& b,
                              const CouplingSpec& spec) {
  auto offset = std::make_shared<double>(spec.offset.value_or(0.0));
  SimTK::Array_<SimTK::MobilizedBodyIndex> bodies;
  bodies.push_back(a.body.getMobilizedBodyIndex());
  bodies.push_back(b.body.getMobilizedBodyIndex());
  SimTK::Array_<SimTK::MobilizerQIndex> indices;
  indices.push_back(SimTK::MobilizerQIndex(a.index));
  indices.push_back(SimTK::MobilizerQIndex(b.index));
  const Constraint::CoordinateCoupler coupler(*matter_, new LinearCoupling(spec.ratio, offset),
                                              bodies, indices);
  couplings_.push_back({a, b, spec, offset, coupler});
}

void Constraints::AddLoop(const PlacedFrame& a, const PlacedFrame& b, const LoopSpec& spec) {
  loops_.push_back({a, b, spec, MakeLoop(a, b, spec)});
}

void Constraints::TakeStart(State* state) {
  for (Coupling& coupling : couplings_) {
    if (coupling.spec.offset) continue;
    *coupling.offset = coupling.b.Value(*state) - coupling.spec.ratio * coupling.a.Value(*state);
  }
  for (Loop& loop : loops_) {
    if (loop.spec.type != LoopSpec::Type::kRod || loop.spec.length) continue;
    const double length = (loop.b.InWorld(*state).p() - loop.a.InWorld(*state).p()).norm();
    if (!(length > 0.0)) {
      throw InvalidInput("the rod \"" + loop.spec.name +
                         "\" has no length at the start; give its \"length\", or make it a ball");
    }
    static_cast<Constraint::Rod&>(loop.constraint).setRodLength(*state, length);
  }
}

std::string Constraints::WorstMiss(const State& state) const {
  system_->realize(state, SimTK::Stage::Position);
  std::string worst;
  double largest = -1.0;
  const auto compare = [&](const Constraint& constraint, const std::string& name) {
    const double miss = constraint.getPositionErrorsAsVector(state).normInf();
    if (!(miss > largest)) return;
    largest = miss;
    std::ostringstream text;
    text << name << " misses by " << miss;
    worst = text.str();
  };
  for (const Loop& loop : loops_) compare(loop.constraint, "the loop \"" + loop.spec.name + "\"");
  for (std::size_t i = 0; i < couplings_.size(); ++i) {
    compare(couplings_[i].constraint, "the coupling " + std::to_string(i));
  }
  return worst;
}

void Constraints::Assemble(State* state) const {
  SimTK::Assembler assembler(*system_);
  assembler.setErrorTolerance(kClosed);
  assembler.initialize(*state);
  bool closed = true;
  try {
    assembler.assemble();
  } catch (const std::exception&) {
    closed = false;
  }
  assembler.updateFromInternalState(*state);  // the nearest, where it is none
  if (closed) return;
  throw InvalidInput(
      "the loops cannot be closed from the coordinates at the start: at the nearest " +
      WorstMiss(*state) + " m or rad; give \"coordinates\" that are closer, and check the frames");
}

void Constraints::Close(State* state) {
  if (couplings_.empty() && loops_.empty()) return;
  system_->realize(*state, SimTK::Stage::Position);
  TakeStart(state);
  system_->prescribe(*state);
  system_->realize(*state, SimTK::Stage::Position);
  if (!(state->getQErr().normInf() <= kClosed)) Assemble(state);
  try {
    system_->realize(*state, SimTK::Stage::Position);
    system_->projectU(*state);
  } catch (const std::exception&) {
    throw InvalidInput("the loops allow no motion with the rates at the start; give other rates");
  }
}

SimTK::SpatialVec Constraints::WrenchOfLoop(int loop, const State& state) const {
  const Loop& at = loops_[static_cast<std::size_t>(loop)];
  const SimTK::Vector_<SimTK::SpatialVec> forces =
      at.constraint.getConstrainedBodyForcesAsVector(state);
  for (SimTK::ConstrainedBodyIndex i(0); i < at.constraint.getNumConstrainedBodies(); ++i) {
    const SimTK::MobilizedBody& body = at.constraint.getMobilizedBodyFromConstrainedBody(i);
    if (body.getMobilizedBodyIndex() != at.b.body.getMobilizedBodyIndex()) continue;
    // Simbody's constraint forces stand on the other side of the equations, at the body's origin.
    const SimTK::SpatialVec wrench = -forces[static_cast<int>(i)];
    const Vec3 arm = body.getBodyRotation(state) * at.b.X_BF.p();
    return {wrench[0] - arm % wrench[1], wrench[1]};
  }
  return {Vec3(0), Vec3(0)};
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
