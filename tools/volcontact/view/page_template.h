// Where the page is that shows a scene.
#pragma once

#include <filesystem>

namespace volcontact::tool {

/// The template of the page: `given`, if that is not empty, else ../share/volcontact/view/page.html
/// beside the folder of the executable, as in an installation. Throws InvalidInput that names the
/// file if there is none.
std::filesystem::path PageTemplate(const std::filesystem::path& given);

}  // namespace volcontact::tool
