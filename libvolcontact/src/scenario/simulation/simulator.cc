#include "volcontact/scenario/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "scenario/simulation/columns.h"
#include "scenario/simulation/model.h"
#include "scenario/simulation/saved_numbers.h"
#include "scenario/simulation/saved_state.h"
#include "scenario/simulation/time_course.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using SimTK::SpatialVec;
using SimTK::Stage;
using SimTK::State;

constexpr double kNever = std::numeric_limits<double>::infinity();

// Nothing moves faster [m/s]: what does was pushed by forces beyond all bounds, and its contacts
// would take steps without end.
constexpr double kSpeedOfLight = 299'792'458.0;

// What an integrator says, without the place in Simbody where it says so.
std::string ReasonOf(const std::exception& error) {
  const std::string text = error.what();
  if (text.find("Unable to advance time") == std::string::npos) return text;
  return "its steps have become too short to move the time on; look for forces and speeds that are "
         "too large";
}

// From the origins of their frames, of bodies with bounded solids; 0 of others.
std::vector<double> ReachesOf(const Scenario& scenario) {
  std::vector<double> reaches;
  for (const BodySpec& body : scenario.bodies) {
    double reach = 0.0;
    if (body.solid) {
      const Aabb box = body.solid->Bounds();
      if (box.IsBounded()) reach = box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).norm();
    }
    reaches.push_back(reach);
  }
  return reaches;
}

}  // namespace

struct Simulator::Impl {
  explicit Impl(const Scenario& scenario_given)
      : given(scenario_given),
        scenario(given),
        corners(scenario.Corners()),
        reaches(ReachesOf(given)),
        model(std::make_unique<Model>(given)) {
    State state = model->InitialState(scenario);
    SetErrorWeights(&state);
    BeginContacts(&state);
    MakeCourse();
    names = ColumnNames(scenario);
    course->Start(state, 0.0);
    initial_balance = LedgerOf(*model, Realized()).Balance();
    RequireFiniteAccelerations();
    for (OpenContact& open : model->open) open.touches = Touches(open.contact);
  }

  void MakeCourse() {
    course =
        MakeTimeCourse(scenario.integrator, model->system, AllContacts(), [this](const State& at) {
          return model->external->Work(at) - model->external->JointLoss(at);
        });
  }

  bool Touches(std::size_t contact) const {
    return !model->contacts[contact].elements[0].EvaluatePatches(Realized()).empty();
  }

  // Makes the model anew with these divisions of contacts, and returns the one before.
  std::unique_ptr<Model> Remodel(const Divisions& divisions) {
    divided = divisions;
    for (std::size_t i = 0; i < scenario.contacts.size(); ++i) {
      const auto found = divided.find(i);
      scenario.contacts[i].division =
          found == divided.end() ? given.contacts[i].division
                                 : DivisionChoice{DivisionChoice::Kind::kSectors,
                                                  found->second.sectors, found->second.axis};
    }
    std::unique_ptr<Model> before = std::move(model);
    model = std::make_unique<Model>(scenario);
    return before;
  }

  // Goes on with a contact divided. Its sectors share what its springs hold.
  void Divide(std::size_t contact, const ContactDivision& division) {
    Divisions divisions = divided;
    divisions[contact] = division;
    const State from = course->state();
    const double next_step = course->NextStep();
    earlier += course->Statistics();
    const std::unique_ptr<Model> before = Remodel(divisions);
    State state = model->InitialState(scenario);
    SetErrorWeights(&state);
    state.updTime() = from.getTime();
    state.updQ() = from.getQ();
    state.updU() = from.getU();
    for (std::size_t i = 0; i < model->contacts.size(); ++i) {
      for (std::size_t k = 0; k < model->contacts[i].elements.size(); ++k) {
        const std::vector<double> saved = before->contacts[i].elements[k].Save(from);
        model->contacts[i].elements[k].Load(saved, &state);
      }
    }
    for (OpenContact& open : model->open) {
      const auto is_same = [&](const OpenContact& old) { return old.contact == open.contact; };
      const auto old = std::find_if(before->open.begin(), before->open.end(), is_same);
      open.division = old->division;
      open.touches = old->touches;
    }
    model->external->Continue(*before->external, from, &state);
    MakeCourse();
    course->Start(state, next_step);
    warnings.push_back("contact \"" + scenario.contacts[contact].name +
                       "\" goes around a body from t = " + std::to_string(time()) +
                       " s on: " + Describe(division));
  }

  Pose PoseNow(int body) const {
    if (body < 0) return Pose();
    return FromSimbody(
        model->bodies[static_cast<std::size_t>(body)].getBodyTransform(course->state()));
  }

  // Looks, after a step, at contacts that begin, or have moved since they were looked at.
  void DivideWhatGoesAround() {
    for (OpenContact& open : model->open) {
      const bool begins = !std::exchange(open.touches, Touches(open.contact));
      if (!open.touches) continue;
      const ContactSpec& contact = scenario.contacts[open.contact];
      if (!open.finder.Follow(PoseNow(contact.a), PoseNow(contact.b), begins, &open.division)) {
        continue;
      }
      Divide(open.contact, open.finder.Division(open.division.number));
      return;  // others are looked at after the next step
    }
  }

  void BeginContacts(State* state) {
    for (std::size_t i = 0; i < scenario.contacts.size(); ++i) {
      bool touching = false;
      for (const SimbodyContact& element : model->contacts[i].elements) {
        model->system.realize(*state, Stage::Velocity);
        touching |= element.Begin(state, scenario.contacts[i].state);
      }
      if (scenario.contacts[i].state && !touching) {
        throw InvalidInput("the contact \"" + scenario.contacts[i].name +
                           "\" has a \"state\", but its bodies do not touch at the start");
      }
    }
  }

  // Simbody takes the inverse of an inertia that is zero for infinite.
  void RequireFiniteAccelerations() const {
    if (std::isfinite(Realized().getUDot().norm())) return;
    throw InvalidInput(
        "the scenario cannot start: accelerations are infinite; check that every joint has a mass "
        "or an inertia to move, and that no loop is at a dead point");
  }

  std::vector<SimbodyContact> AllContacts() const {
    std::vector<SimbodyContact> all;
    for (const ModelContact& contact : model->contacts) {
      all.insert(all.end(), contact.elements.begin(), contact.elements.end());
    }
    return all;
  }

  // Energies count relative to the scale of those that the scenario begins with, or that gravity
  // gives over a centimetre.
  void SetErrorWeights(State* state) {
    model->system.realize(*state, Stage::Velocity);
    double scale = model->matter.calcKineticEnergy(*state);
    const double weight = model->matter.calcSystemMass(*state) * scenario.gravity.norm();
    scale = std::max({scale, 0.01 * weight, 1e-12});
    for (const ModelContact& contact : model->contacts) {
      for (const SimbodyContact& element : contact.elements) {
        element.SetErrorWeights(state, scale);
      }
    }
    model->external->SetErrorWeights(state, scale);
  }

  const State& Realized() const {
    const State& state = course->state();
    model->system.realize(state, Stage::Acceleration);
    return state;
  }

  // The speed of the farthest point of the body's solid.
  double SpeedOf(std::size_t body, const State& state) const {
    const SpatialVec V = model->bodies[body].getBodyVelocity(state);
    return V[1].norm() + V[0].norm() * reaches[body];
  }

  // Fixed steps are as many whatever moves.
  void RequirePossibleSpeeds() const {
    if (!scenario.integrator.has_error_control()) return;
    const State& state = course->state();
    model->system.realize(state, Stage::Velocity);
    for (std::size_t i = 0; i < model->bodies.size(); ++i) {
      if (scenario.bodies[i].fixed || !(SpeedOf(i, state) > kSpeedOfLight)) continue;
      throw std::runtime_error("the body \"" + scenario.bodies[i].name +
                               "\" would move faster than light; look for forces and speeds that "
                               "are too large");
    }
  }

  // Once a contact: there is no force, and bodies fall through each other.
  void NoteWithoutDirection() {
    const State& state = course->state();
    for (const ModelContact& contact : model->contacts) {
      const auto lies_inside = [&](const SimbodyContact& element) {
        return element.Evaluate(state).without_direction;
      };
      if (std::none_of(contact.elements.begin(), contact.elements.end(), lies_inside)) continue;
      if (!without_direction.insert(contact.name).second) continue;
      warnings.push_back("contact \"" + contact.name + "\" at t = " + std::to_string(time()) +
                         " s: one body lies inside the other, and no direction to push is known, "
                         "so there is no force; start the bodies apart, or nearer to the surface");
    }
  }

  double time() const { return course->state().getTime(); }

  const Scenario given;
  Scenario scenario;  // with contacts divided since
  Divisions divided;
  std::vector<double> corners;  // of what drives the model: no step crosses them
  std::vector<double> reaches;  // of the bodies' solids from their origins [m]
  std::unique_ptr<Model> model;
  std::unique_ptr<TimeCourse> course;
  SimulationStatistics earlier;  // of the courses before
  std::vector<std::string> names;
  double initial_balance = 0.0;
  long unconverged = 0;
  std::set<std::string> without_direction;  // contacts that were warned of
  std::vector<std::string> warnings;
};

Simulator::Simulator(const Scenario& scenario) {
  try {
    impl_ = std::make_unique<Impl>(scenario);
  } catch (const InvalidInput&) {
    throw;
  } catch (const std::exception& error) {
    throw InvalidInput(std::string("the scenario makes no model that can start: ") + error.what());
  }
}

Simulator::~Simulator() = default;

double Simulator::time() const { return impl_->time(); }

void Simulator::AdvanceTo(double t, const std::function<bool()>& stop) {
  try {
    while (time() < t && !(stop && stop())) {
      const auto corner = std::upper_bound(impl_->corners.begin(), impl_->corners.end(), time());
      impl_->course->Advance(t, corner == impl_->corners.end() ? kNever : *corner);
      impl_->RequirePossibleSpeeds();
      impl_->DivideWhatGoesAround();
    }
  } catch (const std::exception& error) {
    throw SimulationError("the simulation cannot go on at t = " + std::to_string(time()) +
                          " s: " + ReasonOf(error) +
                          "; loosen the tolerance, take a smaller step or softer contacts");
  }
}

void Simulator::SetWrench(int body, const Eigen::Vector3d& force_W,
                          const Eigen::Vector3d& torque_W) {
  const auto& bodies = impl_->scenario.bodies;
  if (body < 0 || body >= static_cast<int>(bodies.size()) ||
      bodies[static_cast<std::size_t>(body)].fixed) {
    throw InvalidInput("there is no body " + std::to_string(body) + " that moves");
  }
  if (!force_W.allFinite() || !torque_W.allFinite()) {
    throw InvalidInput("the wrench on " + bodies[static_cast<std::size_t>(body)].name +
                       " is not finite");
  }
  const SimTK::SpatialVec wrench(SimTK::Vec3(torque_W[0], torque_W[1], torque_W[2]),
                                 SimTK::Vec3(force_W[0], force_W[1], force_W[2]));
  State state = impl_->course->state();
  WrenchVector wrenches = impl_->model->external->Wrenches(state);
  if (wrenches[body] == wrench) return;
  wrenches[body] = wrench;
  impl_->model->external->SetWrenches(wrenches, &state);
  impl_->course->Start(state, impl_->course->NextStep());
}

void Simulator::SetTarget(int motor, double added) {
  const auto& motors = impl_->scenario.mechanism.motors;
  if (motor < 0 || motor >= static_cast<int>(motors.size())) {
    throw InvalidInput("there is no motor " + std::to_string(motor));
  }
  if (!std::isfinite(added)) {
    throw InvalidInput("the target of " + motors[static_cast<std::size_t>(motor)].name +
                       " is not finite");
  }
  State state = impl_->course->state();
  SimTK::Vector targets = impl_->model->external->Targets(state);
  if (targets[motor] == added) return;
  targets[motor] = added;
  impl_->model->external->SetTargets(targets, &state);
  impl_->course->Start(state, impl_->course->NextStep());
}

const std::vector<std::string>& Simulator::column_names() const { return impl_->names; }

std::vector<double> Simulator::Row() {
  std::vector<double> row = ColumnValues(impl_->scenario, *impl_->model, impl_->Realized(),
                                         impl_->initial_balance, &impl_->unconverged);
  impl_->NoteWithoutDirection();
  return row;
}

std::vector<std::string> Simulator::Warnings() const {
  std::vector<std::string> all = impl_->model->notes;
  all.insert(all.end(), impl_->warnings.begin(), impl_->warnings.end());
  return all;
}

std::vector<ContactRecord> Simulator::Contacts() const {
  const State& state = impl_->course->state();
  std::vector<ContactRecord> records;
  for (std::size_t i = 0; i < impl_->model->contacts.size(); ++i) {
    ContactRecord& record = records.emplace_back();
    record.name = impl_->scenario.contacts[i].name;
    for (const SimbodyContact& element : impl_->model->contacts[i].elements) {
      record.begun += element.TouchCount(state);
      record.greatest_force = std::max(record.greatest_force, element.GreatestForce(state));
    }
  }
  return records;
}

SimulationStatistics Simulator::statistics() const {
  SimulationStatistics statistics = impl_->earlier;
  statistics += impl_->course->Statistics();
  statistics.unconverged = impl_->unconverged;
  return statistics;
}

std::string Simulator::Save() const {
  const State& state = impl_->course->state();
  SavedState saved;
  saved.t = state.getTime();
  saved.y = ToList(state.getY());
  for (const ModelContact& contact : impl_->model->contacts) {
    for (const SimbodyContact& element : contact.elements) {
      saved.contacts.push_back(element.Save(state));
    }
  }
  saved.initial_balance = impl_->initial_balance;
  saved.step = impl_->course->LastStep();
  saved.wrenches = ToNumbers(impl_->model->external->Wrenches(state));
  const SimTK::Vector& targets = impl_->model->external->Targets(state);
  if (targets.normInf() > 0.0) saved.targets = ToList(targets);
  saved.divisions = ToNumbers(impl_->divided);
  for (const OpenContact& open : impl_->model->open) {
    saved.looks.push_back(ToNumbers(open.contact, open.division));
  }
  return ToText(saved);
}

void Simulator::Load(const std::string& text) {
  const SavedState saved = ParseSavedState(text);
  if (saved.divisions != ToNumbers(impl_->divided)) {
    const std::unique_ptr<Model> before =
        impl_->Remodel(FromNumbers(saved.divisions, impl_->given.contacts.size()));
    const State start = impl_->model->InitialState(impl_->scenario);
    impl_->MakeCourse();
    impl_->course->Start(start, saved.step);
  }
  State state = impl_->course->state();
  state.updTime() = saved.t;
  state.updY() = FromList(saved.y, state.getNY());
  auto next = saved.contacts.begin();
  for (const ModelContact& contact : impl_->model->contacts) {
    for (const SimbodyContact& element : contact.elements) {
      if (next == saved.contacts.end()) throw AnotherScenario();
      element.Load(*next++, &state);
    }
  }
  if (next != saved.contacts.end()) throw AnotherScenario();
  impl_->model->external->SetWrenches(
      FromNumbers(saved.wrenches, impl_->model->external->Wrenches(state).size()), &state);
  const int motors = static_cast<int>(impl_->model->motors.size());
  impl_->model->external->SetTargets(
      saved.targets.empty() ? SimTK::Vector(motors, 0.0) : FromList(saved.targets, motors), &state);
  impl_->initial_balance = saved.initial_balance;
  impl_->course->Start(state, saved.step);
  for (OpenContact& open : impl_->model->open) {
    open.division = DivisionStateOf(open.contact, saved.looks);
    open.touches = impl_->Touches(open.contact);
  }
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
