// The functions of FMI 2.0 for model exchange.
#include <string>

#include "fmi/runtime/fmi2_interface.h"
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
using References = const fmi2ValueReference*;

constexpr unsigned kBeforeRun = volcontact::fmi::kInstantiated | volcontact::fmi::kInitialization;
constexpr unsigned kRunning = volcontact::fmi::kEventMode | volcontact::fmi::kContinuousTime;
constexpr unsigned kReadable =
    volcontact::fmi::kInitialization | kRunning | volcontact::fmi::kTerminated;

template <class Function>
fmi2Status Call2(fmi2Component c, const char* name, unsigned modes, const Function& body) {
  return static_cast<fmi2Status>(CallFmu(c, name, modes, body));
}

// The logger's messages are formats, in which % begins a value and # a variable.
std::string AsFormat(const std::string& message) {
  std::string format;
  for (const char c : message)
    format += c == '%' || c == '#' ? std::string(2, c) : std::string(1, c);
  return format;
}

// file:///path%20with%20blanks → path. What is no URI is taken as a path.
std::string PathOf(const std::string& uri) {
  std::string rest = uri;
  if (uri.rfind("file:", 0) != 0) return rest;
  rest = uri.substr(5);
  if (rest.rfind("//", 0) == 0) {
    const std::size_t slash = rest.find('/', 2);
    rest = slash == std::string::npos ? "/" : rest.substr(slash);
  }
  std::string path;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const bool is_code = rest[i] == '%' && i + 2 < rest.size() &&
                         std::isxdigit(static_cast<unsigned char>(rest[i + 1])) != 0 &&
                         std::isxdigit(static_cast<unsigned char>(rest[i + 2])) != 0;
    path += is_code ? static_cast<char>(std::stoi(rest.substr(i + 1, 2), nullptr, 16)) : rest[i];
    if (is_code) i += 2;
  }
  return path;
}

// Gets values one by one.
template <class Value, class Read>
fmi2Status GetAll(fmi2Component c, const char* name, References vr, std::size_t nvr, Value* value,
                  const Read& read) {
  return Call2(c, name, kReadable, [&](FmuHandle&, ContactInstance& instance) {
    RequireArray(vr, nvr, "vr");
    RequireArray(value, nvr, "value");
    for (std::size_t i = 0; i < nvr; ++i) value[i] = read(instance, vr[i]);
  });
}

fmi2Status RefuseAll(fmi2Component c, const char* name, References vr, std::size_t nvr,
                     const FmuType* type) {
  return Call2(c, name, kBeforeRun | kRunning, [&](FmuHandle&, ContactInstance& instance) {
    RequireArray(vr, nvr, "vr");
    if (nvr == 0) return;
    if (type == nullptr) throw WrongCall("there are no variables of that type");
    instance.RefuseToSet(vr[0], *type);
  });
}

}  // namespace

VOLCONTACT_FMI_FUNCTION const char* fmi2GetTypesPlatform() { return "default"; }

VOLCONTACT_FMI_FUNCTION const char* fmi2GetVersion() { return "2.0"; }

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean logging,
                                                       std::size_t count,
                                                       const fmi2String* categories) {
  return Call2(c, "fmi2SetDebugLogging", volcontact::fmi::kAnyMode,
               [&](FmuHandle& handle, ContactInstance&) {
                 RequireArray(categories, count, "categories");
                 handle.logging = logging != 0;
               });
}

VOLCONTACT_FMI_FUNCTION fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type,
                                                      fmi2String guid, fmi2String resources,
                                                      const fmi2CallbackFunctions* functions,
                                                      fmi2Boolean, fmi2Boolean logging) {
  try {
    auto handle = std::make_unique<FmuHandle>();
    FmuHandle* const raw = handle.get();
    handle->name = name == nullptr ? "" : name;
    handle->logging = logging != 0;
    if (functions == nullptr) return nullptr;
    if (functions->logger != nullptr) {
      handle->log = [raw, logger = functions->logger, env = functions->componentEnvironment](
                        FmuStatus status, const char* category, const std::string& message) {
        logger(env, raw->name.c_str(), static_cast<fmi2Status>(status), category,
               AsFormat(message).c_str());
      };
    }
    if (type != fmi2ModelExchange) {
      raw->Tell(volcontact::fmi::kError, "fmi2Instantiate: this FMU is for model exchange only");
      return nullptr;
    }
    if (resources == nullptr) {
      raw->Tell(volcontact::fmi::kError, "fmi2Instantiate: fmuResourceLocation is a null pointer");
      return nullptr;
    }
    return MakeHandle(std::move(handle), PathOf(resources), guid);
  } catch (...) {  // no memory
    return nullptr;
  }
}

VOLCONTACT_FMI_FUNCTION void fmi2FreeInstance(fmi2Component c) { volcontact::fmi::FreeHandle(c); }

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real,
                                                       fmi2Real start, fmi2Boolean, fmi2Real) {
  return Call2(c, "fmi2SetupExperiment", volcontact::fmi::kInstantiated,
               [&](FmuHandle&, ContactInstance& instance) { instance.SetTime(start); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return Call2(
      c, "fmi2EnterInitializationMode", volcontact::fmi::kInstantiated,
      [](FmuHandle&, ContactInstance& instance) { instance.Start(instance.snapshot().time); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return Call2(c, "fmi2ExitInitializationMode", volcontact::fmi::kInitialization,
               [](FmuHandle&, ContactInstance& instance) { instance.FinishInitialization(); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2Terminate(fmi2Component c) {
  return Call2(c, "fmi2Terminate", kRunning, [](FmuHandle&, ContactInstance& instance) {
    instance.SetMode(volcontact::fmi::kTerminated);
  });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2Reset(fmi2Component c) {
  return Call2(c, "fmi2Reset", volcontact::fmi::kAnyMode,
               [](FmuHandle&, ContactInstance& instance) { instance.Reset(); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetReal(fmi2Component c, References vr, std::size_t nvr,
                                               fmi2Real* value) {
  return GetAll(c, "fmi2GetReal", vr, nvr, value,
                [](ContactInstance& instance, unsigned r) { return instance.Real(r); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetInteger(fmi2Component c, References vr, std::size_t nvr,
                                                  fmi2Integer* value) {
  return GetAll(c, "fmi2GetInteger", vr, nvr, value,
                [](ContactInstance& instance, unsigned r) { return instance.Integer(r); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetBoolean(fmi2Component c, References vr, std::size_t nvr,
                                                  fmi2Boolean* value) {
  return GetAll(c, "fmi2GetBoolean", vr, nvr, value,
                [](ContactInstance& instance, unsigned r) { return instance.Boolean(r) ? 1 : 0; });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetString(fmi2Component c, References vr, std::size_t nvr,
                                                 fmi2String*) {
  return Call2(c, "fmi2GetString", kReadable, [&](FmuHandle&, ContactInstance&) {
    RequireArray(vr, nvr, "vr");
    if (nvr > 0) throw WrongCall("there are no variables of that type");
  });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetReal(fmi2Component c, References vr, std::size_t nvr,
                                               const fmi2Real* value) {
  return Call2(c, "fmi2SetReal", kBeforeRun | kRunning, [&](FmuHandle&, ContactInstance& instance) {
    RequireArray(vr, nvr, "vr");
    RequireArray(value, nvr, "value");
    for (std::size_t i = 0; i < nvr; ++i) instance.SetReal(vr[i], value[i]);
  });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetInteger(fmi2Component c, References vr, std::size_t nvr,
                                                  const fmi2Integer*) {
  constexpr FmuType kType = FmuType::kInteger;
  return RefuseAll(c, "fmi2SetInteger", vr, nvr, &kType);
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetBoolean(fmi2Component c, References vr, std::size_t nvr,
                                                  const fmi2Boolean*) {
  constexpr FmuType kType = FmuType::kBoolean;
  return RefuseAll(c, "fmi2SetBoolean", vr, nvr, &kType);
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetString(fmi2Component c, References vr, std::size_t nvr,
                                                 const fmi2String*) {
  return RefuseAll(c, "fmi2SetString", vr, nvr, nullptr);
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return Call2(c, "fmi2GetFMUstate", volcontact::fmi::kAnyMode,
               [&](FmuHandle& handle, ContactInstance& instance) {
                 TakeSnapshot(handle, instance.snapshot(), state);
               });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return Call2(c, "fmi2SetFMUstate", volcontact::fmi::kAnyMode,
               [&](FmuHandle& handle, ContactInstance& instance) {
                 instance.Restore(SnapshotAt(handle, state));
               });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return Call2(c, "fmi2FreeFMUstate", volcontact::fmi::kAnyMode,
               [&](FmuHandle& handle, ContactInstance&) { FreeSnapshot(handle, state); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state,
                                                              std::size_t* size) {
  return Call2(c, "fmi2SerializedFMUstateSize", volcontact::fmi::kAnyMode,
               [&](FmuHandle& handle, ContactInstance&) {
                 RequireArray(size, 1, "size");
                 *size = SizeOf(SnapshotAt(handle, state));
               });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state,
                                                         fmi2Byte* bytes, std::size_t size) {
  return Call2(c, "fmi2SerializeFMUstate", volcontact::fmi::kAnyMode,
               [&](FmuHandle& handle, ContactInstance&) {
                 Serialize(SnapshotAt(handle, state), bytes, size);
               });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte* bytes,
                                                           std::size_t size, fmi2FMUstate* state) {
  return Call2(c, "fmi2DeSerializeFMUstate", volcontact::fmi::kAnyMode,
               [&](FmuHandle& handle, ContactInstance& instance) {
                 TakeSnapshot(handle, volcontact::fmi::Deserialize(bytes, size, instance), state);
               });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetDirectionalDerivative(
    fmi2Component c, References unknowns, std::size_t num_unknowns, References knowns,
    std::size_t num_knowns, const fmi2Real* seed, fmi2Real* sensitivity) {
  return Call2(c, "fmi2GetDirectionalDerivative", kReadable,
               [&](FmuHandle&, ContactInstance& instance) {
                 RequireArray(unknowns, num_unknowns, "vUnknown_ref");
                 RequireArray(knowns, num_knowns, "vKnown_ref");
                 RequireArray(seed, num_knowns, "dvKnown");
                 RequireArray(sensitivity, num_unknowns, "dvUnknown");
                 const std::vector<double> values = instance.Derivative(
                     {unknowns, unknowns + num_unknowns}, {knowns, knowns + num_knowns}, seed);
                 std::copy(values.begin(), values.end(), sensitivity);
               });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return Call2(c, "fmi2EnterEventMode", kRunning, [](FmuHandle&, ContactInstance& instance) {
    instance.SetMode(volcontact::fmi::kEventMode);
  });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  return Call2(c, "fmi2NewDiscreteStates", volcontact::fmi::kEventMode,
               [&](FmuHandle& handle, ContactInstance& instance) {
                 RequireArray(info, 1, "eventInfo");
                 const FmuUpdate update = instance.UpdateDiscrete();
                 if (!update.event.empty()) handle.Tell(volcontact::fmi::kOk, update.event);
                 *info = {0, 0,  update.nominals_changed ? 1 : 0, update.states_changed ? 1 : 0,
                          0, 0.0};
               });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return Call2(c, "fmi2EnterContinuousTimeMode", volcontact::fmi::kEventMode,
               [](FmuHandle&, ContactInstance& instance) {
                 instance.SetMode(volcontact::fmi::kContinuousTime);
               });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean,
                                                               fmi2Boolean* enter_event_mode,
                                                               fmi2Boolean* terminate) {
  return Call2(c, "fmi2CompletedIntegratorStep", volcontact::fmi::kContinuousTime,
               [&](FmuHandle&, ContactInstance& instance) {
                 RequireArray(enter_event_mode, 1, "enterEventMode");
                 RequireArray(terminate, 1, "terminateSimulation");
                 *enter_event_mode = instance.CompleteStep() ? 1 : 0;
                 *terminate = 0;
               });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  return Call2(c, "fmi2SetTime", kRunning,
               [&](FmuHandle&, ContactInstance& instance) { instance.SetTime(time); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real* x,
                                                           std::size_t nx) {
  return Call2(c, "fmi2SetContinuousStates", kRunning, [&](FmuHandle&, ContactInstance& instance) {
    RequireCount(nx, instance.num_states(), "nx");
    RequireArray(x, nx, "x");
    instance.SetStates(x);
  });
}

namespace {

// Of all states, or of the indicator.
template <class Read>
fmi2Status GetVector(fmi2Component c, const char* name, fmi2Real* x, std::size_t nx,
                     const Read& read) {
  return Call2(c, name, kReadable, [&](FmuHandle&, ContactInstance& instance) {
    const std::vector<double> values = read(instance);
    RequireCount(nx, values.size(), "the number of values");
    RequireArray(x, nx, "the array of values");
    std::copy(values.begin(), values.end(), x);
  });
}

}  // namespace

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real* x,
                                                      std::size_t nx) {
  return GetVector(c, "fmi2GetDerivatives", x, nx,
                   [](ContactInstance& instance) { return instance.Rates(); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real* x,
                                                          std::size_t nx) {
  return GetVector(c, "fmi2GetEventIndicators", x, nx, [](ContactInstance& instance) {
    return std::vector<double>{instance.Indicator()};
  });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real* x,
                                                           std::size_t nx) {
  return GetVector(c, "fmi2GetContinuousStates", x, nx,
                   [](ContactInstance& instance) { return instance.States(); });
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real* x,
                                                                     std::size_t nx) {
  return GetVector(c, "fmi2GetNominalsOfContinuousStates", x, nx,
                   [](ContactInstance& instance) { return instance.Nominals(); });
}
