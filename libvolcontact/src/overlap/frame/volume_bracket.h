// Certified bounds of a volume.
#pragma once

namespace volcontact {

/// lower <= volume <= upper.
struct VolumeBracket {
  double lower = 0.0, upper = 0.0;
  double Width() const { return upper - lower; }
};

}  // namespace volcontact
