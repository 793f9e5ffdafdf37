// The functions of FMI 2.0 for model exchange.
#include "fmi/exchange/exchange_calls.h"
#include "fmi/runtime/fmi2_interface.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

fmi2Type KindOfTwo() { return fmi2ModelExchange; }

}  // namespace fmi
VOLCONTACT_NAMESPACE_END

namespace {

namespace fmi = volcontact::fmi;

using fmi::ContactInstance;

fmi2Status Exchanged2(fmi::FmuStatus status) { return static_cast<fmi2Status>(status); }

}  // namespace

VOLCONTACT_FMI_FUNCTION fmi2Status
fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference* unknowns,
                             std::size_t num_unknowns, const fmi2ValueReference* knowns,
                             std::size_t num_knowns, const fmi2Real* seed, fmi2Real* sensitivity) {
  return Exchanged2(fmi::GetContactDerivative(c, "fmi2GetDirectionalDerivative", unknowns,
                                              num_unknowns, knowns, num_knowns, seed, num_knowns,
                                              sensitivity, num_unknowns));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return Exchanged2(fmi::ChangeMode(c, "fmi2EnterEventMode", fmi::kRunning, fmi::kEventMode));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  return Exchanged2(
      fmi::UpdateContact(c, "fmi2NewDiscreteStates", {info}, [&](const fmi::FmuUpdate& update) {
        *info = {0, 0, update.nominals_changed ? 1 : 0, update.states_changed ? 1 : 0, 0, 0.0};
      }));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return Exchanged2(
      fmi::ChangeMode(c, "fmi2EnterContinuousTimeMode", fmi::kEventMode, fmi::kContinuousTime));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean,
                                                               fmi2Boolean* enter_event_mode,
                                                               fmi2Boolean* terminate) {
  return Exchanged2(
      fmi::CompleteContactStep(c, "fmi2CompletedIntegratorStep", enter_event_mode, terminate));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  return Exchanged2(fmi::SetContactTime(c, "fmi2SetTime", time));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real* x,
                                                           std::size_t nx) {
  return Exchanged2(fmi::SetContactStates(c, "fmi2SetContinuousStates", x, nx));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real* x,
                                                      std::size_t nx) {
  return Exchanged2(fmi::GetContactList(
      c, "fmi2GetDerivatives", x, nx, [](ContactInstance& instance) { return instance.Rates(); }));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real* x,
                                                          std::size_t nx) {
  return Exchanged2(fmi::GetContactList(
      c, "fmi2GetEventIndicators", x, nx,
      [](ContactInstance& instance) { return std::vector<double>{instance.Indicator()}; }));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real* x,
                                                           std::size_t nx) {
  return Exchanged2(
      fmi::GetContactList(c, "fmi2GetContinuousStates", x, nx,
                          [](ContactInstance& instance) { return instance.States(); }));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real* x,
                                                                     std::size_t nx) {
  return Exchanged2(
      fmi::GetContactList(c, "fmi2GetNominalsOfContinuousStates", x, nx,
                          [](ContactInstance& instance) { return instance.Nominals(); }));
}
