// The area of a region's projection by lines through it.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "overlap/frame/local_problem.h"

namespace volcontact {

/// The area of the projection of a region along a unit vector of its frame: rows of lines, of which
/// the ends of what meets the region are found along the row, integrated across. Parts narrower
/// than 3 % of the cube may be missed; good to about 1e-3 of the rest, at the cost of some thousand
/// lines.
double ScanProjection(const LocalProblem& problem, const Eigen::Vector3d& direction);

/// The same for any region in the unit cube, given by whether a line through a point meets it;
/// `along`: of these lines, with the area of what is projected along it as its length.
double ScanProjection(const Eigen::Vector3d& along,
                      const std::function<bool(const Eigen::Vector3d& p)>& meets);

}  // namespace volcontact
