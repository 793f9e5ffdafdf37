// The functions of FMI 3.0 for model exchange; and those for co-simulation, of which there is none.
#include "fmi/exchange/exchange_calls.h"
#include "fmi/runtime/fmi3_interface.h"

namespace {

namespace fmi = volcontact::fmi;

using fmi::ContactInstance;

constexpr char kNoSteps[] = "this FMU is for model exchange only";

fmi3Status Exchanged3(fmi::FmuStatus status) { return static_cast<fmi3Status>(status); }

}  // namespace

VOLCONTACT_FMI_FUNCTION fmi3Instance fmi3InstantiateModelExchange(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  return fmi::InstantiateThree("fmi3InstantiateModelExchange", name, token, resources, logging,
                               environment, log);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3EnterEventMode(fmi3Instance c) {
  return Exchanged3(fmi::ChangeMode(c, "fmi3EnterEventMode", fmi::kRunning, fmi::kEventMode));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance c, const fmi3ValueReference* unknowns, std::size_t num_unknowns,
    const fmi3ValueReference* knowns, std::size_t num_knowns, const fmi3Float64* seed,
    std::size_t num_seed, fmi3Float64* sensitivity, std::size_t num_sensitivity) {
  return Exchanged3(fmi::GetContactDerivative(c, "fmi3GetDirectionalDerivative", unknowns,
                                              num_unknowns, knowns, num_knowns, seed, num_seed,
                                              sensitivity, num_sensitivity));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3UpdateDiscreteStates(
    fmi3Instance c, fmi3Boolean* needed, fmi3Boolean* terminate, fmi3Boolean* nominals_changed,
    fmi3Boolean* states_changed, fmi3Boolean* next_defined, fmi3Float64* next) {
  return Exchanged3(
      fmi::UpdateContact(c, "fmi3UpdateDiscreteStates",
                         {needed, terminate, nominals_changed, states_changed, next_defined, next},
                         [&](const fmi::FmuUpdate& update) {
                           *needed = *terminate = *next_defined = false;
                           *nominals_changed = update.nominals_changed;
                           *states_changed = update.states_changed;
                           *next = 0.0;
                         }));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
  return Exchanged3(
      fmi::ChangeMode(c, "fmi3EnterContinuousTimeMode", fmi::kEventMode, fmi::kContinuousTime));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean,
                                                               fmi3Boolean* enter_event_mode,
                                                               fmi3Boolean* terminate) {
  return Exchanged3(
      fmi::CompleteContactStep(c, "fmi3CompletedIntegratorStep", enter_event_mode, terminate));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time) {
  return Exchanged3(fmi::SetContactTime(c, "fmi3SetTime", time));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64* x,
                                                           std::size_t nx) {
  return Exchanged3(fmi::SetContactStates(c, "fmi3SetContinuousStates", x, nx));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64* x,
                                                                     std::size_t nx) {
  return Exchanged3(
      fmi::GetContactList(c, "fmi3GetContinuousStateDerivatives", x, nx,
                          [](ContactInstance& instance) { return instance.Rates(); }));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64* x,
                                                          std::size_t nx) {
  return Exchanged3(fmi::GetContactList(
      c, "fmi3GetEventIndicators", x, nx,
      [](ContactInstance& instance) { return std::vector<double>{instance.Indicator()}; }));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64* x,
                                                           std::size_t nx) {
  return Exchanged3(
      fmi::GetContactList(c, "fmi3GetContinuousStates", x, nx,
                          [](ContactInstance& instance) { return instance.States(); }));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64* x,
                                                                     std::size_t nx) {
  return Exchanged3(
      fmi::GetContactList(c, "fmi3GetNominalsOfContinuousStates", x, nx,
                          [](ContactInstance& instance) { return instance.Nominals(); }));
}

namespace {

fmi3Status CountOf(fmi3Instance c, const char* name, std::size_t* count, bool indicators) {
  return Exchanged3(fmi::CallContact(c, name, fmi::kAnyMode,
                                     [&](fmi::FmuHandle&, const ContactInstance& instance) {
                                       fmi::RequireArray(count, 1, "the pointer for the number");
                                       *count = indicators ? 1 : instance.num_states();
                                     }));
}

}  // namespace

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c,
                                                                  std::size_t* count) {
  return CountOf(c, "fmi3GetNumberOfEventIndicators", count, true);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c,
                                                                   std::size_t* count) {
  return CountOf(c, "fmi3GetNumberOfContinuousStates", count, false);
}

VOLCONTACT_FMI_FUNCTION fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean logging, fmi3Boolean, fmi3Boolean,
    const fmi3ValueReference*, std::size_t, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, void*) {
  return fmi::RefuseThree(kNoSteps, logging, environment, log);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3EnterStepMode(fmi3Instance c) {
  return fmi::AbsentThree(c, "fmi3EnterStepMode", kNoSteps);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetOutputDerivatives(fmi3Instance c,
                                                            const fmi3ValueReference*, std::size_t,
                                                            const fmi3Int32*, fmi3Float64*,
                                                            std::size_t) {
  return fmi::AbsentThree(c, "fmi3GetOutputDerivatives", kNoSteps);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64, fmi3Float64, fmi3Boolean,
                                              fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                              fmi3Float64*) {
  return fmi::AbsentThree(c, "fmi3DoStep", kNoSteps);
}
