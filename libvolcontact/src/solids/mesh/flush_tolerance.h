// When planes of two bodies' faces count as one.
#pragma once

namespace volcontact {

/// Planes of faces coincide if they differ by at most this part of the coordinates: the roundings
/// of poses and of vertices are some parts in 1e15.
inline constexpr double kFlushTolerance = 3e-14;

}  // namespace volcontact
