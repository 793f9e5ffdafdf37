// volcontact mass: mass properties of one solid at unit density.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/solid_arguments.h"
#include "volcontact/io/material_table.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact::tool {
namespace {

constexpr char kMassFooter[] =
    R"(Prints the volume, centroid, inertia about the centroid at unit density, and the principal moments
(ascending) with their axes, in SI units.

Exit status: 0 answered, 1 not converged to the tolerance, 2 bad input.

Example:
  echo '{"torus": {"major_radius": 0.1, "minor_radius": 0.02}}' > ring.json
  volcontact mass ring.json --density 7800
)";

// Foams begin at about 10 kg/m³, and the heaviest metal has 22.6 g/cm³ [kg/m³].
constexpr double kLeastSolidDensity = 25.0;

struct MassCommand {
  std::string file;
  SolidArguments solids;
  std::string density;
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

// A number, or the name of a material; nothing if none is given.
std::optional<double> ReadDensity(const std::string& given) {
  if (given.empty()) return std::nullopt;
  double density = 0.0;
  const char* const last = given.data() + given.size();
  const auto [end, error] = std::from_chars(given.data(), last, density);
  if (error != std::errc() || end != last) {
    try {
      return BuiltInMaterials().Density(given);
    } catch (const InvalidInput& unknown) {
      throw InvalidInput(fmt::format("--density: {}", unknown.what()));
    }
  }
  if (density > 0.0 && std::isfinite(density)) return density;
  throw InvalidInput(fmt::format("--density {}: must be positive and finite", given));
}

ExitStatus MassCommand::Run() const {
  const std::optional<double> per_volume = ReadDensity(density);
  const SolidFile A = solids.Read(file);
  MassProperties properties = Compute(A.solid);
  auto& warnings = properties.warnings;
  if (per_volume && *per_volume < kLeastSolidDensity) {
    warnings.push_back(
        fmt::format("--density {}: is in kg/m^3; g/cm^3 are a thousand times that", density));
  }
  warnings.insert(warnings.end(), A.notes.begin(), A.notes.end());
  if (arguments.json) {
    Print(MassJson(properties, per_volume));
  } else {
    Print(MassTable(properties, per_volume));
  }
  return properties.converged ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

}  // namespace

void AddMassCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<MassCommand>();
  CLI::App* mass = app->add_subcommand("mass", "Mass properties of one solid at unit density");
  mass->footer(kMassFooter);
  mass->add_option("A", command->file,
                   fmt::format("File of the solid ({}; - is standard input)", kSolidExtensions))
      ->required();
  std::erase_if(command->arguments.methods,
                [](const MethodEntry& entry) { return entry.method == Method::kVoxel; });
  command->arguments.AddTo(mass);
  command->solids.AddTo(mass);
  command->solids.AddDeviationTo(mass);
  mass->add_option("--density", command->density,
                   "Density [kg/m^3], or a material of `estimate materials`: adds mass and inertia")
      ->type_name("R");
  mass->callback([command, status] {
    *status = RunInTime(command->arguments.max_seconds, [&] { return command->Run(); });
  });
}

}  // namespace volcontact::tool
