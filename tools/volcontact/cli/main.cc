// The command line of volcontact.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cli/beside_tool.h"
#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/output.h"
#if VOLCONTACT_HAS_FORMATS
#include "volcontact/formats/mesh_formats.h"
#endif
#include "volcontact/io/solid_file.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/version.h"

namespace {

using volcontact::DidYouMean;
using volcontact::tool::ExitStatus;

// A command of a component, which a build may lack; Debian's packages and the option that bring it.
struct ComponentCommand {
  std::string_view name;
  bool is_here;
  std::string_view packages, option;
};

constexpr ComponentCommand kComponentCommands[] = {
    {"simulate", VOLCONTACT_HAS_SIMULATE, "libsimbody-dev", "-DVOLCONTACT_SIMBODY=ON "},
    {"reproduce", VOLCONTACT_HAS_SIMULATE, "libsimbody-dev", "-DVOLCONTACT_SIMBODY=ON "},
    {"sweep", VOLCONTACT_HAS_SWEEP, "libhdf5-dev and libssl-dev", "-DVOLCONTACT_SWEEP=ON "},
    {"identify", VOLCONTACT_HAS_IDENTIFY, "libboost-dev", ""},
    {"view", VOLCONTACT_HAS_VIEW, "libtinygltf-dev", "-DVOLCONTACT_VIEW=ON "},
    {"fmu", VOLCONTACT_HAS_FMU, "libgmp-dev and libminizip-dev", "-DVOLCONTACT_FMI=ON "},
};

// How to have a command that this build lacks; empty for any other word.
std::string HowToHave(const std::string& word) {
  for (const ComponentCommand& command : kComponentCommands) {
    if (command.name != word || command.is_here) continue;
    return fmt::format(
        "{} is not in this build; install {} (Debian), configure with "
        "{}-DVOLCONTACT_CORE_ONLY=OFF, and build again",
        word, command.packages, command.option);
  }
  return "";
}

int Report(const std::string& message, ExitStatus status = ExitStatus::kBadInput) {
  volcontact::tool::Tell(message);
  return static_cast<int>(status);
}

std::vector<std::string> SubcommandsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(subcommand->get_name());
  }
  return names;
}

// The subcommands and options that an application knows.
std::vector<std::string> WordsOf(const CLI::App& app) {
  std::vector<std::string> words = SubcommandsOf(app);
  for (const CLI::Option* option : app.get_options({})) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return words;
}

// The commands that take an option, where it is none of the command that it was given to.
std::string CommandsWith(const CLI::App& app, const std::string& option) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_option_no_throw(option) != nullptr) names.push_back(command->get_name());
  }
  return names.empty() ? "" : fmt::format("; it is an option of {}", fmt::join(names, ", "));
}

// What CLI11 says of the arguments of a command, with the cause and the cure.
std::string WrongArguments(const CLI::App& app, const CLI::App& command, const std::string& path,
                           const CLI::ParseError& error) {
  const std::string what = error.what();
  constexpr std::string_view kConvert = "Could not convert: ", kTwice = ": At Most 1 required";
  if (what.starts_with(kConvert)) {
    const std::size_t equals = what.find(" = ");
    return fmt::format("{} {}: is not a value of the kind that it takes",
                       what.substr(kConvert.size(), equals - kConvert.size()),
                       what.substr(equals + 3));
  }
  if (const std::size_t at = what.find(kTwice); at != std::string::npos) {
    return what.substr(0, at) + ": is given more than once; give it once";
  }
  const std::vector<std::string> left = command.remaining();
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError) || left.empty())
    return what;
  const auto option = std::find_if(left.begin(), left.end(),
                                   [](const std::string& word) { return word.starts_with('-'); });
  if (option == left.end()) {
    return fmt::format("\"{}\" is one argument too many for {}", left.front(), path);
  }
  const std::string word = option->substr(0, option->find('='));
  const std::string nearest = DidYouMean(word, WordsOf(command));
  return fmt::format("\"{}\" is not an option of {}{}", word, path,
                     nearest.empty() ? CommandsWith(app, word) : nearest);
}

// "help query" is "query --help".
std::vector<std::string> ArgumentsOf(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  return arguments;
}

// What is wrong with the subcommands that help is asked for; nothing: empty.
std::string WrongIn(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string path = app.get_name();
  for (const std::string& word : words) {
    if (word.starts_with("-")) break;
    const auto found = at->get_subcommands(
        [&](const CLI::App* subcommand) { return subcommand->get_name() == word; });
    if (found.empty()) {
      return fmt::format("\"{}\" is not a subcommand of {}{}; see {} --help", word, path,
                         DidYouMean(word, WordsOf(*at)), path);
    }
    at = found.front();
    path += ' ' + word;
  }
  return "";
}

// What is wrong with the arguments and where to read how they should be.
std::string UsageMessage(const CLI::App& app, const std::string& first,
                         const CLI::ParseError& error) {
  std::string path = app.get_name();
  const CLI::App* deepest = &app;
  while (!deepest->get_subcommands().empty()) {
    deepest = deepest->get_subcommands().front();
    path += ' ' + deepest->get_name();
  }
  const std::vector<std::string> left = deepest->remaining(), known = SubcommandsOf(*deepest);
  if (deepest != &app && !known.empty() && (left.empty() || left.front()[0] != '-')) {
    const std::string what = left.empty()
                                 ? "no subcommand of " + path + " is given"
                                 : fmt::format("\"{}\" is not a subcommand of {}{}", left.front(),
                                               path, DidYouMean(left.front(), known));
    return fmt::format("{}; choose one of: {}", what, fmt::join(known, " "));
  }
  if (deepest != &app) {
    return WrongArguments(app, *deepest, path, error) + "; see " + path + " --help";
  }
  std::string message = "no subcommand is given";
  if (!first.empty()) {
    message =
        fmt::format("\"{}\" is not {}{}", first, first[0] == '-' ? "an option" : "a subcommand",
                    DidYouMean(first, WordsOf(app)));
  }
  return message + fmt::format("; the command line begins with one of: {}", fmt::join(known, " "));
}

int Run(int argc, char** argv) {
#if VOLCONTACT_HAS_STEP
  volcontact::tool::ReadStepFilesByModule();
#endif
#if VOLCONTACT_HAS_FORMATS
  volcontact::EnableMeshFormats();
#endif
  ExitStatus status = ExitStatus::kAnswered;
  CLI::App app("Interference volume, contact normal and mass properties of exact solids",
               "volcontact");
  app.footer("Example: volcontact query ball.json ground.json --tol 1e-9 --json");
  app.set_version_flag("-V,--version", std::string("volcontact ") + volcontact::LibraryVersion());
  app.require_subcommand(1);
  volcontact::tool::AddQueryCommand(&app, &status);
  volcontact::tool::AddMassCommand(&app, &status);
  volcontact::tool::AddCheckCommand(&app, &status);
  volcontact::tool::AddForceCommand(&app, &status);
  volcontact::tool::AddAssemblyCommand(&app, &status);
  volcontact::tool::AddEstimateCommand(&app, &status);
#if VOLCONTACT_HAS_SIMULATE
  volcontact::tool::AddSimulateCommand(&app, &status);
  volcontact::tool::AddReproduceCommand(&app, &status);
#endif
#if VOLCONTACT_HAS_SWEEP
  volcontact::tool::AddSweepCommand(&app, &status);
#endif
#if VOLCONTACT_HAS_IDENTIFY
  volcontact::tool::AddIdentifyCommand(&app, &status);
#endif
#if VOLCONTACT_HAS_VIEW
  volcontact::tool::AddViewCommand(&app, &status);
#endif
#if VOLCONTACT_HAS_FMU
  volcontact::tool::AddFmuCommand(&app, &status);
#endif
  volcontact::tool::AddShellCommands(&app);
  std::vector<std::string> arguments = ArgumentsOf(argc, argv);
  const std::string first = arguments.empty() ? "" : arguments.front();
  const std::string how_to_have = HowToHave(first);
  if (!how_to_have.empty()) return Report(how_to_have);
  if (argc > 1 && argv[1] == std::string("help")) {
    const std::string wrong = WrongIn(app, arguments);
    if (!wrong.empty()) return Report(wrong);
  }
  try {
    std::reverse(arguments.begin(), arguments.end());  // as parse wants them
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return Report(UsageMessage(app, first, error));
  }
  return static_cast<int>(status);
}

}  // namespace

int main(int argc, char** argv) {
  // A file that grows beyond the limit is an error of writing, with a message, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return Run(argc, argv);
  } catch (const std::bad_alloc&) {
    return Report("out of memory; simplify the solids, or read smaller files");
  } catch (const volcontact::OutOfTime& error) {
    return Report(error.what(), ExitStatus::kNotConverged);
  } catch (const std::exception& error) {
    return Report(error.what());
  }
}
