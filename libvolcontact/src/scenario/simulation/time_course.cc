#include "scenario/simulation/time_course.h"

#include <algorithm>

#include "volcontact/simbody/contact_stepper.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using SimTK::State;

std::unique_ptr<SimTK::Integrator> MakeIntegrator(const IntegratorSpec& spec,
                                                  const SimTK::System& system) {
  std::unique_ptr<SimTK::Integrator> integrator;
  switch (spec.method) {
    case IntegratorMethod::kStiff:
      integrator = std::make_unique<SimTK::CPodesIntegrator>(system, SimTK::CPodes::BDF,
                                                             SimTK::CPodes::Newton);
      break;
    case IntegratorMethod::kRk3:
      integrator = std::make_unique<SimTK::RungeKutta3Integrator>(system);
      break;
    case IntegratorMethod::kEuler:
      integrator = std::make_unique<SimTK::ExplicitEulerIntegrator>(system);
      break;
    default:
      integrator = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
      break;
  }
  if (spec.has_error_control()) {
    integrator->setAccuracy(spec.tolerance);
    integrator->setUseInfinityNorm(true);
    integrator->setMaximumStepSize(spec.max_step);
  } else {
    integrator->setFixedStepSize(spec.step);
  }
  // Outputs are steps, as interpolated states would miss the ledger's accuracy; but BDF
  // interpolates with its own polynomial, and is many times quicker when no output cuts its steps.
  integrator->setAllowInterpolation(spec.method == IntegratorMethod::kStiff);
  integrator->setReturnEveryInternalStep(true);
  return integrator;
}

class SimbodyCourse : public TimeCourse {
 public:
  SimbodyCourse(const IntegratorSpec& spec, const SimTK::System& system)
      : spec_(spec), system_(&system), integrator_(MakeIntegrator(spec, system)) {}

  void Start(const State& state, double step) override {
    if (spec_.has_error_control() && step > 0.0) {
      // A step that ends at a given time may be longer than max_step by a rounding, and Simbody
      // aborts when told to begin with such a one.
      integrator_->setInitialStepSize(std::min(step, spec_.max_step));
    }
    stepper_ = std::make_unique<SimTK::TimeStepper>(*system_, *integrator_);
    // So that a run can be stopped between two steps.
    stepper_->setReportAllSignificantStates(true);
    stepper_->initialize(state);
  }

  void Advance(double t, double corner) override { stepper_->stepTo(std::min(t, corner)); }
  const State& state() const override { return stepper_->getState(); }
  double LastStep() const override { return integrator_->getPreviousStepSizeTaken(); }
  double NextStep() const override { return integrator_->getPredictedNextStepSize(); }

  SimulationStatistics Statistics() const override {
    SimulationStatistics statistics;
    statistics.steps = integrator_->getNumStepsTaken();
    statistics.attempts = integrator_->getNumStepsAttempted();
    statistics.evaluations = integrator_->getNumRealizations();
    return statistics;
  }

 private:
  IntegratorSpec spec_;
  const SimTK::System* system_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  std::unique_ptr<SimTK::TimeStepper> stepper_;
};

class ImplicitCourse : public TimeCourse {
 public:
  ImplicitCourse(const IntegratorSpec& spec, const SimTK::MultibodySystem& system,
                 const std::vector<SimbodyContact>& contacts,
                 std::function<double(const State&)> work)
      : stepper_(system, contacts,
                 {spec.tolerance, spec.max_step, spec.is_passive ? std::move(work) : nullptr}) {}

  void Start(const State& state, double step) override { stepper_.Start(state, step); }
  void Advance(double t, double corner) override { stepper_.Advance(t, corner); }
  const State& state() const override { return stepper_.state(); }
  double LastStep() const override { return stepper_.last_step(); }
  double NextStep() const override { return stepper_.next_step(); }

  SimulationStatistics Statistics() const override {
    const ContactStepperStatistics count = stepper_.statistics();
    SimulationStatistics statistics;
    statistics.steps = count.steps;
    statistics.attempts = count.attempts;
    statistics.evaluations = count.evaluations;
    return statistics;
  }

 private:
  ContactStepper stepper_;
};

}  // namespace

std::unique_ptr<TimeCourse> MakeTimeCourse(const IntegratorSpec& spec,
                                           const SimTK::MultibodySystem& system,
                                           const std::vector<SimbodyContact>& contacts,
                                           std::function<double(const State&)> work) {
  if (spec.method == IntegratorMethod::kImplicit) {
    return std::make_unique<ImplicitCourse>(spec, system, contacts, std::move(work));
  }
  return std::make_unique<SimbodyCourse>(spec, system);
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
