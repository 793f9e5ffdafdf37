#include "scenario/simulation/model.h"

#include "scenario/simulation/joints.h"
#include "volcontact/contact/cells.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using SimTK::MobilizedBody;
using SimTK::State;
using SimTK::Transform;

const BodySpec* BodyOf(const Scenario& scenario, int index) {
  return index < 0 ? nullptr : &scenario.bodies[static_cast<std::size_t>(index)];
}

// The frame of a body as given in the body that moves it: the ground for fixed ones.
Pose FrameOf(const BodySpec* body) { return body != nullptr && body->fixed ? body->pose : Pose(); }

// Torsional first, as Simbody has them.
SimTK::Vec6 SixOf(const Eigen::Vector3d& angular, const Eigen::Vector3d& linear) {
  return {angular[0], angular[1], angular[2], linear[0], linear[1], linear[2]};
}

}  // namespace

Model::Model(const Scenario& scenario)
    : matter(system),
      forces(system),
      gravity(forces, matter, ToSimbody(scenario.gravity)),
      external(new ExternalForces(&matter, &forces, scenario.integrator.has_error_control())),
      constraints(&system, &matter) {
  matter.setShowDefaultGeometry(false);
  SimTK::Force::Custom(forces, external);
  for (const BodySpec& body : scenario.bodies) AddBody(scenario, body);
  for (const MobilizedBody& body : bodies) external->AddBody(body);
  for (const LoadSpec& load : scenario.loads) {
    external->Add<Load>(bodies[static_cast<std::size_t>(load.body)], load);
  }
  AddMechanism(scenario);
  for (const ContactSpec& contact : scenario.contacts) AddContact(scenario, contact);
}

PlacedFrame Model::Placed(const Scenario& scenario, int body, const Pose& frame) const {
  const MobilizedBody& mobilized =
      body < 0 ? matter.getGround() : bodies[static_cast<std::size_t>(body)];
  return {mobilized, ToSimbody(FrameOf(BodyOf(scenario, body))) * ToSimbody(frame)};
}

void Model::AddMechanism(const Scenario& scenario) {
  const Mechanism& all = scenario.mechanism;
  const auto coordinate = [&](const CoordinateRef& at) {
    return PlacedCoordinate{bodies[static_cast<std::size_t>(at.body)], at.index};
  };
  for (const SpringSpec& spring : all.springs) {
    const PlacedCoordinate at = coordinate(spring.at);
    SimTK::Force::MobilityLinearSpring(forces, at.body, at.index, spring.stiffness, spring.rest);
    if (spring.damping > 0.0) external->Add<Damper>(at, spring.damping);
  }
  for (const LimitSpec& limit : all.limits) external->Add<JointStop>(coordinate(limit.at), limit);
  for (const JointFrictionSpec& friction : all.frictions) {
    external->Add<JointFriction>(coordinate(friction.at), friction);
  }
  for (const MotorSpec& motor : all.motors) {
    motors.push_back(external->AddMotor(coordinate(motor.at), motor));
  }
  for (const PointSpringSpec& spring : all.point_springs) {
    external->Add<PointSpring>(Placed(scenario, spring.a, {spring.point_a, Pose().q}),
                               Placed(scenario, spring.b, {spring.point_b, Pose().q}), spring);
  }
  for (const BushingSpec& spec : all.bushings) {
    const PlacedFrame a = Placed(scenario, spec.a, spec.frame_a);
    const PlacedFrame b = Placed(scenario, spec.b, spec.frame_b);
    const SimTK::Force::LinearBushing bushing(forces, a.body, a.X_BF, b.body, b.X_BF,
                                              SixOf(spec.angular_stiffness, spec.stiffness),
                                              SixOf(spec.angular_damping, spec.damping));
    external->Add<BushingLoss>(bushing);
  }
  for (const CouplingSpec& coupling : all.couplings) {
    constraints.AddCoupling(coordinate(coupling.a), coordinate(coupling.b), coupling);
  }
  for (const LoopSpec& loop : all.loops) {
    constraints.AddLoop(Placed(scenario, loop.a, loop.frame_a),
                        Placed(scenario, loop.b, loop.frame_b), loop);
  }
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
  bodies.push_back(MakeJoint(body, &inboard, X_PF));
}

void Model::AddContact(const Scenario& scenario, const ContactSpec& contact) {
  ModelContact result;
  result.name = contact.name;
  if (contact.point_pair) {
    const PlacedPointPair pair{*contact.point_pair,
                               Compose(FrameOf(BodyOf(scenario, contact.a)), contact.frame_a),
                               Compose(FrameOf(BodyOf(scenario, contact.b)), contact.frame_b)};
    AddElement(scenario, contact, pair, &result);
  } else {
    AddSolids(scenario, contact, &result);
  }
  contacts.push_back(std::move(result));
}

void Model::AddElement(const Scenario& scenario, const ContactSpec& contact,
                       const ContactPair& pair, ModelContact* result) {
  const auto mobilized = [&](int i) {
    return i < 0 ? matter.Ground() : bodies[static_cast<std::size_t>(i)];
  };
  const auto events = scenario.integrator.has_error_control() ? SimbodyContact::Events::kLocated
                                                              : SimbodyContact::Events::kNone;
  result->elements.emplace_back(&system, &forces, mobilized(contact.a), mobilized(contact.b), pair,
                                contact.parameters, events);
}

void Model::AddSolids(const Scenario& scenario, const ContactSpec& contact, ModelContact* result) {
  const BodySpec *a = BodyOf(scenario, contact.a), *b = BodyOf(scenario, contact.b);
  const Solid A = a->solid->Posed(FrameOf(a)), B = b->solid->Posed(FrameOf(b));
  if (!contact.cells) {
    AddElement(scenario, contact,
               SolidPair{A, B, contact.tolerance, contact.most_patches,
                         DivisionOf(scenario, contact, A, B)},
               result);
    return;
  }
  const std::vector<Solid> cells_B = DisjointCells(B);
  for (const Solid& cell_A : DisjointCells(A)) {
    for (const Solid& cell_B : cells_B) {
      AddElement(scenario, contact,
                 SolidPair{cell_A, cell_B, contact.tolerance, contact.most_patches}, result);
    }
  }
}

ContactDivision Model::DivisionOf(const Scenario& scenario, const ContactSpec& contact,
                                  const Solid& A, const Solid& B) {
  const bool is_auto = contact.division.kind == DivisionChoice::Kind::kAuto;
  if (is_auto && (contact.most_patches > 0 || !MayBeDivided(contact.parameters) ||
                  (A.IsConvex() && B.IsConvex()))) {
    return {};
  }
  if (contact.division.kind == DivisionChoice::Kind::kNone) return {};
  if (starts_.empty()) {
    const State state = InitialState(scenario);
    for (const MobilizedBody& body : bodies) {
      starts_.push_back(FromSimbody(body.getBodyTransform(state)));
    }
  }
  const auto start = [&](int i) { return i < 0 ? Pose() : starts_[static_cast<std::size_t>(i)]; };
  DivisionFinder finder(contact.division, A, B);
  if (!is_auto) return finder.At(start(contact.a), start(contact.b));
  DivisionState state;
  if (!finder.Follow(start(contact.a), start(contact.b), true, &state)) {
    open.push_back({contacts.size(), std::move(finder), state});
    return {};
  }
  const ContactDivision division = finder.Division(state.number);
  notes.push_back("contact \"" + contact.name + "\" goes around a body: " + Describe(division));
  return division;
}

State Model::InitialState(const Scenario& scenario) {
  State state = system.realizeTopology();
  system.realizeModel(state);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!scenario.bodies[i].fixed) SetInitial(scenario.bodies[i], bodies[i], &state);
  }
  constraints.Close(&state);
  system.realize(state, SimTK::Stage::Position);
  external->Begin(state);
  return state;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
