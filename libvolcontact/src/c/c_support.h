// What the functions of the C interface share: handles, errors, structures that may grow.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "volcontact/c_api.h"
#include "volcontact/math/error.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/options.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/solid.h"

struct vc_solid {
  volcontact::Solid solid;
};
struct vc_pair {
  volcontact::PreparedPair pair;
};

namespace volcontact::c {

/// The message of this thread's last failure, and its status for the caller to return.
vc_status Failed(vc_status status, const char* message) noexcept;
const char* LastError() noexcept;
void ClearError() noexcept;

/// Runs a call, and turns what it throws into a status with a message.
template <class Call>
vc_status Guarded(const Call& call) noexcept {
  try {
    ClearError();
    return call();
  } catch (const InvalidInput& error) {
    return Failed(VC_INVALID_INPUT, error.what());
  } catch (const std::bad_alloc&) {
    return Failed(VC_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return Failed(VC_INTERNAL_ERROR, error.what());
  } catch (...) {
    return Failed(VC_INTERNAL_ERROR, "unknown error");
  }
}

/// What a pointer points to; throws InvalidInput when it is null.
template <class T>
T& Required(T* pointer, const char* name) {
  if (pointer != nullptr) return *pointer;
  throw InvalidInput(std::string(name) + " is a null pointer");
}

/// Runs a call that makes an object, and hands that out; NULL when it fails.
template <class T, class Make>
vc_status Created(T** out, const char* name, const Make& make) noexcept {
  return Guarded([&] {
    T*& result = Required(out, name);
    result = nullptr;
    result = std::make_unique<T>(T{make()}).release();
    return VC_OK;
  });
}

/// The size that the caller's structure says it has. Throws InvalidInput if it is smaller than
/// `least`, which is the size of the structure's first release.
std::size_t CheckedSize(std::size_t struct_size, std::size_t least, const char* name);

/// Throws InvalidInput unless all bytes are zero: fields of a newer caller, which this library does
/// not know and must not pass over when they are set.
void RequireZero(const unsigned char* begin, const unsigned char* end, const char* name);

/// A structure as the caller gave it; fields that the caller does not know of are those of
/// `defaults`.
template <class T>
T Given(const T* given, const char* name, const T& defaults = {}) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::size_t size = CheckedSize(Required(given, name).struct_size, sizeof(T), name);
  T result = defaults;
  std::memcpy(&result, given, std::min(size, sizeof(T)));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  if (size > sizeof(T)) RequireZero(bytes + sizeof(T), bytes + size, name);
  return result;
}

/// Writes as much of a structure as the caller has room for; what the caller knows beyond it
/// becomes zero. `size` comes from CheckedSize.
template <class T>
void Answer(T value, std::size_t size, void* out) {
  static_assert(std::is_trivially_copyable_v<T>);
  value.struct_size = size;
  std::memcpy(out, &value, std::min(size, sizeof(T)));
  if (size > sizeof(T)) std::memset(static_cast<char*>(out) + sizeof(T), 0, size - sizeof(T));
}

template <class T>
std::size_t RoomFor(const T* out, const char* name) {
  return CheckedSize(Required(out, name).struct_size, sizeof(T), name);
}

inline Eigen::Vector3d ToVector(const double* v) { return {v[0], v[1], v[2]}; }
inline void Store(const Eigen::Vector3d& v, double* out) { std::copy_n(v.data(), 3, out); }
void Store(const Eigen::Matrix3d& m, double* out);  // by rows

/// Throws InvalidInput that names the pose.
Pose ToPose(const vc_pose& pose, const std::string& name);
Pose ToPose(const vc_pose* pose, const char* name);

/// NULL stands for the defaults.
QueryOptions ToOptions(const vc_options* options);
/// The number of a method in the C interface.
int MethodNumber(Method method);

/// What the structures of an overlap and of a solid's mass have in common.
template <class CStruct>
void StoreVolume(const VolumeMetrics& from, CStruct* to) {
  to->converged = from.converged;
  to->method = MethodNumber(from.method);
  to->volume = from.volume;
  to->volume_error = from.volume_error;
  const std::array<double, 2> bounds =
      from.volume_bounds.value_or(std::array{0.0, std::numeric_limits<double>::infinity()});
  std::copy(bounds.begin(), bounds.end(), to->volume_bounds);
  Store(from.centroid_W, to->centroid);
  Store(from.inertia_W, to->inertia);
}

}  // namespace volcontact::c
