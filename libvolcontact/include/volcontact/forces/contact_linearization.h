// How the force of a contact changes when its bodies move, damping and friction included: what
// implicit integrators and linear models need. Of the elastic force alone: stiffness_matrix.h.
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
  /// By the displacement of A while B stays: translation d along W's axes [m], and the rotation w
  /// about the contact point [rad]. The velocities of the bodies' origins, their angular velocities
  /// and the contact's state are held. Not symmetric. [N/m, N; N, N·m] by blocks.
  Matrix6 stiffness = Matrix6::Zero();
  /// By the velocity v of A's point there [m/s] and its angular velocity ω [rad/s]; those of B
  /// count with the opposite sign. [N·s/m, N·s; N·s, N·m·s] by blocks.
  Matrix6 damping = Matrix6::Zero();
  /// The geometry's derivatives came from its Hessian, and not from differences.
  bool from_hessian = true;
};

/// That of a contact whose geometry touches, with poses and twists as MotionAt takes them. The
/// laws' part is found by differences of fourth order on their own scales, in which no query is
/// made: 1e-9 of the largest entries. Where a law has a kink (sliding begins, a normal force is cut
/// at zero) it is that of some mean of both sides. Throws InvalidInput for PatchCoulombFriction.
/// Cost: 48 evaluations of the model, some 15 µs; any number of threads.
VOLCONTACT_EXPORT ContactLinearization Linearize(const ContactModel& model,
                                                 const ContactGeometry& geometry,
                                                 const ContactGeometryDerivatives& derivatives,
                                                 const ContactState& state, const Pose& X_WA,
                                                 const Twist& A, const Pose& X_WB, const Twist& B);

VOLCONTACT_NAMESPACE_END
