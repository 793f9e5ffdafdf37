// How an arrow of a scene is drawn.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "volcontact/display/display.h"
#include "volcontact/view/scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// The arrow from the origin to (0, 0, 1); with two heads, as those of torques have.
DisplayMesh UnitArrow(bool two_heads);

/// The turn that takes z to the direction of v by the least rotation: w, x, y, z; that before it
/// for a vector that vanishes, in the hemisphere of that.
std::array<double, 4> TurnOfZ(const Eigen::Vector3d& v, const std::array<double, 4>& before);

/// The length at which a vector of an arrow is drawn [m].
double DrawnLength(const ArrowItem& arrow, const Eigen::Vector3d& v);

/// Gives each quaternion the sign that brings it next to the one before.
void KeepHemisphere(std::vector<std::array<double, 4>>* quaternions);

}  // namespace view
VOLCONTACT_NAMESPACE_END
