// What the functions of both versions of the standard share: handles of instances, turning what
// goes wrong into a status and a logged message, and the functions that are alike but for names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "fmi/runtime/fmu_instance.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// As both versions of the standard number them.
enum FmuStatus { kOk = 0, kWarning, kDiscard, kError, kFatal };

inline constexpr char kLogEvents[] = "logEvents", kLogWarning[] = "logStatusWarning",
                      kLogDiscard[] = "logStatusDiscard", kLogError[] = "logStatusError";

using FmuLog =
    std::function<void(FmuStatus status, const char* category, const std::string& message)>;

/// A state of an instance that its importer holds a pointer to.
struct FmuHeldState {
  std::string bytes;
};

/// What an importer holds a pointer to.
struct FmuHandle {
  std::string name;  ///< outlives calls of the log
  FmuLog log;        ///< called where it is set
  bool logging = false;
  bool logs_errors = true;  ///< also without `logging`
  std::unique_ptr<FmuInstance> instance;
  std::set<FmuHeldState*> states;  ///< owned here

  FmuHandle() = default;
  FmuHandle(const FmuHandle&) = delete;
  FmuHandle& operator=(const FmuHandle&) = delete;
  ~FmuHandle();

  void Tell(FmuStatus status, const std::string& message) const;
};

/// Makes an instance and remembers it; null where that fails, with a message in the log.
FmuHandle* MakeHandle(std::unique_ptr<FmuHandle> handle, const std::filesystem::path& resources,
                      const char* token);

/// Null for what is not an instance, or no more.
FmuHandle* LiveHandle(void* component);
void FreeHandle(void* component);

/// What names the state of an instance in messages.
const char* ModeName(FmuMode mode);

/// Runs one function of the standard, allowed in these modes, on the kind of instance that the
/// library has.
template <class Instance = FmuInstance, class Function>
FmuStatus CallFmu(void* component, const char* name, unsigned modes,
                  const Function& body) noexcept {
  FmuHandle* const handle = LiveHandle(component);
  if (handle == nullptr) return kError;
  const auto fail = [&](FmuStatus status, const char* what) {
    try {
      handle->Tell(status, std::string(name) + ": " + what);
    } catch (...) {  // no memory for the message
    }
    return status;
  };
  try {
    auto& instance = static_cast<Instance&>(*handle->instance);
    if ((instance.mode() & modes) == 0) {
      throw WrongCall(std::string("it must not be called in ") + ModeName(instance.mode()));
    }
    body(*handle, instance);
    const std::string warning = instance.TakeWarning();
    return warning.empty() ? kOk : fail(kWarning, warning.c_str());
  } catch (const InvalidInput& error) {
    return fail(kDiscard, error.what());
  } catch (const std::exception& error) {
    return fail(kError, error.what());
  } catch (...) {
    return fail(kError, "an unknown error");
  }
}

/// Throws WrongCall where an array that should have items is null.
void RequireArray(const void* array, std::size_t count, const char* what);
/// Throws WrongCall unless two counts agree.
void RequireCount(std::size_t given, std::size_t expected, const char* what);

// The bodies of functions that both versions have, under the names that they have there. References
// and values are arrays of `count`.

FmuStatus SetLogging(void* c, const char* name, bool logging, const void* categories,
                     std::size_t count);
FmuStatus EnterInitialization(void* c, const char* name);
FmuStatus ExitInitialization(void* c, const char* name);
FmuStatus TerminateRun(void* c, const char* name);
FmuStatus ResetInstance(void* c, const char* name);

template <class Value, class Read>
FmuStatus GetValues(void* c, const char* name, unsigned modes, const std::uint32_t* references,
                    std::size_t count, Value* values, const Read& read) {
  return CallFmu(c, name, modes, [&](FmuHandle&, FmuInstance& instance) {
    RequireArray(references, count, "the array of value references");
    RequireArray(values, count, "the array of values");
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = static_cast<Value>(read(instance, references[i]));
    }
  });
}
FmuStatus SetReals(void* c, const char* name, const std::uint32_t* references, std::size_t count,
                   const double* values);
/// Refuses values of variables that nobody may set, and of a type that no variable has (none).
FmuStatus RefuseValues(void* c, const char* name, const std::uint32_t* references,
                       std::size_t count, std::optional<FmuType> type);

/// The states that an importer holds. `state` points at its pointer, or is it. What is not a state
/// of this instance is an error.
FmuStatus GetState(void* c, const char* name, void** state);
FmuStatus SetState(void* c, const char* name, void* state);
FmuStatus FreeState(void* c, const char* name, void** state);
FmuStatus GetStateSize(void* c, const char* name, void* state, std::size_t* size);
FmuStatus SerializeState(void* c, const char* name, void* state, void* bytes, std::size_t size);
FmuStatus DeserializeState(void* c, const char* name, const void* bytes, std::size_t size,
                           void** state);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
