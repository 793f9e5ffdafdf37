// A box around a region that may be unbounded.
#pragma once

#include <optional>

#include "overlap/frame/local_problem.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// A certified box (in the set's frame) that contains the whole region where the set's expression
/// holds, given that `hint` contains it (Aabb::Everything() when nothing is known). A bounded or
/// empty hint is returned as it is; an empty box means that the region has no interior. nullopt
/// when the region is unbounded, or cannot be shown to be bounded (one that only just closes at
/// infinity). The box is within a small factor of the tightest one.
///
/// Outside [-L, L]^3 space is six pyramids x = ±1/s, y = a/s, z = b/s, 0 < s < 1/L, |a|, |b| < 1
/// (and the like for y, z), where s^d psi is a polynomial in (s, a, b) that is defined at s = 0
/// too. Cells in (s, a, b) that reach s = 0 are split until the expression is certified false in
/// them; a cell clear of s = 0 bounds the points in it. Typically 0.1 ms, at most a few ms.
std::optional<Aabb> BoundRegion(const SurfaceSet& set, const Aabb& hint);

}  // namespace volcontact
