// The area that the rim of a contour encloses.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "overlap/arcs/contour.h"
#include "overlap/arcs/contour_crossings.h"
#include "overlap/arcs/rim_layers.h"
#include "overlap/arcs/rim_slabs.h"
#include "overlap/arcs/rim_sweep.h"

namespace volcontact {

/// Measures what a contour encloses, each line along the direction once. Layers do that, or slabs
/// where parts nearly coincide. Keeps its memory.
class ContourRim {
 public:
  /// `along`: as the sweep has it. `is_sure`: no part is missing, and none too many. Nothing if the
  /// contour does not close. The same for any number of threads.
  std::optional<double> Run(const Eigen::Vector3d& along, const std::vector<ContourPart>& contour,
                            const RimSweep& sweep, bool is_sure, int threads);

 private:
  ContourCrossings crossings_;
  RimLayers layers_;
  RimSlabs slabs_;
};

}  // namespace volcontact
