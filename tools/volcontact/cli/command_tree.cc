#include "cli/command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

namespace volcontact::tool {
namespace {

OptionNode NodeOf(const CLI::Option& option) {
  OptionNode node;
  for (const std::string& name : option.get_lnames()) node.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) node.names.push_back("-" + name);
  if (option.get_positional() && node.names.empty()) node.positional = option.get_name(true);
  if (option.get_type_size() != 0) node.value = option.get_type_name();
  node.standard = option.get_default_str();
  node.description = option.get_description();
  node.is_required = option.get_required();
  node.may_repeat = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll &&
                    option.get_items_expected_max() > 1;
  return node;
}

CommandNode NodeOf(const CLI::App& app, std::vector<std::string> path) {
  CommandNode node;
  node.path = std::move(path);
  node.description = app.get_description();
  node.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options({})) node.options.push_back(NodeOf(*option));
  for (const CLI::App* child : app.get_subcommands({})) {
    std::vector<std::string> below = node.path;
    below.push_back(child->get_name());
    node.children.push_back(NodeOf(*child, std::move(below)));
  }
  return node;
}

void Flatten(const CommandNode& node, std::vector<const CommandNode*>* nodes) {
  nodes->push_back(&node);
  for (const CommandNode& child : node.children) Flatten(child, nodes);
}

}  // namespace

std::vector<std::string> OptionNode::Choices() const {
  std::vector<std::string> choices;
  if (value.find('|') == std::string::npos) return choices;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    choices.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return choices;
}

bool OptionNode::TakesFile() const {
  return value == "FILE" || value == "DIR" || !positional.empty();
}

std::string CommandNode::Joined(const std::string& separator) const {
  return fmt::format("{}", fmt::join(path, separator));
}

CommandNode TreeOf(const CLI::App& app) { return NodeOf(app, {}); }

std::vector<const CommandNode*> Flattened(const CommandNode& root) {
  std::vector<const CommandNode*> nodes;
  Flatten(root, &nodes);
  return nodes;
}

}  // namespace volcontact::tool
