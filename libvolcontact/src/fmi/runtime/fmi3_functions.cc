// The functions of FMI 3.0 that model exchange uses.
#include "fmi/runtime/fmi3_interface.h"
#include "fmi/runtime/fmu_calls.h"

namespace {

using volcontact::fmi::CallFmu;
using volcontact::fmi::ContactInstance;
using volcontact::fmi::FmuHandle;
using volcontact::fmi::FmuStatus;
using volcontact::fmi::FmuType;
using volcontact::fmi::FmuUpdate;
using volcontact::fmi::RequireArray;
using volcontact::fmi::RequireCount;
using volcontact::fmi::WrongCall;
using References3 = const fmi3ValueReference*;

constexpr unsigned kAny3 = volcontact::fmi::kAnyMode;
constexpr unsigned kBeforeRun3 = volcontact::fmi::kInstantiated | volcontact::fmi::kInitialization;
constexpr unsigned kRunning3 = volcontact::fmi::kEventMode | volcontact::fmi::kContinuousTime;
constexpr unsigned kReadable3 =
    volcontact::fmi::kInitialization | kRunning3 | volcontact::fmi::kTerminated;

template <class Function>
fmi3Status Call3(fmi3Instance c, const char* name, unsigned modes, const Function& body) {
  return static_cast<fmi3Status>(CallFmu(c, name, modes, body));
}

// Values of variables, in the state Instantiated those of the start.
template <class Value, class Read>
fmi3Status GetAll3(fmi3Instance c, const char* name, References3 vr, std::size_t nvr, Value* values,
                   std::size_t count, const Read& read) {
  return Call3(c, name, kAny3, [&](FmuHandle&, ContactInstance& instance) {
    RequireArray(vr, nvr, "valueReferences");
    RequireCount(count, nvr, "nValues");
    RequireArray(values, count, "values");
    for (std::size_t i = 0; i < nvr; ++i) values[i] = read(instance, vr[i]);
  });
}

fmi3Status RefuseAll3(fmi3Instance c, const char* name, References3 vr, std::size_t nvr,
                      FmuType type) {
  return Call3(c, name, kBeforeRun3 | kRunning3, [&](FmuHandle&, ContactInstance& instance) {
    RequireArray(vr, nvr, "valueReferences");
    if (nvr > 0) instance.RefuseToSet(vr[0], type);
  });
}

template <class Read>
fmi3Status GetVector3(fmi3Instance c, const char* name, fmi3Float64* x, std::size_t nx,
                      const Read& read) {
  return Call3(c, name, kReadable3, [&](FmuHandle&, ContactInstance& instance) {
    const std::vector<double> values = read(instance);
    RequireCount(nx, values.size(), "the number of values");
    RequireArray(x, nx, "the array of values");
    std::copy(values.begin(), values.end(), x);
  });
}

}  // namespace

VOLCONTACT_FMI_FUNCTION const char* fmi3GetVersion() { return "3.0"; }

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean logging,
                                                       std::size_t count,
                                                       const fmi3String* categories) {
  return Call3(c, "fmi3SetDebugLogging", kAny3, [&](FmuHandle& handle, ContactInstance&) {
    RequireArray(categories, count, "categories");
    handle.logging = logging;
  });
}

VOLCONTACT_FMI_FUNCTION fmi3Instance fmi3InstantiateModelExchange(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  try {
    auto handle = std::make_unique<FmuHandle>();
    handle->name = name == nullptr ? "" : name;
    handle->logging = logging;
    handle->logs_errors = false;
    if (log != nullptr) {
      handle->log = [log, environment](FmuStatus status, const char* category,
                                       const std::string& message) {
        log(environment, static_cast<fmi3Status>(status), category, message.c_str());
      };
    }
    if (resources == nullptr) {
      handle->Tell(volcontact::fmi::kError,
                   "fmi3InstantiateModelExchange: resourcePath is a null pointer");
      return nullptr;
    }
    return MakeHandle(std::move(handle), resources, token);
  } catch (...) {  // no memory
    return nullptr;
  }
}

VOLCONTACT_FMI_FUNCTION void fmi3FreeInstance(fmi3Instance c) { volcontact::fmi::FreeHandle(c); }

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean,
                                                               fmi3Float64, fmi3Float64 start,
                                                               fmi3Boolean, fmi3Float64) {
  return Call3(c, "fmi3EnterInitializationMode", volcontact::fmi::kInstantiated,
               [&](FmuHandle&, ContactInstance& instance) { instance.Start(start); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
  return Call3(c, "fmi3ExitInitializationMode", volcontact::fmi::kInitialization,
               [](FmuHandle&, ContactInstance& instance) { instance.FinishInitialization(); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3EnterEventMode(fmi3Instance c) {
  return Call3(c, "fmi3EnterEventMode", kRunning3, [](FmuHandle&, ContactInstance& instance) {
    instance.SetMode(volcontact::fmi::kEventMode);
  });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3Terminate(fmi3Instance c) {
  return Call3(c, "fmi3Terminate", kRunning3, [](FmuHandle&, ContactInstance& instance) {
    instance.SetMode(volcontact::fmi::kTerminated);
  });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3Reset(fmi3Instance c) {
  return Call3(c, "fmi3Reset", kAny3,
               [](FmuHandle&, ContactInstance& instance) { instance.Reset(); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetFloat64(fmi3Instance c, References3 vr, std::size_t nvr,
                                                  fmi3Float64* values, std::size_t count) {
  return GetAll3(c, "fmi3GetFloat64", vr, nvr, values, count,
                 [](ContactInstance& instance, std::uint32_t r) { return instance.Real(r); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetInt32(fmi3Instance c, References3 vr, std::size_t nvr,
                                                fmi3Int32* values, std::size_t count) {
  return GetAll3(c, "fmi3GetInt32", vr, nvr, values, count,
                 [](ContactInstance& instance, std::uint32_t r) { return instance.Integer(r); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetBoolean(fmi3Instance c, References3 vr, std::size_t nvr,
                                                  fmi3Boolean* values, std::size_t count) {
  return GetAll3(c, "fmi3GetBoolean", vr, nvr, values, count,
                 [](ContactInstance& instance, std::uint32_t r) { return instance.Boolean(r); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetFloat64(fmi3Instance c, References3 vr, std::size_t nvr,
                                                  const fmi3Float64* values, std::size_t count) {
  return Call3(c, "fmi3SetFloat64", kBeforeRun3 | kRunning3,
               [&](FmuHandle&, ContactInstance& instance) {
                 RequireArray(vr, nvr, "valueReferences");
                 RequireCount(count, nvr, "nValues");
                 RequireArray(values, count, "values");
                 for (std::size_t i = 0; i < nvr; ++i) instance.SetReal(vr[i], values[i]);
               });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetInt32(fmi3Instance c, References3 vr, std::size_t nvr,
                                                const fmi3Int32*, std::size_t) {
  return RefuseAll3(c, "fmi3SetInt32", vr, nvr, FmuType::kInteger);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetBoolean(fmi3Instance c, References3 vr, std::size_t nvr,
                                                  const fmi3Boolean*, std::size_t) {
  return RefuseAll3(c, "fmi3SetBoolean", vr, nvr, FmuType::kBoolean);
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* state) {
  return Call3(c, "fmi3GetFMUState", kAny3, [&](FmuHandle& handle, ContactInstance& instance) {
    TakeSnapshot(handle, instance.snapshot(), state);
  });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
  return Call3(c, "fmi3SetFMUState", kAny3, [&](FmuHandle& handle, ContactInstance& instance) {
    instance.Restore(SnapshotAt(handle, state));
  });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* state) {
  return Call3(c, "fmi3FreeFMUState", kAny3,
               [&](FmuHandle& handle, ContactInstance&) { FreeSnapshot(handle, state); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state,
                                                              std::size_t* size) {
  return Call3(c, "fmi3SerializedFMUStateSize", kAny3, [&](FmuHandle& handle, ContactInstance&) {
    RequireArray(size, 1, "size");
    *size = SizeOf(SnapshotAt(handle, state));
  });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state,
                                                         fmi3Byte* bytes, std::size_t size) {
  return Call3(c, "fmi3SerializeFMUState", kAny3, [&](FmuHandle& handle, ContactInstance&) {
    Serialize(SnapshotAt(handle, state), bytes, size);
  });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte* bytes,
                                                           std::size_t size, fmi3FMUState* state) {
  return Call3(c, "fmi3DeserializeFMUState", kAny3,
               [&](FmuHandle& handle, ContactInstance& instance) {
                 TakeSnapshot(handle, volcontact::fmi::Deserialize(bytes, size, instance), state);
               });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance c, References3 unknowns, std::size_t num_unknowns, References3 knowns,
    std::size_t num_knowns, const fmi3Float64* seed, std::size_t num_seed, fmi3Float64* sensitivity,
    std::size_t num_sensitivity) {
  return Call3(c, "fmi3GetDirectionalDerivative", kReadable3,
               [&](FmuHandle&, ContactInstance& instance) {
                 RequireArray(unknowns, num_unknowns, "unknowns");
                 RequireArray(knowns, num_knowns, "knowns");
                 RequireCount(num_seed, num_knowns, "nSeed");
                 RequireCount(num_sensitivity, num_unknowns, "nSensitivity");
                 RequireArray(seed, num_seed, "seed");
                 RequireArray(sensitivity, num_sensitivity, "sensitivity");
                 const std::vector<double> values = instance.Derivative(
                     {unknowns, unknowns + num_unknowns}, {knowns, knowns + num_knowns}, seed);
                 std::copy(values.begin(), values.end(), sensitivity);
               });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3UpdateDiscreteStates(
    fmi3Instance c, fmi3Boolean* needed, fmi3Boolean* terminate, fmi3Boolean* nominals_changed,
    fmi3Boolean* states_changed, fmi3Boolean* next_defined, fmi3Float64* next) {
  return Call3(
      c, "fmi3UpdateDiscreteStates", volcontact::fmi::kEventMode,
      [&](FmuHandle& handle, ContactInstance& instance) {
        for (const void* answer :
             {static_cast<const void*>(needed), static_cast<const void*>(terminate),
              static_cast<const void*>(nominals_changed), static_cast<const void*>(states_changed),
              static_cast<const void*>(next_defined), static_cast<const void*>(next)}) {
          RequireArray(answer, 1, "a pointer for an answer");
        }
        const FmuUpdate update = instance.UpdateDiscrete();
        if (!update.event.empty()) handle.Tell(volcontact::fmi::kOk, update.event);
        *needed = *terminate = *next_defined = false;
        *nominals_changed = update.nominals_changed;
        *states_changed = update.states_changed;
        *next = 0.0;
      });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
  return Call3(c, "fmi3EnterContinuousTimeMode", volcontact::fmi::kEventMode,
               [](FmuHandle&, ContactInstance& instance) {
                 instance.SetMode(volcontact::fmi::kContinuousTime);
               });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean,
                                                               fmi3Boolean* enter_event_mode,
                                                               fmi3Boolean* terminate) {
  return Call3(c, "fmi3CompletedIntegratorStep", volcontact::fmi::kContinuousTime,
               [&](FmuHandle&, ContactInstance& instance) {
                 RequireArray(enter_event_mode, 1, "enterEventMode");
                 RequireArray(terminate, 1, "terminateSimulation");
                 *enter_event_mode = instance.CompleteStep();
                 *terminate = false;
               });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time) {
  return Call3(c, "fmi3SetTime", kRunning3,
               [&](FmuHandle&, ContactInstance& instance) { instance.SetTime(time); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64* x,
                                                           std::size_t nx) {
  return Call3(c, "fmi3SetContinuousStates", kRunning3, [&](FmuHandle&, ContactInstance& instance) {
    RequireCount(nx, instance.num_states(), "nContinuousStates");
    RequireArray(x, nx, "continuousStates");
    instance.SetStates(x);
  });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64* x,
                                                                     std::size_t nx) {
  return GetVector3(c, "fmi3GetContinuousStateDerivatives", x, nx,
                    [](ContactInstance& instance) { return instance.Rates(); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64* x,
                                                          std::size_t nx) {
  return GetVector3(c, "fmi3GetEventIndicators", x, nx, [](ContactInstance& instance) {
    return std::vector<double>{instance.Indicator()};
  });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64* x,
                                                           std::size_t nx) {
  return GetVector3(c, "fmi3GetContinuousStates", x, nx,
                    [](ContactInstance& instance) { return instance.States(); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64* x,
                                                                     std::size_t nx) {
  return GetVector3(c, "fmi3GetNominalsOfContinuousStates", x, nx,
                    [](ContactInstance& instance) { return instance.Nominals(); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c,
                                                                  std::size_t* count) {
  return Call3(c, "fmi3GetNumberOfEventIndicators", kAny3, [&](FmuHandle&, ContactInstance&) {
    RequireArray(count, 1, "nEventIndicators");
    *count = 1;
  });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c,
                                                                   std::size_t* count) {
  return Call3(c, "fmi3GetNumberOfContinuousStates", kAny3,
               [&](FmuHandle&, ContactInstance& instance) {
                 RequireArray(count, 1, "nContinuousStates");
                 *count = instance.num_states();
               });
}
