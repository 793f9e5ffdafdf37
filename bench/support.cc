#include "support.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <thread>

namespace volcontact::bench {
namespace {

// A whole run waits about this long for what does not end [s], then kShortDeadline for each.
constexpr double kPatience = 30.0, kShortDeadline = 0.1;
// What a median is taken of: so many runs, or as many as fit in a time [s].
constexpr std::size_t kFewRuns = 3, kManyRuns = 100;
constexpr double kFewRunsSeconds = 2.0, kManyRunsSeconds = 0.2;

double Seconds(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The child's side of RunGuarded: writes the numbers and ends without running any destructor.
[[noreturn]] void RunChild(int pipe_end, const std::function<std::vector<double>()>& work) {
  int status = 1;
  try {
    const std::vector<double> numbers = work();
    const char* bytes = reinterpret_cast<const char*>(numbers.data());
    std::size_t left = numbers.size() * sizeof(double);
    while (left > 0) {
      const ssize_t written = write(pipe_end, bytes, left);
      if (written <= 0) _exit(1);
      bytes += written;
      left -= static_cast<std::size_t>(written);
    }
    status = 0;
  } catch (const std::exception&) {
  }
  _exit(status);
}

// Reads until the writer closes its end or the deadline passes; false in the latter case.
bool ReadUntil(double deadline, int pipe_end, std::string* bytes) {
  char buffer[4096];
  while (true) {
    const double left = deadline - WallSeconds();
    pollfd descriptor = {pipe_end, POLLIN, 0};
    if (left <= 0.0 || poll(&descriptor, 1, static_cast<int>(1e3 * left) + 1) == 0) return false;
    const ssize_t count = read(pipe_end, buffer, sizeof buffer);
    if (count <= 0) return true;
    bytes->append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace

double ThreadCpuSeconds() { return Seconds(CLOCK_THREAD_CPUTIME_ID); }
double WallSeconds() { return Seconds(CLOCK_MONOTONIC); }

std::optional<std::vector<double>> RunGuarded(double seconds,
                                              const std::function<std::vector<double>()>& work) {
  static double patience = kPatience;
  const double deadline = WallSeconds() + std::clamp(patience, kShortDeadline, seconds);
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    RunChild(ends[1], work);
  }
  close(ends[1]);
  std::string bytes;
  const bool ended = child > 0 && ReadUntil(deadline, ends[0], &bytes);
  close(ends[0]);
  if (child < 0) return std::nullopt;
  if (!ended) {
    kill(child, SIGKILL);
    patience -= seconds;
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!ended || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::copy_n(bytes.data(), numbers.size() * sizeof(double),
              reinterpret_cast<char*>(numbers.data()));
  return numbers;
}

std::string ReasonToSkip(const PosedPair& posed, const QueryOptions& options, double seconds) {
  QueryOptions single = options;
  single.threads = 1;
  constexpr double kThrew = -1.0;
  const auto answer = RunGuarded(seconds, [&]() -> std::vector<double> {
    try {
      const Metrics metrics = posed.Query(single);
      return {static_cast<double>(metrics.method), metrics.converged ? 1.0 : 0.0,
              metrics.overlap ? 1.0 : 0.0};
    } catch (const InvalidInput&) {
      return {kThrew};
    }
  });
  if (!answer) return fmt::format("no answer in {} s, or a crash", seconds);
  if (answer->size() < 3) return "the method does not apply";
  const auto method = static_cast<Method>(static_cast<int>(answer->at(0)));
  if (options.method != Method::kAuto && method != options.method) {
    return "answered by " + MethodName(method);
  }
  if (answer->at(2) == 0.0) return "no overlap found";
  // Counting voxels of a given size has no tolerance to converge to.
  if (answer->at(1) == 0.0 && method != Method::kVoxel) return "not converged";
  return "";
}

std::string BenchmarkName(const std::string& subject, const Labels& labels) {
  std::string name = subject;
  for (const auto& [key, value] : labels) name += "/" + key + ":" + value;
  return name;
}

std::string Scientific(double value) { return value == 0.0 ? "0" : fmt::format("{:.0e}", value); }

benchmark::internal::Benchmark* Register(const std::string& name,
                                         std::function<void(benchmark::State&)> function) {
  return benchmark::RegisterBenchmark(name.c_str(), std::move(function))->UseRealTime();
}

void SetWorkCounters(benchmark::State& state, const Metrics& metrics) {
  SetCounter(state, "cells", static_cast<double>(metrics.stats.cells));
  SetCounter(state, "leaves", static_cast<double>(metrics.stats.leaves));
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

double MedianSeconds(const std::function<double()>& run) {
  std::vector<double> times;
  double sum = 0.0;
  while ((times.size() < kFewRuns && sum < kFewRunsSeconds) ||
         (times.size() < kManyRuns && sum < kManyRunsSeconds)) {
    times.push_back(run());
    sum += times.back();
  }
  return Median(std::move(times));
}

Pose RandomRotation(std::mt19937_64& random, const Eigen::Vector3d& t) {
  std::normal_distribution<double> normal;
  Eigen::Vector4d q;
  for (double& component : q) component = normal(random);
  q.normalize();
  return {t, {q[0], q[1], q[2], q[3]}};
}

Eigen::Vector3d RandomDirection(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Eigen::Vector3d direction;
  for (double& component : direction) component = normal(random);
  return direction.normalized();
}

}  // namespace volcontact::bench

int main(int argc, char** argv) {
  // Ahead of the user's arguments, which therefore win. Most queries take microseconds.
  char min_time[] = "--benchmark_min_time=0.02";
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, min_time);
  arguments.push_back(nullptr);
  int count = argc + 1;
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;
#if defined(__clang__)
  benchmark::AddCustomContext("compiler", __VERSION__);
#else
  benchmark::AddCustomContext("compiler", "GCC " __VERSION__);
#endif
  benchmark::AddCustomContext("build", VOLCONTACT_BUILD_DESCRIPTION);
  volcontact::bench::RegisterBenchmarks();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
