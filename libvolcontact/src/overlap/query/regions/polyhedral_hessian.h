// The Hessian of what two polyhedra share.
#pragma once

#include <vector>

#include "overlap/arcs/sums/volume_hessian.h"
#include "overlap/frame/flat_crossing.h"
#include "solids/mesh/face_sums.h"

namespace volcontact {

/// Sums over faces from the moments of the cones over them from the origin.
SurfaceSums SumsOverCones(const VolumeMoments& cones, const Eigen::Vector3d& area);

/// Sums over all segments in which faces of A and of B cross (docs/theory.md, section 16): closed
/// forms, exact to rounding. Holds scratch memory of one thread.
class FlatHessian {
 public:
  /// To be set before Run, from the origin of a frame C and in its axes.
  std::vector<FlatCrossing>* crossings() { return &crossings_; }

  /// Takes the overlap's moments about C's origin; `of_B` and `moment` are the sums over B's share
  /// of the boundary and the integral of p n' over it. About a microsecond a segment.
  RawDerivatives Run(const Rigid& X_AC, const VolumeMoments& moments, const SurfaceSums& of_B,
                     const Eigen::Matrix3d& moment);

 private:
  std::vector<FlatCrossing> crossings_;
  std::vector<VolumeHessian::Crossing> straight_;
  VolumeHessian sums_;
};

}  // namespace volcontact
