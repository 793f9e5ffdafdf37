// Contact stiffness from the elastic properties of materials: Hertz's for points, volumetric for
// patches.
//
// All functions throw InvalidInput that names the parameter, its value and the allowed range. Cost:
// some nanoseconds. Any number of threads may call them at a time. The struct is a plain value.
#pragma once

#include <limits>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// An isotropic, linearly elastic material.
struct ElasticMaterial {
  /// Young's modulus E [Pa], > 0; infinite for a rigid body.
  double modulus = std::numeric_limits<double>::infinity();
  double poisson = 0.0;  ///< Poisson's ratio ν, in (-1, 0.5]
};

/// E* [Pa], 1/E* = (1 − ν_a²)/E_a + (1 − ν_b²)/E_b (Boos 2011, Eq. (3.10); it is 1/(π(h_a + h_b))
/// in Gonthier 2007, Eq. (2.3)). Only one of the bodies may be rigid.
VOLCONTACT_EXPORT double EffectiveModulus(const ElasticMaterial& A, const ElasticMaterial& B);

/// R [m], 1/R = 1/R_a + 1/R_b, of two spheres; an infinite radius is a plane and a negative one a
/// hollow (Gonthier 2007, Eqs. (2.2), (2.4); Azad & Featherstone 2014, Eq. (10)). The sum of the
/// curvatures must be positive: a ball must be smaller than the hollow that it lies in. Hertz's
/// theory takes the patch to be small against R_a and R_b, which fails where they nearly agree.
VOLCONTACT_EXPORT double EffectiveRadius(double radius_a, double radius_b);

/// k = 4/3 E* √R [N/m^1.5], of the point contact f = k x^1.5 (Gonthier 2007, Eqs. (2.2)-(2.4)).
VOLCONTACT_EXPORT double HertzStiffness(double effective_modulus, double effective_radius);

/// The depth x >= 0 [m] at which the force k x^1.5 reaches `force` >= 0 [N].
VOLCONTACT_EXPORT double HertzDepth(double stiffness, double force);

/// The greatest depth [m] of a body of `mass` [kg] that hits with `speed` >= 0 [m/s] and is stopped
/// by k x^1.5 alone: m v²/2 = (2/5) k x^2.5.
VOLCONTACT_EXPORT double HertzDepthOfImpact(double stiffness, double mass, double speed);

/// The radius √(R x) [m] of Hertz's patch at depth x [m].
VOLCONTACT_EXPORT double HertzPatchRadius(double effective_radius, double depth);

/// k_v = E/H [N/m³] of a body whose elastic foundation is `depth` H [m] deep and has the modulus E
/// [Pa] (Gonthier 2007, Section 4.1.3: k_f/h_f; Drake hydroelastic guide: κ).
VOLCONTACT_EXPORT double FoundationStiffness(double modulus, double depth);

/// k_v = 2 E*/(π r) [N/m³], with which the force on a flat round patch of radius r [m], k_v π r² δ,
/// is that of a punch on an elastic half-space, 2 r E* δ (Boos 2011, Eqs. (3.13)-(3.16)). It
/// depends on the size of the patch: choose r as the contact will have it. Of both bodies together.
VOLCONTACT_EXPORT double PatchStiffness(double effective_modulus, double patch_radius);

/// k_v = 4 E*/(3 π a) [N/m³], a³ = 3 f R/(4 E*), with which a ball sinks as deep as by Hertz's law
/// at the `force` f > 0 [N], its volume taken as π R x². Hertz's force grows as x^1.5 and the
/// volumetric one as x², so they can agree at one force only (Boos 2011, Section 3.3.1): deeper the
/// volumetric contact is the stiffer one. Of both bodies together.
VOLCONTACT_EXPORT double BallStiffness(double effective_modulus, double effective_radius,
                                       double force);

/// The stiffness (1/k_a + 1/k_b)^-1 [N/m³] of two bodies in contact (Gonthier 2007, Eq. (4.132));
/// infinite for a rigid body, but not both.
VOLCONTACT_EXPORT double SeriesStiffness(double stiffness_a, double stiffness_b);

VOLCONTACT_NAMESPACE_END
