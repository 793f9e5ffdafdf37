#include "volcontact/scenario/scenario.h"

#include <algorithm>

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

std::vector<double> Scenario::Corners() const {
  std::vector<double> corners;
  const auto add = [&](const std::vector<double>& times) {
    corners.insert(corners.end(), times.begin(), times.end());
  };
  for (const BodySpec& body : bodies) {
    if (body.motion) add(CornersOf(body.motion->profile));
  }
  for (const MotorSpec& motor : mechanism.motors) add(CornersOf(motor.profile));
  for (const LoadSpec& load : loads) {
    if (load.scale) add(load.scale->times);
  }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
