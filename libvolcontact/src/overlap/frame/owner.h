// The body whose boundary a surface of the overlap belongs to.
#pragma once

#include <cstdint>

namespace volcontact {

/// The body, A or B, whose boundary may contain faces on a surface psi = 0, for each side on which
/// the region may be. Coincident surfaces are one surface here: it may bound A where the region is
/// below (psi < 0), and B where it is above. An example is the end of a peg at the height of a
/// step: the overlap's face there belongs to B alone. A cut through a solid belongs to neither. The
/// values are the bits "of A" and "of B" where the region is below, then the same where it is
/// above.
enum class Owner : std::uint8_t { kNone = 0, kA = 5, kB = 10, kBoth = 15 };

constexpr bool BelongsToA(Owner owner) { return (static_cast<int>(owner) & 5) != 0; }
constexpr bool BelongsToB(Owner owner) { return (static_cast<int>(owner) & 10) != 0; }
constexpr bool IsCommon(Owner owner) { return BelongsToA(owner) && BelongsToB(owner); }

/// The owner when A and B change names.
constexpr Owner Swapped(Owner owner) {
  const int bits = static_cast<int>(owner);
  return static_cast<Owner>((bits & 5) << 1 | (bits & 10) >> 1);
}

/// What is left where the body is never below, or never above.
constexpr Owner Facing(Owner owner, bool below, bool above) {
  return static_cast<Owner>(static_cast<int>(owner) & ((below ? 3 : 0) | (above ? 12 : 0)));
}

/// The owner of the surface with psi negated.
constexpr Owner Flipped(Owner owner) {
  const int bits = static_cast<int>(owner);
  return static_cast<Owner>((bits & 3) << 2 | bits >> 2);
}

/// The owner of two surfaces that are one.
constexpr Owner Joint(Owner first, Owner second) {
  return static_cast<Owner>(static_cast<int>(first) | static_cast<int>(second));
}

/// B's share of a surface's area where the region is below it, or above: what is common to both
/// counts half, the mean of the one-sided derivatives of the volume.
constexpr double ShareOfB(Owner owner, bool below) {
  const int bits = below ? static_cast<int>(owner) & 3 : static_cast<int>(owner) >> 2;
  if (bits == 3) return 0.5;
  return bits == 2 ? 1.0 : 0.0;
}

/// Whether the share is the same on both sides.
constexpr bool HasOneShare(Owner owner) { return ShareOfB(owner, true) == ShareOfB(owner, false); }

}  // namespace volcontact
