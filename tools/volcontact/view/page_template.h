// Where the page is that shows a scene.
#pragma once

#include <filesystem>

namespace volcontact::tool {

/// The template of the page: `given`, if that is not empty, else beside the executable in an
/// installation (../share/volcontact/view/page.html) or in the folder of the builds that this one
/// is in. Throws InvalidInput that says how to make it where there is none.
std::filesystem::path PageTemplate(const std::filesystem::path& given);

}  // namespace volcontact::tool
