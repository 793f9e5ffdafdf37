// Numbers at which laws are cut, which their own evaluation and that in steps share.
#pragma once

namespace volcontact {

/// Damping that leaves less than this part of the elastic force fades the rolling torque out with
/// it: contacts that part have none.
inline constexpr double kParting = 1e-3;

/// v_epsilon of bristles where it is not given, as a part of v_stribeck.
inline constexpr double kUsualEpsilon = 0.01;

}  // namespace volcontact
