// volcontact view, where the tool was built without tinygltf: says what is missing.
#include <CLI/CLI.hpp>

#include "cli/commands.h"
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

}  // namespace volcontact::tool
