// The bristle friction driven along a measured motion.
#pragma once

#include <Eigen/Core>

#include "identify/friction_data.h"
#include "volcontact/forces/friction.h"

namespace volcontact::tool {

/// The coefficients that the bristle model gives along a run that begins at rest, where stiction is
/// fully grown. Between samples the speed is taken as linear; the run must have times that grow.
Eigen::VectorXd SimulateCoefficient(const FrictionRun& run, const BristleFriction& law);

}  // namespace volcontact::tool
