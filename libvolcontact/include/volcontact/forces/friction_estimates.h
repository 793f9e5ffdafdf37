// Parameters of the bristle friction where they are not measured, by the rules of Gonthier (2007),
// Section 3.3.2.
//
// All functions throw InvalidInput that names the parameter, its value and the allowed range, and
// may be called by any number of threads at a time. The structs are plain values.
#pragma once

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// σ0 = μ_S/δ_z [1/m]: bristles break away at the pre-sliding displacement δ_z > 0 [m] (Gonthier
/// 2007, Eq. (3.46)). Without a measurement take a δ_z far below the size of the bodies, 0.1 mm for
/// a robot's payload.
VOLCONTACT_EXPORT double BristleStiffness(double mu_s, double pre_sliding);

/// σ0 = ω²/(f_n/m) [1/m] from the angular frequency ω [rad/s] of small oscillations of a body that
/// sticks (Gonthier 2007, Eq. (3.50)). ω is the natural frequency: the thesis calls it the damped
/// one, which is ω √(1 − ζ²). `load_per_mass` f_n/m [m/s²] is g for a body that lies by its weight.
VOLCONTACT_EXPORT double BristleStiffnessFromFrequency(double frequency, double load_per_mass);

/// ω = √(σ0 f_n/m) [rad/s], of a body that sticks (Gonthier 2007, Eq. (3.48)).
VOLCONTACT_EXPORT double BristleFrequency(double sigma0, double load_per_mass);

/// σ1 = 2 ζ √(σ0/(f_n/m)) [s/m] for the damping ratio ζ > 0 of that oscillation (Gonthier 2007,
/// Eqs. (3.50), (3.51)). ζ = 1 brings the body to rest soonest without oscillation.
VOLCONTACT_EXPORT double BristleDamping(double sigma0, double load_per_mass,
                                        double damping_ratio = 1.0);

/// What is known of a friction contact; the defaults are those of a robot's task with payloads of
/// kilograms in Gonthier (2007), Section 3.3.2.
struct FrictionKnowns {
  double mu_s = 0.0;            ///< μ_S, stiction coefficient, > 0
  double pre_sliding = 1e-4;    ///< δ_z [m], > 0
  double load_per_mass = 9.81;  ///< f_n/m [m/s²], > 0; g for a body that lies by its weight
  double damping_ratio = 1.0;   ///< ζ, > 0
  /// v_S [m/s], > 0: friction is that of sliding from about 2 v_S on. Far below the sliding speeds
  /// of interest where it is not measured.
  double v_stribeck = 1e-3;
};

/// Parameters of BristleFriction that follow from what is known.
struct FrictionEstimate {
  double sigma0 = 0.0;                 ///< bristle stiffness per load [1/m]
  double sigma1 = 0.0;                 ///< bristle damping per load [s/m]
  double bristle_frequency = 0.0;      ///< ω [rad/s], at this load
  double bristle_time_constant = 0.0;  ///< τ_br = σ1/σ0 [s]; 2/ω for ζ = 1 (3.52)
  /// τ_dw = 10 τ_br [s], the least for which the bristles are fast beside the growth of stiction.
  double tau_dwell = 0.0;
  /// v_ε = v_S/100 [m/s], as in all simulations of the thesis; at most v_S/10.
  double v_epsilon = 0.0;
};

/// A consistent set of friction parameters.
VOLCONTACT_EXPORT FrictionEstimate EstimateFriction(const FrictionKnowns& known);

/// v_small [m/s], below which the damping of impacts no longer grows (Gonthier 2007, Eq. (3.43)):
/// 1 mm/s, or 1 % of the expected `impact_speed` > 0 [m/s] if that is less. The thesis says "small
/// compared with expected impacts, under 1 mm/s for a robotic task"; the 1 % is ours. It should
/// exceed v_ε.
VOLCONTACT_EXPORT double SmallImpactSpeed(double impact_speed);

VOLCONTACT_NAMESPACE_END
