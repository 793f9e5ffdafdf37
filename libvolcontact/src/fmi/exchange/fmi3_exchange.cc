// The functions of FMI 3.0 for model exchange; and those for co-simulation, of which there is none.
#include "fmi/exchange/exchange_calls.h"
#include "fmi/runtime/fmi3_interface.h"

namespace {

namespace fmi = volcontact::fmi;

using fmi::ContactInstance;

constexpr char kNoSteps[] = "this FMU is for model exchange only";

fmi::FmuStatus CountOf(fmi3Instance c, const char* name, std::size_t* count, bool indicators) {
  return fmi::CallContact(c, name, fmi::kAnyMode,
                          [&](fmi::FmuHandle&, const ContactInstance& instance) {
                            fmi::RequireArray(count, 1, "the pointer for the number");
                            *count = indicators ? 1 : instance.num_states();
                          });
}

}  // namespace

VOLCONTACT_FMI_FUNCTION fmi3Instance fmi3InstantiateModelExchange(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  return fmi::InstantiateThree("fmi3InstantiateModelExchange", name, token, resources, logging,
                               environment, log);
}

VOLCONTACT_FMI3(EnterEventMode, (fmi3Instance c), fmi::ChangeMode, fmi::kRunning, fmi::kEventMode)

VOLCONTACT_FMI3(GetDirectionalDerivative,
                (fmi3Instance c, const fmi3ValueReference* unknowns, std::size_t num_unknowns,
                 const fmi3ValueReference* knowns, std::size_t num_knowns, const fmi3Float64* seed,
                 std::size_t num_seed, fmi3Float64* sensitivity, std::size_t num_sensitivity),
                fmi::GetContactDerivative, unknowns, num_unknowns, knowns, num_knowns, seed,
                num_seed, sensitivity, num_sensitivity)

VOLCONTACT_FMI3(UpdateDiscreteStates,
                (fmi3Instance c, fmi3Boolean* needed, fmi3Boolean* terminate,
                 fmi3Boolean* nominals_changed, fmi3Boolean* states_changed,
                 fmi3Boolean* next_defined, fmi3Float64* next),
                fmi::UpdateContact,
                {needed, terminate, nominals_changed, states_changed, next_defined, next},
                [&](const fmi::FmuUpdate& update) {
                  *needed = *terminate = *next_defined = false;
                  *nominals_changed = update.nominals_changed;
                  *states_changed = update.states_changed;
                  *next = 0.0;
                })

VOLCONTACT_FMI3(EnterContinuousTimeMode, (fmi3Instance c), fmi::ChangeMode, fmi::kEventMode,
                fmi::kContinuousTime)

VOLCONTACT_FMI3(CompletedIntegratorStep,
                (fmi3Instance c, fmi3Boolean, fmi3Boolean* enter_event_mode,
                 fmi3Boolean* terminate),
                fmi::CompleteContactStep, enter_event_mode, terminate)

VOLCONTACT_FMI3(SetTime, (fmi3Instance c, fmi3Float64 time), fmi::SetContactTime, time)

VOLCONTACT_FMI3(SetContinuousStates, (fmi3Instance c, const fmi3Float64* x, std::size_t nx),
                fmi::SetContactStates, x, nx)

VOLCONTACT_FMI3(GetContinuousStateDerivatives, (fmi3Instance c, fmi3Float64* x, std::size_t nx),
                fmi::GetContactList, x, nx, &ContactInstance::Rates)

VOLCONTACT_FMI3(GetEventIndicators, (fmi3Instance c, fmi3Float64* x, std::size_t nx),
                fmi::GetContactList, x, nx,
                [](ContactInstance& instance) { return std::vector<double>{instance.Indicator()}; })

VOLCONTACT_FMI3(GetContinuousStates, (fmi3Instance c, fmi3Float64* x, std::size_t nx),
                fmi::GetContactList, x, nx, &ContactInstance::States)

VOLCONTACT_FMI3(GetNominalsOfContinuousStates, (fmi3Instance c, fmi3Float64* x, std::size_t nx),
                fmi::GetContactList, x, nx, &ContactInstance::Nominals)

VOLCONTACT_FMI3(GetNumberOfEventIndicators, (fmi3Instance c, std::size_t* count), CountOf, count,
                true)

VOLCONTACT_FMI3(GetNumberOfContinuousStates, (fmi3Instance c, std::size_t* count), CountOf, count,
                false)

VOLCONTACT_FMI_FUNCTION fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean logging, fmi3Boolean, fmi3Boolean,
    const fmi3ValueReference*, std::size_t, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, void*) {
  return fmi::RefuseThree(kNoSteps, logging, environment, log);
}

VOLCONTACT_FMI3(EnterStepMode, (fmi3Instance c), fmi::AbsentThree, kNoSteps)

VOLCONTACT_FMI3(GetOutputDerivatives,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t, const fmi3Int32*,
                 fmi3Float64*, std::size_t),
                fmi::AbsentThree, kNoSteps)

VOLCONTACT_FMI3(DoStep,
                (fmi3Instance c, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean*, fmi3Boolean*,
                 fmi3Boolean*, fmi3Float64*),
                fmi::AbsentThree, kNoSteps)
