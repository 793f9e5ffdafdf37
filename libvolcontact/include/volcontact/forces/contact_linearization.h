// The derivative of a contact's force by the motion of its bodies, with damping and friction, for
// implicit integrators and linear models. stiffness_matrix.h has that of the elastic force alone.
#pragma once

#include <Eigen/Core>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/export.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/math/matrix6.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The wrench on A, (f [N], τ [N·m]) in W with τ about the present contact point held fixed,
/// changes by −stiffness·(d, w) − damping·(v, ω). A plain value.
struct ContactLinearization {
  Eigen::Vector3d point_W = Eigen::Vector3d::Zero();  ///< the contact point [m]
  /// By the displacement of A while B is fixed: translation d along W's axes [m], and the rotation
  /// w about the contact point [rad]. The velocities of the bodies' origins, their angular
  /// velocities and the contact's state are constant. Not symmetric. [N/m, N; N, N·m] by blocks.
  Matrix6 stiffness = Matrix6::Zero();
  /// By the velocity v of A's point there [m/s] and its angular velocity ω [rad/s]; those of B
  /// count with the opposite sign. [N·s/m, N·s; N·s, N·m·s] by blocks.
  Matrix6 damping = Matrix6::Zero();
  /// The geometry's derivatives come from its Hessian, not from differences.
  bool from_hessian = true;
};

/// The linearization of a touching contact, with poses and twists as MotionAt takes them. The part
/// of the laws comes from differences of fourth order on their own scales, without queries: 1e-9 of
/// the largest entries. At a kink of a law (sliding begins, a normal force is clamped at zero) it
/// is a mean of both sides. Throws InvalidInput for PatchCoulombFriction. Cost: 48 evaluations of
/// the model, about 15 µs; any number of threads.
VOLCONTACT_EXPORT ContactLinearization Linearize(const ContactModel& model,
                                                 const ContactGeometry& geometry,
                                                 const ContactGeometryDerivatives& derivatives,
                                                 const ContactState& state, const Pose& X_WA,
                                                 const Twist& A, const Pose& X_WB, const Twist& B);

VOLCONTACT_NAMESPACE_END
