// How many samples a test takes.
#pragma once

#include <cstdlib>

namespace volcontact::testing {

/// `full` where the environment has VOLCONTACT_FULL_SAMPLES, as tools/full_samples.py sets it; else
/// `quick`, in every check.
inline int Samples(int quick, int full) {
  return std::getenv("VOLCONTACT_FULL_SAMPLES") != nullptr ? full : quick;
}

}  // namespace volcontact::testing
