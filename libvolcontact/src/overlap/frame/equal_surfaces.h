// Surfaces of a problem that are equal to rounding.
#pragma once

#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Replaces in the problem's expression each surface by an earlier one that differs from it by no
/// more than `coincidence` in all coefficients, relative to the largest; surfaces of different
/// bodies, whose share in the area vectors would change, only if the difference is below rounding.
/// Their labels are kept in the problem. What differs is added to the rounding of the one that
/// stays. Returns the sum of all that, a bound of how far any face has moved, about.
double MergeEqualSurfaces(double coincidence, LocalProblem* problem);

/// Merges in a set the surfaces that are equal to rounding in the box of a frame. Returns whether
/// A and B share one of them, of which the set did not know. `problem` is scratch memory.
bool MergeWithinRounding(const LocalFrame& frame, LocalProblem* problem, SurfaceSet* set);

/// Whether a plane of A and one of B with the bodies on the same side differ by no more than
/// `distance` in a problem's cube.
bool HasNearlyFlushPlanes(const LocalProblem& problem, double distance);

}  // namespace volcontact
