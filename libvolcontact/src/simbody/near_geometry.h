// The geometry of a contact near a pose where it is known.
#pragma once

#include "simbody/pair_geometry.h"
#include "simbody/shape_symmetry.h"
#include "volcontact/forces/nearby_contact.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// Whether the volume of an overlap is known to second order, the rest to first.
bool IsSecondOrder(const Metrics& overlap);

/// What an overlap becomes when its bodies move by little from where it was found.
struct NearPatch {
  /// The overlap has a direction, or had one.
  NearPatch(const PatchMark& mark, const Metrics& overlap, ContactDirection direction,
            const Eigen::Vector3d& last_normal_W);

  /// The geometry after these motions, to the order that is known. Without a Hessian in the volume,
  /// and about so in the centroid's way over a tilted patch, which together are what is stiff.
  ContactGeometry Moved(const BodyMove& A, const BodyMove& B) const;

  /// The greatest part of its height or extent by which these motions change it. With a Hessian
  /// the volume errs by about the third power of it, and the rest by the second.
  double ChangeBy(const BodyMove& A, const BodyMove& B) const;

  PatchMark mark;
  NearbyContact nearby;
  std::optional<Matrix6> hessian;  ///< with the derivatives, where they are known
  ContactGeometryDerivatives rates;
  ShapeSymmetry of_A, of_B;  ///< of the shapes, in W
};

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
