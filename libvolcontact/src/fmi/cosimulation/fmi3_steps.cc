// The functions of FMI 3.0 for co-simulation; and those for model exchange, of which there is none.
#include "fmi/cosimulation/scenario_instance.h"
#include "fmi/runtime/fmi3_interface.h"
#include "fmi/runtime/fmu_calls.h"

namespace {

namespace fmi = volcontact::fmi;

using fmi::FmuHandle;
using fmi::ScenarioInstance;

constexpr char kNoExchange[] = "this FMU is for co-simulation only";
constexpr char kNoEvents[] = "hasEventMode is false";

}  // namespace

VOLCONTACT_FMI_FUNCTION fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean logging,
    fmi3Boolean event_mode, fmi3Boolean, const fmi3ValueReference*, std::size_t num_intermediate,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, void*) {
  constexpr char kName[] = "fmi3InstantiateCoSimulation";
  if (event_mode) {
    return fmi::RefuseThree(std::string(kName) + ": " + kNoEvents, logging, environment, log);
  }
  if (num_intermediate > 0) {
    return fmi::RefuseThree(std::string(kName) + ": providesIntermediateUpdate is false", logging,
                            environment, log);
  }
  return fmi::InstantiateThree(kName, name, token, resources, logging, environment, log);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 current, fmi3Float64 size,
                                              fmi3Boolean, fmi3Boolean* event_needed,
                                              fmi3Boolean* terminate, fmi3Boolean* early_return,
                                              fmi3Float64* last_successful_time) {
  return static_cast<fmi3Status>(fmi::CallFmu<ScenarioInstance>(
      c, "fmi3DoStep", fmi::kStepMode, [&](FmuHandle&, ScenarioInstance& instance) {
        for (const void* answer : std::initializer_list<const void*>{
                 event_needed, terminate, early_return, last_successful_time}) {
          fmi::RequireArray(answer, 1, "a pointer for an answer");
        }
        *event_needed = *terminate = *early_return = false;
        *last_successful_time = instance.time();
        instance.DoStep(current, size);
        *last_successful_time = instance.time();
      }));
}

VOLCONTACT_FMI3(EnterStepMode, (fmi3Instance c), fmi::AbsentThree, kNoEvents)

VOLCONTACT_FMI3(EnterEventMode, (fmi3Instance c), fmi::AbsentThree, kNoEvents)

VOLCONTACT_FMI3(UpdateDiscreteStates,
                (fmi3Instance c, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                 fmi3Boolean*, fmi3Float64*),
                fmi::AbsentThree, kNoEvents)

VOLCONTACT_FMI3(GetOutputDerivatives,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t, const fmi3Int32*,
                 fmi3Float64*, std::size_t),
                fmi::AbsentThree, "maxOutputDerivativeOrder is 0")

VOLCONTACT_FMI3(GetDirectionalDerivative,
                (fmi3Instance c, const fmi3ValueReference*, std::size_t, const fmi3ValueReference*,
                 std::size_t, const fmi3Float64*, std::size_t, fmi3Float64*, std::size_t),
                fmi::AbsentThree, "providesDirectionalDerivatives is false")

VOLCONTACT_FMI_FUNCTION fmi3Instance
fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean logging,
                             fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  return fmi::RefuseThree(kNoExchange, logging, environment, log);
}

VOLCONTACT_FMI3(EnterContinuousTimeMode, (fmi3Instance c), fmi::AbsentThree, kNoExchange)

VOLCONTACT_FMI3(CompletedIntegratorStep, (fmi3Instance c, fmi3Boolean, fmi3Boolean*, fmi3Boolean*),
                fmi::AbsentThree, kNoExchange)

VOLCONTACT_FMI3(SetTime, (fmi3Instance c, fmi3Float64), fmi::AbsentThree, kNoExchange)

VOLCONTACT_FMI3(SetContinuousStates, (fmi3Instance c, const fmi3Float64*, std::size_t),
                fmi::AbsentThree, kNoExchange)

// Lists of numbers of model exchange.
#define VOLCONTACT_FMI3_NO_LIST(name)                                                  \
  VOLCONTACT_FMI_FUNCTION fmi3Status name(fmi3Instance c, fmi3Float64*, std::size_t) { \
    return fmi::AbsentThree(c, #name, kNoExchange);                                    \
  }

VOLCONTACT_FMI3_NO_LIST(fmi3GetContinuousStateDerivatives)
VOLCONTACT_FMI3_NO_LIST(fmi3GetEventIndicators)
VOLCONTACT_FMI3_NO_LIST(fmi3GetContinuousStates)
VOLCONTACT_FMI3_NO_LIST(fmi3GetNominalsOfContinuousStates)

VOLCONTACT_FMI3(GetNumberOfEventIndicators, (fmi3Instance c, std::size_t*), fmi::AbsentThree,
                kNoExchange)

VOLCONTACT_FMI3(GetNumberOfContinuousStates, (fmi3Instance c, std::size_t*), fmi::AbsentThree,
                kNoExchange)
