#include "volcontact/simbody/contact_stepper.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "simbody/stepping/energy_keeper.h"
#include "simbody/stepping/motion_rates.h"
#include "simbody/stepping/rosenbrock_method.h"
#include "simbody/stepping/step_lengths.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::VectorXd;
using SimTK::Event;
using SimTK::Stage;
using SimTK::State;

// Where nothing is known of a model [s].
constexpr double kFirstStep = 1e-4;
// Of the time and of a step: less does not move the time on.
constexpr double kShortest = 1e-14;
// Events are found to this part of the step, and of that again, until forces that begin have done
// nothing yet; or to this [s], in which bodies at 1 m/s move by a nanometre.
constexpr double kEventShare = 1e-3, kEventWindow = 1e-9;
// Of a step, in which what rates have missed at its end has worked: it has grown with the third
// power of time.
constexpr double kOfMissedRate = 0.25;
// So many steps the derivatives of so many blocks of bodies serve, of which most go on as they did.
// The method allows for any; of a single mechanism, or where all touch what is driven, old ones
// cost more steps than they save.
constexpr int kStepsOfDerivatives = 4;
constexpr std::size_t kManyBlocks = 8;
// Of the accuracy, to which constraints are kept.
constexpr double kOfAccuracy = 0.1;

// A moment that steps begin and end with.
struct StepEnd {
  double t = 0.0;
  VectorXd y, rates;
  std::vector<double> triggers;  // of events
};

}  // namespace

struct ContactStepper::Impl {
  Impl(const SimTK::MultibodySystem& model, std::vector<const simbody::ContactElement*> elements,
       const ContactStepperOptions& given)
      : system(&model),
        rates(model, elements),
        keeper(model, std::move(elements), &rates, given.work),
        options(given) {
    if (!(options.accuracy > 0.0) || !(options.max_step > 0.0)) {
      throw InvalidInput("the accuracy and the longest step of an integrator must be positive");
    }
  }

  const SimTK::MultibodySystem* system;
  simbody::MotionRates rates;
  simbody::EnergyKeeper keeper;
  ContactStepperOptions options;
  // For derivatives that are those of the rates, and for others.
  const simbody::RosenbrockMethod exact = simbody::Rodas4P2(), any = simbody::Ros34Pw2();
  const simbody::RosenbrockMethod* method = &any;  // of the last step

  State advanced;           // as far as steps have come
  State between;            // on the way there
  bool is_between = false;  // the time that was asked for is
  StepEnd from, to;         // of the last step
  double last = 0.0;
  simbody::StepLengths lengths;
  // Whether geometry within this step is what the Hessian at its beginning tells.
  bool is_near = false;
  double aim = 0.0;  // when the step that is tried ends [s]
  ContactStepperStatistics count;
  // Events that the last step ended with, to be handled before the next.
  SimTK::Array_<SimTK::EventId> triggered, scheduled;
  SimTK::Array_<SimTK::EventId> due;  // that this step has to end for
  double due_time = 0.0;
  SimTK::Array_<SimTK::EventTriggerInfo> infos;

  simbody::RateDerivatives derivatives;      // at `from`, or a few steps before
  int steps_of_derivatives = 0;              // 0: these are not to be used again
  simbody::MotionRates::Seen seen, arrived;  // there, and at `to`
  simbody::BlockSolver solver;
  std::vector<VectorXd> stages;
  double staged = 0.0;  // the length of the step that they belong to [s]
  StepEnd whole;        // its end, on the constraints

  void Begin(const State& state, double first_step) {
    advanced = state;
    is_between = false;
    triggered.clear();
    scheduled.clear();
    rates.Realize(Stage::Velocity, &advanced);
    rates.Project(kOfAccuracy * options.accuracy, &advanced);
    rates.SetSight(simbody::Sight::kWithHessian, &advanced);
    system->realize(advanced, Stage::Acceleration);
    system->calcEventTriggerInfo(advanced, infos);
    rates.BeginErrors(advanced, options.accuracy);
    keeper.Begin(advanced);
    last = 0.0;
    steps_of_derivatives = 0;
    lengths.Begin(std::min(first_step > 0.0 ? first_step : kFirstStep, options.max_step));
  }

  static std::vector<double> TriggersOf(const State& state) {
    const SimTK::Vector& values = state.getEventTriggers();
    std::vector<double> triggers;
    for (int i = 0; i < values.size(); ++i) triggers.push_back(values[i]);
    return triggers;
  }

  StepEnd EndOf(const State& state) const {
    const SimTK::Vector& y = state.getY();
    return {state.getTime(), Eigen::Map<const VectorXd>(&y[0], y.size()),
            simbody::MotionRates::RatesOf(state), TriggersOf(state)};
  }

  SimTK::Array_<SimTK::EventId> EventsBetween(const std::vector<double>& before,
                                              const std::vector<double>& after) const {
    SimTK::Array_<SimTK::EventId> events;
    for (int i = 0; i < static_cast<int>(infos.size()); ++i) {
      const std::size_t k = static_cast<std::size_t>(i);
      const Event::Trigger crossed =
          Event::classifyTransition(SimTK::sign(before[k]), SimTK::sign(after[k]));
      if (Event::maskTransition(crossed, infos[i].calcTransitionMask()) != Event::NoEventTrigger) {
        events.push_back(infos[i].getEventId());
      }
    }
    return events;
  }

  void Handle(Event::Cause cause, SimTK::Array_<SimTK::EventId>* events) {
    if (events->empty()) return;
    SimTK::HandleEventsOptions how(options.accuracy);
    SimTK::HandleEventsResults results;
    system->handleEvents(advanced, cause, *events, how, results);
    events->clear();
  }

  // Everything that a step is made of at its beginning.
  void BeginStep() {
    Handle(Event::Cause::Triggered, &triggered);
    Handle(Event::Cause::Scheduled, &scheduled);
    system->realize(advanced, Stage::Acceleration);
    from = EndOf(advanced);
    system->calcTimeOfNextScheduledEvent(advanced, due_time, due, false);
    // Rates that were found may go on with the step, whatever the update changes.
    advanced.autoUpdateDiscreteVariables();
    system->realize(advanced, Stage::Acceleration);
    keeper.BeginStep(advanced);
    seen = rates.SeenIn(advanced);
    const bool serve_again =
        steps_of_derivatives > 0 && steps_of_derivatives < kStepsOfDerivatives &&
        derivatives.blocks.size() >= kManyBlocks && !derivatives.blocks.front().is_driven &&
        rates.HasBlocks(derivatives.blocks, advanced);
    if (!serve_again) FindDerivatives();
    ++steps_of_derivatives;
  }

  void FindDerivatives() {
    derivatives = rates.Derivatives(&advanced);
    steps_of_derivatives = 0;
  }

  // (1/(h γ) − J) x = right. Looks from the start of the step, in one way or the other.
  VectorXd Solve(double h, const VectorXd& right) {
    VectorXd x = solver.Solve(derivatives.blocks, h * method->gamma, right);
    if (derivatives.shared.empty()) return x;
    VectorXd way = x;
    const simbody::RateBlock& first = derivatives.blocks.front();
    if (first.is_driven) way(first.variables).setZero();  // of which all rows are known
    LookFromStart(true);
    const VectorXd change = rates.Along(from.t, from.y, way, derivatives, &advanced);
    x(derivatives.shared) += h * method->gamma * change(derivatives.shared);
    LookFromStart(is_near);
    return x;
  }

  // Within a step no contact begins, and those that there are go on as their Hessian tells, or else
  // as queries do.
  void LookFromStart(bool by_hessian) {
    rates.SetSight(by_hessian ? simbody::Sight::kNear : simbody::Sight::kMade, &advanced);
    rates.PutSeen(seen, advanced);
  }

  // Brings the state to the end of a step; returns the norm of its error over what is allowed.
  double Try(double h) {
    ++count.attempts;
    solver.Factor(derivatives.blocks, h * method->gamma);
    LookFromStart(is_near);
    stages.clear();
    for (int i = 0; i < method->stages; ++i) {
      VectorXd f = from.rates;
      if (i > 0) {
        VectorXd y = from.y;
        for (int j = 0; j < i; ++j) {
          if (method->a(i, j) != 0.0) y += method->a(i, j) * stages[static_cast<std::size_t>(j)];
        }
        rates.Set(from.t + method->c[i] * h, y, Stage::Acceleration, &advanced);
        if (!is_near) ++count.evaluations;
        f = simbody::MotionRates::RatesOf(advanced);
      }
      for (int j = 0; j < i; ++j) f += method->C(i, j) / h * stages[static_cast<std::size_t>(j)];
      f += method->g[i] * h * derivatives.by_time;
      stages.push_back(Solve(h, f));
    }
    const VectorXd y = from.y + OfStages(method->m);
    if (!y.allFinite()) return std::numeric_limits<double>::infinity();
    rates.Set(aim, y, Stage::Velocity, &advanced);
    staged = h;
    return rates.ErrorNorm(advanced, OfStages(method->e));
  }

  VectorXd OfStages(const VectorXd& weights) const {
    VectorXd sum = weights[0] * stages[0];
    for (std::size_t i = 1; i < stages.size(); ++i) {
      sum += weights[static_cast<Eigen::Index>(i)] * stages[i];
    }
    return sum;
  }

  // The variables within the step that was tried. Its end is met to the last bit: what touches
  // there does so here.
  VectorXd OnCurve(double t) const {
    if (t == whole.t) return whole.y;
    const double s = (t - from.t) / staged;
    const VectorXd y = from.y + OfStages(method->dense * Eigen::Vector3d(s, s * s, s * s * s));
    return y + s * (whole.y - from.y - OfStages(method->m));
  }

  // Ends the step where the state is.
  void Arrive() {
    rates.Project(kOfAccuracy * options.accuracy, &advanced);
    rates.SetSight(simbody::Sight::kWithHessian, &advanced);
    system->realize(advanced, Stage::Acceleration);
    ++count.evaluations;
    to = EndOf(advanced);
    arrived = rates.SeenIn(advanced);
  }

  // Where anything has happened within the step, it ends just after. On the way there what begins
  // has not pushed yet.
  void EndAtEvents() {
    whole = to;
    triggered = EventsBetween(from.triggers, to.triggers);
    if (triggered.empty()) return;
    double before = from.t, after = to.t, window = kEventShare * (to.t - from.t);
    for (;; window *= kEventShare) {
      while (after - before > std::max(window, kEventWindow)) {
        const double t = 0.5 * (before + after);
        SetOnCurve(t);
        const auto events = EventsBetween(from.triggers, TriggersOf(advanced));
        (events.empty() ? before : after) = t;
        if (!events.empty()) triggered = events;
      }
      if (after - before <= kEventWindow) break;
      SetOnCurve(after);
      const VectorXd rate = simbody::MotionRates::RatesOf(advanced);
      const VectorXd pushed = rate - RatesOfMade();
      if (rates.ErrorNorm(advanced, (after - before) * pushed) <= kOfAccuracy) break;
    }
    rates.Set(after, OnCurve(after), Stage::Velocity, &advanced);
    Arrive();
  }

  void SetOnCurve(double t) {
    rates.SetSight(simbody::Sight::kPlain, &advanced);
    rates.Set(t, OnCurve(t), Stage::Acceleration, &advanced);
    ++count.evaluations;
  }

  // Where the state is, without what contacts do that were not there when the step began.
  VectorXd RatesOfMade() {
    rates.SetSight(simbody::Sight::kMade, &advanced);
    rates.Realize(Stage::Acceleration, &advanced);
    return simbody::MotionRates::RatesOf(advanced);
  }

  // What the step would err by with the geometry that its beginning tells, over what is allowed.
  double ModelError() {
    if (!seen.is_second_order) return std::numeric_limits<double>::infinity();
    LookFromStart(true);
    rates.Set(to.t, to.y, Stage::Acceleration, &advanced);
    const VectorXd missed = to.rates - simbody::MotionRates::RatesOf(advanced);
    const VectorXd error = kOfMissedRate / method->gamma * Solve(to.t - from.t, missed);
    return rates.ErrorNorm(advanced, error);
  }

  // Whether a step of this length errs by little enough. What is learned of longer and shorter ones
  // goes to the lengths that are planned.
  bool Succeeds(double h) {
    double error = std::numeric_limits<double>::infinity(), of_model = 0.0;
    try {
      error = Try(h);
      if (error <= 1.0) {
        Arrive();
        EndAtEvents();
        to.rates = RatesOfMade();
        of_model = ModelError();
        lengths.AfterModel(to.t - from.t, of_model);
      }
    } catch (const std::exception&) {
      if (from.t + simbody::StepLengths::kRefusedCut * h <=
          from.t + kShortest * std::max(1.0, from.t))
        throw;
      error = std::numeric_limits<double>::infinity();
    }
    lengths.AfterTry(h, error, method->order_of_error);
    return error <= 1.0 && !(is_near && of_model > 1.0);
  }

  // To an end of the step, after one has looked at it from elsewhere.
  void ReturnTo(const StepEnd& end, const simbody::MotionRates::Seen& seen_there) {
    rates.SetSight(simbody::Sight::kWithHessian, &advanced);
    rates.PutSeen(seen_there, advanced);
    rates.Set(end.t, end.y, Stage::Acceleration, &advanced);
  }

  // Derivatives of a step before may be why a step has failed.
  void AfterFailure() {
    if (steps_of_derivatives > 1) {
      ReturnTo(from, seen);
      FindDerivatives();
    }
    steps_of_derivatives = 0;
  }

  // A step of about a length that leaves no crumbs before its latest end. Returns its length.
  double Aim(double h, double end) {
    const double left = end - from.t;
    aim = end;
    if (h < left) {
      h = std::min(h, 0.5 * left);
      aim = from.t + h;
    }
    if (!(aim > from.t + kShortest * std::max(1.0, std::abs(from.t)))) {
      throw std::runtime_error("Unable to advance time past " + std::to_string(from.t));
    }
    return std::min(h, left);
  }

  void Step(double barrier) {
    // Where contacts have just begun, nothing tells yet how their forces go on.
    const bool is_new = !triggered.empty();
    BeginStep();
    const double end = std::min(due_time, barrier);
    lengths.BeginStep(last, options.max_step);
    for (;; AfterFailure()) {
      is_near = seen.is_second_order && lengths.PrefersHessian();
      method = is_near && !is_new && steps_of_derivatives <= 1 ? &exact : &any;
      if (Succeeds(Aim(is_near ? lengths.next_by_hessian() : lengths.next(), end))) break;
    }
    ReturnTo(to, arrived);
    keeper.EndStep(&advanced);
    if (to.t == due_time) scheduled = due;
    ++count.steps;
    last = to.t - from.t;
  }

  void Interpolate(double t) {
    between = advanced;
    // No contact begins within a step, which has been looked for on the way. Those that there are
    // tell the most near the end that is nearer.
    rates.SetSight(is_near ? simbody::Sight::kNear : simbody::Sight::kMade, &between);
    if (is_near) rates.PutSeen(2.0 * (t - from.t) < to.t - from.t ? seen : arrived, between);
    rates.Set(t, OnCurve(t), Stage::Velocity, &between);
    rates.Project(kOfAccuracy * options.accuracy, &between);
    is_between = true;
  }

  void Advance(double time, double barrier) {
    const double now = is_between ? between.getTime() : advanced.getTime();
    if (!(time > now)) return;
    if (!is_between) Step(barrier);
    is_between = false;
    if (advanced.getTime() > time) Interpolate(time);
  }
};

ContactStepper::ContactStepper(const SimTK::MultibodySystem& system,
                               const std::vector<SimbodyContact>& contacts,
                               const ContactStepperOptions& options,
                               const std::vector<SimbodyContactSet>& sets) {
  std::vector<const simbody::ContactElement*> elements;
  for (const SimbodyContact& contact : contacts) elements.push_back(contact.element_);
  for (const SimbodyContactSet& set : sets) elements.push_back(set.element_);
  impl_ = std::make_unique<Impl>(system, std::move(elements), options);
}

ContactStepper::~ContactStepper() = default;
ContactStepper::ContactStepper(ContactStepper&&) noexcept = default;
ContactStepper& ContactStepper::operator=(ContactStepper&&) noexcept = default;

void ContactStepper::Start(const State& state, double first_step) {
  impl_->Begin(state, first_step);
}

void ContactStepper::Advance(double time, double barrier) { impl_->Advance(time, barrier); }

const State& ContactStepper::state() const {
  return impl_->is_between ? impl_->between : impl_->advanced;
}

double ContactStepper::last_step() const { return impl_->last; }
double ContactStepper::next_step() const { return impl_->lengths.next(); }
ContactStepperStatistics ContactStepper::statistics() const { return impl_->count; }

VOLCONTACT_NAMESPACE_END
