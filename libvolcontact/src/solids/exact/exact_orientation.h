// Exact orientation of points with double coordinates.
#pragma once

#include <Eigen/Core>

namespace volcontact {

/// The sign of (b − a)·((c − a) × (d − a)). Components at most 1e30.
int Orientation(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                const Eigen::Vector3d& d);

/// The sign of component `axis` of (b − a) × (c − a): +1 when a b c run counterclockwise seen
/// against that axis.
int OrientationAlong(int axis, const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                     const Eigen::Vector3d& c);

/// An axis along which a b c is seen with area, or −1 when it has none.
int AxisOfArea(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c);

}  // namespace volcontact
