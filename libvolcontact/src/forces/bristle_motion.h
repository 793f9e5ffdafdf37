// Bristle friction, taken apart: what follows from the motion, and what from the bristles' state.
#pragma once

#include "volcontact/forces/friction.h"

namespace volcontact {

/// What the law of bristles makes of a motion, for any state of the bristles (Gonthier 2007, Eqs.
/// (4.212), (4.221)–(4.230), (4.235)–(4.243), and (3.35)–(3.42) of a point contact): how far they
/// stick, what force and spinning torque share, and how far the one motion takes the friction away
/// from the other. Who integrates the state evaluates many states under one motion. Loads are
/// forces over the normal force, and torques over it and r_gyr². A plain value, of a valid law.
class BristleMotion {
 public:
  /// Reads the velocity, the spin and the gyration radius of `input`.
  BristleMotion(const BristleFriction& law, const FrictionInput& input);

  /// σ0 z + σ1 ż, with no more than friction carries [1].
  Eigen::Vector3d Load(const FrictionState& state) const;
  /// ż under that load [m/s].
  Eigen::Vector3d DeflectionRate(const Eigen::Vector3d& load, const FrictionState& state) const {
    return (load - sigma0_ * state.deflection_W) / sigma1_;
  }
  /// σ0 θ + σ1 θ̇, likewise [1/m]; zero for a point contact.
  double SpinLoad(const FrictionState& state) const;
  /// θ̇ under that load [rad/s]; zero for a point contact.
  double TwistRate(double load, const FrictionState& state) const {
    return spins_ ? (load - sigma0_ * state.twist) / sigma1_ : 0.0;
  }
  double DwellRate(const FrictionState& state) const;  ///< [1/s]

 private:
  double MuMax(const FrictionState& state) const;

  double sigma0_, sigma1_, tau_dwell_, mu_c_, mu_rise_;
  bool spins_;
  double sticking_ = 0.0;  // s: 1 at rest, 0 where bristles slide
  // Relative to μ_max, and to μ_max / r_gyr.
  double force_share_ = 1.0, spin_limit_ = 0.0;
  // Loads without bent bristles.
  Eigen::Vector3d drive_W_;
  double spin_drive_ = 0.0;
};

}  // namespace volcontact
