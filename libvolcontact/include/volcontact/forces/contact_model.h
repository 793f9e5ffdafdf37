// The contact model: a normal law, rolling resistance and a friction law, composed.
//
//   geometry (a volumetric or point pair) ─┐
//   motion (poses and twists of A, B)     ─┼─► ContactModel::Evaluate ─► wrench on A, rate of the
//   state (explicit, one per contact)     ─┘                             state, powers
//
// The state is explicit: it can be saved, restored, and integrated by any solver. All structs are
// plain values: any number of threads may read one.
#pragma once

#include <Eigen/Core>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/contact/contact_motion.h"
#include "volcontact/export.h"
#include "volcontact/forces/friction.h"
#include "volcontact/forces/normal_force.h"
#include "volcontact/forces/step_estimates.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The inertia J_t in the rolling resistance k_v a J_t·ω_t.
enum class RollingInertia {
  kExact,   ///< tr(S) 1 − S with S the volume's second moments across n: what the integral gives
  kThesis,  ///< J_v, as Gonthier (2007), Eq. (4.67), approximates it
  kNone,    ///< no rolling resistance
};

/// The parameters of the model. All are checked when a ContactModel is made.
struct ContactParameters {
  NormalLaw normal;
  FrictionLaw friction;
  /// For a volumetric contact: the direction for GeometryOf. The model itself reads the normal of
  /// the geometry that it gets.
  ContactDirection direction = ContactDirection::kAreaVector;
  RollingInertia rolling = RollingInertia::kExact;
  /// Friction acts at the contact plate, ρ_n from the centroid towards the softer body (Gonthier
  /// 2007, Eq. (4.143)); false: at the centroid, as the thesis's simulations have it.
  bool contact_plate = true;
  /// Time constant in which the compression at which a fixed-step solver first saw the contact
  /// returns [s], > 0 (Gonthier 2007, Eqs. (3.44), (3.45)); zero: none.
  double tau_relaxation = 0.0;
};

/// The laws of the pieces of a divided contact (contact/division.h): the given laws without rolling
/// resistance. Rolling resistance assumes a flat patch, and would take a rotation about the axis
/// for rolling. Throws InvalidInput for friction that is integrated over the whole patch.
VOLCONTACT_EXPORT ContactParameters LawsOfPieces(const ContactParameters& parameters);
/// Whether a contact with these laws is divided by default if it goes around a body. It is not with
/// the thesis's choices (along the eigenvector, or with its rolling resistance), and not with
/// friction that is integrated over the patch.
VOLCONTACT_EXPORT bool MayBeDivided(const ContactParameters& parameters);

/// The state of one contact. The first three are fixed between Touch and the end of the contact
/// (Transport apart); the others change at the rates that Evaluate returns.
struct ContactState {
  bool touching = false;
  double impact_speed = 0.0;  ///< |v_n^i| at first contact [m/s]
  /// The normal to which `friction` refers: deflections are tangent to it.
  Eigen::Vector3d normal_W = Eigen::Vector3d::Zero();
  FrictionState friction;
  /// x_r,o: compression not yet returned [m³, or m for point laws].
  double relaxation = 0.0;
};

/// The rates of a ContactState in time.
struct ContactStateRate {
  Eigen::Vector3d deflection_W = Eigen::Vector3d::Zero();  ///< tangent to the state's normal [m/s]
  double twist = 0.0;                                      ///< [rad/s]
  double dwell = 0.0;                                      ///< [1/s]
  double relaxation = 0.0;                                 ///< [m³/s or m/s]
};

/// Powers taken from the motion of the bodies [W]. They add up to minus the power of the contact
/// wrenches. Springs may give back; the others are never negative.
struct ContactPowers {
  double elastic = 0.0;          ///< of the normal spring
  double normal_damping = 0.0;   ///< hysteretic or viscous, normal
  double rolling = 0.0;          ///< rolling resistance
  double bristle_elastic = 0.0;  ///< tangential spring
  double bristle = 0.0;          ///< dissipated by bristles, or the tangential damper, or sliding
  double viscous = 0.0;          ///< viscous friction, spin included
  double spin_elastic = 0.0;     ///< torsional spring
  double spin = 0.0;             ///< dissipated by spinning
  double clutch = 0.0;           ///< dissipated by a slipping clutch

  double Dissipated() const { return normal_damping + rolling + bristle + viscous + spin + clutch; }
  double Total() const { return elastic + bristle_elastic + spin_elastic + Dissipated(); }
};

/// The force of a contact: A gets `force` at `point` and `torque`, B the opposite at the same
/// point. In W.
struct ContactForce {
  Eigen::Vector3d point_W = Eigen::Vector3d::Zero();       ///< p_c, centroid or contact point [m]
  Eigen::Vector3d force_W = Eigen::Vector3d::Zero();       ///< normal + tangential [N]
  Eigen::Vector3d torque_W = Eigen::Vector3d::Zero();      ///< about point_W, all parts [N·m]
  Eigen::Vector3d normal_W = Eigen::Vector3d::Zero();      ///< normal force [N]
  Eigen::Vector3d tangential_W = Eigen::Vector3d::Zero();  ///< friction force, acts at plate_W [N]
  Eigen::Vector3d rolling_W = Eigen::Vector3d::Zero();     ///< rolling resistance [N·m]
  Eigen::Vector3d spinning_W = Eigen::Vector3d::Zero();    ///< spinning resistance [N·m]
  Eigen::Vector3d plate_W = Eigen::Vector3d::Zero();       ///< s_c, where friction acts [m]
  ContactStateRate rate;
  ContactPowers powers;
};

/// The last state and geometry of a contact.
struct PatchState {
  ContactState state;
  ContactGeometry geometry;
};

/// The inputs of a model in addition to poses and twists; a geometry may leave out the others.
struct ContactNeeds {
  bool volume = false;        ///< V and J_v of the overlap; else the depth of a point pair
  bool contact_area = false;  ///< A_c, for the contact plate
  bool pressure = false;      ///< samples, see SlidingPressure
};

/// The laws of one contact, checked and prepared. Immutable: any number of threads may evaluate one
/// model at the same time, each with its own states. Some hundred bytes; evaluating allocates
/// nothing.
class VOLCONTACT_EXPORT ContactModel {
 public:
  /// Throws InvalidInput that names the parameter, its value and the allowed range.
  explicit ContactModel(const ContactParameters& parameters);

  ContactNeeds Needs() const;

  /// How stiff the contact is: its time scales with the moving mass [kg] > 0 (for two free bodies
  /// (1/m_a + 1/m_b)^-1) under a normal force [N] >= 0, and the step of explicit integrators.
  /// Includes the bristles, and the normal spring if the geometry touches: df_n/dx = k_v A_c, or
  /// that of the law at the depth. All infinite if nothing is known, for example without a mass.
  StepEstimate TimeScales(const ContactGeometry& geometry, double mass, double normal_force) const;

  /// The state at the instant at which a contact is first seen: stores the speed of impact, and the
  /// compression for relaxation.
  ContactState Touch(const ContactGeometry& geometry, const ContactMotion& motion) const;

  /// The forces of a contact. For a state that does not touch, the forces of Touch's state; for a
  /// geometry that does not touch, zero. Vectors of the state are turned from its normal to that of
  /// the geometry by the smallest rotation, and rates are turned back. So friction stays tangent,
  /// and turning stores no work. PatchCoulombFriction needs `pressure`; it must not be empty then
  /// (InvalidInput). Cost: about 0.2 µs.
  ContactForce Evaluate(const ContactGeometry& geometry, const ContactMotion& motion,
                        const ContactState& state,
                        const std::vector<PressureSample>& pressure = {}) const;

  /// The velocity for friction [m/s]: of A relative to B, tangential, at the plate.
  Eigen::Vector3d SlidingVelocity(const ContactGeometry& geometry,
                                  const ContactMotion& motion) const;

  /// Turns the state to a new normal, by the smallest rotation. Call it after an accepted step.
  /// With a single normal, a long, curved slide would turn deflections about n.
  static void Transport(const Eigen::Vector3d& normal_W, ContactState* state);

  /// The state of the contact that several touching patches have joined to. The bristles get the
  /// rigid field u + θ n × ρ that is next to theirs, in the mean square weighted by volume. So the
  /// force of the bristles, and their torque about n at the centroid (up to the turn of the
  /// normals), do not change, and their energy does not rise. Dwell is the mean. The speed of
  /// impact is the one whose damping is the mean. The remaining relaxation is the sum.
  ContactState Joined(const std::vector<PatchState>& parts, const ContactGeometry& joined) const;

  /// The state of a patch that has split from another, with the same field of bristles, at
  /// `offset_W` from the centre of all pieces [m]. So forces, torques and energies of all pieces
  /// together do not change. `share` is its volume divided by that of all pieces.
  ContactState PieceOf(const PatchState& whole, const ContactGeometry& piece,
                       const Eigen::Vector3d& offset_W, double share) const;

  /// Energy in the bristles, or in the tangential spring, at a normal force [J]. It is lost when
  /// the contact ends.
  double BristleEnergy(const ContactGeometry& geometry, double normal_force,
                       const FrictionState& state) const;

  const ContactParameters& parameters() const { return parameters_; }

  /// ρ_n, from the centroid to the contact plate, where friction acts [m] (Gonthier 2007, Eq.
  /// (4.143)); zero unless `contact_plate`.
  Eigen::Vector3d PlateOffset(const ContactGeometry& geometry) const;

 private:
  Eigen::Vector3d RollingTorque(const ContactGeometry& geometry, const ContactMotion& motion,
                                double damping_factor) const;

  ContactParameters parameters_;
  NormalForceModel normal_;
};

VOLCONTACT_NAMESPACE_END
