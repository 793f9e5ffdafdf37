// The command line of volcontact.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "cli/commands.h"
#include "cli/output.h"
#if VOLCONTACT_HAS_STEP
#include "volcontact/step/step_file.h"
#endif
#include "volcontact/version.h"

namespace {

using volcontact::tool::ExitStatus;

// Errors are one line, whatever an argument or a file name held.
int Report(std::string message) {
  for (char& c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  while (message.ends_with(' ')) message.pop_back();
  std::cerr << "volcontact: " << message << '\n';
  return static_cast<int>(ExitStatus::kBadInput);
}

// What is wrong with the arguments and where to read how they should be.
std::string UsageMessage(const CLI::App& app, const std::string& first, const std::string& what) {
  std::string path = app.get_name();
  const CLI::App* deepest = &app;
  while (!deepest->get_subcommands().empty()) {
    deepest = deepest->get_subcommands().front();
    path += ' ' + deepest->get_name();
  }
  if (deepest != &app) return what + "; see " + path + " --help";
  std::string message = "no subcommand is given";
  if (!first.empty()) {
    message = fmt::format("\"{}\" is no {}", first, first[0] == '-' ? "option" : "subcommand");
  }
  message += "; the command line begins with one of:";
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* subcommand : all) message += ' ' + subcommand->get_name();
  return message;
}

int Run(int argc, char** argv) {
#if VOLCONTACT_HAS_STEP
  volcontact::EnableStepFiles();
#endif
  ExitStatus status = ExitStatus::kAnswered;
  CLI::App app("Interference volume, contact normal and mass properties of exact solids",
               "volcontact");
  app.footer("Example: volcontact query ball.json ground.json --tol 1e-9 --json");
  app.set_version_flag("--version", std::string("volcontact ") + volcontact::LibraryVersion());
  app.require_subcommand(1);
  volcontact::tool::AddQueryCommand(&app, &status);
  volcontact::tool::AddMassCommand(&app, &status);
  volcontact::tool::AddCheckCommand(&app, &status);
  volcontact::tool::AddForceCommand(&app, &status);
  volcontact::tool::AddEstimateCommand(&app, &status);
#if VOLCONTACT_HAS_SIMULATE
  volcontact::tool::AddSimulateCommand(&app, &status);
  volcontact::tool::AddReproduceCommand(&app, &status);
#endif
  volcontact::tool::AddIdentifyCommand(&app, &status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return Report(UsageMessage(app, argc > 1 ? argv[1] : "", error.what()));
  }
  return static_cast<int>(status);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::bad_alloc&) {
    return Report("out of memory; loosen --tol or simplify the solids");
  } catch (const std::exception& error) {
    return Report(error.what());
  }
}
