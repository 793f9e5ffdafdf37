// Normal contact forces. Each law is a struct of parameters; NormalLaw holds any of them. All
// structs are plain values: any number of threads may read one.
#pragma once

#include <limits>
#include <optional>
#include <variant>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/export.h"
#include "volcontact/forces/damping.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Hysteretic damping, common to several laws: by the coefficient of restitution e, or as given.
struct RestitutionDamping {
  double restitution = 1.0;  ///< e, in (0, 1]
  RestitutionLaw law = RestitutionLaw::kExact;
  /// Impacts slower than this are damped as if this fast [m/s], > 0 (Gonthier 2007, Eq. (3.43)).
  double v_small = 1e-3;
  /// λ >= 0 instead of all of these: f = k x^p + λ x^p ẋ, of any impact (Hunt & Crossley 1975)
  /// [N·s/m^(p+1); of a volumetric law, with V for x^p, N·s/m⁴].
  std::optional<double> hysteresis = {};
};

/// Volumetric contact: f = k_v V (1 + a v_n) (Gonthier 2007, Eqs. (4.62), (4.178)). A body's
/// stiffness is that of its Winkler foundation; that of the pair is of both in series (4.132).
struct VOLCONTACT_EXPORT VolumetricNormal {
  double stiffness_a = 0.0;  ///< of A [N/m³], > 0; infinite for a rigid body, but not both
  double stiffness_b = std::numeric_limits<double>::infinity();  ///< of B [N/m³]
  RestitutionDamping damping = {};

  double Stiffness() const;  ///< k_v [N/m³]
};

/// Point contact: f = k x^p (1 + a v_n), x the depth; Hertz's law with p = 3/2 (Gonthier 2007,
/// Eq. (3.19); Hunt & Crossley and Lankarani & Nikravesh by the law of the damping).
struct PowerNormal {
  double stiffness = 0.0;  ///< k [N/m^p], > 0
  double exponent = 1.5;   ///< p, > 0
  RestitutionDamping damping = {};
};

/// f = max(0, √x (k x + λ ẋ)) (Azad & Featherstone 2014, Eq. (8)): the restitution falls with the
/// speed of impact.
struct AzadFeatherstoneNormal {
  double stiffness = 0.0;  ///< k [N/m^1.5], > 0
  double damping = 0.0;    ///< λ [N·s/m^1.5], >= 0
};

/// f = max(0, k x + c ẋ).
struct LinearNormal {
  double stiffness = 0.0;  ///< k [N/m], > 0
  double damping = 0.0;    ///< c [N·s/m], >= 0
};

using NormalLaw = std::variant<VolumetricNormal, PowerNormal, AzadFeatherstoneNormal, LinearNormal>;

/// A normal force f >= 0 and what it is made of.
struct NormalForce {
  double force = 0.0;    ///< [N], on A along the normal; never tensile
  double elastic = 0.0;  ///< the force of the spring alone [N]
  /// The damping factor a <= 0 [s/m] of laws of the form elastic·(1 + a v_n), else 0.
  double damping_factor = 0.0;
};

/// A prepared law, with its damping solved. Immutable: any number of threads may evaluate one. Some
/// dozens of bytes, cheap to copy.
class VOLCONTACT_EXPORT NormalForceModel {
 public:
  /// Throws InvalidInput that names the parameter, its value and the allowed range.
  explicit NormalForceModel(const NormalLaw& law);

  /// The force at a compression (V [m³] for a volumetric law, the depth x [m] for others), with the
  /// normal speed v_n (negative on approach) and the speed |v_n^i| of first contact [m/s], which
  /// laws without a restitution do not read. Cost: some nanoseconds.
  NormalForce Evaluate(double compression, double normal_speed, double impact_speed) const;

  bool volumetric() const { return std::holds_alternative<VolumetricNormal>(law_); }
  const NormalLaw& law() const { return law_; }
  /// The compression that the law reads of a contact.
  double CompressionOf(const ContactGeometry& geometry) const {
    return volumetric() ? geometry.volume : geometry.depth;
  }

 private:
  NormalLaw law_;
  double damping_at_impact_ = 0.0;  // a v_n^i, or −a of a damping that does not depend on it
};

VOLCONTACT_NAMESPACE_END
