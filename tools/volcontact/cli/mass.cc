// volcontact mass: mass properties of one solid at unit density.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact::tool {
namespace {

constexpr char kMassFooter[] =
    R"(Prints the volume, centroid, inertia about the centroid at unit density, and the principal moments
(ascending) with their axes, in SI units. Exit status: 0 answered, 1 not converged to the tolerance,
2 bad input.

Example:
  echo '{"torus": {"major_radius": 0.1, "minor_radius": 0.02}}' > ring.json
  volcontact mass ring.json --tol 1e-9
)";

struct MassCommand {
  std::string file;
  QueryArguments arguments;

  ExitStatus Run() const;
  MassProperties Compute(const Solid& A) const;
};

MassProperties MassCommand::Compute(const Solid& A) const {
  const QueryOptions options = arguments.Checked();
  const Progress progress;
  try {
    return RunTimed(
        arguments.repeat, [&] { return ComputeMassProperties(A, options); },
        [](MassProperties& properties) -> Statistics& { return properties.stats; });
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", file, error.what()));
  }
}

ExitStatus MassCommand::Run() const {
  const SolidFile A = ReadSolid(file, {arguments.accept_defects});
  MassProperties properties = Compute(A.solid);
  auto& warnings = properties.warnings;
  warnings.insert(warnings.end(), A.notes.begin(), A.notes.end());
  if (arguments.json) {
    Print(MassJson(properties));
  } else {
    Print(MassTable(properties));
  }
  return properties.converged ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

}  // namespace

void AddMassCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<MassCommand>();
  CLI::App* mass = app->add_subcommand("mass", "Mass properties of one solid at unit density");
  mass->footer(kMassFooter);
  mass->add_option("A", command->file, "File of the solid (.json, .csg)")->required();
  command->arguments.methods = {Method::kAuto, Method::kClosedForm, Method::kOctree};
  command->arguments.AddTo(mass);
  mass->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
