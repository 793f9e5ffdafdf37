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

fmi3Status As3(fmi::FmuStatus status) { return static_cast<fmi3Status>(status); }

// Values of variables, in the state Instantiated those of the start.
template <class Value, class Read>
fmi3Status GetAll3(fmi3Instance c, const char* name, References3 vr, std::size_t nvr, Value* values,
                   std::size_t count, const Read& read) {
  if (count != nvr) {
    return As3(fmi::CallFmu(c, name, fmi::kAnyMode, [&](FmuHandle&, FmuInstance&) {
      fmi::RequireCount(count, nvr, "nValues");
    }));
  }
  return As3(fmi::GetValues(c, name, fmi::kReadable | fmi::kInstantiated, vr, nvr, values, read));
}

}  // namespace

VOLCONTACT_FMI_FUNCTION const char* fmi3GetVersion() { return "3.0"; }

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean logging,
                                                       std::size_t count,
                                                       const fmi3String* categories) {
  return As3(fmi::SetLogging(c, "fmi3SetDebugLogging", logging, categories, count));
}

VOLCONTACT_FMI_FUNCTION void fmi3FreeInstance(fmi3Instance c) { fmi::FreeHandle(c); }

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean,
                                                               fmi3Float64, fmi3Float64 start,
                                                               fmi3Boolean stops,
                                                               fmi3Float64 stop) {
  return As3(fmi::CallFmu(
      c, "fmi3EnterInitializationMode", fmi::kInstantiated, [&](FmuHandle&, FmuInstance& instance) {
        instance.SetExperiment(start, stops ? std::optional(stop) : std::nullopt);
        instance.SetMode(fmi::kInitialization);
      }));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
  return As3(fmi::ExitInitialization(c, "fmi3ExitInitializationMode"));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3Terminate(fmi3Instance c) {
  return As3(fmi::TerminateRun(c, "fmi3Terminate"));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3Reset(fmi3Instance c) {
  return As3(fmi::ResetInstance(c, "fmi3Reset"));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetFloat64(fmi3Instance c, References3 vr, std::size_t nvr,
                                                  fmi3Float64* values, std::size_t count) {
  return GetAll3(c, "fmi3GetFloat64", vr, nvr, values, count,
                 [](FmuInstance& instance, std::uint32_t r) { return instance.Real(r); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetInt32(fmi3Instance c, References3 vr, std::size_t nvr,
                                                fmi3Int32* values, std::size_t count) {
  return GetAll3(c, "fmi3GetInt32", vr, nvr, values, count,
                 [](FmuInstance& instance, std::uint32_t r) { return instance.Integer(r); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetBoolean(fmi3Instance c, References3 vr, std::size_t nvr,
                                                  fmi3Boolean* values, std::size_t count) {
  return GetAll3(c, "fmi3GetBoolean", vr, nvr, values, count,
                 [](FmuInstance& instance, std::uint32_t r) { return instance.Boolean(r); });
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetFloat64(fmi3Instance c, References3 vr, std::size_t nvr,
                                                  const fmi3Float64* values, std::size_t count) {
  if (count != nvr) {
    return As3(fmi::CallFmu(c, "fmi3SetFloat64", fmi::kAnyMode, [&](FmuHandle&, FmuInstance&) {
      fmi::RequireCount(count, nvr, "nValues");
    }));
  }
  return As3(fmi::SetReals(c, "fmi3SetFloat64", vr, nvr, values));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetInt32(fmi3Instance c, References3 vr, std::size_t nvr,
                                                const fmi3Int32*, std::size_t) {
  constexpr fmi::FmuType kType = fmi::FmuType::kInteger;
  return As3(fmi::RefuseValues(c, "fmi3SetInt32", vr, nvr, &kType));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetBoolean(fmi3Instance c, References3 vr, std::size_t nvr,
                                                  const fmi3Boolean*, std::size_t) {
  constexpr fmi::FmuType kType = fmi::FmuType::kBoolean;
  return As3(fmi::RefuseValues(c, "fmi3SetBoolean", vr, nvr, &kType));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* state) {
  return As3(fmi::GetState(c, "fmi3GetFMUState", state));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
  return As3(fmi::SetState(c, "fmi3SetFMUState", state));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* state) {
  return As3(fmi::FreeState(c, "fmi3FreeFMUState", state));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state,
                                                              std::size_t* size) {
  return As3(fmi::GetStateSize(c, "fmi3SerializedFMUStateSize", state, size));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state,
                                                         fmi3Byte* bytes, std::size_t size) {
  return As3(fmi::SerializeState(c, "fmi3SerializeFMUState", state, bytes, size));
}

VOLCONTACT_FMI_FUNCTION fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte* bytes,
                                                           std::size_t size, fmi3FMUState* state) {
  return As3(fmi::DeserializeState(c, "fmi3DeserializeFMUState", bytes, size, state));
}
