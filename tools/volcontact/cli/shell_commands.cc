// volcontact completion, volcontact man: what the shell and man(1) know of the tool.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/command_tree.h"
#include "cli/output.h"
#include "volcontact/io/replace_file.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kCompletionFooter[] =
    R"(Prints a script that completes subcommands, options and their values in bash, zsh or fish.

Example: for this session
  source <(volcontact completion bash)
)";

constexpr char kManualFooter[] =
    R"(Prints a manual page in roff, or with --out writes those of the tool and all its subcommands.

Example:
  volcontact man query > volcontact-query.1
)";

struct ManualCommand {
  std::string name, out;

  void Run(const CommandNode& root) const;
};

void ManualCommand::Run(const CommandNode& root) const {
  if (!out.empty()) {
    if (!name.empty()) throw InvalidInput("--out writes all pages; leave the name out");
    std::filesystem::create_directories(out);
    ReplaceFile(std::filesystem::path(out) / "volcontact.1", ManualPage(root, root));
    for (const CommandNode& command : root.children) {
      ReplaceFile(std::filesystem::path(out) / fmt::format("volcontact-{}.1", command.name()),
                  ManualPage(root, command));
    }
    return;
  }
  if (name.empty()) return Print(ManualPage(root, root));
  const auto found =
      std::find_if(root.children.begin(), root.children.end(),
                   [&](const CommandNode& command) { return command.name() == name; });
  if (found != root.children.end()) return Print(ManualPage(root, *found));
  std::vector<std::string> known;
  for (const CommandNode& command : root.children) known.push_back(command.name());
  throw InvalidInput(fmt::format("man {}: is not a subcommand{}", name, DidYouMean(name, known)));
}

}  // namespace

void AddShellCommands(CLI::App* app) {
  CLI::App* help = app->add_subcommand("help", "Help on a subcommand; the same as its --help");
  help->add_option(kSubcommandArgument, "Which")->expected(0, 2)->type_name("NAME");

  auto shell = std::make_shared<std::string>(), out = std::make_shared<std::string>();
  CLI::App* completion = app->add_subcommand("completion", "Completion script for a shell");
  completion->footer(kCompletionFooter);
  completion->add_option("shell", *shell, "The shell")->required()->type_name("bash|zsh|fish");
  completion->add_option("--out", *out, "Write it to this file instead")->type_name("FILE");
  completion->callback([app, shell, out] {
    const std::string script = CompletionScript(TreeOf(*app), *shell);
    if (out->empty()) return Print(script);
    ReplaceFile(*out, script);
  });

  auto command = std::make_shared<ManualCommand>();
  CLI::App* manual = app->add_subcommand("man", "Manual pages, in roff");
  manual->footer(kManualFooter);
  manual->add_option(kSubcommandArgument, command->name,
                     "The page of this one; default the tool's");
  manual->add_option("--out", command->out, "Folder to write all pages to")->type_name("DIR");
  manual->callback([app, command] { command->Run(TreeOf(*app)); });
}

}  // namespace volcontact::tool
