// Random pairs of solids that nearly fit, as files say them and as rays see them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "region.h"

namespace fits {

struct Case {
  std::string id, a, b;  // solids as in docs/solid_files.md; b stands at the origin
  Pose pose_a;
  double clearance = 0;  // of the radius; 0 where it has no meaning
  double tilt = 0;       // [rad]
  Region region;
};

struct Family {
  std::string name;
  Case (*make)(std::uint64_t seed);
};

std::vector<Family> Families();

}  // namespace fits
