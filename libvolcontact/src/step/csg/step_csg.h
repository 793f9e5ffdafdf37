// From the faces of a solid to an expression over their surfaces.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "step/step_solid.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Tells which of some points are inside; leaves out those within a distance of the boundary [m].
using StepClassifier =
    std::function<std::vector<StepPoint>(const std::vector<Eigen::Vector3d>& points, double near)>;

/// The solid as CSG, where that is certain: see ReadStep. Nothing, with the reason, where it is
/// not, or the time limit is over before it is certain.
std::optional<Solid> ExactSolid(const StepSolid& step, const StepClassifier& classify,
                                std::string* why);

}  // namespace volcontact
