// The room `exchange`: the shared library inside an FMU of a contact, for model exchange. Here:
// what a contact asks of the shapes of its bodies.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "fmi/fmu_contact.h"
#include "volcontact/contact/contact_geometry.h"
#include "volcontact/forces/friction.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// Gap of solids that are apart, but closer than is known [m]: only its sign makes an event.
inline constexpr double kUnknownGap = 1e-9;

/// What is found at one pair of poses.
struct ShapesContact {
  ContactGeometry geometry;
  double gap = 0.0;  ///< not positive where the solids overlap; else kUnknownGap, unless it is free
  bool converged = true;
};

/// Small motions of A and B as rigid bodies, in W: of the frame's origin, and a rotation vector.
struct ShapesMotion {
  Eigen::Vector3d d_A = Eigen::Vector3d::Zero(), w_A = Eigen::Vector3d::Zero();
  Eigen::Vector3d d_B = Eigen::Vector3d::Zero(), w_B = Eigen::Vector3d::Zero();
};

/// The shapes of a contact. Immutable: any number of threads may ask.
class ContactShapes {
 public:
  /// Throws InvalidInput where the solids cannot be prepared.
  explicit ContactShapes(const FmuContact& contact);

  /// The contact, along `last_normal_W` where the overlap has no direction. `tolerance` is that of
  /// a query. Throws InvalidInput for invalid poses and unbounded overlaps.
  ShapesContact Find(const PosePair& poses, const Eigen::Vector3d& last_normal_W,
                     double tolerance) const;

  /// The event function: positive apart, negative in contact [m]; a lower bound of the distance, of
  /// the solids' boxes while these are apart; minus the cube root of the volume.
  double Gap(const PosePair& poses, const ShapesContact& found) const;

  /// How the geometry changes with a small motion: derivatives, in the fields of a geometry (with
  /// `touching`; not the gyration radius, which follows from the others). Exact for solids, by
  /// their Hessian; by central differences of the formulas of point pairs. Throws InvalidInput that
  /// says why, where there is no Hessian.
  ContactGeometry Derivative(const PosePair& poses, const ShapesMotion& motion,
                             double tolerance) const;

  /// The pressure for friction over the patch.
  std::vector<PressureSample> Pressure(const PosePair& poses, const ContactGeometry& geometry,
                                       const Eigen::Vector3d& velocity_W, double spin,
                                       double tolerance) const;

 private:
  ContactGeometry SolidsDerivative(const PosePair& poses, const ShapesMotion& motion,
                                   double tolerance) const;
  ContactGeometry PointDerivative(const PosePair& poses, const ShapesMotion& motion) const;
  PointContact FindPoint(const PosePair& poses) const;

  std::optional<PreparedPair> pair_;
  Aabb bounds_A_, bounds_B_;
  std::optional<PointPair> point_pair_;
  Pose X_AP_, X_BQ_;
  ContactDirection direction_;
  bool needs_area_ = false;
};

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
