// Which files a scene may be written to.
#pragma once

#include <filesystem>
#include <string>

namespace volcontact::tool {

/// Throws InvalidInput for an --out that does not end like a scene's file.
void RequireSceneFile(const std::string& out);

/// Throws InvalidInput where --out names a file that view did not write, or has such beside it:
/// what view wrote can be written anew; nobody knows where anything else would come from.
void RefuseOthersFiles(const std::filesystem::path& out);

}  // namespace volcontact::tool
