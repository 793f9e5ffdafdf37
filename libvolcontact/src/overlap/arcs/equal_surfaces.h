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

}  // namespace volcontact
