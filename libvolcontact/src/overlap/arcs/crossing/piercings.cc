#include "overlap/arcs/crossing/piercings.h"

#include <algorithm>
#include <utility>

namespace volcontact {
namespace {

std::pair<int, int> KeyOf(const Piercing& piercing) { return {piercing.first, piercing.second}; }

struct ByKey {
  bool operator()(const Piercing& one, const Piercing& other) const {
    return KeyOf(one) < KeyOf(other);
  }
  bool operator()(const Piercing& one, const std::pair<int, int>& key) const {
    return KeyOf(one) < key;
  }
  bool operator()(const std::pair<int, int>& key, const Piercing& one) const {
    return key < KeyOf(one);
  }
};

}  // namespace

void Piercings::Add(Piercing piercing) {
  if (piercing.first > piercing.second) std::swap(piercing.first, piercing.second);
  all_.push_back(piercing);
}

void Piercings::Sort() { std::sort(all_.begin(), all_.end(), ByKey()); }

std::span<const Piercing> Piercings::Of(int first, int second) const {
  const auto [from, to] =
      std::equal_range(all_.begin(), all_.end(), std::pair(first, second), ByKey());
  return {from, to};
}

}  // namespace volcontact
