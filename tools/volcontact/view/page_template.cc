#include "view/page_template.h"

#include <string>
#include <system_error>
#include <vector>

#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

namespace fs = std::filesystem;

// What makes the template puts it into view/ beside the folders of builds.
std::vector<fs::path> Places() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return {};
  std::vector<fs::path> places = {folder / ".." / "share" / "volcontact" / "view" / "page.html"};
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / "CMakeCache.txt")) {
      places.push_back(at.parent_path() / "view" / "page.html");
      break;
    }
  }
  return places;
}

}  // namespace

fs::path PageTemplate(const fs::path& given) {
  if (!given.empty()) {
    if (fs::is_regular_file(given)) return given;
    throw InvalidInput("--page " + given.string() + ": is not a file");
  }
  for (const fs::path& place : Places()) {
    if (fs::is_regular_file(place)) return place;
  }
  throw InvalidInput(
      "--out: the viewer page is missing: make it once with `sh tools/view_page.sh` (node and "
      "npm), and "
      "install again where the tool is installed; or name the file .glb, .vtp, .vtm or .pvd");
}

}  // namespace volcontact::tool
