// volcontact fmu: a contact for tools that import FMUs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>

#include "cli/commands.h"
#include "cli/output.h"
#include "volcontact/fmi/export_fmu.h"

namespace volcontact::tool {
namespace {

constexpr char kLibraryName[] = "volcontact_fmu.so";

constexpr char kFmuFooter[] =
    R"(Writes a contact of two bodies as a Functional Mock-up Unit for model exchange: poses and twists of
both bodies in, wrenches on both out; bristles, dwell and relaxation are continuous states, first
contact and separation events. The file is one of contact parameters with the solids in it,
"solid_a" and "solid_b"; see docs/engines.md. Exit status: 0 written, 2 bad input.

Example:
  echo '{"solid_a": {"sphere": {"radius": 0.1}}, "solid_b": {"half_space": {}},
         "normal": {"stiffness": 1e9, "restitution": 0.7},
         "friction": {"mu_c": 0.4, "sigma0": 1e4, "sigma1": 300}}' > contact.json
  volcontact fmu contact.json --out contact.fmu
  volcontact fmu contact.json --out contact3.fmu --fmi 3
)";

struct FmuCommand {
  std::string contact, out, library;
  int version = 2;
  bool json = false;

  ExitStatus Run() const;
};

// The library that was built with the tool: beside it where it is installed, or in its build. Empty
// where it is not there, which is said after the contact has been read.
std::filesystem::path FindLibrary() {
  std::error_code error;
  const std::filesystem::path tool = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const char* folder : {VOLCONTACT_FMU_INSTALLED_FOLDER, VOLCONTACT_FMU_FOLDER}) {
    const std::filesystem::path library = tool.parent_path() / folder / kLibraryName;
    if (!error && std::filesystem::exists(library, error)) return library.lexically_normal();
  }
  return {};
}

ExitStatus FmuCommand::Run() const {
  fmi::FmuOptions options;
  options.version = version;
  options.library = library.empty() ? FindLibrary() : std::filesystem::path(library);
  const fmi::FmuReport report = fmi::ExportFmu(contact, out, options);
  if (json) {
    Print(Json{{"schema", kAnswerSchema},
               {"fmu", out},
               {"fmi", version},
               {"model", report.model},
               {"token", report.token},
               {"inputs", report.inputs},
               {"outputs", report.outputs},
               {"states", report.states},
               {"parameters", report.parameters},
               {"directional_derivatives", report.directional_derivatives},
               {"resources", report.resources},
               {"warnings", report.notes}});
    return ExitStatus::kAnswered;
  }
  for (const std::string& note : report.notes) std::cerr << "volcontact: note: " << note << '\n';
  Print(fmt::format(
      "{}: FMI {}.0 for model exchange, model {}\n"
      "  {} inputs, {} outputs, {} continuous states, {} parameters, 1 event indicator\n"
      "  directional derivatives: {}\n",
      out, version, report.model, report.inputs, report.outputs, report.states, report.parameters,
      report.directional_derivatives ? "provided" : "not provided"));
  return ExitStatus::kAnswered;
}

}  // namespace

void AddFmuCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<FmuCommand>();
  CLI::App* fmu = app->add_subcommand("fmu", "Write a contact as an FMU for other simulators");
  fmu->footer(kFmuFooter);
  fmu->add_option("contact", command->contact, "File of the contact and its solids (.json)")
      ->required();
  fmu->add_option("--out", command->out, "The FMU to be written (.fmu)")->required();
  fmu->add_option("--fmi", command->version, "Version of the interface")
      ->type_name("2|3")
      ->capture_default_str();
  fmu->add_option("--library", command->library,
                  "The shared library to go into the FMU, if it is not that of this installation");
  fmu->add_flag("--json", command->json, "Print what was written as JSON");
  fmu->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
