// The bristle friction driven along a measured motion.
//
// Component volcontact::identify.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"
#include "volcontact/forces/friction.h"
#include "volcontact/identify/friction_data.h"
#include "volcontact/identify/shared_vectors.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// The coefficients that the bristle model gives along a run that begins at rest, where stiction is
/// fully grown. Between samples the speed is a cubic with the slopes of parabolas at the samples,
/// the motion across linear; the run must have times that grow. Any thread. Cost: some microseconds
/// a sample.
VOLCONTACT_EXPORT Eigen::VectorXd SimulateCoefficient(const FrictionRun& run,
                                                      const BristleFriction& law);

}  // namespace identify
VOLCONTACT_NAMESPACE_END
