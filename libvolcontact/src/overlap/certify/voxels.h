// Counting voxels.
#pragma once

#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"

namespace volcontact {

/// Raw integrals of the problem's region within its frame's box by recursive decomposition into
/// voxels (Gonthier 2007, App. A.3.2), for comparison with the integrators that do better.
///
/// The box is halved along its longest extents until cells are certified inside or outside, or no
/// longer than voxel_size (> 0) [m]. Inside cells count whole; a cell of voxel size counts whole if
/// its centre is in the region, else not (the thesis leaves the choice open; the centre makes the
/// error of the volume second order for smooth surfaces, on average). The moments of what counts
/// are exact.
///
/// The area vector comes from the same voxels: a surface of B whose flip changes the membership of
/// a voxel's centre contributes the section of its tangent model at the centre with the voxel (half
/// of it where the surface is A's as well). The torque takes it at the voxel's centre, and the
/// projected area is half the sum of |n_z dS| over the surfaces of both, which is the area of the
/// projection when every line along z meets the region once. All three converge with first order.
///
/// volume_error is half of the volume of the undecided voxels. When max_cells classified cells do
/// not suffice, the voxels are larger by the power of two that does, and converged is false. Memory
/// is proportional to the depth. The result does not depend on `threads`.
RawMetrics CountVoxels(const LocalProblem& problem, double voxel_size, long max_cells, int threads);

}  // namespace volcontact
