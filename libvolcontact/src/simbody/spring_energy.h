// The energy of a spring from its force.
#pragma once

#include <functional>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// The work [J] of a force f(s) [N] >= 0 from s = 0 to where it has first fallen to zero [m]: to
/// some 1e-6 of itself, and to 1e-8 where the force is smooth. Zero where it has not fallen to
/// zero at 1000 km. About so far it should reach, up to some factor: `height` > 0 [m]. Some 15
/// evaluations, with kinks up to 130.
double EnergyAlong(const std::function<double(double)>& force, double height);

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
