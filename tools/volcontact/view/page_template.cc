#include "view/page_template.h"

#include <string>
#include <system_error>

#include "volcontact/math/error.h"

namespace volcontact::tool {

namespace fs = std::filesystem;

fs::path PageTemplate(const fs::path& given) {
  if (!given.empty()) {
    if (fs::is_regular_file(given)) return given;
    throw InvalidInput(
        "--page " + given.string() +
        ": is not a file; name the page, such as tools/view/bundle.html of the source");
  }
  std::error_code error;
  const fs::path tool = fs::read_symlink("/proc/self/exe", error);
  const fs::path page =
      (tool.parent_path() / "../share/volcontact/view/page.html").lexically_normal();
  if (fs::is_regular_file(page)) return page;
  throw InvalidInput("--out: the viewer page is missing: " + page.string() +
                     " comes with the tool; build or install it again, or name another page by "
                     "--page (tools/view/bundle.html of the source); a .glb file needs no page");
}

}  // namespace volcontact::tool
