// What a friction law makes of small motions across a patch in a step, whatever the patch is.
#pragma once

#include "volcontact/forces/friction.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

struct SlidingRates {
  double slope = 0.0;  ///< of friction over the normal force, by the velocity near rest [s/m]
  double limit = 0.0;  ///< that friction over the normal force never exceeds
  double slow = 0.0;   ///< up to this speed friction may hold [m/s]
  bool turns = false;  ///< has spin, too: the same with the patch's radius of gyration
  /// Bristles' springs gain more in a step, by whose mean speed they are bent, than they lose.
  bool gains = false;
};

/// In a step of `step` [s]. All zero of a law without springs, or without friction.
SlidingRates RatesOf(const FrictionLaw& law, double step);

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
