#include "scenario/urdf/urdf_model.h"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <cctype>
#include <map>
#include <mutex>

#include "io/messages.h"
#include "io/text_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using Links = std::vector<urdf::LinkConstSharedPtr>;

// Keeps the first error that the parser reports, which otherwise goes to the terminal.
class FirstError : public console_bridge::OutputHandler {
 public:
  FirstError() { console_bridge::useOutputHandler(this); }
  ~FirstError() override { console_bridge::restorePreviousOutputHandler(); }

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && text_.empty()) text_ = text;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The parser recurses for every level, without a limit of its own.
void RefuseDeepNesting(const std::string& text, const std::string& origin) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const char c = text[i], next = text[i + 1];
    if (c == '<' && std::isalpha(static_cast<unsigned char>(next))) ++depth;
    if ((c == '<' && next == '/') || (c == '/' && next == '>')) --depth;
    if (depth > kMaxNesting) {
      throw InvalidInput(
          fmt::format("{}: its elements are nested deeper than {} levels", origin, kMaxNesting));
    }
  }
}

urdf::ModelInterfaceSharedPtr Parse(const std::string& text, const std::string& origin) {
  // The handler of messages is one for the whole process.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const FirstError error;
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(text);
  if (model && error.text().empty()) return model;
  throw InvalidInput(
      fmt::format("{}: is not a URDF: {}", origin,
                  error.text().empty() ? "no <robot> was found" : Printable(error.text())));
}

// If two joints have one child, the parser keeps the last.
void RequireOneParent(const urdf::ModelInterface& model, const std::string& origin) {
  std::map<std::string, std::string> joint_of;
  for (const auto& [name, joint] : model.joints_) {
    const auto [at, is_new] = joint_of.emplace(joint->child_link_name, name);
    if (is_new) continue;
    throw InvalidInput(
        fmt::format("{}: the link {} is the child of two joints, {} and {}; leave one out, and "
                    "close the loop by \"loops\" of the scenario",
                    origin, Quoted(joint->child_link_name), Quoted(at->second), Quoted(name)));
  }
}

Links InOrder(const urdf::ModelInterface& model, const std::string& origin) {
  Links links = {model.getRoot()};
  for (std::size_t i = 0; i < links.size(); ++i) {
    const urdf::LinkConstSharedPtr link = links[i];
    links.insert(links.end(), link->child_links.begin(), link->child_links.end());
  }
  if (links.size() < model.links_.size()) {
    throw InvalidInput(
        fmt::format("{}: {} of {} links are not connected to the root {}, because joints form a "
                    "ring; leave one joint of it out, and close the loop by \"loops\" of the "
                    "scenario",
                    origin, model.links_.size() - links.size(), model.links_.size(),
                    Quoted(model.getRoot()->name)));
  }
  return links;
}

}  // namespace

Links ReadUrdfLinks(const std::filesystem::path& file) {
  const std::string origin = Printable(file.string());
  const std::string text = ReadTextFile(file, kMaxSolidFileSize);
  if (text.find("<xacro:") != std::string::npos) {
    throw InvalidInput(
        fmt::format("{}: has macros of xacro; run `xacro {} > robot.urdf` first", origin, origin));
  }
  RefuseDeepNesting(text, origin);
  const urdf::ModelInterfaceSharedPtr model = Parse(text, origin);
  RequireOneParent(*model, origin);
  return InOrder(*model, origin);
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
