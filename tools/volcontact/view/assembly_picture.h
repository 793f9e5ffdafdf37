// Files to look at of an assembly.
#pragma once

#include <string>
#include <vector>

#include "volcontact/assembly/assembly_check.h"
#include "volcontact/solids/solid.h"

namespace volcontact::tool {

struct PicturedBody {
  std::string name;
  Solid solid;
};

struct AssemblyPicture {
  std::string out, page;  ///< as typed; an empty page is the one installed
  bool force = false;     ///< replace a file that view did not write
  std::vector<PicturedBody> bodies = {};
};

/// Throws InvalidInput where the options cannot be obeyed, before anything is computed.
void CheckAssemblyPicture(const AssemblyPicture& picture);

/// Writes the bodies, and the overlaps of the pairs that interfere; pairs refer to the bodies by
/// their places. Returns remarks.
std::vector<std::string> WriteAssemblyPicture(const AssemblyPicture& picture,
                                              const std::vector<AssemblyPair>& pairs);

}  // namespace volcontact::tool
