#include "cli/python_script.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>

extern char** environ;

namespace volcontact::tool {
namespace {

// The scripts' exit status where the interpreter has no matplotlib.
constexpr int kNoMatplotlib = 3;

std::vector<std::string> Interpreters() {
  if (const char* const chosen = std::getenv("VOLCONTACT_PYTHON")) return {chosen};
  std::vector<std::string> found;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path candidate = std::filesystem::path(folder) / "python3";
    if (access(candidate.c_str(), X_OK) == 0) found.push_back(candidate.string());
  }
  return found;
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// The last line of a file that is not blank.
std::string LastLine(std::FILE* file) {
  std::rewind(file);
  std::string line, last;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
    if (c != '\n') {
      line += static_cast<char>(c);
    } else {
      if (!line.empty()) last = line;
      line.clear();
    }
  }
  return line.empty() ? last : line;
}

// Runs a program with a text as its standard input, and without output; its exit status, or -1, and
// the last line that it wrote to its standard error.
int RunWithInput(const std::vector<std::string>& command, const std::string& input,
                 std::string* message) {
  const File file(std::tmpfile(), std::fclose), errors(std::tmpfile(), std::fclose);
  if (!file || !errors) return -1;
  if (std::fwrite(input.data(), 1, input.size(), file.get()) != input.size()) return -1;
  std::rewind(file.get());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(file.get()), STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(errors.get()), STDERR_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  *message = LastLine(errors.get());
  return WEXITSTATUS(status);
}

}  // namespace

ScriptResult RunPythonScript(const std::string& script, const std::vector<std::string>& arguments,
                             const std::string& input) {
  for (const std::string& python : Interpreters()) {
    std::vector<std::string> command = {python, "-B", "-c", script};
    command.insert(command.end(), arguments.begin(), arguments.end());
    std::string message;
    const int status = RunWithInput(command, input, &message);
    if (status == 0) return {ScriptEnd::kDone, ""};
    if (status != kNoMatplotlib && status != -1 && status != 127) {
      return {ScriptEnd::kFailed, message};
    }
  }
  return {ScriptEnd::kNoMatplotlib, ""};
}

}  // namespace volcontact::tool
