// A model of a contact at poses near that of one query: the geometry to second order.
#pragma once

#include <Eigen/Core>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/export.h"
#include "volcontact/math/matrix6.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The geometry of a contact near the pose of one query. A motion (d, w) is that of A while B is
/// fixed: the translation of A's point at the contact point [m] and a rotation about it [rad],
/// along the axes of W. A plain value; any number of threads may read one.
class VOLCONTACT_EXPORT NearbyContact {
 public:
  /// No contact.
  NearbyContact() = default;
  /// The model of an overlap; `direction` and `last_normal_W` are those of GeometryOf. Of second
  /// order if the metrics have a Hessian. Else of first order, with the tilting stiffness of a
  /// foundation from J_v.
  explicit NearbyContact(const Metrics& metrics,
                         ContactDirection direction = ContactDirection::kAreaVector,
                         const Eigen::Vector3d& last_normal_W = Eigen::Vector3d::Zero());
  /// The model of a geometry alone. The depth of a point pair changes by the motion along the
  /// normal. A volume changes to first order, as that of a foundation with its contact area.
  explicit NearbyContact(const ContactGeometry& geometry);

  /// This model with the exponent of another query of the contact; for models of first order.
  void TakeExponent(double exponent);

  const ContactGeometry& geometry() const { return geometry_; }
  bool is_second_order() const { return is_second_order_; }

  /// V by the quadratic model, not below zero [m³].
  double Volume(const Vector6& motion) const;
  Eigen::Vector3d AreaVector(const Vector6& motion) const;  ///< a, linear [m²]
  Eigen::Vector3d Centroid(const Vector6& motion) const;    ///< of the overlap, linear, in W [m]

  /// ĝ: −∂V/∂(d, w) divided by |a|. A motion separates the bodies by ĝ·(d, w) [m].
  const Vector6& parting() const { return parting_; }
  /// Along such a motion s the compression (V, or the depth) falls as C₀ (1 − s/reach)^exponent.
  /// This is the one law of this form with the value and both derivatives here. It is exact for
  /// prisms (1), wedges and shallow caps (2) and corners (3), where a parabola would not reach
  /// zero.
  double compression() const { return compression_; }  ///< C₀ [m³ or m]
  double reach() const { return reach_; }              ///< [m]
  double exponent() const { return exponent_; }
  /// |a|, or 1 for a point pair: −∂C/∂s.
  double slope() const { return slope_; }
  /// Resistance of a foundation of unit stiffness to a rotation about the centroid, in addition to
  /// that of V's change [m⁴]: symmetric, without its negative part.
  const Eigen::Matrix3d& tilting() const { return tilting_; }

  /// Whether the model is still valid after a motion, relative to the height and extent of the
  /// contact.
  bool Trusts(const Vector6& motion) const;

 private:
  void FitPowerLaw(double curvature);
  void SetSecondOrder(const Metrics& metrics);

  ContactGeometry geometry_;
  Eigen::Vector3d area_W_ = Eigen::Vector3d::Zero();
  Vector6 parting_ = Vector6::Zero();
  Matrix6 hessian_ = Matrix6::Zero();
  Matrix36 centroid_rate_ = Matrix36::Zero();
  Eigen::Matrix3d tilting_ = Eigen::Matrix3d::Zero();
  double compression_ = 0.0, slope_ = 0.0, reach_ = 0.0, exponent_ = 1.0;
  bool is_second_order_ = false;
};

VOLCONTACT_NAMESPACE_END
