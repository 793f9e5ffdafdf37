#include "python_script.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

extern char** environ;

namespace volcontact::tool {
namespace {

// The scripts end with this where matplotlib is missing.
constexpr int kNoMatplotlib = 3;
constexpr int kNotStarted = 127;

void WriteAll(int file, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(file, text.data() + written, text.size() - written);
    if (count <= 0) return;  // the child has ended; its exit status tells
    written += static_cast<std::size_t>(count);
  }
}

// Runs `python - arguments…` with the script on standard input, and returns the exit status.
int Run(const std::string& python, const std::string& script,
        const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return kNotStarted;
  std::vector<std::string> words = {python, "-"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  // Nothing but the answer goes to standard output.
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, python.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (failed == 0) {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    WriteAll(ends[1], script);
    std::signal(SIGPIPE, before);
  }
  close(ends[1]);
  if (failed != 0) return kNotStarted;
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return kNotStarted;
  return WEXITSTATUS(status);
}

}  // namespace

std::string RunPythonScript(const std::string& script, const std::vector<std::string>& arguments) {
  std::vector<std::string> pythons = {"python3", "/usr/bin/python3"};
  if (const char* chosen = std::getenv("VOLCONTACT_PYTHON")) pythons = {chosen};
  for (const std::string& python : pythons) {
    const int status = Run(python, script, arguments);
    if (status == 0) return "";
    if (status != kNotStarted && status != kNoMatplotlib) {
      return "no plots: the script for them failed in " + python;
    }
  }
  return "no plots: no Python with matplotlib was found (Debian: python3-matplotlib); "
         "VOLCONTACT_PYTHON may name one";
}

}  // namespace volcontact::tool
