// Stubs until the interface has its sources.
#include <stdexcept>

#include "volcontact/display/display.h"

VOLCONTACT_NAMESPACE_BEGIN

DisplayMesh DisplaySurface(const Solid&, const DisplayOptions&, const Aabb&) {
  throw std::logic_error("DisplaySurface is being written");
}
OverlapDisplay DisplayOverlap(const Solid&, const Pose&, const Solid&, const Pose&,
                              const DisplayOptions&) {
  throw std::logic_error("DisplayOverlap is being written");
}
PatchDisplay DisplayPatch(const OverlapDisplay&, const Eigen::Vector3d&) {
  throw std::logic_error("DisplayPatch is being written");
}

VOLCONTACT_NAMESPACE_END
