// The laws of a contact at the end of a time step, as functions of the velocities there: what an
// implicit step solves with. docs/stepping.md derives them, and says what is exact.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/forces/nearby_contact.h"
#include "volcontact/math/matrix6.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The laws of a contact, prepared for steps. Immutable: any number of threads may read one.
class VOLCONTACT_EXPORT StepLaws {
 public:
  /// Throws InvalidInput for laws that implicit steps do not support: LinearNormal and
  /// AzadFeatherstoneNormal, whose damping jumps, or has no bound, when contact begins.
  explicit StepLaws(const ContactModel& model);

  const ContactModel& model() const { return model_; }
  /// Stiffness for V or the depth, to the power CompressionPower [N/m³ or N/m^p].
  double Stiffness() const;
  double CompressionPower() const;
  double DampingFactor(double impact_speed) const;  ///< a <= 0 [s/m]

 private:
  ContactModel model_;
  NormalForceModel normal_;
};

/// The state of a contact between two steps.
struct StepState {
  ContactState contact;
  /// Energy that the contact has taken from the motion and can give back [J]: never more than its
  /// springs hold. No step gives back more, whatever the error of the geometry's model.
  double stored = 0.0;
  double bent = 0.0;                ///< the same for bristles, or the clutch's spring [J]
  Vector6 twist = Vector6::Zero();  ///< of A against B at the contact point, at the end (v, ω)
  double normal_force = 0.0;        ///< [N]
  /// Force on A and moment about the contact point, at the end: the first guess of the next step's.
  Vector6 wrench = Vector6::Zero();
  double exponent = 0.0;  ///< of the geometry's model, from the last Hessian; 0: unknown
};

/// Force on A and moment about the contact point, for the velocity of A relative to B there, (v
/// [m/s], ω [rad/s]) in W.
struct StepForce {
  Vector6 wrench = Vector6::Zero();   ///< [N, N·m]
  Matrix6 damping = Matrix6::Zero();  ///< −∂wrench/∂(v, ω), symmetric and not negative
};

/// The state of friction along two tangents.
struct FrictionAlongTangents {
  Eigen::Vector2d bent = Eigen::Vector2d::Zero();  ///< deflection [m]
  double twist = 0.0, dwell = 0.0;
};

/// Lagged quantities: values from the last velocities that are constant while the laws of a step
/// are solved, and are then updated. With them the laws are the gradient of a potential. A plain
/// value.
struct StepLag {
  double normal_force = 0.0;  ///< that limits friction [N]
  double approach = 0.0;      ///< v_n minus the separation rate that V's change gives [m/s]
  Vector6 correction = Vector6::Zero();  ///< moves the normal force from ĝ to the centroid
  /// Greatest root of the power of tilting, √(ωᵀ k S h ω), at which the force reaches the rim [√W].
  double tilting = 0.0;
  double rolling = 0.0;  ///< part of the rolling resistance
  /// Friction divided by the normal force is slope v + bent, up to `limit`, then rising by `tail`
  /// of the excess; the same for spin, divided by r_gyr². And `slide` along (v, r_gyr ω_n).
  double slope = 0.0, limit = 0.0, tail = 0.0, slide = 0.0;
  Eigen::Vector2d bent = Eigen::Vector2d::Zero();
  double spin_slope = 0.0, spin_limit = 0.0, twist = 0.0;
  double epsilon = 1.0;  ///< below it velocities have no reliable direction [m/s]
  double viscous = 0.0;  ///< σ2
  double unbend = 1.0;   ///< part of the bristles' energy that is available
  double sticking = 1.0, dwell = 0.0;
  /// No part may create energy: no correction, and tilting only dissipates.
  bool is_cautious = false;
};

/// One contact in one step. Refers to the laws, and to the pressure.
///
/// The elastic part of the normal force is that at the end of the step, by the power law of
/// NearbyContact. Together with damping it has a convex potential. Bristles are those at the end,
/// elastic up to the limit μ f_n. Lagged quantities are f_n in friction, the Stribeck curve, the
/// division between friction and spin, and the arm from ĝ to the centroid. As the step goes to
/// zero, all laws are those of ContactModel.
class VOLCONTACT_EXPORT ContactInStep {
 public:
  /// `reached` is the twist of A relative to B at the contact point for which a step of `step` [s]
  /// ends at the pose of `nearby`. `state` is that at the beginning of the step, transported to the
  /// normal. PatchCoulombFriction needs `pressure` (InvalidInput without).
  ContactInStep(const StepLaws& laws, const NearbyContact& nearby, const StepState& state,
                const Vector6& reached, double step,
                const std::vector<PressureSample>* pressure = nullptr);

  const NearbyContact& nearby() const { return nearby_; }
  const Vector6& reached() const { return reached_; }
  double step() const { return step_; }
  const StepState& state() const { return state_; }

  /// The lagged quantities for these velocities.
  StepLag LagAt(const Vector6& twist, bool is_cautious) const;
  /// The first lagged quantities, at a guess of the velocities, with the normal force of the last
  /// step. The normal force of the guess may be far off, because a step is long for the depth of a
  /// contact.
  StepLag FirstLag(const Vector6& guess, bool is_cautious) const;
  StepForce Evaluate(const Vector6& twist, const StepLag& lag) const;
  /// The wrench alone.
  Vector6 WrenchAt(const Vector6& twist, const StepLag& lag) const;
  /// The convex potential of which the wrench is minus the gradient [W].
  double Potential(const Vector6& twist, const StepLag& lag) const;
  /// −∂wrench by the state at the beginning: the deflection along the tangents, and the twist of
  /// bristles [N/m, N; N, N·m by rad].
  Eigen::Matrix<double, 6, 3> StateDerivative(const Vector6& twist, const StepLag& lag) const;

  /// A share of the contact's force at these velocities, with the powers taken from them over the
  /// step.
  ContactForce ForceAt(const Vector6& twist, const StepLag& lag, double share = 1.0) const;
  StepState StateAfter(const Vector6& twist, const StepLag& lag) const;
  /// The most energy that the contact may give back in the step [J]. With a cautious lag it gives
  /// more only by rounding.
  double MostToGive() const { return state_.stored + state_.bent; }
  /// Whether the model of the geometry still holds at the end of the step.
  bool Trusts(const Vector6& twist) const;
  /// Whether the step ends without contact.
  bool IsApart(const Vector6& twist) const {
    return !(LeftOver(nearby_.parting().dot(twist)) > 0.0);
  }
  /// Unit tangents t1, t2 of friction.
  const Eigen::Matrix<double, 3, 2>& tangents() const { return tangents_; }

 private:
  struct NormalPart {
    double force = 0.0, slope = 0.0;
  };
  // On A and about the point; the normal force, and what friction is along the tangents and n.
  struct Loads {
    Vector6 wrench;
    double normal;
    Eigen::Vector3d friction;
  };
  struct TurningPart;
  struct NormalLine;
  double LeftOver(double parting_speed) const;  // w: 1 at the query, 0 at separation
  double ElasticForce(double w) const;          // [N]
  double ElasticEnergy(double w) const;         // [J]
  NormalLine LineOf(double parting_speed, const StepLag& lag) const;
  NormalPart Normal(double parting_speed, const StepLag& lag) const;
  double NormalPotential(double parting_speed, const StepLag& lag) const;
  TurningPart TurningAt(const Vector6& twist, const StepLag& lag) const;
  double AddNormal(const Vector6& twist, const StepLag& lag, bool with_slope, StepForce* to) const;
  void AddTurning(const Vector6& twist, const StepLag& lag, bool with_slope, StepForce* to) const;
  Eigen::Vector3d AddFriction(const Vector6& twist, const StepLag& lag, bool with_slope,
                              StepForce* to) const;
  Loads AddLoads(const Vector6& twist, const StepLag& lag, bool with_slope, StepForce* to) const;
  Loads LoadsAt(const Vector6& twist, const StepLag& lag) const;
  void SetNormal();
  void SetTurning();
  void SetFriction();
  StepLag LagUnder(double normal_force, const Vector6& twist, const StepLag& begun) const;
  StepLag BeginLag(const Vector6& twist, bool is_cautious) const;
  void UnbendBristles(StepLag* lag) const;

  const StepLaws* laws_;
  NearbyContact nearby_;
  StepState state_;
  Vector6 reached_;
  double step_;
  const std::vector<PressureSample>* pressure_;

  // Normal: the force is K w^q (1 + a v), w = (reach − s)/length.
  double strength_ = 0.0, power_ = 1.0, reach_ = 0.0, length_ = 1.0, damping_ = 0.0;
  double left_at_start_ = 0.0, given_back_ = 1.0;
  double lost_ = 0.0;  // of w^q at the start, what is not given back
  Eigen::Matrix3d tilting_ = Eigen::Matrix3d::Zero();  // k S h
  Eigen::Matrix3d rolling_ = Eigen::Matrix3d::Zero();  // −k a J_t
  Eigen::Matrix<double, 3, 2> tangents_ = Eigen::Matrix<double, 3, 2>::Zero();
  Eigen::Matrix<double, 6, 3> sliding_ =
      Eigen::Matrix<double, 6, 3>::Zero();  // from a twist to v_t at the plate, and ω_n
  Eigen::Vector3d plate_ = Eigen::Vector3d::Zero();
  FrictionAlongTangents friction_;
};

VOLCONTACT_NAMESPACE_END
