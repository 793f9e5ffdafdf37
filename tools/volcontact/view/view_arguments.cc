#include "view/view_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <vector>

#include "view/replaced_files.h"
#include "volcontact/math/error.h"
#include "volcontact/view/scene_files.h"

namespace volcontact::tool {
namespace {

// What --help shows first, and a run reads as well; all others are of two solids.
constexpr const char* kOfRuns[] = {"A",        "--out",  "--page",  "--deviation", "--every",
                                   "--solids", "--json", "--force", "--help"};
constexpr const char* kOfRunsAlone[] = {"--every", "--solids"};

}  // namespace

void ViewArguments::AddTo(CLI::App* command) {
  command
      ->add_option("A", first,
                   fmt::format("File of solid A ({}; - is standard input), or the folder of a run",
                               kSolidExtensions))
      ->required();
  command->add_option("B", second, "File of solid B; none for a run");
  command->add_option("--out", out, "File to write: .html, .glb, .vtp, .vtm or .pvd")->required();
  command->add_flag("--force", force, "Let --out replace a file that view did not write");
  AddPoseOptions(command, &pose_A, &pose_B);
  AddTwistOptions(command, &twist_A, &twist_B);
  command->add_option("--params", params,
                      "File of contact parameters (.json), to draw pressure and forces");
  command
      ->add_option("--stiffness", stiffness,
                   "Stiffness of the pair [N/m^3] for the pressure, instead of --params")
      ->type_name("K");
  command->add_option("--state", state, "File of the contact's state, as force --json prints it");
  command->add_flag("--cells", cells, "Draw the cells of an octree around the overlap's boundary");
  command->add_flag("--arcs", arcs, "Draw the curves where the boundaries cross");
  command
      ->add_option("--deviation", deviation,
                   "Greatest distance of the drawn surfaces from the exact ones [m] (default: "
                   "1/500 of the size of the scene, and less on thin overlaps)")
      ->type_name("D");
  command
      ->add_option("--every", every,
                   "For a run: draw every N-th row (default: chosen to limit the size of files)")
      ->type_name("N");
  command
      ->add_option("--solids", solids_folder,
                   "For a run: folder with the files of its solids (default: where they were)")
      ->type_name("DIR");
  command->add_option("--page", page, "Template of the page (default: the one installed)")
      ->type_name("FILE");
  query.AddTo(command);
  solids.AddPairTo(command);
  query.AddPairOptionsTo(command);
}

void ViewArguments::Check(const CLI::App& command) const {
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    const std::string name =
        option->get_lnames().empty() ? option->get_name() : "--" + option->get_lnames().front();
    const auto is = [&](const char* other) { return name == other; };
    if (ShowsRun() && std::none_of(std::begin(kOfRuns), std::end(kOfRuns), is)) {
      throw InvalidInput(
          fmt::format("{}: works with two solids only, and {} is read as a run; name a second "
                      "solid, or leave the option out",
                      name, first));
    }
    if (!ShowsRun() && std::any_of(std::begin(kOfRunsAlone), std::end(kOfRunsAlone), is)) {
      throw InvalidInput(name + ": works with runs only; leave it out");
    }
  }
  RequireSceneFile(out);
  if (!force) RefuseOthersFiles(out);
  if (!page.empty() && view::SceneExtension(out) != ".html") {
    throw InvalidInput("--page: works with an --out that ends in .html only; leave it out");
  }
  if (query.repeat) throw InvalidInput("--repeat: view does not measure time; leave it out");
  if (every && *every < 1) throw InvalidInput(fmt::format("--every {}: must be 1 or more", *every));
  if (deviation && !(*deviation > 0.0 && std::isfinite(*deviation))) {
    throw InvalidInput(fmt::format("--deviation {}: must be above 0", *deviation));
  }
  if (stiffness && !(*stiffness > 0.0 && std::isfinite(*stiffness))) {
    throw InvalidInput(fmt::format("--stiffness {}: must be above 0", *stiffness));
  }
  if (stiffness && !params.empty()) {
    throw InvalidInput("--stiffness: the file of --params has one; drop either");
  }
  if (!state.empty() && params.empty()) {
    throw InvalidInput("--state: only contacts with --params have one; add that or drop this");
  }
}

}  // namespace volcontact::tool
