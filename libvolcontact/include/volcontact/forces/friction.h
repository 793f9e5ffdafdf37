// Friction laws. Each is a struct of parameters; FrictionLaw holds any of them. All structs are
// plain values, and any number of threads may call the functions at a time; none of them but
// PressureOf allocates memory.
#pragma once

#include <Eigen/Core>
#include <variant>
#include <vector>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/export.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN

/// No friction.
struct NoFriction {};

/// f = −μ f_n dir(v), with dir the unit vector made continuous below v_epsilon (Gonthier 2007,
/// Eq. (3.33)). No stiction: loaded contacts creep.
struct CoulombFriction {
  double mu = 0.0;          ///< μ, >= 0
  double v_epsilon = 1e-4;  ///< [m/s], > 0
};

/// The seven-parameter bristle friction of Gonthier (2007), Sections 3.2 and 4.4: stick-slip,
/// dwell-dependent stiction, spinning resistance and the Contensou effect. In point contacts, which
/// have no gyration radius, it is that of Section 3.2.
struct BristleFriction {
  double mu_s = 0.0;         ///< μ_S, stiction coefficient, >= mu_c
  double mu_c = 0.0;         ///< μ_C, Coulomb coefficient, >= 0
  double sigma0 = 0.0;       ///< bristle stiffness per load [1/m], > 0
  double sigma1 = 0.0;       ///< bristle damping per load [s/m], > 0
  double sigma2 = 0.0;       ///< viscous friction per load [s/m], >= 0
  double v_stribeck = 1e-3;  ///< v_S [m/s], > 0
  /// Time constant by which stiction grows at rest [s], >= 0; zero: at once (s_dw = s).
  double tau_dwell = 0.0;
  /// Velocities below it have no reliable direction [m/s]; 0 < v_epsilon <= v_stribeck/10. Zero
  /// stands for v_stribeck/100.
  double v_epsilon = 0.0;
};

/// Spring, damper and clutch (Azad & Featherstone 2010): f = −√x (K_t u + D_t u̇), limited to
/// μ f_n, x the depth. For point contacts.
struct ClutchFriction {
  double mu = 0.0;         ///< μ, >= 0
  double stiffness = 0.0;  ///< K_t [N/m^1.5], > 0
  double damping = 0.0;    ///< D_t [N·s/m^1.5], > 0
  double viscosity = 0.0;  ///< C_V, of the slipping clutch [N·s/m], >= 0
};

/// Coulomb friction of every element of the patch, in the direction opposite to its own velocity:
/// force and spinning torque by quadrature over the pressure, with nothing averaged. The measure of
/// the bristle law's Contensou factors. Needs FrictionInput::pressure.
struct PatchCoulombFriction {
  double mu = 0.0;          ///< μ, >= 0
  double v_epsilon = 1e-4;  ///< as of CoulombFriction [m/s], > 0
};

using FrictionLaw = std::variant<NoFriction, CoulombFriction, BristleFriction, ClutchFriction,
                                 PatchCoulombFriction>;

/// An element of a contact's pressure.
struct PressureSample {
  Eigen::Vector3d offset_W = Eigen::Vector3d::Zero();  ///< ρ_t, from the centroid across n [m]
  double share = 0.0;                                  ///< of the normal force; all add up to 1
};

/// The pressure of a volumetric contact, which is proportional to the volume's height along n: from
/// PreparedPair::SampleVolume.
VOLCONTACT_EXPORT std::vector<PressureSample> PressureOf(const std::vector<VolumeSample>& samples,
                                                         const ContactGeometry& geometry);

/// Samples of the pressure of a volumetric contact, for a motion with the velocity `velocity_W` at
/// the centroid's side of the plate and the spin ω_n. They are dense around the centre of rotation,
/// so that PatchCoulombFriction has its force and torque to about the tolerance (1e-5 at a
/// tolerance of 1e-4). If the centre is far away, the moments of the overlap suffice. Throws
/// InvalidInput as PreparedPair::SampleVolumeAbout, and costs as much as that; nothing without
/// spin.
VOLCONTACT_EXPORT std::vector<PressureSample> SlidingPressure(
    const PreparedPair& pair, const Pose& X_WA, const Pose& X_WB, const ContactGeometry& geometry,
    const Eigen::Vector3d& velocity_W, double spin, const QueryOptions& options = {});

/// Throws InvalidInput that names the parameter, its value and the allowed range.
VOLCONTACT_EXPORT void Validate(const FrictionLaw& law);

/// The state of a friction law: of bristles, or of the clutch's spring. All zero at first contact.
struct FrictionState {
  /// z_sc, mean deflection of the bristles, or u of the spring, in the tangent plane [m].
  Eigen::Vector3d deflection_W = Eigen::Vector3d::Zero();
  double twist = 0.0;  ///< θ_n, turn of the bristles about the normal [rad]
  double dwell = 0.0;  ///< s_dw, how far stiction has grown; read within [0, 1]
};

/// The input of a friction law. Vectors in W.
struct FrictionInput {
  double normal_force = 0.0;                              ///< f_n >= 0 [N]
  Eigen::Vector3d velocity_W = Eigen::Vector3d::Zero();   ///< v_sct, tangential, at s_c [m/s]
  double spin = 0.0;                                      ///< ω_n [rad/s]
  double gyration_radius = 0.0;                           ///< r_gyr [m], zero in a point contact
  double depth = 0.0;                                     ///< [m], of a point contact
  Eigen::Vector3d normal_W = Eigen::Vector3d::Zero();     ///< n, read with `pressure`
  const std::vector<PressureSample>* pressure = nullptr;  ///< read by PatchCoulombFriction
};

/// Friction and the rates of its state, with the power [W] that it takes from the motion: stored in
/// springs (reversible), dissipated by bristles or by the spring's damper, by viscous friction, in
/// the same way by the spin, and by the slipping clutch. They add up to −(force·velocity +
/// torque·spin); none but those of springs is ever negative.
struct FrictionForce {
  Eigen::Vector3d force_W = Eigen::Vector3d::Zero();            ///< on A [N]
  double torque = 0.0;                                          ///< on A about n [N·m]
  Eigen::Vector3d deflection_rate_W = Eigen::Vector3d::Zero();  ///< [m/s]
  double twist_rate = 0.0;                                      ///< [rad/s]
  double dwell_rate = 0.0;                                      ///< [1/s]
  double elastic_power = 0.0, dissipated_power = 0.0, viscous_power = 0.0;
  double spin_elastic_power = 0.0, spin_dissipated_power = 0.0;
  double clutch_power = 0.0;
};

/// Evaluates a valid law. Cost: below a tenth of a microsecond; that of PatchCoulombFriction is
/// some nanoseconds for each sample. Throws InvalidInput when that law is given no pressure.
VOLCONTACT_EXPORT FrictionForce EvaluateFriction(const FrictionLaw& law, const FrictionInput& input,
                                                 const FrictionState& state);

/// The unit vector along u, made continuous for |u| below u_epsilon: (u/u_ε)(3/2 − r²/2),
/// r = |u|/u_ε (Gonthier 2007, Eq. (3.33), whose printed form has a factor r too many).
VOLCONTACT_EXPORT Eigen::Vector3d SmoothDirection(const Eigen::Vector3d& u, double u_epsilon);

VOLCONTACT_NAMESPACE_END
