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

/// The boundary of a localized field, in the frame in which A's has the pose X_WA. `deviation` [m]
/// is positive.
OverlapDisplay DrawField(const DisplayField& field, const DisplayOptions& options, double deviation,
                         const Pose& X_WA);

}  // namespace volcontact
