// Tori in slices across their axis.
//
// A plane across the axis of a torus meets it in two concentric circles, of radii R + w and R − w
// with w² = r² − ζ², ζ the distance from the torus's middle plane. Slices that stand across the
// axis therefore see two conics instead of one quartic curve, and everything that is known in
// closed form for quadrics holds for tori as well. One slicing direction serves all tori with
// parallel axes.
#pragma once

#include "overlap/frame/local_problem.h"
#include "solids/implicit/torus_surface.h"

namespace volcontact {

/// A frame with its x axis along the axis of a torus, its z axis as close as possible to that of
/// `frame`, whose box it contains.
LocalFrame FrameAcross(const TorusSurface& torus, const LocalFrame& frame);

/// In a problem that has been brought into its frame, replaces every torus whose axis is the
/// frame's x axis by its two sheets, surfaces with a profile, and makes planes across that axis
/// exactly so where they are off by no more than `wall_tilt`. The polynomials of other surfaces
/// stay; certified bounds do not hold for sheets.
void SplitTori(const SurfaceSet& set, double wall_tilt, LocalProblem* problem);

}  // namespace volcontact
