// What the functions of both versions of the standard share: handles of instances, and turning what
// goes wrong into a status and a logged message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "fmi/runtime/contact_instance.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// As both versions of the standard number them.
enum FmuStatus { kOk = 0, kWarning, kDiscard, kError, kFatal };

inline constexpr char kLogEvents[] = "logEvents", kLogWarning[] = "logStatusWarning",
                      kLogDiscard[] = "logStatusDiscard", kLogError[] = "logStatusError";

using FmuLog =
    std::function<void(FmuStatus status, const char* category, const std::string& message)>;

/// What an importer holds a pointer to.
struct FmuHandle {
  std::string name;  ///< outlives calls of the log
  FmuLog log;        ///< called where it is set
  bool logging = false;
  bool logs_errors = true;  ///< also without `logging`
  std::unique_ptr<ContactInstance> instance;
  std::set<FmuSnapshot*> snapshots;  ///< those that the importer holds, owned here

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

/// Runs one function of the standard, allowed in these modes.
template <class Function>
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
    ContactInstance& instance = *handle->instance;
    if ((instance.mode() & modes) == 0) {
      throw WrongCall(std::string("it must not be called in ") + ModeName(instance.mode()));
    }
    body(*handle, instance);
    if (instance.TakeConverged()) return kOk;
    return fail(kWarning, "the overlap was not computed to its tolerance");
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

/// The bytes of a snapshot, and back.
std::size_t SizeOf(const FmuSnapshot& snapshot);
void Serialize(const FmuSnapshot& snapshot, void* bytes, std::size_t size);
FmuSnapshot Deserialize(const void* bytes, std::size_t size, const ContactInstance& instance);

/// The snapshots that an importer holds. `state` points at its pointer, or is it. All throw
/// WrongCall for what is not a snapshot of this instance.
void TakeSnapshot(FmuHandle& handle, const FmuSnapshot& snapshot, void** state);
const FmuSnapshot& SnapshotAt(const FmuHandle& handle, void* state);
void FreeSnapshot(FmuHandle& handle, void** state);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
