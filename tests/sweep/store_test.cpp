// The folder of a sweep: the same bytes however the work was cut, killed or disturbed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>

#include "support/folder_test.h"
#include "sweep/made_rows.h"
#include "sweep/store/durable_file.h"

namespace volcontact::sweep::testing {
namespace {

namespace fs = std::filesystem;

class StoreFolder : public FolderTest {
 protected:
  void SetUp() override {
    RunMade(whole_, parts_);
    ASSERT_TRUE(Merge(whole_, {.csv = true}));
  }

  void ExpectWhole(const fs::path& folder) const {
    for (const char* name :
         {"manifest.json", "rows.h5", "rows.csv", "failures.csv", "reductions.json"}) {
      EXPECT_TRUE(fs::exists(folder / name)) << name;
      EXPECT_EQ(BytesOf(folder / name), BytesOf(whole_ / name)) << name;
    }
    EXPECT_TRUE(fs::is_empty(folder / "chunks"));
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      EXPECT_FALSE(entry.path().filename().string().starts_with(".unfinished")) << entry.path();
    }
  }

  void MergeAndExpectWhole(const fs::path& folder) const {
    ASSERT_TRUE(Merge(folder, {.csv = true}));
    ExpectWhole(folder);
  }

  // What `work` throws says this.
  static void ExpectError(const std::function<void()>& work, const std::string& message) {
    try {
      work();
      ADD_FAILURE() << "nothing is thrown; expected: " << message;
    } catch (const std::exception& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(message), std::string::npos) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
  }

  // The status of a process of its own that does this; 97 for anything thrown.
  static pid_t Start(const std::function<void()>& work) {
    const pid_t child = fork();
    if (child != 0) return child;
    try {
      work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(97);
    }
    _exit(::testing::Test::HasFailure() ? 98 : 0);
  }
  static int Wait(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  ManifestParts parts_ = MadeParts();
  const fs::path whole_ = folder_ / "whole";
};

TEST_F(StoreFolder, HasTheSameBytesForAnyShards) {
  for (const std::uint64_t shards : {2u, 4u, 7u}) {
    const fs::path folder = folder_ / std::to_string(shards);
    for (std::uint64_t i = shards; i-- > 0;) {
      const RunChunksEnd end = RunMade(folder, parts_, {i, shards});
      EXPECT_EQ(end.counts.chunks, (15 - i) / shards + 1);
    }
    MergeAndExpectWhole(folder);
  }
}

TEST_F(StoreFolder, KeepsRowsOfOtherChunkSizesTheSame) {
  ManifestParts other = parts_;
  other.rows_of_chunk = 1000;
  RunMade(folder_ / "one", other);
  const auto merged = Merge(folder_ / "one", {.csv = true});
  ASSERT_TRUE(merged);
  EXPECT_EQ(BytesOf(folder_ / "one/rows.csv"), BytesOf(whole_ / "rows.csv"));
  EXPECT_EQ(BytesOf(folder_ / "one/failures.csv"), BytesOf(whole_ / "failures.csv"));
  EXPECT_EQ(merged->counts.rows, 1000u);
  EXPECT_EQ(merged->counts.failed, 35u);
}

TEST_F(StoreFolder, SaysWhatIsMissing) {
  const fs::path folder = folder_ / "part";
  EXPECT_EQ(LookAtFolder(folder), FolderState::kNone);
  RunMade(folder, parts_, {1, 2});
  EXPECT_EQ(LookAtFolder(folder), FolderState::kBegun);
  ExpectError([&] { Merge(folder); }, "8 of 16 chunks are missing, the first is 0");
  EXPECT_EQ(Store::Open(folder, MakeLayout(parts_)).Missing().size(), 8u);
  RunMade(folder, parts_);
  MergeAndExpectWhole(folder);
  EXPECT_EQ(LookAtFolder(folder), FolderState::kMerged);
  const Inventory inventory = Store::Open(folder, MakeLayout(parts_)).Look({});
  EXPECT_TRUE(inventory.missing.empty());
  EXPECT_EQ(inventory.kept.rows, 1000u);
  EXPECT_EQ(inventory.kept.failed, 35u);
  // After a merge, the CSV is made from the rows.
  fs::remove(folder / "rows.csv");
  MergeAndExpectWhole(folder);
  // What is lost is computed anew.
  fs::remove(folder / "rows.h5");
  EXPECT_EQ(RunMade(folder, parts_).counts.chunks, 16u);
  MergeAndExpectWhole(folder);
  DropSweep(folder);
  EXPECT_EQ(LookAtFolder(folder), FolderState::kNone);
}

TEST_F(StoreFolder, RunsDamagedChunksAnew) {
  const fs::path folder = folder_ / "damaged";
  RunMade(folder, parts_);
  const auto chunk = [&](int number) {
    return folder / "chunks" / ("00000000" + std::to_string(number) + ".chunk");
  };
  const std::string bytes = BytesOf(chunk(3));
  std::string flipped = bytes;
  flipped[200] = static_cast<char>(flipped[200] ^ 1);
  std::ofstream(chunk(3), std::ios::binary) << flipped;
  fs::resize_file(chunk(4), 100);
  fs::resize_file(chunk(5), 0);
  fs::copy_file(chunk(2), chunk(6), fs::copy_options::overwrite_existing);
  fs::remove(chunk(7));
  fs::create_directory(chunk(7));
  const Store store = Store::Open(folder, MakeLayout(parts_));
  ExpectError([&] { store.Missing(); }, "000000007.chunk: is not a file; remove it");
  fs::remove(chunk(7));
  ASSERT_EQ(mkfifo(chunk(7).c_str(), 0600), 0);
  ExpectError([&] { store.Missing(); }, "is not a file");
  fs::remove(chunk(7));
  ExpectError([&] { Merge(folder); }, "1 of 16 chunks are missing, the first is 7");
  std::ofstream(chunk(7)) << "nothing of the kind";
  ExpectError([&] { Merge(folder); }, "000000003.chunk: is damaged: its checksum differs");
  std::ofstream(folder / "chunks/.unfinished-x") << "left";
  std::ofstream(folder / "chunks/3.chunk") << "no name of a chunk";
  const Inventory inventory = store.Look({});
  EXPECT_EQ(inventory.missing, (std::vector<std::uint64_t>{3, 4, 5, 6, 7}));
  EXPECT_EQ(inventory.damaged, 5u);
  fs::remove(folder / "chunks/3.chunk");
  EXPECT_EQ(RunMade(folder, parts_).counts.chunks, 5u);
  MergeAndExpectWhole(folder);
  ExpectError([&] { store.Put(2, bytes); }, "it is another chunk");
  ExpectError([&] { store.Put(99, bytes); }, "there is no such chunk");
}

TEST_F(StoreFolder, RefusesOtherPlans) {
  const auto open = [&](const ManifestParts& parts) {
    return [this, parts] { Store::Open(whole_, MakeLayout(parts)); };
  };
  ManifestParts other = parts_;
  other.document.replace(other.document.find("\"seed\": 7"), 9, "\"seed\": 8");
  ExpectError(open(other), "holds another sweep: over.seed is 7 there, 8 here");
  other = parts_;
  other.inputs[0].sha256[0] = 'b';
  ExpectError(open(other), "the file sweep.json has changed since");
  other.inputs = {};
  ExpectError(open(other), "other files are read");
  other = parts_;
  other.rows = 1001;
  ExpectError(open(other), "its rows, chunks or columns differ");
}

TEST_F(StoreFolder, RefusesFoldersOfOthers) {
  const auto open = [&](const fs::path& folder) {
    return [this, folder] { Store::Open(folder, MakeLayout(parts_)); };
  };
  std::ofstream(folder_ / "file") << "text";
  ExpectError(open(folder_ / "file"), "is not a folder");
  ExpectError(open(folder_ / "file/below"), "cannot be a folder");
  ExpectError([&] { Merge(folder_ / "file"); }, "is not a folder");
  ExpectError([&] { Merge(folder_ / "none"); }, "none: holds no sweep");
  fs::create_directory(folder_ / "mine");
  std::ofstream(folder_ / "mine/rows.csv") << "text";
  ExpectError(open(folder_ / "mine"), "holds rows.csv, but no manifest.json");
  ExpectError([&] { DropSweep(folder_ / "mine"); }, "holds rows.csv, but no manifest.json");
  EXPECT_TRUE(fs::exists(folder_ / "mine/rows.csv"));
  for (const char* text :
       {"", "{", "[]", "null", "{\"volcontact_sweep\": 2}", "{\"volcontact_sweep\": 1}",
        "{\"volcontact_sweep\": 1, \"rows\": 1e300, \"rows_of_chunk\": 1}",
        "{\"volcontact_sweep\": 1, \"rows\": 9, \"rows_of_chunk\": 0}"}) {
    std::ofstream(folder_ / "mine/manifest.json") << text;
    ExpectError(open(folder_ / "mine"), "manifest.json: ");
    ExpectError([&] { Merge(folder_ / "mine"); }, "manifest.json: ");
  }
  fs::remove(folder_ / "mine/manifest.json");
  fs::create_directory(folder_ / "mine/manifest.json");
  ExpectError(open(folder_ / "mine"), "manifest.json: is not a file");
  // A merged file that is none of this sweep's counts as none.
  std::ofstream(whole_ / "reductions.json") << "{\"manifest_sha256\": 3}";
  EXPECT_EQ(LookAtFolder(whole_), FolderState::kBegun);
}

TEST_F(StoreFolder, GoesOnAfterKillsAtAnyTime) {
  std::mt19937 random(20);
  for (int trial = 0; trial < 3; ++trial) {
    const fs::path folder = folder_ / ("killed" + std::to_string(trial));
    int kills = 0;
    for (int i = 0; i < 40; ++i) {
      const pid_t child = Start([&] {
        RunChunksOptions slow;  // on any disk
        slow.stop = [] { return usleep(2000) < 0; };
        RunMade(folder, parts_, {}, slow);
        Merge(folder, {.csv = true});
      });
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 12'000));
      kill(child, SIGKILL);
      if (WIFSIGNALED(Wait(child))) ++kills;
    }
    EXPECT_GT(kills, 5);
    RunMade(folder, parts_);
    MergeAndExpectWhole(folder);
  }
}

TEST_F(StoreFolder, ServesProcessesThatDoTheSameAtOnce) {
  const fs::path folder = folder_ / "shared";
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(Start([&] {
      RunMade(folder, parts_);
      Merge(folder, {.csv = true});
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(Wait(child), 0);
  MergeAndExpectWhole(folder);
}

// A merge removes what killed processes have left, while others still write their chunks and logs.
TEST_F(StoreFolder, KeepsWhatIsBeingWritten) {
  std::atomic<bool> done = false;
  std::thread remover([&] {
    while (!done) RemoveUnfinished(folder_);
  });
  for (int i = 0; i < 300; ++i) {
    EXPECT_NO_THROW(WriteDurably(folder_ / "written", std::to_string(i))) << i;
    EXPECT_EQ(BytesOf(folder_ / "written"), std::to_string(i));
  }
  done = true;
  remover.join();
}

TEST_F(StoreFolder, LosesNothingOnAFullDisk) {
  const fs::path folder = folder_ / "full";
  RunMade(folder, parts_, {0, 2});
  // Chunks have some 3 kB, and the merged file more than all of them.
  const auto limited = [&](rlim_t bytes, const std::function<void()>& work) {
    return Wait(Start([&] {
      signal(SIGXFSZ, SIG_IGN);
      const rlimit limit = {bytes, bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
      work();
    }));
  };
  const auto runs = [&] {
    ExpectError(
        [&] { RunMade(folder, parts_); },
        ".chunk: cannot be written: File too large; raise the limit of the size of files (ulimit "
        "-f) and continue");
  };
  EXPECT_EQ(limited(1000, runs), 0);
  EXPECT_EQ(Store::Open(folder, MakeLayout(parts_)).Missing().size(), 8u);
  RunMade(folder, parts_);
  const auto merges = [&] {
    ExpectError([&] { Merge(folder, {.csv = true}); },
                "rows.h5: cannot be written: File too large; raise the limit of the size of files "
                "(ulimit -f) and continue with --resume");
  };
  EXPECT_EQ(limited(10'000, merges), 0);
  const auto writes_csv = [&] {
    ExpectError([&] { Merge(folder, {.csv = true}); },
                "rows.csv: cannot be written: File too large");
  };
  const std::uintmax_t rows_size = fs::file_size(whole_ / "rows.h5");
  ASSERT_GT(fs::file_size(whole_ / "rows.csv"), rows_size);
  EXPECT_EQ(limited(rows_size, writes_csv), 0);
  EXPECT_FALSE(fs::exists(folder / "reductions.json"));
  MergeAndExpectWhole(folder);
}

TEST_F(StoreFolder, SaysThatAFolderCannotBeWritten) {
  const fs::path folder = folder_ / "read_only";
  RunMade(folder, parts_, {0, 2});
  fs::permissions(folder / "chunks", fs::perms::owner_read | fs::perms::owner_exec);
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  const int status = Wait(Start([&] {
    // Permissions bind everybody but root, who becomes another here.
    if (geteuid() == 0) {
      ASSERT_EQ(chown(folder.c_str(), 65534, 65534), 0);
      ASSERT_EQ(chown((folder / "chunks").c_str(), 65534, 65534), 0);
      ASSERT_EQ(setuid(65534), 0);
      if (access(folder.c_str(), R_OK | X_OK) != 0) _exit(99);
    }
    ExpectError([&] { RunMade(folder, parts_); },
                "chunks: cannot be written: Permission denied; choose a folder that can");
    ExpectError([&] { Merge(folder); }, "cannot be written: Permission denied");
    ExpectError([&] { Store::Open(folder / "below", MakeLayout(parts_)); },
                "below: cannot be made: Permission denied");
  }));
  fs::permissions(folder, fs::perms::owner_all);
  fs::permissions(folder / "chunks", fs::perms::owner_all);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 99) {
    GTEST_SKIP() << "others cannot see the folder for temporary files";
  }
  EXPECT_EQ(status, 0);
  RunMade(folder, parts_);
  MergeAndExpectWhole(folder);
}

TEST_F(StoreFolder, StopsBetweenChunksAndGoesOn) {
  const fs::path folder = folder_ / "stopped";
  RunChunksOptions options;
  int asked = 0;  // twice for each chunk
  options.stop = [&] { return ++asked > 9; };
  std::uint64_t kept = 0;
  options.kept = [&](const SweepCounts& counts) { kept = counts.chunks; };
  options.label = "some";
  const RunChunksEnd end = RunMade(folder, parts_, {}, options);
  EXPECT_TRUE(end.stopped);
  EXPECT_EQ(end.counts.chunks, 4u);
  EXPECT_EQ(kept, 4u);
  EXPECT_EQ(Store::Open(folder, MakeLayout(parts_)).Missing().size(), 16u - end.counts.chunks);
  ASSERT_TRUE(fs::exists(folder / "log"));
  const std::string log = BytesOf(fs::directory_iterator(folder / "log")->path());
  for (const char* text : {"\"ended\": \"stopped\"", "\"work\": \"some\"", "\"processor\""}) {
    EXPECT_NE(log.find(text), std::string::npos) << log;
  }
  EXPECT_FALSE(RunMade(folder, parts_).stopped);
  EXPECT_FALSE(Merge(folder, {.stop = [] { return true; }}));
  MergeAndExpectWhole(folder);
}

TEST_F(StoreFolder, KeepsAtMostAHundredBytesARowBesideTheColumns) {
  // The 32 bytes of the four columns are not counted.
  const ManifestParts parts = MadeParts(100'000, 4096);
  const fs::path folder = folder_ / "large";
  RunMade(folder, parts);
  ASSERT_TRUE(Merge(folder));
  std::uintmax_t size = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) size += entry.file_size();
  }
  EXPECT_LE(static_cast<double>(size) / 100'000, 32 + 20);
  ASSERT_TRUE(Merge(folder, {.csv = true}));
  const std::uintmax_t plain = fs::file_size(folder / "rows.h5");
  fs::remove(folder / "reductions.json");
  RunMade(folder, parts);
  ASSERT_TRUE(Merge(folder, {.compress = true}));
  EXPECT_LT(fs::file_size(folder / "rows.h5"), plain);
}

}  // namespace
}  // namespace volcontact::sweep::testing
