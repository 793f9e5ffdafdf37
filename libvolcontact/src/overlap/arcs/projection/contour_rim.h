// The area that the rim of a contour encloses.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "overlap/arcs/projection/contour.h"
#include "overlap/arcs/projection/contour_crossings.h"
#include "overlap/arcs/projection/rim_slabs.h"
#include "overlap/arcs/projection/rim_stretches.h"
#include "overlap/arcs/projection/rim_sweep.h"

namespace volcontact {

/// Measures what a contour encloses, each line along the direction once: by the stretches of its
/// rim, or by slabs where parts nearly coincide. Keeps its memory.
class ContourRim {
 public:
  /// `along`: as the sweep has it. `is_sure`: no part is missing, and none too many. Nothing if the
  /// contour does not close. The same for any number of threads.
  std::optional<double> Run(const Eigen::Vector3d& along, const std::vector<ContourPart>& contour,
                            const RimSweep& sweep, bool is_sure, int threads);

 private:
  ContourCrossings crossings_;
  RimStretches stretches_;
  std::vector<ContourPart> all_;  // parts of the contour, none of which counts as inner
  RimSlabs slabs_;
};

}  // namespace volcontact
