// Hysteretic damping: from the coefficient of restitution to the damping factor a.
//
// The normal force is an elastic one times 1 + a v_n. With a = (d/e)/v_n^i, v_n^i < 0 the normal
// velocity at first contact, a free impact depends on d and e alone, whatever the elastic law and
// the masses are (Gonthier 2007, Section 3.1). Any number of threads may call these functions at a
// time.
#pragma once

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The dimensionless damping of Gonthier (2007), Eq. (3.23): the solution of
/// (1 + d/e)/(1 − d) = exp(d (1 + 1/e)) with 0 <= d <= 1 that vanishes at e = 1 only.
struct DimensionlessDamping {
  double d = 0.0;
  /// 1 − d to a relative error of about 1e-16/e: it underflows the spacing of doubles next to 1 for
  /// e below 0.027, and is what is left of the force when the bodies part.
  double one_minus_d = 1.0;
};

/// d(e) to full double precision, and the smallest possible 1 − d for e too small to represent it
/// (below about 0.0014), 0. A body that rebounds at e: see RestitutionLaw::kExact. Throws
/// InvalidInput unless 0 < e <= 1: with e = 0 the damping force would have to be infinite. Cost:
/// about 1 µs; compute it once per parameter set.
VOLCONTACT_EXPORT DimensionlessDamping SolveDamping(double restitution);

/// How damping follows from the coefficient of restitution e.
enum class RestitutionLaw {
  kExact,               ///< a v_n^i = d(e)/e: free impacts rebound at e exactly (Gonthier 2007)
  kHuntCrossley,        ///< a v_n^i = 3 (1 − e)/2: right for e near 1
  kLankaraniNikravesh,  ///< a v_n^i = 3 (1 − e²)/4: right for e near 1
};

/// a v_n^i >= 0, the damping at the velocity of first contact. Throws InvalidInput unless
/// 0 < e <= 1 (0 <= e <= 1 for the two approximate laws).
VOLCONTACT_EXPORT double DampingAtImpact(RestitutionLaw law, double restitution);

/// The damping factor a <= 0 [s/m] of an impact: damping_at_impact/v_n^i, with the speed of first
/// contact |v_n^i| [m/s] not below `v_small` (Gonthier 2007, Eqs. (3.24), (3.43)). a is negative
/// because v_n^i is.
VOLCONTACT_EXPORT double DampingFactor(double damping_at_impact, double impact_speed,
                                       double v_small);

VOLCONTACT_NAMESPACE_END
