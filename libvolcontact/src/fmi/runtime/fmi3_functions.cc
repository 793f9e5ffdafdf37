// The functions of FMI 3.0 that all FMUs have, but for those that say what there is not.
#include <optional>

#include "fmi/runtime/fmi3_interface.h"
#include "fmi/runtime/fmu_calls.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

fmi3Instance InstantiateThree(const char* function, fmi3String name, fmi3String token,
                              fmi3String resources, bool logging,
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
      handle->Tell(kError, std::string(function) + ": resourcePath is a null pointer");
      return nullptr;
    }
    return MakeHandle(std::move(handle), resources, token);
  } catch (...) {  // no memory
    return nullptr;
  }
}

fmi3Instance RefuseThree(const std::string& reason, bool logging,
                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  if (log != nullptr && logging) log(environment, fmi3Error, kLogError, reason.c_str());
  return nullptr;
}

fmi3Status AbsentThree(fmi3Instance c, const char* name, const std::string& reason,
                       std::size_t count) {
  return static_cast<fmi3Status>(CallFmu(c, name, kAnyMode, [&](FmuHandle&, FmuInstance&) {
    if (count > 0) throw WrongCall(reason);
  }));
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END

namespace {

namespace fmi = volcontact::fmi;

using fmi::FmuHandle;
using fmi::FmuInstance;
using References3 = const fmi3ValueReference*;

fmi::FmuStatus WrongCount3(fmi3Instance c, const char* name, std::size_t count, std::size_t nvr) {
  return fmi::CallFmu(c, name, fmi::kAnyMode,
                      [&](FmuHandle&, FmuInstance&) { fmi::RequireCount(count, nvr, "nValues"); });
}

// Values of variables, in the state Instantiated those of the start.
template <class Value, class Read>
fmi::FmuStatus GetAll3(fmi3Instance c, const char* name, References3 vr, std::size_t nvr,
                       Value* values, std::size_t count, const Read& read) {
  if (count != nvr) return WrongCount3(c, name, count, nvr);
  return fmi::GetValues(c, name, fmi::kReadable | fmi::kInstantiated, vr, nvr, values, read);
}

fmi::FmuStatus SetAll3(fmi3Instance c, const char* name, References3 vr, std::size_t nvr,
                       const fmi3Float64* values, std::size_t count) {
  if (count != nvr) return WrongCount3(c, name, count, nvr);
  return fmi::SetReals(c, name, vr, nvr, values);
}

}  // namespace

VOLCONTACT_FMI_FUNCTION const char* fmi3GetVersion() { return "3.0"; }

VOLCONTACT_FMI3(SetDebugLogging,
                (fmi3Instance c, fmi3Boolean logging, std::size_t count,
                 const fmi3String* categories),
                fmi::SetLogging, logging, categories, count)

VOLCONTACT_FMI_FUNCTION void fmi3FreeInstance(fmi3Instance c) { fmi::FreeHandle(c); }

VOLCONTACT_FMI3(EnterInitializationMode,
                (fmi3Instance c, fmi3Boolean, fmi3Float64, fmi3Float64 start, fmi3Boolean stops,
                 fmi3Float64 stop),
                fmi::CallFmu, fmi::kInstantiated, [&](FmuHandle&, FmuInstance& instance) {
                  instance.SetExperiment(start, stops ? std::optional(stop) : std::nullopt);
                  instance.SetMode(fmi::kInitialization);
                })

VOLCONTACT_FMI3(ExitInitializationMode, (fmi3Instance c), fmi::ExitInitialization)

VOLCONTACT_FMI3(Terminate, (fmi3Instance c), fmi::TerminateRun)

VOLCONTACT_FMI3(Reset, (fmi3Instance c), fmi::ResetInstance)

VOLCONTACT_FMI3(GetFloat64,
                (fmi3Instance c, References3 vr, std::size_t nvr, fmi3Float64* values,
                 std::size_t count),
                GetAll3, vr, nvr, values, count,
                [](FmuInstance& instance, std::uint32_t r) { return instance.Real(r); })

VOLCONTACT_FMI3(GetInt32,
                (fmi3Instance c, References3 vr, std::size_t nvr, fmi3Int32* values,
                 std::size_t count),
                GetAll3, vr, nvr, values, count,
                [](FmuInstance& instance, std::uint32_t r) { return instance.Integer(r); })

VOLCONTACT_FMI3(GetBoolean,
                (fmi3Instance c, References3 vr, std::size_t nvr, fmi3Boolean* values,
                 std::size_t count),
                GetAll3, vr, nvr, values, count,
                [](FmuInstance& instance, std::uint32_t r) { return instance.Boolean(r); })

VOLCONTACT_FMI3(SetFloat64,
                (fmi3Instance c, References3 vr, std::size_t nvr, const fmi3Float64* values,
                 std::size_t count),
                SetAll3, vr, nvr, values, count)

VOLCONTACT_FMI3(SetInt32,
                (fmi3Instance c, References3 vr, std::size_t nvr, const fmi3Int32*, std::size_t),
                fmi::RefuseValues, vr, nvr, fmi::FmuType::kInteger)

VOLCONTACT_FMI3(SetBoolean,
                (fmi3Instance c, References3 vr, std::size_t nvr, const fmi3Boolean*, std::size_t),
                fmi::RefuseValues, vr, nvr, fmi::FmuType::kBoolean)

VOLCONTACT_FMI3(GetFMUState, (fmi3Instance c, fmi3FMUState* state), fmi::GetState, state)

VOLCONTACT_FMI3(SetFMUState, (fmi3Instance c, fmi3FMUState state), fmi::SetState, state)

VOLCONTACT_FMI3(FreeFMUState, (fmi3Instance c, fmi3FMUState* state), fmi::FreeState, state)

VOLCONTACT_FMI3(SerializedFMUStateSize, (fmi3Instance c, fmi3FMUState state, std::size_t* size),
                fmi::GetStateSize, state, size)

VOLCONTACT_FMI3(SerializeFMUState,
                (fmi3Instance c, fmi3FMUState state, fmi3Byte* bytes, std::size_t size),
                fmi::SerializeState, state, bytes, size)

VOLCONTACT_FMI3(DeserializeFMUState,
                (fmi3Instance c, const fmi3Byte* bytes, std::size_t size, fmi3FMUState* state),
                fmi::DeserializeState, bytes, size, state)
