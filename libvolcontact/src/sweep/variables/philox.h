// Random numbers by counting: no state, so that any row can be drawn before any other.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// The bijection Philox4x32-10 of a counter under a key (Salmon, Moraes, Dror and Shaw 2011,
/// "Parallel random numbers: as easy as 1, 2, 3"): 128 bits that pass for random ones. Exported for
/// its test.
VOLCONTACT_EXPORT std::array<std::uint32_t, 4> Philox(const std::array<std::uint32_t, 4>& counter,
                                                      const std::array<std::uint32_t, 2>& key);

/// A stream of random bits for each name: 64 for each row and place of it, which depend on nothing
/// else but the seed. A value.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name);

  std::uint64_t Bits(std::uint64_t row, std::uint32_t place) const;
  /// Whether two names are the same to the generator, which one pair in four thousand millions is.
  bool IsThatOf(const RandomStream& other) const { return name_ == other.name_; }

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint32_t name_;
};

/// The multiple of 2^-53 in [0, 1) that the upper 53 bits make.
double UnitInterval(std::uint64_t bits);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
