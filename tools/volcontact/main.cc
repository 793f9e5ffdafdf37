// The command line of volcontact.
#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "commands.h"
#include "output.h"

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

// "volcontact query --help" when the query was at fault.
std::string HelpCommand(const CLI::App& app) {
  std::string command = app.get_name();
  for (const CLI::App* subcommand : app.get_subcommands()) command += ' ' + subcommand->get_name();
  return command + " --help";
}

int Run(int argc, char** argv) {
  ExitStatus status = ExitStatus::kAnswered;
  CLI::App app("Interference volume, contact normal and mass properties of exact solids",
               "volcontact");
  app.footer("Example: volcontact query ball.json ground.json --tol 1e-9 --json");
  app.set_version_flag("--version", "volcontact " VOLCONTACT_VERSION);
  app.require_subcommand(1);
  volcontact::tool::AddQueryCommand(&app, &status);
  volcontact::tool::AddMassCommand(&app, &status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return Report(std::string(error.what()) + "; see " + HelpCommand(app));
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
