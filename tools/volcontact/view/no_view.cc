// In the place of what draws assemblies, in a build without the component `view`.
#include "view/assembly_picture.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {

void CheckAssemblyPicture(const AssemblyPicture& /*picture*/) {
  throw InvalidInput(
      "--out: pictures are not in this build; install libtinygltf-dev (Debian), configure with "
      "-DVOLCONTACT_VIEW=ON -DVOLCONTACT_CORE_ONLY=OFF, and build again");
}

std::vector<std::string> WriteAssemblyPicture(const AssemblyPicture& picture,
                                              const std::vector<AssemblyPair>& /*pairs*/) {
  CheckAssemblyPicture(picture);
  return {};
}

}  // namespace volcontact::tool
