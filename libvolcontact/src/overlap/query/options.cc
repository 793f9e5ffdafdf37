#include "volcontact/overlap/options.h"

VOLCONTACT_NAMESPACE_BEGIN

std::string MethodName(Method method) {
  switch (method) {
    case Method::kAuto:
      return "auto";
    case Method::kClosedForm:
      return "closed_form";
    case Method::kPatch:
      return "patch";
    case Method::kOctree:
      return "octree";
    case Method::kMesh:
      return "mesh";
    case Method::kVoxel:
      return "voxel";
  }
  return "unknown";
}

VOLCONTACT_NAMESPACE_END
