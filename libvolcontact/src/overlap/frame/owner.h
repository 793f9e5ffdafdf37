// Whose boundary a surface of the overlap belongs to.
#pragma once

#include <cstdint>

namespace volcontact {

/// The body, A or B, whose boundary a surface is part of; coincident surfaces are part of both, and
/// a cut through a solid of neither. The values are the bits "of A" and "of B".
enum class Owner : std::uint8_t { kNone = 0, kA = 1, kB = 2, kBoth = 3 };

constexpr bool BelongsToA(Owner owner) { return owner == Owner::kA || owner == Owner::kBoth; }
constexpr bool BelongsToB(Owner owner) { return owner == Owner::kB || owner == Owner::kBoth; }

/// The owner of a surface that belongs to what both owners do.
constexpr Owner Both(Owner first, Owner second) {
  return static_cast<Owner>(static_cast<int>(first) | static_cast<int>(second));
}

/// The owner when A and B change names.
constexpr Owner Swapped(Owner owner) {
  if (owner == Owner::kA) return Owner::kB;
  return owner == Owner::kB ? Owner::kA : owner;
}

/// B's share of a surface's area: one common to both counts half, the mean of the one-sided
/// derivatives of the volume.
constexpr double ShareOfB(Owner owner) {
  if (owner == Owner::kBoth) return 0.5;
  return owner == Owner::kB ? 1.0 : 0.0;
}

}  // namespace volcontact
