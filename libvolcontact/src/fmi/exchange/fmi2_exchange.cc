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

}  // namespace

VOLCONTACT_FMI2(GetDirectionalDerivative,
                (fmi2Component c, const fmi2ValueReference* unknowns, std::size_t num_unknowns,
                 const fmi2ValueReference* knowns, std::size_t num_knowns, const fmi2Real* seed,
                 fmi2Real* sensitivity),
                fmi::GetContactDerivative, unknowns, num_unknowns, knowns, num_knowns, seed,
                num_knowns, sensitivity, num_unknowns)

VOLCONTACT_FMI2(EnterEventMode, (fmi2Component c), fmi::ChangeMode, fmi::kRunning, fmi::kEventMode)

VOLCONTACT_FMI2(NewDiscreteStates, (fmi2Component c, fmi2EventInfo* info), fmi::UpdateContact,
                {info}, [&](const fmi::FmuUpdate& update) {
                  *info = {0, 0,  update.nominals_changed ? 1 : 0, update.states_changed ? 1 : 0,
                           0, 0.0};
                })

VOLCONTACT_FMI2(EnterContinuousTimeMode, (fmi2Component c), fmi::ChangeMode, fmi::kEventMode,
                fmi::kContinuousTime)

VOLCONTACT_FMI2(CompletedIntegratorStep,
                (fmi2Component c, fmi2Boolean, fmi2Boolean* enter_event_mode,
                 fmi2Boolean* terminate),
                fmi::CompleteContactStep, enter_event_mode, terminate)

VOLCONTACT_FMI2(SetTime, (fmi2Component c, fmi2Real time), fmi::SetContactTime, time)

VOLCONTACT_FMI2(SetContinuousStates, (fmi2Component c, const fmi2Real* x, std::size_t nx),
                fmi::SetContactStates, x, nx)

VOLCONTACT_FMI2(GetDerivatives, (fmi2Component c, fmi2Real* x, std::size_t nx), fmi::GetContactList,
                x, nx, &ContactInstance::Rates)

VOLCONTACT_FMI2(GetEventIndicators, (fmi2Component c, fmi2Real* x, std::size_t nx),
                fmi::GetContactList, x, nx,
                [](ContactInstance& instance) { return std::vector<double>{instance.Indicator()}; })

VOLCONTACT_FMI2(GetContinuousStates, (fmi2Component c, fmi2Real* x, std::size_t nx),
                fmi::GetContactList, x, nx, &ContactInstance::States)

VOLCONTACT_FMI2(GetNominalsOfContinuousStates, (fmi2Component c, fmi2Real* x, std::size_t nx),
                fmi::GetContactList, x, nx, &ContactInstance::Nominals)
