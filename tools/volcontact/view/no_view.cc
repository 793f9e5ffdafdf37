// What shows things, where the tool was built without tinygltf: says what is missing.
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "view/assembly_picture.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {

void AddViewCommand(CLI::App* app, ExitStatus*) {
  CLI::App* view = app->add_subcommand(
      "view", "Contacts and runs to look at (not in this build: it was made without tinygltf)");
  view->allow_extras();
  view->callback([] {
    throw InvalidInput(
        "view: this volcontact was built without tinygltf; install it (Debian: libtinygltf-dev) "
        "and build again");
  });
}

void CheckAssemblyPicture(const AssemblyPicture& /*picture*/) {
  throw InvalidInput(
      "--out: this volcontact was built without tinygltf; install it (Debian: libtinygltf-dev) and "
      "build again");
}

std::vector<std::string> WriteAssemblyPicture(const AssemblyPicture& picture,
                                              const std::vector<AssemblyPair>& /*pairs*/) {
  CheckAssemblyPicture(picture);
  return {};
}

}  // namespace volcontact::tool
