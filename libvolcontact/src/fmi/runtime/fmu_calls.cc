#include "fmi/runtime/fmu_calls.h"

#include <fmt/format.h>

#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <unordered_set>

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// Instances that live, so that a pointer that is none is an error and no crash. Never destroyed:
// importers may unload the library while threads of theirs end.
struct LiveInstances {
  std::shared_mutex mutex;
  std::unordered_set<const void*> all;
};

LiveInstances& Live() {
  static LiveInstances* const live = new LiveInstances();
  return *live;
}

// What this library was compiled for.
void RequireProcessor() {
#if defined(__x86_64__) && defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    throw InvalidInput(
        "this processor lacks AVX2 or FMA, which this FMU needs; export it with a volcontact built "
        "with -DVOLCONTACT_ARCH=");
  }
#endif
}

}  // namespace

FmuHandle::~FmuHandle() {
  for (FmuHeldState* const state : states) delete state;
}

void FmuHandle::Tell(FmuStatus status, const std::string& message) const {
  if (!log || !(logging || (logs_errors && status >= kWarning))) return;
  const char* const categories[] = {kLogEvents, kLogWarning, kLogDiscard, kLogError, kLogError};
  log(status, categories[status], message);
}

FmuHandle* MakeHandle(std::unique_ptr<FmuHandle> handle, const std::filesystem::path& resources,
                      const char* token) {
  try {
    RequireProcessor();
    if (handle->name.find_first_not_of(" \t\r\n") == std::string::npos) {
      throw InvalidInput("the name of the instance is empty; give one");
    }
    if (token == nullptr)
      throw InvalidInput(
          "the instantiation token (GUID) is missing; give that of modelDescription.xml");
    handle->instance = MakeInstance(resources, token);
    const std::unique_lock lock(Live().mutex);
    Live().all.insert(handle.get());
    return handle.release();
  } catch (const std::exception& error) {
    handle->Tell(kError, error.what());
  }
  return nullptr;
}

FmuHandle* LiveHandle(void* component) {
  const std::shared_lock lock(Live().mutex);
  return Live().all.count(component) > 0 ? static_cast<FmuHandle*>(component) : nullptr;
}

void FreeHandle(void* component) {
  {
    const std::unique_lock lock(Live().mutex);
    if (Live().all.erase(component) == 0) return;
  }
  delete static_cast<FmuHandle*>(component);
}

const char* ModeName(FmuMode mode) {
  switch (mode) {
    case kInstantiated:
      return "the state Instantiated";
    case kInitialization:
      return "Initialization Mode";
    case kEventMode:
      return "Event Mode";
    case kContinuousTime:
      return "Continuous-Time Mode";
    case kStepMode:
      return "Step Mode";
    case kFailed:
      return "the state after an error; reset it, or restore a state";
    default:
      return "the state Terminated";
  }
}

void RequireArray(const void* array, std::size_t count, const char* what) {
  if (count > 0 && array == nullptr) throw WrongCall(fmt::format("{} is a null pointer", what));
}

void RequireCount(std::size_t given, std::size_t expected, const char* what) {
  if (given == expected) return;
  throw WrongCall(fmt::format("{} is {} and not {}", what, given, expected));
}

FmuStatus SetLogging(void* c, const char* name, bool logging, const void* categories,
                     std::size_t count) {
  return CallFmu(c, name, kAnyMode, [&](FmuHandle& handle, FmuInstance&) {
    RequireArray(categories, count, "categories");
    handle.logging = logging;
  });
}

FmuStatus EnterInitialization(void* c, const char* name) {
  return CallFmu(c, name, kInstantiated,
                 [](FmuHandle&, FmuInstance& instance) { instance.SetMode(kInitialization); });
}

FmuStatus ExitInitialization(void* c, const char* name) {
  return CallFmu(c, name, kInitialization,
                 [](FmuHandle&, FmuInstance& instance) { instance.FinishInitialization(); });
}

FmuStatus TerminateRun(void* c, const char* name) {
  return CallFmu(c, name, kRunning,
                 [](FmuHandle&, FmuInstance& instance) { instance.SetMode(kTerminated); });
}

FmuStatus ResetInstance(void* c, const char* name) {
  return CallFmu(c, name, kAnyMode, [](FmuHandle&, FmuInstance& instance) { instance.Reset(); });
}

FmuStatus SetReals(void* c, const char* name, const std::uint32_t* references, std::size_t count,
                   const double* values) {
  return CallFmu(c, name, kBeforeRun | kRunning, [&](FmuHandle&, FmuInstance& instance) {
    RequireArray(references, count, "the array of value references");
    RequireArray(values, count, "the array of values");
    for (std::size_t i = 0; i < count; ++i) instance.SetReal(references[i], values[i]);
  });
}

FmuStatus RefuseValues(void* c, const char* name, const std::uint32_t* references,
                       std::size_t count, std::optional<FmuType> type) {
  return CallFmu(c, name, kBeforeRun | kRunning, [&](FmuHandle&, FmuInstance& instance) {
    RequireArray(references, count, "the array of value references");
    if (count == 0) return;
    if (!type) throw WrongCall("there are no variables of that type");
    instance.RefuseToSet(references[0], *type);
  });
}

namespace {

FmuHeldState& StateAt(const FmuHandle& handle, void* state) {
  auto* const held = static_cast<FmuHeldState*>(state);
  if (handle.states.count(held) == 0) {
    throw WrongCall("that is not a state that this instance has handed out");
  }
  return *held;
}

// Into the state that the importer's pointer points at, or a new one.
void Hold(FmuHandle& handle, std::string bytes, void** state) {
  RequireArray(state, 1, "the pointer to the state");
  if (*state != nullptr) {
    if (handle.states.count(static_cast<FmuHeldState*>(*state)) == 0) {
      throw WrongCall("the state to be overwritten is not one of this instance; give null");
    }
    static_cast<FmuHeldState*>(*state)->bytes = std::move(bytes);
    return;
  }
  auto held = std::make_unique<FmuHeldState>(FmuHeldState{std::move(bytes)});
  handle.states.insert(held.get());
  *state = held.release();
}

}  // namespace

FmuStatus GetState(void* c, const char* name, void** state) {
  return CallFmu(c, name, kAnyMode, [&](FmuHandle& handle, FmuInstance& instance) {
    Hold(handle, instance.Save(), state);
  });
}

FmuStatus SetState(void* c, const char* name, void* state) {
  return CallFmu(c, name, kAnyMode, [&](FmuHandle& handle, FmuInstance& instance) {
    instance.Load(StateAt(handle, state).bytes);
  });
}

FmuStatus FreeState(void* c, const char* name, void** state) {
  return CallFmu(c, name, kAnyMode, [&](FmuHandle& handle, FmuInstance&) {
    RequireArray(state, 1, "the pointer to the state");
    if (*state == nullptr) return;
    FmuHeldState* const held = &StateAt(handle, *state);
    handle.states.erase(held);
    delete held;
    *state = nullptr;
  });
}

FmuStatus GetStateSize(void* c, const char* name, void* state, std::size_t* size) {
  return CallFmu(c, name, kAnyMode, [&](FmuHandle& handle, FmuInstance&) {
    RequireArray(size, 1, "size");
    *size = StateAt(handle, state).bytes.size();
  });
}

FmuStatus SerializeState(void* c, const char* name, void* state, void* bytes, std::size_t size) {
  return CallFmu(c, name, kAnyMode, [&](FmuHandle& handle, FmuInstance&) {
    const std::string& saved = StateAt(handle, state).bytes;
    RequireArray(bytes, size, "the serialized state");
    if (size < saved.size()) {
      throw WrongCall(fmt::format("{} bytes are too few for {}", size, saved.size()));
    }
    std::memcpy(bytes, saved.data(), saved.size());
  });
}

FmuStatus DeserializeState(void* c, const char* name, const void* bytes, std::size_t size,
                           void** state) {
  return CallFmu(c, name, kAnyMode, [&](FmuHandle& handle, FmuInstance& instance) {
    RequireArray(bytes, 1, "the serialized state");
    std::string saved(static_cast<const char*>(bytes), size);
    instance.RequireSaved(saved);
    Hold(handle, std::move(saved), state);
  });
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
