#include "fit_plot.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <vector>

#include "plot_fit_script.h"

extern char** environ;

namespace volcontact::tool {
namespace {

// The script's exit status where the interpreter has no matplotlib.
constexpr int kNoMatplotlib = 3;

std::vector<std::string> Interpreters() {
  std::vector<std::string> found;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path candidate = std::filesystem::path(folder) / "python3";
    if (access(candidate.c_str(), X_OK) == 0) found.push_back(candidate.string());
  }
  return found;
}

// Runs a program with a text as its standard input, and without output; its exit status, or -1.
int RunWithInput(const std::vector<std::string>& command, const std::string& input) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  if (!file || std::fwrite(input.data(), 1, input.size(), file.get()) != input.size()) return -1;
  std::rewind(file.get());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(file.get()), STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
  std::vector<char*> arguments;
  for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

Json NumbersJson(const Eigen::VectorXd& values) {
  return std::vector<double>(values.data(), values.data() + values.size());
}

}  // namespace

void FitPlot::AddPanel(const std::string& x_label, const std::string& y_label) {
  json_["panels"].push_back({{"x", x_label}, {"y", y_label}, {"series", Json::array()}});
}

void FitPlot::AddSeries(const char* style, const std::string& label, const Eigen::VectorXd& x,
                        const Eigen::VectorXd& y) {
  json_["panels"].back()["series"].push_back(
      {{"style", style}, {"label", label}, {"x", NumbersJson(x)}, {"y", NumbersJson(y)}});
}

void FitPlot::AddMarks(const std::string& label, const Eigen::VectorXd& x,
                       const Eigen::VectorXd& y) {
  AddSeries("marks", label, x, y);
}

void FitPlot::AddLine(const std::string& label, const Eigen::VectorXd& x,
                      const Eigen::VectorXd& y) {
  AddSeries("line", label, x, y);
}

std::string FitPlot::Draw(const std::string& file) const {
  const std::string input = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
  int status = kNoMatplotlib;
  for (const std::string& python : Interpreters()) {
    status = RunWithInput({python, "-B", "-c", kPlotFitScript, file}, input);
    if (status == 0) return "";
    if (status != kNoMatplotlib && status != -1) break;
  }
  if (status == kNoMatplotlib || status == -1) {
    return fmt::format(
        "{}: is not drawn: no python3 with matplotlib is on the PATH; install python3-matplotlib",
        file);
  }
  return fmt::format("{}: cannot be drawn; check that the folder exists and the name ends in .svg",
                     file);
}

}  // namespace volcontact::tool
