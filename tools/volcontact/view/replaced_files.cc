#include "view/replaced_files.h"

#include <fmt/format.h>

#include <system_error>
#include <vector>

#include "volcontact/math/error.h"
#include "volcontact/view/scene_files.h"

namespace volcontact::tool {

void RequireSceneFile(const std::string& out) {
  if (!view::IsSceneFile(out)) {
    throw InvalidInput(fmt::format("--out {}: must end in .html, .glb, .vtp, .vtm or .pvd", out));
  }
}

void RefuseOthersFiles(const std::filesystem::path& out) {
  std::vector<std::filesystem::path> replaced = {out};
  std::error_code error;
  const std::string extension = view::SceneExtension(out);
  if (extension == ".vtm" || extension == ".pvd") {
    const std::filesystem::path beside = out.parent_path() / out.stem();
    for (const auto& entry : std::filesystem::directory_iterator(beside, error)) {
      if (view::SceneExtension(entry.path()) == ".vtp") replaced.push_back(entry.path());
    }
  }
  for (const std::filesystem::path& file : replaced) {
    if (!std::filesystem::is_regular_file(file, error) || view::IsWrittenScene(file)) continue;
    throw InvalidInput(fmt::format(
        "--out {}: {} is there, and view did not write it; choose another name, or replace it with "
        "--force",
        out.string(), file == out ? "a file" : file.string()));
  }
}

}  // namespace volcontact::tool
