// From a field to what is drawn of it.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "display/field.h"
#include "volcontact/display/display.h"
#include "volcontact/math/pose.h"

namespace volcontact {

/// Throws InvalidInput that names the option and its range.
void ValidateDisplayOptions(const DisplayOptions& options);

/// Deviations that will do [m], 0 < finest <= coarsest.
struct DeviationRange {
  double finest, coarsest;
};

/// The boundary of a localized field, in the frame in which A's has the pose X_WA, as fine in the
/// range as options.most_triangles suffice for.
OverlapDisplay DrawField(const DisplayField& field, const DisplayOptions& options,
                         const DeviationRange& range, const Pose& X_WA);

}  // namespace volcontact
