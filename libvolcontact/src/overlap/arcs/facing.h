// Regions whose projection is known without their edges.
#pragma once

#include <Eigen/Core>

#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Whether it is proved that all faces of A look along a direction (a unit vector in the problem's
/// frame) or at right angles to it, and those of B against it, or the other way round, and that
/// every line along it meets the region in one interval at most. The area of the projection then is
/// the area vector's component: with lines that enter through one body's faces and leave through
/// the other's, every face is seen once. So are most contacts of small depth. Cost: a microsecond.
bool AreBodiesFacing(const LocalProblem& problem, const Eigen::Vector3d& direction);

}  // namespace volcontact
