// Mass properties of one solid.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/options.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Mass properties of one solid at unit density, W being the frame in which the solid is given. A
/// plain value.
struct MassProperties : VolumeMetrics {
  Eigen::Vector3d principal_moments = Eigen::Vector3d::Zero();   ///< ascending [m⁵]
  Eigen::Matrix3d principal_axes = Eigen::Matrix3d::Identity();  ///< columns, right-handed, in W
};

/// The mass properties of A by closed form, by the sums of a mesh, or else by quadrature to
/// options.tolerance; options that concern contact are not read. Throws InvalidInput for an
/// unbounded solid, an invalid option, and a forced method that does not apply to the solid;
/// non-convergence is reported, not thrown. Any number of threads may call it at the same time.
/// Cost: A is compiled anew with each call, some 10 µs for a primitive and more in proportion to
/// its surfaces; then about 1 µs for a primitive or a mesh, 1 ms and up for the rest.
VOLCONTACT_EXPORT MassProperties ComputeMassProperties(const Solid& A,
                                                       const QueryOptions& options = {});

VOLCONTACT_NAMESPACE_END
