// The functions of FMI 2.0 for co-simulation.
#include "fmi/cosimulation/scenario_instance.h"
#include "fmi/runtime/fmi2_interface.h"
#include "fmi/runtime/fmu_calls.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

fmi2Type KindOfTwo() { return fmi2CoSimulation; }

}  // namespace fmi
VOLCONTACT_NAMESPACE_END

namespace {

namespace fmi = volcontact::fmi;

using fmi::FmuHandle;
using fmi::ScenarioInstance;

template <class Function>
fmi2Status Stepped2(fmi2Component c, const char* name, unsigned modes, const Function& body) {
  return static_cast<fmi2Status>(fmi::CallFmu<ScenarioInstance>(c, name, modes, body));
}

// What this FMU says in its description that it cannot.
fmi2Status Incapable2(fmi2Component c, const char* name, const char* reason) {
  return Stepped2(c, name, fmi::kAnyMode,
                  [&](FmuHandle&, ScenarioInstance&) { throw fmi::WrongCall(reason); });
}

// Steps are made in the call: there is nothing to ask of one under way.
template <class Value, class Read>
fmi2Status StatusOf2(fmi2Component c, const char* name, fmi2StatusKind kind, fmi2StatusKind known,
                     Value* value, const Read& read) {
  return Stepped2(c, name, fmi::kStepMode | fmi::kTerminated | fmi::kFailed,
                  [&](FmuHandle&, ScenarioInstance& instance) {
                    fmi::RequireArray(value, 1, "value");
                    if (kind != known) throw fmi::WrongCall("there is no such status");
                    *value = read(instance);
                  });
}

}  // namespace

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2DoStep(fmi2Component c, fmi2Real current, fmi2Real size,
                                              fmi2Boolean) {
  return Stepped2(c, "fmi2DoStep", fmi::kStepMode,
                  [&](FmuHandle&, ScenarioInstance& instance) { instance.DoStep(current, size); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2CancelStep(fmi2Component c) {
  return Incapable2(c, "fmi2CancelStep", "no step is ever under way");
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetRealInputDerivatives(fmi2Component c,
                                                               const fmi2ValueReference*,
                                                               std::size_t, const fmi2Integer*,
                                                               const fmi2Real*) {
  return Incapable2(c, "fmi2SetRealInputDerivatives", "canInterpolateInputs is false");
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c,
                                                                const fmi2ValueReference*,
                                                                std::size_t, const fmi2Integer*,
                                                                fmi2Real*) {
  return Incapable2(c, "fmi2GetRealOutputDerivatives", "maxOutputDerivativeOrder is 0");
}

VOLCONTACT_FMI_FUNCTION fmi2Status
fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference*, std::size_t,
                             const fmi2ValueReference*, std::size_t, const fmi2Real*, fmi2Real*) {
  return Incapable2(c, "fmi2GetDirectionalDerivative", "providesDirectionalDerivative is false");
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind,
                                                 fmi2Status* value) {
  return StatusOf2(c, "fmi2GetStatus", kind, fmi2DoStepStatus, value,
                   [](const ScenarioInstance& instance) {
                     return instance.mode() == fmi::kFailed ? fmi2Error : fmi2OK;
                   });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind,
                                                     fmi2Real* value) {
  return StatusOf2(c, "fmi2GetRealStatus", kind, fmi2LastSuccessfulTime, value,
                   [](const ScenarioInstance& instance) { return instance.time(); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind,
                                                        fmi2Integer*) {
  return Incapable2(c, "fmi2GetIntegerStatus", "there is no such status");
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind,
                                                        fmi2Boolean* value) {
  return StatusOf2(c, "fmi2GetBooleanStatus", kind, fmi2Terminated, value,
                   [](const ScenarioInstance&) { return 0; });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind,
                                                       fmi2String* value) {
  return StatusOf2(c, "fmi2GetStringStatus", kind, fmi2PendingStatus, value,
                   [](const ScenarioInstance&) { return ""; });
}
