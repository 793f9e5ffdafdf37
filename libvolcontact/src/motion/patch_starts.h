// What contacts that are found in a step have from the step before.
#pragma once

#include <vector>

#include "volcontact/motion/moving_bodies.h"

namespace volcontact {

/// A contact as it was found.
struct SeenPatch {
  PatchMark mark;
  NearbyContact nearby;
  ContactMotion approach;  ///< with which the bodies come, were there no contact
};

/// The states at the beginning of the step, in the order of `found`.
std::vector<StepState> StartsOf(const ContactModel& model, const SteppedPairState& last,
                                const std::vector<SeenPatch>& found, bool is_one);

}  // namespace volcontact
