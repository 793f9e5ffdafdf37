// Which plane, quadric or torus a surface given by points is.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "step/step_solid.h"

namespace volcontact {

/// A point of a surface with its unit normal.
struct StepPointNormal {
  Eigen::Vector3d p, n;
};

/// The surface, without its side, from which no point is farther than the tolerance [m]; nothing
/// where there is none, or too few points tell. Tried from the simplest on: normals of a plane are
/// one, those of a sphere meet in a point, those of a cylinder lie in a plane and of a cone on a
/// circle, and those of a torus meet its axis. What is none of these closely may be another
/// quadric, which has nine unknowns and fits much that is nearly flat: it must be as near as the
/// rounding of a file's numbers.
std::optional<StepFace> RecognisedSurface(const std::vector<StepPointNormal>& points,
                                          double tolerance);

}  // namespace volcontact
