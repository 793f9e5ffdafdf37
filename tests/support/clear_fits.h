// Fits whose parts are clear of each other, with their distance known without the library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "volcontact/math/pose.h"
#include "volcontact/solids/solid.h"

namespace volcontact::testing {

struct ClearFit {
  std::string id, family;
  Solid A, B;
  Pose X_WA;               ///< B stands at the origin
  double clearance = 0.0;  ///< of the radius or thickness, when all is in the middle
  /// The distance [m], not less than the true one, and more by some 1e-9 of it: the least from
  /// points of B's faces, found by a grid and descent, to A, of which the distance of a point is a
  /// formula.
  double distance = 0.0;
};

/// So many of each family, those of one family one after the other: a shaft in a bore, through and
/// within, a ball in a socket, a cone in its seat, a ring in a groove, on a shaft and in a bore, a
/// ball in a race, a key, a dovetail, a stepped pin in its pocket, an ellipsoid in its mould; with
/// clearances of 1e-6 to 1e-1, shifted and tilted within them, all at a random pose.
std::vector<ClearFit> MakeClearFits(int of_each, std::uint32_t seed);

}  // namespace volcontact::testing
