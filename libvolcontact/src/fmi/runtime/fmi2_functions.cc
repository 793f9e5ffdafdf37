// The functions of FMI 2.0 that all FMUs have.
#include <optional>
#include <string>

#include "fmi/runtime/fmi2_interface.h"
#include "fmi/runtime/fmu_calls.h"

namespace {

namespace fmi = volcontact::fmi;

using fmi::FmuHandle;
using fmi::FmuInstance;
using fmi::FmuStatus;
using fmi::FmuType;
using References = const fmi2ValueReference*;

fmi2Status As2(FmuStatus status) { return static_cast<fmi2Status>(status); }

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

}  // namespace

VOLCONTACT_FMI_FUNCTION const char* fmi2GetTypesPlatform() { return "default"; }

VOLCONTACT_FMI_FUNCTION const char* fmi2GetVersion() { return "2.0"; }

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean logging,
                                                       std::size_t count,
                                                       const fmi2String* categories) {
  return As2(fmi::SetLogging(c, "fmi2SetDebugLogging", logging != 0, categories, count));
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
    if (type != fmi::KindOfTwo()) {
      raw->Tell(fmi::kError,
                std::string("fmi2Instantiate: this FMU is for ") + fmi::KindName() + " only");
      return nullptr;
    }
    if (resources == nullptr) {
      raw->Tell(fmi::kError, "fmi2Instantiate: fmuResourceLocation is a null pointer");
      return nullptr;
    }
    return MakeHandle(std::move(handle), PathOf(resources), guid);
  } catch (...) {  // no memory
    return nullptr;
  }
}

VOLCONTACT_FMI_FUNCTION void fmi2FreeInstance(fmi2Component c) { fmi::FreeHandle(c); }

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real,
                                                       fmi2Real start, fmi2Boolean stops,
                                                       fmi2Real stop) {
  return As2(fmi::CallFmu(
      c, "fmi2SetupExperiment", fmi::kInstantiated, [&](FmuHandle&, FmuInstance& instance) {
        instance.SetExperiment(start, stops != 0 ? std::optional(stop) : std::nullopt);
      }));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return As2(fmi::EnterInitialization(c, "fmi2EnterInitializationMode"));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return As2(fmi::ExitInitialization(c, "fmi2ExitInitializationMode"));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2Terminate(fmi2Component c) {
  return As2(fmi::TerminateRun(c, "fmi2Terminate"));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2Reset(fmi2Component c) {
  return As2(fmi::ResetInstance(c, "fmi2Reset"));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetReal(fmi2Component c, References vr, std::size_t nvr,
                                               fmi2Real* value) {
  return As2(fmi::GetValues(c, "fmi2GetReal", fmi::kReadable, vr, nvr, value,
                            [](FmuInstance& instance, unsigned r) { return instance.Real(r); }));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetInteger(fmi2Component c, References vr, std::size_t nvr,
                                                  fmi2Integer* value) {
  return As2(fmi::GetValues(c, "fmi2GetInteger", fmi::kReadable, vr, nvr, value,
                            [](FmuInstance& instance, unsigned r) { return instance.Integer(r); }));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetBoolean(fmi2Component c, References vr, std::size_t nvr,
                                                  fmi2Boolean* value) {
  return As2(fmi::GetValues(c, "fmi2GetBoolean", fmi::kReadable, vr, nvr, value,
                            [](FmuInstance& instance, unsigned r) { return instance.Boolean(r); }));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetString(fmi2Component c, References vr, std::size_t nvr,
                                                 fmi2String*) {
  return As2(fmi::CallFmu(c, "fmi2GetString", fmi::kReadable, [&](FmuHandle&, FmuInstance&) {
    fmi::RequireArray(vr, nvr, "the array of value references");
    if (nvr > 0) throw fmi::WrongCall("there are no variables of that type");
  }));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetReal(fmi2Component c, References vr, std::size_t nvr,
                                               const fmi2Real* value) {
  return As2(fmi::SetReals(c, "fmi2SetReal", vr, nvr, value));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetInteger(fmi2Component c, References vr, std::size_t nvr,
                                                  const fmi2Integer*) {
  constexpr FmuType kType = FmuType::kInteger;
  return As2(fmi::RefuseValues(c, "fmi2SetInteger", vr, nvr, &kType));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetBoolean(fmi2Component c, References vr, std::size_t nvr,
                                                  const fmi2Boolean*) {
  constexpr FmuType kType = FmuType::kBoolean;
  return As2(fmi::RefuseValues(c, "fmi2SetBoolean", vr, nvr, &kType));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetString(fmi2Component c, References vr, std::size_t nvr,
                                                 const fmi2String*) {
  return As2(fmi::RefuseValues(c, "fmi2SetString", vr, nvr, nullptr));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return As2(fmi::GetState(c, "fmi2GetFMUstate", state));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return As2(fmi::SetState(c, "fmi2SetFMUstate", state));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return As2(fmi::FreeState(c, "fmi2FreeFMUstate", state));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state,
                                                              std::size_t* size) {
  return As2(fmi::GetStateSize(c, "fmi2SerializedFMUstateSize", state, size));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state,
                                                         fmi2Byte* bytes, std::size_t size) {
  return As2(fmi::SerializeState(c, "fmi2SerializeFMUstate", state, bytes, size));
}

VOLCONTACT_FMI_FUNCTION fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte* bytes,
                                                           std::size_t size, fmi2FMUstate* state) {
  return As2(fmi::DeserializeState(c, "fmi2DeSerializeFMUstate", bytes, size, state));
}
