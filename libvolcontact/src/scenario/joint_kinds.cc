// The types of joints, as one table that readers, messages and the model go by.
#include <cstddef>

#include "volcontact/scenario/mechanism.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

const std::vector<JointKind>& JointKinds() {
  constexpr bool kAngle = true, kLength = false;
  static const std::vector<JointKind> kinds = {
      {JointType::kFree, "free", JointStart::kPose, {}},
      {JointType::kSlider, "slider", JointStart::kCoordinates, {{"x", kLength}}},
      {JointType::kPin, "pin", JointStart::kCoordinates, {{"angle", kAngle}}},
      {JointType::kPlanar,
       "planar",
       JointStart::kCoordinates,
       {{"angle", kAngle}, {"x", kLength}, {"y", kLength}}},
      {JointType::kBall, "ball", JointStart::kOrientation, {}},
      {JointType::kTranslation,
       "translation",
       JointStart::kPosition,
       {{"x", kLength}, {"y", kLength}, {"z", kLength}}},
      {JointType::kWeld, "weld", JointStart::kCoordinates, {}},
      {JointType::kScrew, "screw", JointStart::kCoordinates, {{"angle", kAngle}}},
      {JointType::kCylindrical,
       "cylindrical",
       JointStart::kCoordinates,
       {{"angle", kAngle}, {"z", kLength}}},
      {JointType::kUniversal,
       "universal",
       JointStart::kCoordinates,
       {{"angle_x", kAngle}, {"angle_y", kAngle}}},
      {JointType::kGimbal,
       "gimbal",
       JointStart::kCoordinates,
       {{"angle_x", kAngle}, {"angle_y", kAngle}, {"angle_z", kAngle}}}};
  return kinds;
}

const JointKind& KindOf(JointType type) { return JointKinds()[static_cast<std::size_t>(type)]; }

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
