#include "fmi/runtime/fmu_calls.h"

#include <fmt/format.h>

#include <cstring>
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
        "this FMU was made for processors with AVX2 and FMA, which this one is not; export it with "
        "a volcontact built with -DVOLCONTACT_ARCH=");
  }
#endif
}

}  // namespace

FmuHandle::~FmuHandle() {
  for (FmuSnapshot* const snapshot : snapshots) delete snapshot;
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
      throw InvalidInput("the name of the instance is empty");
    }
    if (token == nullptr) throw InvalidInput("no instantiation token (GUID) is given");
    handle->instance = std::make_unique<ContactInstance>(resources, token);
    FmuHandle* const made = handle.release();
    const std::unique_lock lock(Live().mutex);
    Live().all.insert(made);
    return made;
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

std::size_t SizeOf(const FmuSnapshot& snapshot) {
  return snapshot.Numbers().size() * sizeof(double);
}

void Serialize(const FmuSnapshot& snapshot, void* bytes, std::size_t size) {
  const std::vector<double> numbers = snapshot.Numbers();
  const std::size_t needed = numbers.size() * sizeof(double);
  RequireArray(bytes, size, "the serialized state");
  if (size < needed) throw WrongCall(fmt::format("{} bytes are too few for {}", size, needed));
  std::memcpy(bytes, numbers.data(), needed);
}

FmuSnapshot Deserialize(const void* bytes, std::size_t size, const ContactInstance& instance) {
  RequireArray(bytes, 1, "the serialized state");
  std::vector<double> numbers(size / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes, numbers.size() * sizeof(double));
  return FmuSnapshot::FromNumbers(numbers, instance.snapshot().parameters.size());
}

void TakeSnapshot(FmuHandle& handle, const FmuSnapshot& snapshot, void** state) {
  RequireArray(state, 1, "the pointer to the state");
  if (*state != nullptr) {
    if (handle.snapshots.count(static_cast<FmuSnapshot*>(*state)) == 0) {
      throw WrongCall("the state to be overwritten is not one of this instance; give null");
    }
    *static_cast<FmuSnapshot*>(*state) = snapshot;
    return;
  }
  auto copy = std::make_unique<FmuSnapshot>(snapshot);
  handle.snapshots.insert(copy.get());
  *state = copy.release();
}

const FmuSnapshot& SnapshotAt(const FmuHandle& handle, void* state) {
  auto* const snapshot = static_cast<FmuSnapshot*>(state);
  if (handle.snapshots.count(snapshot) == 0) {
    throw WrongCall("that is not a state that this instance has handed out");
  }
  return *snapshot;
}

void FreeSnapshot(FmuHandle& handle, void** state) {
  RequireArray(state, 1, "the pointer to the state");
  if (*state == nullptr) return;
  SnapshotAt(handle, *state);
  auto* const snapshot = static_cast<FmuSnapshot*>(*state);
  handle.snapshots.erase(snapshot);
  delete snapshot;
  *state = nullptr;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
