// volcontact sweep: whole, in shards, killed, interrupted and refused.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "cli/run_tool.h"
#include "support/paths.h"

namespace volcontact {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr char kBalls[] = R"({
  "run": {"query": {"a": {"sphere": {"radius": "r"}}, "b": {"sphere": {"radius": 0.05}},
                    "pose_a": {"t": ["x", 0, 0.08]}}},
  "over": {"rows": 600, "seed": 3,
           "variables": {"x": {"uniform": [-0.05, 0.05]}, "r": {"uniform": [-0.001, 0.05]}}},
  "keep": ["x", "r", "volume"], "chunk": 40,
  "reduce": {"v": {"moments": "volume"}, "q": {"quantiles": "volume", "at": [0.5, 0.9]},
             "h": {"histogram": ["x", "r"], "bins": [4, 4], "ranges": [[-0.05, 0.05], [0, 0.05]],
                   "value": "volume"},
             "e": {"extremes": "volume", "most": 2}}})";

class SweepCommandTest : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Write("s.json", kBalls);
  }

  void ExpectSame(const std::string& folder, const std::string& whole) const {
    for (const char* name :
         {"manifest.json", "rows.h5", "rows.csv", "failures.csv", "reductions.json"}) {
      EXPECT_TRUE(fs::exists(directory_ / folder / name)) << folder << '/' << name;
      EXPECT_EQ(Contents(folder + "/" + name), Contents(whole + "/" + name))
          << folder << '/' << name;
    }
  }

  pid_t Start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {volcontact::ToolPath(), "sweep"});
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(directory_.c_str()) != 0) _exit(90);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(open("stderr.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    execv(volcontact::ToolPath(), pointers.data());
    _exit(91);
  }

  static int Wait(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  std::ptrdiff_t Chunks(const std::string& folder) const {
    std::error_code error;
    return std::distance(fs::directory_iterator(directory_ / folder / "chunks", error),
                         fs::directory_iterator());
  }
};

TEST_F(SweepCommandTest, GivesTheSameBytesHoweverItIsCut) {
  // Some radii are below zero: these rows fail, and nothing else does.
  const ToolRun run = Run("sweep s.json --out whole --csv --json");
  ASSERT_EQ(run.status, 1) << run.err;
  const Json answer = Json::parse(run.out);
  EXPECT_TRUE(answer["merged"]);
  EXPECT_EQ(answer["rows"]["total"], 600);
  const int failed = answer["rows"]["failed"];
  EXPECT_GT(failed, 3);
  EXPECT_LT(failed, 30);
  EXPECT_EQ(answer["reductions"]["v"]["count"], 600 - failed);
  const std::string failures = Contents("whole/failures.csv");
  EXPECT_EQ(std::count(failures.begin(), failures.end(), '\n'), failed + 1);
  EXPECT_NE(failures.find("failed"), std::string::npos);
  EXPECT_NE(failures.find("radius"), std::string::npos) << failures;
  for (const int shards : {2, 4, 7}) {
    const std::string folder = "cut" + std::to_string(shards);
    for (int i = 0; i < shards; ++i) {
      const ToolRun part =
          Run("sweep s.json --out " + folder + " --shard " + std::to_string(i) + "/" +
              std::to_string(shards) + " --threads " + std::to_string(1 + i % 2));
      EXPECT_LE(part.status, 1) << part.err;
      EXPECT_NE(part.out.find("volcontact sweep --merge " + folder), std::string::npos) << part.out;
    }
    EXPECT_EQ(Run("sweep --merge " + folder + " --csv").status, 1);
    ExpectSame(folder, "whole");
  }
  Run("sweep s.json --out two --csv --threads 2");
  ExpectSame("two", "whole");
}

TEST_F(SweepCommandTest, GoesOnAfterKills) {
  Run("sweep s.json --out whole --csv --set over.rows=6000");
  std::mt19937 random(5);
  int kills = 0;
  for (int i = 0; i < 12; ++i) {
    const pid_t child =
        Start({"s.json", "--out", "killed", "--csv", "--resume", "--set", "over.rows=6000"});
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
    kill(child, SIGKILL);
    if (WIFSIGNALED(Wait(child))) ++kills;
  }
  EXPECT_GT(kills, 0);
  const ToolRun run = Run("sweep s.json --out killed --csv --resume --set over.rows=6000");
  EXPECT_EQ(run.status, 1) << run.err;
  ExpectSame("killed", "whole");
  EXPECT_EQ(Chunks("killed"), 0);
}

TEST_F(SweepCommandTest, StopsCleanlyWhenItIsInterrupted) {
  Run("sweep s.json --out whole --csv --set over.rows=60000 --set chunk=200");
  const pid_t child = Start({"s.json", "--out", "stopped", "--csv", "--set", "over.rows=60000",
                             "--set", "chunk=200", "--threads", "2"});
  for (int i = 0; i < 10'000 && Chunks("stopped") < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(child, SIGINT);
  const int status = Wait(child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(Contents("stderr.txt").find("chunks, --resume goes on"), std::string::npos)
      << Contents("stderr.txt");
  const std::ptrdiff_t kept = Chunks("stopped");
  EXPECT_GE(kept, 3);
  EXPECT_LT(kept, 300);
  const std::string same = "sweep s.json --out stopped --csv --set over.rows=60000 --set chunk=200";
  ExpectRefusal(
      same,
      "chunks of this sweep already; continue with --resume, or delete them with --overwrite");
  ExpectRefusal("sweep s.json --out stopped --resume",
                "stopped: holds another sweep: chunk is 200 there, 40 here");
  ExpectRefusal("sweep --merge stopped", "of 300 chunks are missing");
  const ToolRun run = Run(same + " --resume --json");
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_EQ(Json::parse(run.out)["run"]["chunks"], 300 - kept);
  ExpectSame("stopped", "whole");
  // What is done is done.
  EXPECT_EQ(Json::parse(Run(same + " --resume --json").out)["run"]["chunks"], 0);
  EXPECT_EQ(Run("sweep s.json --out stopped --overwrite --csv").status, 1);
  EXPECT_NE(Contents("stopped/rows.csv"), Contents("whole/rows.csv"));
}

// Each of several processes begins anew while another is at work, at any moment of it.
TEST_F(SweepCommandTest, IsNotDroppedWhileItRuns) {
  const std::string options = " --csv --set over.rows=4000 --set chunk=40";
  Run("sweep s.json --out whole" + options);
  std::mt19937 random(11);
  int refused = 0;
  for (int i = 0; i < 4; ++i) {
    const std::string out = "beside" + std::to_string(i);
    const pid_t child =
        Start({"s.json", "--out", out, "--csv", "--set", "over.rows=4000", "--set", "chunk=40"});
    for (int wait = 0; wait < 10'000 && Chunks(out) < 1; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 20));
    const ToolRun other = Run("sweep s.json --out " + out + " --overwrite" + options);
    if (other.status == 2) {
      ++refused;
      EXPECT_NE(other.err.find(out + ": another process works in this sweep"), std::string::npos)
          << other.err;
    }
    const int status = Wait(child);
    ASSERT_TRUE(WIFEXITED(status));
    // It ends as if it were alone, or was dropped between its run and its merge, and says so.
    if (WEXITSTATUS(status) != 1) {
      EXPECT_EQ(other.status, 1) << other.err;
      EXPECT_NE(Contents("stderr.txt").find("another process deleted it"), std::string::npos)
          << Contents("stderr.txt");
    }
    const ToolRun end = Run("sweep s.json --out " + out + " --resume" + options);
    EXPECT_EQ(end.status, 1) << end.err;
    ExpectSame(out, "whole");
  }
  EXPECT_GT(refused, 0);
}

TEST_F(SweepCommandTest, TellsOfTheLimitOfFileSizes) {
  const ToolRun run = Run("--version >/dev/null && ulimit -f 1 && '" + std::string(ToolPath()) +
                          "' sweep s.json --out limited --set over.rows=4000 --set chunk=2000");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("File too large; raise the limit of the size of files (ulimit -f)"),
            std::string::npos)
      << run.err;
}

TEST_F(SweepCommandTest, ReadsItsShardFromTheEnvironment) {
  const auto shard = [&](const std::string& option = "") {
    return Json::parse(Run("sweep s.json --dry-run --json " + option).out).value("shard", Json());
  };
  EXPECT_TRUE(shard().is_null());
  setenv("SLURM_ARRAY_TASK_ID", "7", 1);
  setenv("SLURM_ARRAY_TASK_COUNT", "4", 1);
  setenv("SLURM_ARRAY_TASK_MIN", "3", 1);
  setenv("SLURM_ARRAY_TASK_MAX", "9", 1);
  EXPECT_EQ(shard(), Json({{"index", 2}, {"count", 4}, {"chunks", 4}, {"rows", 160}}));
  EXPECT_EQ(shard("--shard 0/1")["count"], 1);
  EXPECT_EQ(shard("--shard /30")["index"], 2);
  setenv("SLURM_ARRAY_TASK_MAX", "8", 1);
  ExpectRefusal("sweep s.json --dry-run", "task numbers of this array have gaps");
  setenv("SLURM_ARRAY_TASK_ID", "x", 1);
  ExpectRefusal("sweep s.json --dry-run", "SLURM_ARRAY_TASK_ID=\"x\" in the environment");
  for (const char* name : {"ID", "COUNT", "MIN", "MAX"}) {
    unsetenv((std::string("SLURM_ARRAY_TASK_") + name).c_str());
  }
  ExpectRefusal("sweep s.json --dry-run --shard /8", "neither PARALLEL_SEQ nor");
  setenv("PARALLEL_SEQ", "3", 1);
  EXPECT_EQ(shard("--shard /8")["index"], 2);
  EXPECT_TRUE(shard().is_null());
  unsetenv("PARALLEL_SEQ");
}

TEST_F(SweepCommandTest, RefusesWrongArguments) {
  ExpectRefusal("sweep", "no file is given");
  ExpectRefusal("sweep s.json", "--out is missing");
  ExpectRefusal("sweep s.json --out o --resume --overwrite", "exclude each other");
  ExpectRefusal("sweep s.json --out o --threads 0", "--threads 0: must be 1 to");
  for (const char* wrong : {"1", "x/2", "1/0", "1/2/3", "-1/2", "1/99999999"}) {
    ExpectRefusal(std::string("sweep s.json --out o --shard ") + wrong, "--shard");
  }
  ExpectRefusal("sweep s.json --out o --shard ''", "--shard \"\": is empty; give i/N");
  ExpectRefusal("sweep --merge o --shard ''", "--merge: works only with");
  ExpectRefusal("sweep s.json --out o --shard 2/2", "there is no shard 2 of 2; give 0 to 1");
  ExpectRefusal("sweep s.json --merge o", "--merge: works only with");
  ExpectRefusal("sweep --merge o", "o: holds no sweep");
  ExpectRefusal("sweep s.json --out s.json", "s.json: is not a folder");
  ExpectRefusal("sweep s.json --out o --set reduce.v.moments=torque",
                "s.json: at reduce.v.moments: \"torque\" is not a column of this sweep");
  ExpectRefusal("sweep s.json --out o --set rows=false --csv",
                "--csv: the rows of s.json are not kept");
  ExpectRefusal("sweep s.json --out .", "holds s");
  ExpectRefusal("sweep s.json --out s.json/x", "s.json is not a folder; choose another name");
}

TEST_F(SweepCommandTest, TellsThatNoRowCanBeRun) {
  for (const char* rest : {"--out o", "--dry-run --json"}) {
    const auto run =
        Run(std::string("sweep s.json --set 'over.variables.r.uniform=[-2,-1]' ") + rest);
    EXPECT_NE(run.err.find("note: "), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("row 0"), std::string::npos) << run.err;
  }
}

TEST_F(SweepCommandTest, TellsWhatTooManyChunksNeed) {
  for (const char* dry : {"", "--dry-run --shard 1/3 "}) {
    ExpectRefusal(std::string("sweep s.json --out o ") + dry + "--set over.rows=1e11 --set chunk=1",
                  "take a larger \"chunk\": 10000 is enough");
    ExpectRefusal(std::string("sweep s.json --out o ") + dry + "--set over.rows=9e15",
                  "take fewer rows");
  }
  EXPECT_FALSE(fs::exists(directory_ / "o"));
  const ToolRun run =
      Run("sweep s.json --dry-run --json --shard 3/4 --set over.rows=1e14 --set chunk=10000000");
  EXPECT_EQ(Json::parse(run.out)["shard"]["rows"], 25'000'000'000'000) << run.err;
}

TEST_F(SweepCommandTest, SaysWhatIsLostOfAMerge) {
  const Json whole = Json::parse(Run("sweep s.json --out whole --csv --json").out);
  fs::copy(directory_ / "whole", directory_ / "lost", fs::copy_options::recursive);
  // A shard of what is merged is not the whole.
  const Json shard = Json::parse(Run("sweep s.json --out whole --resume --shard 1/4 --json").out);
  EXPECT_EQ(shard["rows"]["total"], 160);
  EXPECT_LT(shard["rows"]["failed"], whole["rows"]["failed"]);
  fs::remove(directory_ / "lost/rows.h5");
  ExpectRefusal("sweep --merge lost", "lost: rows.h5 is gone, and 15 of its 15 chunks");
  ExpectRefusal("sweep s.json --out lost", "lost: rows.h5 is gone");
  const ToolRun run = Run("sweep s.json --out lost --csv --resume");
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_NE(run.out.find("had to be made anew: rows.h5 is gone"), std::string::npos) << run.out;
  ExpectSame("lost", "whole");
}

}  // namespace
}  // namespace volcontact
