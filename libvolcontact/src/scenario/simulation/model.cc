#include "scenario/simulation/model.h"

#include <cmath>
#include <stdexcept>

#include "volcontact/contact/cells.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using SimTK::MobilizedBody;
using SimTK::SpatialVec;
using SimTK::State;
using SimTK::Transform;
using SimTK::Vec3;
using WrenchList = SimTK::Vector_<SpatialVec>;

Vec3 ToSimbody(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

Transform ToSimbody(const Pose& X) {
  return {SimTK::Rotation(SimTK::Quaternion(X.q[0], X.q[1], X.q[2], X.q[3])), ToSimbody(X.t)};
}

SimTK::MassProperties MassOf(const BodySpec& body) {
  const Eigen::Matrix3d& J = body.inertia;
  const SimTK::Inertia central(J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2));
  const Vec3 com = ToSimbody(body.center_of_mass);
  return {body.mass, com, central.shiftFromMassCenter(com, body.mass)};
}

// A joint coordinate whose rate is a given function of time.
class DrivenJoint : public SimTK::Motion::Custom::Implementation {
 public:
  explicit DrivenJoint(const JointMotion& motion) : motion_(motion) {}
  SimTK::Motion::Level getLevel(const State&) const override { return SimTK::Motion::Velocity; }
  void calcPrescribedVelocity(const State& state, int, SimTK::Real* u) const override {
    u[0] = motion_.Rate(state.getTime());
  }
  void calcPrescribedVelocityDot(const State& state, int, SimTK::Real* u_dot) const override {
    u_dot[0] = motion_.Acceleration(state.getTime());
  }
  SimTK::Motion::Custom::Implementation* clone() const override { return new DrivenJoint(*this); }

 private:
  JointMotion motion_;
};

MobilizedBody MakeJoint(const BodySpec& body, MobilizedBody& parent, const Transform& X_PF) {
  const SimTK::Body::Rigid rigid(MassOf(body));
  const Transform X_BM = ToSimbody(body.frame_body);
  switch (body.joint) {
    case JointType::kFree:
      return MobilizedBody::Free(parent, X_PF, rigid, X_BM);
    case JointType::kSlider:
      return MobilizedBody::Slider(parent, X_PF, rigid, X_BM);
    case JointType::kPin:
      return MobilizedBody::Pin(parent, X_PF, rigid, X_BM);
    case JointType::kPlanar:
      return MobilizedBody::Planar(parent, X_PF, rigid, X_BM);
    case JointType::kBall:
      return MobilizedBody::Ball(parent, X_PF, rigid, X_BM);
    case JointType::kTranslation:
      return MobilizedBody::Translation(parent, X_PF, rigid, X_BM);
    default:
      return MobilizedBody::Weld(parent, X_PF, rigid, X_BM);
  }
}

const BodySpec* BodyOf(const Scenario& scenario, int index) {
  return index < 0 ? nullptr : &scenario.bodies[static_cast<std::size_t>(index)];
}

// The frame of a body as given in the body that moves it: the ground for fixed ones.
Pose FrameOf(const BodySpec* body) { return body != nullptr && body->fixed ? body->pose : Pose(); }

void SetInitial(const BodySpec& body, const MobilizedBody& mobilized, State* state) {
  // Copies, as the state that the frames are asked of is changed below.
  const Transform X_PF = mobilized.getInboardFrame(*state);   // NOLINT(performance-*)
  const Transform X_BM = mobilized.getOutboardFrame(*state);  // NOLINT(performance-*)
  if (body.joint == JointType::kFree || body.joint == JointType::kTranslation) {
    const Transform X_WB = ToSimbody(body.pose);
    mobilized.setQToFitTransform(*state, ~X_PF * X_WB * X_BM);
    const Vec3 w = ToSimbody(body.angular_velocity);
    const Vec3 v = ToSimbody(body.velocity) + w % (X_WB.R() * X_BM.p());
    mobilized.setUToFitVelocity(*state, SpatialVec(~X_PF.R() * w, ~X_PF.R() * v));
  } else if (body.joint == JointType::kBall) {
    // Given in the world; the joint's own refer to the parent, which has its place already.
    const MobilizedBody& parent = mobilized.getParentMobilizedBody();
    mobilized.getMatterSubsystem().getSystem().realize(*state, SimTK::Stage::Position);
    const SimTK::Rotation R_WF = parent.getBodyRotation(*state) * X_PF.R();
    mobilized.setQToFitRotation(*state, ~R_WF * ToSimbody(body.pose).R() * X_BM.R());
    mobilized.getMatterSubsystem().getSystem().realize(*state, SimTK::Stage::Velocity);
    const Vec3 w_PB = ToSimbody(body.angular_velocity) - parent.getBodyAngularVelocity(*state);
    mobilized.setUToFitAngularVelocity(*state, ~R_WF * w_PB);
  } else {
    for (int i = 0; i < mobilized.getNumQ(*state); ++i) {
      mobilized.setOneQ(*state, i, body.coordinates[static_cast<std::size_t>(i)]);
      mobilized.setOneU(*state, i, body.rates[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace

void ExternalForces::realizeTopology(State& state) const {
  z_ = forces_->allocateZ(state, SimTK::Vector(2, 0.0));
  const WrenchList none(static_cast<int>(bodies_.size()), SpatialVec(Vec3(0), Vec3(0)));
  wrenches_ = forces_->allocateDiscreteVariable(state, SimTK::Stage::Dynamics,
                                                new SimTK::Value<WrenchList>(none));
}

const WrenchList& ExternalForces::Wrenches(const State& state) const {
  return SimTK::Value<WrenchList>::downcast(forces_->getDiscreteVariable(state, wrenches_)).get();
}

void ExternalForces::SetWrenches(const WrenchList& wrenches, State* state) const {
  SimTK::Value<WrenchList>::updDowncast(forces_->updDiscreteVariable(*state, wrenches_)) = wrenches;
}

SpatialVec ExternalForces::ForceOf(const Load& load, const State& state) const {
  const double scale = load.spec.scale ? (*load.spec.scale)(state.getTime()) : 1.0;
  Vec3 force = scale * ToSimbody(load.spec.force), torque = scale * ToSimbody(load.spec.torque);
  const SimTK::Rotation& R_WB = load.body.getBodyRotation(state);
  if (load.spec.in_body_frame) {
    force = R_WB * force;
    torque = R_WB * torque;
  }
  return {torque + (R_WB * ToSimbody(load.spec.point)) % force, force};
}

void ExternalForces::calcForce(const State& state, SimTK::Vector_<SpatialVec>& body_forces,
                               SimTK::Vector_<Vec3>&, SimTK::Vector& mobility_forces) const {
  const WrenchList& wrenches = Wrenches(state);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    body_forces[bodies_[i].getMobilizedBodyIndex()] += wrenches[static_cast<int>(i)];
  }
  for (const Load& load : loads_) {
    body_forces[load.body.getMobilizedBodyIndex()] += ForceOf(load, state);
  }
  for (const Damper& damper : dampers_) {
    damper.body.applyOneMobilityForce(state, 0, -damper.damping * damper.body.getOneU(state, 0),
                                      mobility_forces);
  }
}

void ExternalForces::realizeAcceleration(const State& state) const {
  if (refuses_infinity_ && !std::isfinite(matter_->getUDot(state).normInf())) {
    throw std::runtime_error(
        "accelerations are infinite; does every joint have a mass or an inertia to move, and is no "
        "force beyond all bounds?");
  }
  double work = matter_->calcMotionPower(state), loss = 0.0;
  const auto power = [&](const SpatialVec& F, const MobilizedBody& body) {
    const SpatialVec& V = body.getBodyVelocity(state);
    return dot(F[0], V[0]) + dot(F[1], V[1]);
  };
  const WrenchList& wrenches = Wrenches(state);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    work += power(wrenches[static_cast<int>(i)], bodies_[i]);
  }
  for (const Load& load : loads_) work += power(ForceOf(load, state), load.body);
  for (const Damper& damper : dampers_) {
    const double rate = damper.body.getOneU(state, 0);
    loss += damper.damping * rate * rate;
  }
  SimTK::Vector& z_dot = forces_->updZDot(state);
  z_dot[z_] = work;
  z_dot[z_ + 1] = loss;
}

void ExternalForces::SetErrorWeights(State* state, double energy_scale) const {
  SimTK::Vector& weights = state->updZWeights(forces_->getMySubsystemIndex());
  weights[z_] = weights[z_ + 1] = 1.0 / energy_scale;
}

Model::Model(const Scenario& scenario)
    : matter(system),
      forces(system),
      gravity(forces, matter, ToSimbody(scenario.gravity)),
      external(new ExternalForces(&matter, &forces, scenario.integrator.has_error_control())) {
  matter.setShowDefaultGeometry(false);
  SimTK::Force::Custom(forces, external);
  for (const BodySpec& body : scenario.bodies) AddBody(scenario, body);
  const auto mobilized = [&](int i) { return bodies[static_cast<std::size_t>(i)]; };
  for (const SpringSpec& spring : scenario.springs) {
    SimTK::Force::MobilityLinearSpring(forces, mobilized(spring.body), 0, spring.stiffness,
                                       spring.rest);
    if (spring.damping > 0.0) external->AddDamper({mobilized(spring.body), spring.damping});
  }
  for (const MobilizedBody& body : bodies) external->AddBody(body);
  for (const LoadSpec& load : scenario.loads) external->AddLoad({mobilized(load.body), load});
  for (const ContactSpec& contact : scenario.contacts) AddContact(scenario, contact);
}

void Model::AddBody(const Scenario& scenario, const BodySpec& body) {
  if (body.fixed) {
    bodies.push_back(matter.Ground());
    return;
  }
  const BodySpec* parent = BodyOf(scenario, body.parent);
  MobilizedBody inboard =
      parent == nullptr ? matter.Ground() : bodies[static_cast<std::size_t>(body.parent)];
  const Transform X_PF = ToSimbody(FrameOf(parent)) * ToSimbody(body.frame_parent);
  MobilizedBody mobilized = MakeJoint(body, inboard, X_PF);
  if (body.motion) SimTK::Motion::Custom(mobilized, new DrivenJoint(*body.motion));
  bodies.push_back(mobilized);
}

void Model::AddContact(const Scenario& scenario, const ContactSpec& contact) {
  const BodySpec *a = BodyOf(scenario, contact.a), *b = BodyOf(scenario, contact.b);
  const auto mobilized = [&](int i) {
    return i < 0 ? matter.Ground() : bodies[static_cast<std::size_t>(i)];
  };
  const auto events = scenario.integrator.has_error_control() ? SimbodyContact::Events::kLocated
                                                              : SimbodyContact::Events::kNone;
  ModelContact result;
  result.name = contact.name;
  const auto add = [&](const ContactPair& pair) {
    result.elements.emplace_back(&system, &forces, mobilized(contact.a), mobilized(contact.b), pair,
                                 contact.parameters, events);
  };
  if (contact.point_pair) {
    add(PlacedPointPair{*contact.point_pair, Compose(FrameOf(a), contact.frame_a),
                        Compose(FrameOf(b), contact.frame_b)});
  } else {
    const auto cells = [&](const BodySpec* body) {
      const Solid solid = body->solid->Posed(FrameOf(body));
      return contact.cells ? DisjointCells(solid) : std::vector<Solid>{solid};
    };
    const std::vector<Solid> cells_B = cells(b);
    for (const Solid& cell_A : cells(a)) {
      for (const Solid& cell_B : cells_B)
        add(SolidPair{cell_A, cell_B, contact.tolerance, contact.most_patches});
    }
  }
  contacts.push_back(std::move(result));
}

State Model::InitialState(const Scenario& scenario) {
  State state = system.realizeTopology();
  system.realizeModel(state);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!scenario.bodies[i].fixed) SetInitial(scenario.bodies[i], bodies[i], &state);
  }
  return state;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
