// Mass properties of one solid.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/options.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Mass properties of one solid at unit density. W is the frame in which the solid is given. A
/// plain value.
struct MassProperties : VolumeMetrics {
  Eigen::Vector3d principal_moments = Eigen::Vector3d::Zero();   ///< ascending [m⁵]
  Eigen::Matrix3d principal_axes = Eigen::Matrix3d::Identity();  ///< columns, right-handed, in W
};

/// The mass properties of A by closed form, by the sums of a mesh, or else by quadrature to
/// options.tolerance. Options about contact are ignored. Throws InvalidInput for an unbounded
/// solid, an invalid option, and a forced method that does not serve the solid. A result without
/// convergence is reported, not thrown. Any number of threads may call it at the same time.
VOLCONTACT_EXPORT MassProperties ComputeMassProperties(const Solid& A,
                                                       const QueryOptions& options = {});

VOLCONTACT_NAMESPACE_END
