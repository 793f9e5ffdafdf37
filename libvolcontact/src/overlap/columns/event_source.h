// Causes of changes in the structure of columns along a slice.
#pragma once

#include <cstdint>

namespace volcontact {

/// A possible cause for the structure of columns to change along a slice: surface i turning over
/// (silhouette), surface i being a wall along the columns, surfaces i and j crossing.
struct EventSource {
  enum class Kind : std::uint8_t { kSilhouette, kWall, kPair };
  Kind kind;
  int i, j;

  bool operator==(const EventSource&) const = default;
};

}  // namespace volcontact
