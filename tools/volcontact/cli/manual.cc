// Manual pages, generated from the tree of commands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <string_view>

#include "cli/command_tree.h"
#include "volcontact/version.h"

namespace volcontact::tool {
namespace {

// Text for roff: hyphens of options stay hyphens, and no line begins a request.
std::string Roff(const std::string& text) {
  std::string result;
  bool at_line_start = true;
  for (const char c : text) {
    if (at_line_start && (c == '.' || c == '\'')) result += "\\&";
    at_line_start = c == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

// "--tol R", "A".
std::string OptionHead(const OptionNode& option) {
  if (option.names.empty()) return fmt::format("\\fI{}\\fR", Roff(option.positional));
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  std::string head = fmt::format("\\fB{}\\fR", Roff(names));
  if (!option.value.empty()) head += fmt::format(" \\fI{}\\fR", Roff(option.value));
  return head;
}

std::string OptionText(const OptionNode& option) {
  std::string text = Roff(option.description);
  if (!option.standard.empty()) text += fmt::format(" (default {})", Roff(option.standard));
  if (option.is_required && !option.names.empty()) text += " (required)";
  return text;
}

std::string Options(const CommandNode& command) {
  std::string text;
  for (const OptionNode& option : command.options) {
    text += fmt::format(".TP\n{}\n{}\n", OptionHead(option), OptionText(option));
  }
  return text;
}

std::string Synopsis(const CommandNode& command) {
  std::string line = "\\fBvolcontact";
  if (!command.path.empty()) line += " " + Roff(command.Joined(" "));
  line += "\\fR";
  for (const OptionNode& option : command.options) {
    if (!option.positional.empty()) line += fmt::format(" \\fI{}\\fR", Roff(option.positional));
    if (option.is_required && !option.names.empty()) line += " " + OptionHead(option);
  }
  if (!command.children.empty()) line += " \\fISUBCOMMAND\\fR";
  return line + " [\\fIoptions\\fR]\n";
}

// What a footer says, its exit status, which begins so, and its examples, which begin with a line
// "Example...".
struct Footer {
  std::string text, status, examples;
};

Footer Split(const std::string& footer) {
  constexpr std::string_view kStatus = "Exit status:";
  Footer parts;
  std::istringstream lines(footer);
  bool in_examples = false;
  for (std::string line; std::getline(lines, line);) {
    in_examples = in_examples || line.starts_with("Example");
    if (in_examples || !line.empty()) (in_examples ? parts.examples : parts.text) += line + '\n';
  }
  const std::size_t at = parts.text.find(kStatus);
  if (at == std::string::npos) return parts;
  parts.status = parts.text.substr(at + kStatus.size());
  parts.status.erase(0, parts.status.find_first_not_of(" \n"));
  parts.text.resize(at);
  parts.text.erase(parts.text.find_last_not_of(" \n") + 1);
  if (!parts.text.empty()) parts.text += '\n';
  return parts;
}

// What the help says, in sections; `heading` is the request for theirs.
std::string Body(const CommandNode& command, const std::string& heading) {
  const Footer footer = Split(command.footer);
  std::string text = Roff(footer.text.empty() ? command.description + '\n' : footer.text);
  text += heading + " OPTIONS\n" + Options(command);
  if (!footer.status.empty()) text += heading + " \"EXIT STATUS\"\n" + Roff(footer.status);
  if (!footer.examples.empty()) {
    text += fmt::format("{} EXAMPLES\n.nf\n{}.fi\n", heading, Roff(footer.examples));
  }
  return text;
}

}  // namespace

std::string ManualPage(const CommandNode& root, const CommandNode& command) {
  const std::string name =
      "volcontact" + (command.path.empty() ? std::string() : "-" + command.Joined("-"));
  std::string page = fmt::format(".TH {} 1 \"\" \"volcontact {}\" \"User Commands\"\n", Roff(name),
                                 LibraryVersion());
  page += fmt::format(".SH NAME\n{} \\- {}\n", Roff(name), Roff(command.description));
  page += ".SH SYNOPSIS\n" + Synopsis(command);
  page += ".SH DESCRIPTION\n" + Body(command, ".SH");
  if (command.path.empty()) page += ".SH COMMANDS\n";
  for (const CommandNode& child : command.children) {
    if (command.path.empty()) {
      page += fmt::format(".TP\n\\fBvolcontact {}\\fR\n{}; see \\fBvolcontact\\-{}\\fR(1)\n",
                          Roff(child.name()), Roff(child.description), Roff(child.name()));
    } else {
      page += fmt::format(".SH \"{}\"\n{}.PP\n{}", Roff(child.Joined(" ")), Synopsis(child),
                          Body(child, ".SS"));
    }
  }
  page += ".SH \"SEE ALSO\"\n";
  std::vector<std::string> others;
  if (&command != &root) others.push_back("\\fBvolcontact\\fR(1)");
  for (const CommandNode& other : root.children) {
    if (&other == &command || other.path.empty()) continue;
    others.push_back(fmt::format("\\fBvolcontact\\-{}\\fR(1)", Roff(other.name())));
  }
  return page + fmt::format("{}\n", fmt::join(others, ",\n"));
}

}  // namespace volcontact::tool
