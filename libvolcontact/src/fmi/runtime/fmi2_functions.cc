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
using References = const fmi2ValueReference*;

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

VOLCONTACT_FMI2(SetDebugLogging,
                (fmi2Component c, fmi2Boolean logging, std::size_t count,
                 const fmi2String* categories),
                fmi::SetLogging, logging != 0, categories, count)

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

VOLCONTACT_FMI2(SetupExperiment,
                (fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean stops,
                 fmi2Real stop),
                fmi::CallFmu, fmi::kInstantiated, [&](FmuHandle&, FmuInstance& instance) {
                  instance.SetExperiment(start, stops != 0 ? std::optional(stop) : std::nullopt);
                })

VOLCONTACT_FMI2(EnterInitializationMode, (fmi2Component c), fmi::EnterInitialization)

VOLCONTACT_FMI2(ExitInitializationMode, (fmi2Component c), fmi::ExitInitialization)

VOLCONTACT_FMI2(Terminate, (fmi2Component c), fmi::TerminateRun)

VOLCONTACT_FMI2(Reset, (fmi2Component c), fmi::ResetInstance)

VOLCONTACT_FMI2(GetReal, (fmi2Component c, References vr, std::size_t nvr, fmi2Real* value),
                fmi::GetValues, fmi::kReadable, vr, nvr, value,
                [](FmuInstance& instance, unsigned r) { return instance.Real(r); })

VOLCONTACT_FMI2(GetInteger, (fmi2Component c, References vr, std::size_t nvr, fmi2Integer* value),
                fmi::GetValues, fmi::kReadable, vr, nvr, value,
                [](FmuInstance& instance, unsigned r) { return instance.Integer(r); })

VOLCONTACT_FMI2(GetBoolean, (fmi2Component c, References vr, std::size_t nvr, fmi2Boolean* value),
                fmi::GetValues, fmi::kReadable, vr, nvr, value,
                [](FmuInstance& instance, unsigned r) { return instance.Boolean(r); })

VOLCONTACT_FMI2(GetString, (fmi2Component c, References vr, std::size_t nvr, fmi2String*),
                fmi::CallFmu, fmi::kReadable, [&](FmuHandle&, FmuInstance&) {
                  fmi::RequireArray(vr, nvr, "the array of value references");
                  if (nvr > 0) throw fmi::WrongCall("there are no variables of that type");
                })

VOLCONTACT_FMI2(SetReal, (fmi2Component c, References vr, std::size_t nvr, const fmi2Real* value),
                fmi::SetReals, vr, nvr, value)

VOLCONTACT_FMI2(SetInteger, (fmi2Component c, References vr, std::size_t nvr, const fmi2Integer*),
                fmi::RefuseValues, vr, nvr, fmi::FmuType::kInteger)

VOLCONTACT_FMI2(SetBoolean, (fmi2Component c, References vr, std::size_t nvr, const fmi2Boolean*),
                fmi::RefuseValues, vr, nvr, fmi::FmuType::kBoolean)

VOLCONTACT_FMI2(SetString, (fmi2Component c, References vr, std::size_t nvr, const fmi2String*),
                fmi::RefuseValues, vr, nvr, std::nullopt)

VOLCONTACT_FMI2(GetFMUstate, (fmi2Component c, fmi2FMUstate* state), fmi::GetState, state)

VOLCONTACT_FMI2(SetFMUstate, (fmi2Component c, fmi2FMUstate state), fmi::SetState, state)

VOLCONTACT_FMI2(FreeFMUstate, (fmi2Component c, fmi2FMUstate* state), fmi::FreeState, state)

VOLCONTACT_FMI2(SerializedFMUstateSize, (fmi2Component c, fmi2FMUstate state, std::size_t* size),
                fmi::GetStateSize, state, size)

VOLCONTACT_FMI2(SerializeFMUstate,
                (fmi2Component c, fmi2FMUstate state, fmi2Byte* bytes, std::size_t size),
                fmi::SerializeState, state, bytes, size)

VOLCONTACT_FMI2(DeSerializeFMUstate,
                (fmi2Component c, const fmi2Byte* bytes, std::size_t size, fmi2FMUstate* state),
                fmi::DeserializeState, bytes, size, state)
