// volcontact fmu: a contact, or a scenario, for tools that import FMUs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/beside_tool.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "volcontact/fmi/export_fmu.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kFmuFooter[] =
    R"(Writes a Functional Mock-up Unit: a contact for model exchange, or a scenario for co-simulation.

A contact file has parameters and two solids, "solid_a" and "solid_b". Inputs of the FMU are poses and
twists of both bodies, outputs are wrenches on both. Bristles, dwell and relaxation are continuous
states. First contact and separation are events.
A scenario file has "bodies". Inputs are wrenches on bodies, outputs are the columns of the time series,
parameters are the numbers of the file. Its own integrator steps between communication points. The FMU
contains Simbody's libraries. See docs/engines.md.

Exit status: 0 written, 2 bad input.

Example:
  echo '{"solid_a": {"sphere": {"radius": 0.1}}, "solid_b": {"half_space": {}},
         "normal": {"stiffness": 1e9, "restitution": 0.7},
         "friction": {"mu_c": 0.4, "sigma0": 1e4, "sigma1": 300}}' > contact.json
  volcontact fmu contact.json --out contact.fmu
  volcontact fmu contact.json --out contact3.fmu --fmi 3
  volcontact fmu bounce.json --variant drop --out bounce.fmu
)";

struct FmuCommand {
  std::string file, out, library, variant;
  std::vector<std::string> set;
  int version = 2;
  bool json = false;

  ExitStatus Run() const;
  fmi::FmuReport Export(bool is_scenario) const;
};

fmi::FmuReport FmuCommand::Export(bool is_scenario) const {
  fmi::ScenarioFmuOptions options;
  options.version = version;
  // What is missing is said after the file has been read.
  const char* const name = is_scenario ? fmi::kScenarioLibrary : fmi::kContactLibrary;
  options.library = library.empty()
                        ? BesideTool(VOLCONTACT_FMU_INSTALLED_FOLDER, VOLCONTACT_FMU_FOLDER, name)
                        : std::filesystem::path(library);
  options.variant = variant;
  options.set = set;
  if (is_scenario) return fmi::ExportScenarioFmu(file, out, options);
  if (!variant.empty() || !set.empty()) {
    throw InvalidInput(file + ": is a contact; --variant and --set are for scenarios");
  }
  return fmi::ExportFmu(file, out, options);
}

ExitStatus FmuCommand::Run() const {
  std::error_code differs;
  if (std::filesystem::equivalent(file, out, differs)) {
    throw InvalidInput(out + ": is the input file; choose another name for --out");
  }
  const bool is_scenario = fmi::IsScenarioFile(file);
  const fmi::FmuReport report = Export(is_scenario);
  const char* const kind = is_scenario ? "co-simulation" : "model exchange";
  if (json) {
    Print(Json{{"schema", kAnswerSchema},
               {"fmu", out},
               {"fmi", version},
               {"kind", kind},
               {"model", report.model},
               {"token", report.token},
               {"inputs", report.inputs},
               {"outputs", report.outputs},
               {"states", report.states},
               {"parameters", report.parameters},
               {"directional_derivatives", report.directional_derivatives},
               {"resources", report.resources},
               {"libraries", report.libraries},
               {"warnings", report.notes}});
    return ExitStatus::kAnswered;
  }
  for (const std::string& note : report.notes) Tell("note: " + note);
  std::string text = fmt::format("{}: FMI {}.0 for {}, model {}\n  {} inputs, {} outputs, ", out,
                                 version, kind, report.model, report.inputs, report.outputs);
  if (is_scenario) {
    text += fmt::format("{} parameters; with {} shared libraries, {:.1f} MB\n", report.parameters,
                        report.libraries.size(), Megabytes(std::filesystem::file_size(out)));
  } else {
    text += fmt::format(
        "{} continuous states, {} parameters, 1 event indicator\n  directional derivatives: {}\n",
        report.states, report.parameters,
        report.directional_derivatives ? "provided" : "not provided");
  }
  Print(text);
  return ExitStatus::kAnswered;
}

}  // namespace

void AddFmuCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<FmuCommand>();
  CLI::App* fmu =
      app->add_subcommand("fmu", "Write a contact or a scenario as an FMU for other simulators");
  fmu->footer(kFmuFooter);
  fmu->add_option("file", command->file, "A contact and its solids, or a scenario (.json)")
      ->required();
  fmu->add_option("--out", command->out, "FMU to write (.fmu)")->required();
  fmu->add_option("--fmi", command->version, "Version of the interface")
      ->type_name("2|3")
      ->capture_default_str();
  fmu->add_option("--library", command->library,
                  "Shared library for the FMU (default: the one of this installation)");
  fmu->add_option("--variant", command->variant,
                  "Variant of a scenario; required if there are several");
  fmu->add_option("--set", command->set,
                  "Override a value of a scenario, such as end_time=2; may be repeated")
      ->type_name("path=value")
      ->expected(1)
      ->take_all();
  fmu->add_flag("--json", command->json, "Print what was written as JSON");
  fmu->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
