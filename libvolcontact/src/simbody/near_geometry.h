// The geometry of a contact near a pose where it is known.
#pragma once

#include <Eigen/Geometry>

#include "simbody/pair_geometry.h"
#include "volcontact/forces/nearby_contact.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// Whether the volume of an overlap is known to second order, the rest to first.
bool IsSecondOrder(const Metrics& overlap);

/// A motion of a body in W: its points go from x to turn x + way.
struct BodyMove {
  BodyMove(const Pose& from, const Pose& to);
  Eigen::Vector3d operator*(const Eigen::Vector3d& x) const { return turn * x + way; }
  Eigen::Vector3d Back(const Eigen::Vector3d& x) const { return turn.conjugate() * (x - way); }

  Eigen::Quaterniond turn;
  Eigen::Vector3d way;
};

/// What an overlap becomes when its bodies move by little from where it was found.
struct NearPatch {
  /// The overlap has a direction, or had one.
  NearPatch(const PatchMark& mark, const Metrics& overlap, ContactDirection direction,
            const Eigen::Vector3d& last_normal_W);

  /// The geometry after these motions, to the order that is known. Without a Hessian in the volume,
  /// and about so in the centroid's way over a tilted patch, which together are what is stiff.
  ContactGeometry Moved(const BodyMove& A, const BodyMove& B) const;

  PatchMark mark;
  NearbyContact nearby;
  std::optional<Matrix6> hessian;  ///< with the derivatives, where they are known
  ContactGeometryDerivatives rates;
};

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
