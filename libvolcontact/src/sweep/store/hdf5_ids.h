// The C library of HDF5 with identifiers that are closed, and errors that are thrown.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <mutex>
#include <utility>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// While it lives, this thread alone uses HDF5, which Debian does not make for several threads, and
/// HDF5 prints nothing.
class QuietHdf5 {
 public:
  QuietHdf5();
  ~QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Throws std::runtime_error with the file, what is wrong, and what HDF5 says of it.
[[noreturn]] void ThrowHdf5Error(const std::filesystem::path& file, const char* what);

/// An identifier, or the error that is there instead.
class H5Id {
 public:
  H5Id() = default;
  H5Id(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  H5Id(H5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  H5Id& operator=(H5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~H5Id() { Close(); }

  hid_t get() const { return id_; }
  bool ok() const { return id_ >= 0; }
  bool Close() {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
