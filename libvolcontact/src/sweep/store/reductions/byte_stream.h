// Numbers and texts as bytes, for the files of chunks: little-endian, without padding.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

static_assert(std::endian::native == std::endian::little,
              "chunks are written as they stand in memory");

/// Thrown for bytes that are no chunk, or not the one that is looked for.
class DamagedChunk : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ByteWriter {
 public:
  template <class T>
  void Put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    PutArray(&value, 1);
  }
  template <class T>
  void PutArray(const T* values, std::size_t count) {
    bytes_.append(reinterpret_cast<const char*>(values), count * sizeof(T));
  }
  void PutText(std::string_view text) {
    Put<std::uint64_t>(text.size());
    bytes_.append(text);
  }
  const std::string& bytes() const { return bytes_; }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what a ByteWriter wrote; refers to the bytes. Throws DamagedChunk where they end too soon.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  T Get() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, Cut(1, sizeof(T)).data(), sizeof(T));
    return value;
  }
  template <class T>
  void GetArray(T* values, std::size_t count) {
    const std::string_view bytes = Cut(count, sizeof(T));
    if (count > 0) std::memcpy(values, bytes.data(), bytes.size());
  }
  std::string_view GetText() { return Cut(Get<std::uint64_t>(), 1); }
  /// The number of things of at least `size` bytes that follow.
  std::uint64_t GetCount(std::size_t size) {
    const auto count = Get<std::uint64_t>();
    if (count > left_.size() / size) throw DamagedChunk("it ends too soon");
    return count;
  }
  bool AtEnd() const { return left_.empty(); }

 private:
  std::string_view Cut(std::uint64_t count, std::size_t size) {
    if (count > left_.size() / size) throw DamagedChunk("it ends too soon");
    const std::string_view cut = left_.substr(0, count * size);
    left_.remove_prefix(cut.size());
    return cut;
  }

  std::string_view left_;
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
