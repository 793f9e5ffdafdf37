// Runs that are interrupted, and go on with --resume: no row lost, none doubled.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/run_tool.h"
#include "scenario/scenarios.h"
#include "support/paths.h"

namespace volcontact::scenario::testing {
namespace {

namespace fs = std::filesystem;

// A ball that bounces and slides, with many outputs and small steps: some seconds.
Json Bounces() {
  Json document = Document();
  document["title"] = "Bounces";
  document["gravity"] = {0, 0, -9.81};
  document["bodies"] = {Ball("ball"), Plane()};
  document["bodies"][0]["pose"] = {{"t", {0, 0, 0.13}}};
  document["bodies"][0]["velocity"] = {0.3, 0.1, 0};
  document["contacts"] = Json::array({Hertz("ball", "plane", 1e6, 0.7)});
  document["contacts"][0]["friction"] = Bristles();
  document["integrator"] = {{"method", "adaptive"}, {"tolerance", 1e-10}, {"max_step", 2e-5}};
  document["end_time"] = 0.4;
  document["output_interval"] = 0.0005;
  return document;
}

class Interruption : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Write("s.json", Bounces().dump());
  }

  // Starts the tool and sends it a signal once its time series has grown to `size`.
  int Interrupt(const std::vector<std::string>& options, int signal, std::uintmax_t size) const {
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(directory_.c_str()) != 0) _exit(90);
      const int null = open("/dev/null", O_WRONLY);
      dup2(null, STDOUT_FILENO);
      dup2(open("stderr.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      std::vector<std::string> arguments = {
          volcontact::ToolPath(), "simulate", "s.json", "--out", "run", "--no-plots"};
      arguments.insert(arguments.end(), options.begin(), options.end());
      std::vector<char*> pointers;
      for (std::string& argument : arguments) pointers.push_back(argument.data());
      pointers.push_back(nullptr);
      execv(volcontact::ToolPath(), pointers.data());
      _exit(91);
    }
    const auto size_of = [&] {
      std::error_code error;
      const std::uintmax_t now = fs::file_size(directory_ / "run/timeseries.csv", error);
      return error ? 0 : now;
    };
    int status = 0;
    for (int i = 0; i < 60'000 && size_of() < size; ++i) {
      if (waitpid(child, &status, WNOHANG) == child) return status;  // ended by itself
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(child, signal);
    waitpid(child, &status, 0);
    return status;
  }

  static void ExpectSame(const TimeSeries& a, const TimeSeries& b) {
    ASSERT_EQ(a.names, b.names);
    ASSERT_EQ(a.columns[0], b.columns[0]);
    for (std::size_t i = 1; i < a.names.size(); ++i) {
      double scale = 1e-3, difference = 0;
      for (std::size_t k = 0; k < a.columns[i].size(); ++k) {
        scale = std::max(scale, std::abs(b.columns[i][k]));
        difference = std::max(difference, std::abs(a.columns[i][k] - b.columns[i][k]));
      }
      EXPECT_LE(difference, 1e-4 * scale) << a.names[i];
    }
  }
};

TEST_F(Interruption, ResumedRunsEqualUninterruptedOnes) {
  ASSERT_EQ(Run("simulate s.json --out whole --no-plots").status, 0);
  const TimeSeries whole = ReadTimeSeries(directory_ / "whole/timeseries.csv");
  ASSERT_EQ(whole.columns[0].size(), 801u);
  const std::uintmax_t size = fs::file_size(directory_ / "whole/timeseries.csv");

  int status = Interrupt({}, SIGINT, size / 5);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_FALSE(fs::exists(directory_ / "run/summary.json"));
  const std::size_t first = ReadTimeSeries(directory_ / "run/timeseries.csv").columns[0].size();
  EXPECT_GT(first, 100u);
  EXPECT_LT(first, 801u);

  // Neither begun anew by accident, nor mixed with another scenario.
  ExpectRefusal("simulate s.json --out run --no-plots", "--resume");
  ExpectRefusal("simulate s.json --out run --no-plots --resume --set end_time=0.3", "--overwrite");
  EXPECT_EQ(ReadTimeSeries(directory_ / "run/timeseries.csv").columns[0].size(), first);

  status = Interrupt({"--resume"}, SIGTERM, size / 2);
  ASSERT_TRUE(WIFEXITED(status)) << WTERMSIG(status) << " size " << size << " first " << first;
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const std::size_t second = ReadTimeSeries(directory_ / "run/timeseries.csv").columns[0].size();
  EXPECT_GT(second, first);

  const ToolRun last = Run("simulate s.json --out run --no-plots --resume --json");
  ASSERT_EQ(last.status, 0) << last.err;
  ExpectSame(ReadTimeSeries(directory_ / "run/timeseries.csv"), whole);
  const Json summary = Json::parse(last.out);
  EXPECT_EQ(summary["rows"], 801);
  EXPECT_LT(summary["energy"]["residual_relative"], 1e-6);
  EXPECT_FALSE(fs::exists(directory_ / "run/checkpoint.json"));
  // All of the run's steps, not only those since the last start.
  std::ifstream stream(directory_ / "whole/summary.json");
  const double steps = Json::parse(stream)["stats"]["steps"];
  EXPECT_NEAR(summary["stats"]["steps"], steps, 0.02 * steps);
}

TEST_F(Interruption, OverwriteDropsAnInterruptedRun) {
  const int status = Interrupt({}, SIGINT, 50'000);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 1);
  ASSERT_EQ(Run("simulate s.json --out run --no-plots --overwrite --set end_time=0.01").status, 0);
  EXPECT_EQ(ReadTimeSeries(directory_ / "run/timeseries.csv").columns[0].size(), 21u);
  EXPECT_FALSE(fs::exists(directory_ / "run/checkpoint.json"));
}

TEST_F(Interruption, ADamagedCheckpointIsRefused) {
  const int status = Interrupt({}, SIGINT, 50'000);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 1);
  const fs::path series = directory_ / "run/timeseries.csv";
  const std::uintmax_t size = fs::file_size(series);
  // Rows lost: what was computed cannot be joined to what would follow.
  fs::resize_file(series, size / 2);
  ExpectRefusal("simulate s.json --out run --no-plots --resume", "timeseries.csv");
  std::ofstream(directory_ / "run/checkpoint.json") << "{\"state\": ";
  ExpectRefusal("simulate s.json --out run --no-plots --resume", "checkpoint.json");
  std::ofstream(directory_ / "run/checkpoint.json")
      << R"({"state": {}, "rows": 3, "csv_size": 10, "seconds": 1})";
  ExpectRefusal("simulate s.json --out run --no-plots --resume", "");
}

}  // namespace
}  // namespace volcontact::scenario::testing
