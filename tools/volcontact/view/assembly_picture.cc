#include "view/assembly_picture.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "view/page_template.h"
#include "view/replaced_files.h"
#include "volcontact/math/error.h"
#include "volcontact/view/assembly_scene.h"
#include "volcontact/view/scene_files.h"

namespace volcontact::tool {

void CheckAssemblyPicture(const AssemblyPicture& picture) {
  RequireSceneFile(picture.out);
  if (!picture.force) RefuseOthersFiles(picture.out);
  if (view::SceneExtension(picture.out) == ".html") {
    PageTemplate(picture.page);
  } else if (!picture.page.empty()) {
    throw InvalidInput("--page: only an --out that ends in .html reads it; drop it");
  }
}

std::vector<std::string> WriteAssemblyPicture(const AssemblyPicture& picture,
                                              const std::vector<AssemblyPair>& pairs) {
  view::AssemblyView assembly;
  assembly.title = std::filesystem::path(picture.out).stem().string();
  for (const PicturedBody& body : picture.bodies) {
    assembly.bodies.push_back({body.name, body.solid});
  }
  assembly.pairs = pairs;
  std::filesystem::path page;
  if (view::SceneExtension(picture.out) == ".html") page = PageTemplate(picture.page);
  const view::Scene scene = view::MakeAssemblyScene(assembly);
  view::WriteScene(scene, picture.out, page);
  return scene.notes;
}

}  // namespace volcontact::tool
