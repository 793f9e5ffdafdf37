#include "sweep/variables/philox.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr int kRounds = 10;
constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

std::uint32_t Low(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }
std::uint32_t High(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); }

// FNV-1a: equal names have equal streams, whatever other variables there are.
std::uint32_t HashOf(std::string_view name) {
  std::uint32_t hash = 0x811C9DC5;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  return hash;
}

}  // namespace

std::array<std::uint32_t, 4> Philox(const std::array<std::uint32_t, 4>& counter,
                                    const std::array<std::uint32_t, 2>& key) {
  auto [c0, c1, c2, c3] = counter;
  auto [k0, k1] = key;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t product0 = kMultiplier0 * c0, product1 = kMultiplier1 * c2;
    c0 = High(product1) ^ c1 ^ k0;
    c1 = Low(product1);
    c2 = High(product0) ^ c3 ^ k1;
    c3 = Low(product0);
    k0 += kWeyl0;
    k1 += kWeyl1;
  }
  return {c0, c1, c2, c3};
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view name)
    : key_{Low(seed), High(seed)}, name_(HashOf(name)) {}

std::uint64_t RandomStream::Bits(std::uint64_t row, std::uint32_t place) const {
  const auto words = Philox({Low(row), High(row), name_, place}, key_);
  return (std::uint64_t{words[1]} << 32) | words[0];
}

double UnitInterval(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
