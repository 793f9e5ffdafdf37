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
fmi::FmuStatus Stepped2(fmi2Component c, const char* name, unsigned modes, const Function& body) {
  return fmi::CallFmu<ScenarioInstance>(c, name, modes, body);
}

// What this FMU says in its description that it cannot.
fmi::FmuStatus Incapable2(fmi2Component c, const char* name, const char* reason) {
  return Stepped2(c, name, fmi::kAnyMode,
                  [&](FmuHandle&, ScenarioInstance&) { throw fmi::WrongCall(reason); });
}

// Steps are made in the call: there is nothing to ask of one under way.
template <class Value, class Read>
fmi::FmuStatus StatusOf2(fmi2Component c, const char* name, fmi2StatusKind kind,
                         fmi2StatusKind known, Value* value, const Read& read) {
  return Stepped2(c, name, fmi::kStepMode | fmi::kTerminated | fmi::kFailed,
                  [&](FmuHandle&, ScenarioInstance& instance) {
                    fmi::RequireArray(value, 1, "value");
                    if (kind != known) throw fmi::WrongCall("there is no such status");
                    *value = read(instance);
                  });
}

}  // namespace

VOLCONTACT_FMI2(DoStep, (fmi2Component c, fmi2Real current, fmi2Real size, fmi2Boolean), Stepped2,
                fmi::kStepMode,
                [&](FmuHandle&, ScenarioInstance& instance) { instance.DoStep(current, size); })

VOLCONTACT_FMI2(CancelStep, (fmi2Component c), Incapable2, "no step is ever under way")

VOLCONTACT_FMI2(SetRealInputDerivatives,
                (fmi2Component c, const fmi2ValueReference*, std::size_t, const fmi2Integer*,
                 const fmi2Real*),
                Incapable2, "canInterpolateInputs is false")

VOLCONTACT_FMI2(GetRealOutputDerivatives,
                (fmi2Component c, const fmi2ValueReference*, std::size_t, const fmi2Integer*,
                 fmi2Real*),
                Incapable2, "maxOutputDerivativeOrder is 0")

VOLCONTACT_FMI2(GetDirectionalDerivative,
                (fmi2Component c, const fmi2ValueReference*, std::size_t, const fmi2ValueReference*,
                 std::size_t, const fmi2Real*, fmi2Real*),
                Incapable2, "providesDirectionalDerivative is false")

VOLCONTACT_FMI2(GetStatus, (fmi2Component c, fmi2StatusKind kind, fmi2Status* value), StatusOf2,
                kind, fmi2DoStepStatus, value, [](const ScenarioInstance& instance) {
                  return instance.mode() == fmi::kFailed ? fmi2Error : fmi2OK;
                })

VOLCONTACT_FMI2(GetRealStatus, (fmi2Component c, fmi2StatusKind kind, fmi2Real* value), StatusOf2,
                kind, fmi2LastSuccessfulTime, value,
                [](const ScenarioInstance& instance) { return instance.time(); })

VOLCONTACT_FMI2(GetIntegerStatus, (fmi2Component c, fmi2StatusKind, fmi2Integer*), Incapable2,
                "there is no such status")

VOLCONTACT_FMI2(GetBooleanStatus, (fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value),
                StatusOf2, kind, fmi2Terminated, value, [](const ScenarioInstance&) { return 0; })

VOLCONTACT_FMI2(GetStringStatus, (fmi2Component c, fmi2StatusKind kind, fmi2String* value),
                StatusOf2, kind, fmi2PendingStatus, value,
                [](const ScenarioInstance&) { return ""; })
