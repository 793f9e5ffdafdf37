// Completion scripts for shells, generated from the tree of commands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "cli/command_tree.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

std::vector<std::string> OptionNames(const CommandNode& node) {
  std::vector<std::string> names;
  for (const OptionNode& option : node.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// What stands for a positional that is chosen from a list: its choices, or the tool's subcommands.
std::vector<std::pair<std::string, std::string>> Offers(const CommandNode& root,
                                                        const OptionNode& option) {
  std::vector<std::pair<std::string, std::string>> offers;
  if (option.positional.empty()) return offers;
  for (const std::string& choice : option.Choices()) offers.emplace_back(choice, "");
  if (option.positional == kSubcommandArgument) {
    for (const CommandNode& child : root.children) {
      offers.emplace_back(child.name(), child.description);
    }
  }
  return offers;
}

// The words that may follow a command but options, with descriptions.
std::vector<std::pair<std::string, std::string>> Followers(const CommandNode& root,
                                                           const CommandNode& node) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const CommandNode& child : node.children)
    words.emplace_back(child.name(), child.description);
  for (const OptionNode& option : node.options) {
    const auto offers = Offers(root, option);
    words.insert(words.end(), offers.begin(), offers.end());
  }
  return words;
}

// In single quotes of a shell; of fish they know the backslash besides.
std::string ShellQuoted(const std::string& text, bool is_fish = false) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += is_fish ? "\\'" : "'\\''";
    } else {
      if (is_fish && c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + "'";
}

// bash and zsh: the words that say which command is meant, as the cases of a variable "at".
std::string PathCases(const CommandNode& root) {
  std::string cases;
  for (const CommandNode* node : Flattened(root)) {
    for (const CommandNode& child : node->children) {
      cases +=
          fmt::format("      {}) at={} ;;\n", ShellQuoted(node->Joined(" ") + "/" + child.name()),
                      ShellQuoted(child.Joined(" ")));
    }
  }
  return cases;
}

std::string BashScript(const CommandNode& root) {
  std::string values, words;
  for (const CommandNode* node : Flattened(root)) {
    for (const OptionNode& option : node->options) {
      if (option.value.empty() || option.names.empty()) continue;
      std::string reply = "COMPREPLY=()";
      if (option.TakesFile()) reply = "_volcontact_files \"$cur\"";
      if (!option.Choices().empty()) {
        reply = fmt::format("COMPREPLY=($(compgen -W {} -- \"$cur\"))",
                            ShellQuoted(fmt::format("{}", fmt::join(option.Choices(), " "))));
      }
      for (const std::string& name : option.names) {
        values += fmt::format("    {}) {}; return ;;\n",
                              ShellQuoted(node->Joined(" ") + "/" + name), reply);
      }
    }
    std::vector<std::string> children;
    for (const auto& [word, description] : Followers(root, *node)) children.push_back(word);
    words += fmt::format("    {}) children={}; options={} ;;\n", ShellQuoted(node->Joined(" ")),
                         ShellQuoted(fmt::format("{}", fmt::join(children, " "))),
                         ShellQuoted(fmt::format("{}", fmt::join(OptionNames(*node), " "))));
  }
  return fmt::format(R"(# bash completion of volcontact; written by: volcontact completion bash
_volcontact_files() {{
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
  compopt -o filenames 2>/dev/null
}}
_volcontact() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} at='' i children options
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at/${{COMP_WORDS[i]}}" in
{}    esac
  done
  case "$at/$prev" in
{}  esac
  case "$at" in
{}  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -n $children ]]; then
    COMPREPLY=($(compgen -W "$children" -- "$cur"))
  else
    _volcontact_files "$cur"
  fi
}}
complete -F _volcontact volcontact
)",
                     PathCases(root), values, words);
}

// A word with its description, as zsh's _describe has it.
std::string Described(const std::string& word, const std::string& description) {
  return ShellQuoted(word + ":" + description);
}

std::string ZshScript(const CommandNode& root) {
  std::string values, words;
  for (const CommandNode* node : Flattened(root)) {
    std::string children, options;
    for (const auto& [word, description] : Followers(root, *node)) {
      children += ' ' + Described(word, description);
    }
    for (const OptionNode& option : node->options) {
      for (const std::string& name : option.names) {
        options += ' ' + Described(name, option.description);
        if (option.value.empty()) continue;
        std::string reply = "_message " + ShellQuoted(option.value);
        if (option.TakesFile()) reply = "_files";
        if (!option.Choices().empty()) {
          reply = fmt::format("compadd -- {}", fmt::join(option.Choices(), " "));
        }
        values += fmt::format("    {}) {}; return ;;\n",
                              ShellQuoted(node->Joined(" ") + "/" + name), reply);
      }
    }
    words += fmt::format("    {})\n      children=({})\n      options=({}) ;;\n",
                         ShellQuoted(node->Joined(" ")), children, options);
  }
  return fmt::format(R"(#compdef volcontact
# zsh completion of volcontact; written by: volcontact completion zsh
_volcontact() {{
  local at='' i
  local -a children options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/${{words[i]}}" in
{}    esac
  done
  case "$at/${{words[CURRENT-1]}}" in
{}  esac
  case "$at" in
{}  esac
  if [[ ${{words[CURRENT]}} == -* ]]; then
    _describe option options
  elif (( ${{#children}} )); then
    _describe subcommand children
  else
    _files
  fi
}}
if [[ ${{funcstack[1]}} == _volcontact ]]; then
  _volcontact "$@"
else
  compdef _volcontact volcontact
fi
)",
                     PathCases(root), values, words);
}

std::string FishScript(const CommandNode& root) {
  std::string script =
      "# fish completion of volcontact; written by: volcontact completion fish\n"
      "function __volcontact_at\n"
      "  set -l at ''\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    switch \"$at/$word\"\n";
  for (const CommandNode* node : Flattened(root)) {
    for (const CommandNode& child : node->children) {
      script += fmt::format("      case {}\n        set at {}\n",
                            ShellQuoted(node->Joined(" ") + "/" + child.name(), true),
                            ShellQuoted(child.Joined(" "), true));
    }
  }
  script +=
      "    end\n  end\n  test \"$at\" = \"$argv[1]\"\nend\n"
      "complete -c volcontact -f\n";
  for (const CommandNode* node : Flattened(root)) {
    const std::string at =
        fmt::format("complete -c volcontact -n \"__volcontact_at '{}'\"", node->Joined(" "));
    for (const auto& [word, description] : Followers(root, *node)) {
      script += fmt::format("{} -a {} -d {}\n", at, word, ShellQuoted(description, true));
    }
    for (const OptionNode& option : node->options) {
      if (!option.positional.empty() && Offers(root, option).empty()) script += at + " -F\n";
      std::string how;
      if (!option.value.empty()) how = option.TakesFile() ? " -r -F" : " -x";
      if (!option.Choices().empty()) {
        how += fmt::format(" -a {}",
                           ShellQuoted(fmt::format("{}", fmt::join(option.Choices(), " ")), true));
      }
      for (const std::string& name : option.names) {
        script += fmt::format("{} -{} {}{} -d {}\n", at, name.starts_with("--") ? 'l' : 's',
                              name.substr(name.find_first_not_of('-')), how,
                              ShellQuoted(option.description, true));
      }
    }
  }
  return script;
}

}  // namespace

std::string CompletionScript(const CommandNode& root, const std::string& shell) {
  if (shell == "bash") return BashScript(root);
  if (shell == "zsh") return ZshScript(root);
  if (shell == "fish") return FishScript(root);
  throw InvalidInput(
      fmt::format("completion {}: not a shell that is known{}; choose one of bash, "
                  "zsh, fish",
                  shell, DidYouMean(shell, {"bash", "zsh", "fish"})));
}

}  // namespace volcontact::tool
