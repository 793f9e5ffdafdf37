// The area of a region's projection by lines through it.
#pragma once

#include <Eigen/Core>

#include "overlap/frame/local_problem.h"

namespace volcontact {

/// The area of the shadow of a region along a unit vector of its frame: rows of lines, of which the
/// ends of what meets the region are found along the row, integrated across. Parts narrower than
/// 3 % of the cube may be missed; good to about 1e-3 of the rest, at the cost of some thousand
/// lines.
double ScanShadow(const LocalProblem& problem, const Eigen::Vector3d& direction);

}  // namespace volcontact
