#include "integration/patch.h"

namespace volcontact {

std::optional<PatchResult> Patch::Run(const SurfaceSet&, const Aabb&, const PatchOptions&) {
  return std::nullopt;
}

}  // namespace volcontact
