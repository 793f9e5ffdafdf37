// The subcommands and their options as data: what --help, the manual pages and the completions are
// all made of.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace volcontact::tool {

/// The name of a positional that stands for a subcommand of the tool.
inline constexpr char kSubcommandArgument[] = "subcommand";

struct OptionNode {
  std::vector<std::string> names;  ///< "--tol"; none for a positional
  std::string positional;          ///< "A"
  std::string value;               ///< what it takes: "FILE", "m|mm|cm|in"; empty for a flag
  std::string standard;            ///< the value without it, where there is one
  std::string description;
  bool is_required = false, may_repeat = false;

  /// The values to choose from: those of "m|mm|cm|in"; none for other kinds.
  std::vector<std::string> Choices() const;
  /// Whether the value is the name of a file or folder.
  bool TakesFile() const;
};

struct CommandNode {
  std::vector<std::string> path;  ///< "estimate", "hertz"; empty for the tool itself
  std::string description, footer;
  std::vector<OptionNode> options;
  std::vector<CommandNode> children;

  std::string name() const { return path.empty() ? "" : path.back(); }
  /// The path with this between its parts.
  std::string Joined(const std::string& separator) const;
};

/// The tree of all subcommands below an application, and itself.
CommandNode TreeOf(const CLI::App& app);

/// The node and all below it, parents first.
std::vector<const CommandNode*> Flattened(const CommandNode& root);

/// The completion script of a shell: bash, zsh or fish. Throws InvalidInput for another.
std::string CompletionScript(const CommandNode& root, const std::string& shell);

/// The manual page, in roff, of the tool (the root) or of one of its subcommands, with what is
/// below that.
std::string ManualPage(const CommandNode& root, const CommandNode& command);

/// Adds `completion` and `man`, which know all that is added before or after them.
void AddShellCommands(CLI::App* app);

}  // namespace volcontact::tool
