// Mass properties of one solid.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/options.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Mass properties of one solid at unit density. The fields of Metrics that describe contact
/// (normal, area vector and moment, contact area) stay zero. Throws InvalidInput for an unbounded
/// solid.
struct MassProperties {
  Metrics metrics;
  Eigen::Vector3d principal_moments = Eigen::Vector3d::Zero();   ///< ascending [m⁵]
  Eigen::Matrix3d principal_axes = Eigen::Matrix3d::Identity();  ///< columns, right-handed
};
MassProperties ComputeMassProperties(const Solid& A, const QueryOptions& options = {});

VOLCONTACT_NAMESPACE_END
