// Folders of a sweep that are damaged, merged before, or somebody else's.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "support/folder_test.h"
#include "sweep/made_rows.h"

namespace volcontact::sweep::testing {
namespace {

namespace fs = std::filesystem;

class StoreDamage : public FolderTest {
 protected:
  fs::path Merged(const std::string& name, const MergeOptions& options = {}) const {
    RunMade(folder_ / name, parts_);
    EXPECT_TRUE(Merge(folder_ / name, options));
    return folder_ / name;
  }

  // What `work` throws has all of these texts, in one line.
  static void ExpectError(const std::function<void()>& work,
                          const std::vector<std::string>& messages) {
    try {
      work();
      ADD_FAILURE() << "nothing is thrown; expected: " << messages.front();
    } catch (const std::exception& error) {
      const std::string what = error.what();
      for (const std::string& message : messages) {
        EXPECT_NE(what.find(message), std::string::npos) << what << "\nlacks: " << message;
      }
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      EXPECT_EQ(what.find("filesystem error"), std::string::npos) << what;
    }
  }

  static void Flip(const fs::path& file, std::streamoff at) {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekg(at);
    const char byte = static_cast<char>(stream.get() ^ 1);
    stream.seekp(at);
    stream.put(byte);
  }

  ManifestParts parts_ = MadeParts();
};

TEST_F(StoreDamage, IsFoundInMergedFiles) {
  const fs::path whole = Merged("whole");
  struct Case {
    const char* name;
    std::function<void(const fs::path&)> harm;
    const char* message;
  };
  const Case cases[] = {
      {"gone", [](const fs::path& at) { fs::remove(at / "rows.h5"); }, "rows.h5 is gone"},
      {"cut", [](const fs::path& at) { fs::resize_file(at / "rows.h5", 5000); },
       "rows.h5 has 5000 bytes, not "},
      {"flipped", [](const fs::path& at) { Flip(at / "rows.h5", 9000); },
       "rows.h5 is damaged: its checksum differs"},
      {"failures", [](const fs::path& at) { fs::remove(at / "failures.csv"); },
       "failures.csv is gone"},
      {"reason", [](const fs::path& at) { Flip(at / "failures.csv", 40); },
       "failures.csv is damaged"},
      {"result", [](const fs::path& at) { fs::remove(at / "reductions.json"); },
       "reductions.json is gone"},
      {"number", [](const fs::path& at) { Flip(at / "reductions.json", 150); },
       "reductions.json is damaged"},
      {"sums", [](const fs::path& at) { fs::remove(at / "checksums.json"); },
       "checksums.json is gone"},
      {"no sums", [](const fs::path& at) { fs::resize_file(at / "checksums.json", 90); },
       "checksums.json is damaged"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const fs::path folder = folder_ / one.name;
    fs::copy(whole, folder, fs::copy_options::recursive);
    one.harm(folder);
    ExpectError([&] { Merge(folder); },
                {one.message, "16 of its 16 chunks do not exist any more", "--resume"});
    const Inventory inventory = Store::Open(folder, MakeLayout(parts_)).Look({});
    EXPECT_EQ(inventory.missing.size(), 16u);
    EXPECT_NE(inventory.merged_damage.find(one.message), std::string::npos)
        << inventory.merged_damage;
    // What --resume does makes it whole.
    RunMade(folder, parts_);
    ASSERT_TRUE(Merge(folder));
    for (const char* name : {"rows.h5", "failures.csv", "reductions.json", "checksums.json"}) {
      EXPECT_EQ(BytesOf(folder / name), BytesOf(whole / name)) << name;
    }
  }
}

TEST_F(StoreDamage, IsMendedFromChunksThatWereKept) {
  const fs::path folder = Merged("kept", {.keep_chunks = true});
  const std::string rows = BytesOf(folder / "rows.h5");
  Flip(folder / "rows.h5", 9000);
  const Inventory inventory = Store::Open(folder, MakeLayout(parts_)).Look({});
  EXPECT_TRUE(inventory.missing.empty());
  EXPECT_EQ(inventory.merged_damage, "");
  ASSERT_TRUE(Merge(folder));
  EXPECT_EQ(BytesOf(folder / "rows.h5"), rows);
}

TEST_F(StoreDamage, OfTheManifestNamesTheWayOut) {
  const fs::path folder = Merged("manifest");
  std::string text = BytesOf(folder / "manifest.json");
  text.replace(text.find("\"inputs\""), 8, "\"output\"");
  std::ofstream(folder / "manifest.json") << text;
  // What differs is told although it is not a key that is needed.
  ExpectError([&] { Store::Open(folder, MakeLayout(parts_)); }, {"other files are read"});
  for (const std::string& damaged :
       {text.substr(0, 100), std::string("{\"volcontact_sweep\": 1}")}) {
    std::ofstream(folder / "manifest.json") << damaged;
    const std::vector<std::string> messages = {"manifest.json: cannot be read",
                                               "remove the folder " + folder.string(),
                                               "restore this file from a copy"};
    ExpectError([&] { LookAtFolder(folder); }, messages);
    ExpectError([&] { Store::Open(folder, MakeLayout(parts_)); }, messages);
    ExpectError([&] { Merge(folder); }, messages);
  }
}

TEST_F(StoreDamage, LeavesWhatOthersWroteWhenASweepIsDropped) {
  const fs::path folder = Merged("dropped");
  const fs::path own = fs::directory_iterator(folder / "log")->path();
  const std::vector<fs::path> others = {folder / "notes.txt", folder / "log/notes.json",
                                        folder / "log/host-1.json", folder / "log/copy.json"};
  for (const fs::path& file : others) std::ofstream(file) << "{\"host\": \"host\", \"pid\": 1}";
  fs::copy_file(own, others[3], fs::copy_options::overwrite_existing);
  DropSweep(folder);
  EXPECT_FALSE(fs::exists(own));
  EXPECT_FALSE(fs::exists(folder / "rows.h5"));
  EXPECT_FALSE(fs::exists(folder / "checksums.json"));
  for (const fs::path& file : others) EXPECT_TRUE(fs::exists(file)) << file;
  // It was a sweep's, and may be one again.
  EXPECT_EQ(LookAtFolder(folder), FolderState::kNone);
  Merged("dropped");
}

TEST_F(StoreDamage, IsNotDoneWhileOthersWorkThere) {
  const fs::path folder = folder_ / "busy";
  const Store store = Store::Open(folder, MakeLayout(parts_));
  store.Put(0, store.encoder().Encode(MadeChunk(0, parts_)));
  {
    const std::shared_ptr<const void> hold = store.Hold();
    ExpectError([&] { DropSweep(folder); }, {"busy: another process works in this sweep"});
  }
  bool dropped = false;
  RunChunksOptions options;
  options.kept = [&](const SweepCounts& counts) {
    if (counts.chunks == 1) ExpectError([&] { DropSweep(folder); }, {"works in this sweep"});
    dropped = dropped || counts.chunks == 1;
  };
  RunMade(folder, parts_, {}, options);
  EXPECT_TRUE(dropped);
  MergeOptions merge;
  merge.keep_chunks = true;
  merge.progress = [&](double) {
    ExpectError([&] { DropSweep(folder); }, {"works in this sweep"});
  };
  ASSERT_TRUE(Merge(folder, merge));
  DropSweep(folder);
}

// What had the folder open before it was dropped leaves nothing in it that belongs to no sweep.
TEST_F(StoreDamage, OfADroppedSweepIsToldToThoseThatGoOn) {
  const fs::path folder = folder_ / "gone";
  const Store store = Store::Open(folder, MakeLayout(parts_));
  const std::string bytes = store.encoder().Encode(MadeChunk(0, parts_));
  DropSweep(folder);
  const auto put = [&] { store.Put(0, bytes); };
  ExpectError(put, {"gone: does not hold this sweep any more", "begin again"});
  Store::Open(folder, MakeLayout(MadeParts(500, 50)));
  ExpectError(put, {"gone: does not hold this sweep any more"});
  DropSweep(folder);
  EXPECT_EQ(LookAtFolder(folder), FolderState::kNone);
  Merged("gone");
}

TEST_F(StoreDamage, RefusesToBeginAmongFilesOfOthers) {
  fs::create_directories(folder_ / "mine/below");
  const auto refuse = [&] {
    const std::vector<std::string> messages = {"mine: holds below, but no manifest.json",
                                               "choose an empty folder, or another name"};
    ExpectError([&] { LookAtFolder(folder_ / "mine"); }, messages);
    ExpectError([&] { Store::Open(folder_ / "mine", MakeLayout(parts_)); }, messages);
    ExpectError([&] { DropSweep(folder_ / "mine"); }, messages);
  };
  refuse();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "mine"), fs::directory_iterator()), 1);
  fs::create_directory(folder_ / "empty");
  Merged("empty");
  // Killed before there was a manifest.
  fs::create_directory(folder_ / "killed");
  std::ofstream(folder_ / "killed/lock");
  std::ofstream(folder_ / "killed/.unfinished-manifest.json.1") << "{";
  Merged("killed");
}

TEST_F(StoreDamage, SaysWhatStandsInTheWay) {
  const fs::path folder = folder_ / "way";
  Store::Open(folder, MakeLayout(parts_));
  fs::remove_all(folder / "chunks");
  std::ofstream(folder / "chunks") << "";
  ExpectError([&] { Store::Open(folder, MakeLayout(parts_)); },
              {"chunks: is not a folder", "remove it"});
  ExpectError([&] { Merge(folder); }, {"chunks: is not a folder", "remove it"});
  ExpectError([&] { DropSweep(folder); }, {"chunks: is not a folder", "remove it"});
  std::ofstream(folder_ / "file") << "text";
  for (const char* below : {"file/x", "file/x/y"}) {
    const std::vector<std::string> messages = {"file is not a folder; choose another name"};
    ExpectError([&] { LookAtFolder(folder_ / below); }, messages);
    ExpectError([&] { Store::Open(folder_ / below, MakeLayout(parts_)); }, messages);
    ExpectError([&] { Merge(folder_ / below); }, messages);
  }
}

TEST_F(StoreDamage, OfPermissionsAloneDoesNotHinderReading) {
  const fs::path folder = Merged("read_only", {.csv = true});
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  const pid_t child = fork();
  if (child == 0) {
    // Permissions bind everybody but root, who becomes another here.
    if (geteuid() == 0 && (chown(folder.c_str(), 65534, 65534) != 0 || setuid(65534) != 0)) {
      _exit(98);
    }
    if (access(folder.c_str(), R_OK | X_OK) != 0) _exit(99);
    try {
      const auto merged = Merge(folder, {.csv = true});
      _exit(merged && merged->counts.rows == 1000 && merged->files.size() == 4 ? 0 : 97);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(96);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  fs::permissions(folder, fs::perms::owner_all);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 99) {
    GTEST_SKIP() << "others cannot see the folder for temporary files";
  }
  EXPECT_EQ(status, 0);
}

TEST_F(StoreDamage, AShardOfWhatIsMergedIsCountedByItself) {
  const Store store = Store::Open(Merged("whole"), MakeLayout(parts_));
  for (const std::uint64_t count : {1u, 2u, 7u, 16u, 20u}) {
    for (std::uint64_t index = 0; index < count; ++index) {
      SweepCounts expected;
      for (std::uint64_t chunk = index; chunk < 16; chunk += count) {
        const ChunkRows rows = MadeChunk(chunk, parts_);
        ++expected.chunks;
        expected.rows += rows.status.size();
        expected.failed += static_cast<std::uint64_t>(
            std::count(rows.status.begin(), rows.status.end(), RowStatus::kFailed));
        expected.not_converged += static_cast<std::uint64_t>(
            std::count(rows.status.begin(), rows.status.end(), RowStatus::kNotConverged));
      }
      const SweepCounts kept = store.Look({index, count}).kept;
      EXPECT_EQ(kept.chunks, expected.chunks);
      EXPECT_EQ(kept.rows, expected.rows);
      EXPECT_EQ(kept.failed, expected.failed);
      EXPECT_EQ(kept.not_converged, expected.not_converged);
    }
  }
}

TEST_F(StoreDamage, SharesOfAnySizeAreCountedAtOnce) {
  for (const std::uint64_t rows : {1u, 39u, 40u, 41u, 600u, 601u}) {
    for (const std::uint64_t count : {1u, 2u, 7u, 40u}) {
      for (std::uint64_t index = 0; index < count; ++index) {
        SweepCounts expected;
        for (std::uint64_t first = index * 40; first < rows; first += count * 40) {
          ++expected.chunks;
          expected.rows += std::min<std::uint64_t>(40, rows - first);
        }
        const SweepCounts share = ShareOf(rows, 40, {index, count});
        EXPECT_EQ(share.chunks, expected.chunks) << rows << ' ' << index << '/' << count;
        EXPECT_EQ(share.rows, expected.rows) << rows << ' ' << index << '/' << count;
      }
    }
  }
  const std::uint64_t many = 9'000'000'000'000'001;
  EXPECT_EQ(ShareOf(many, 1, {0, 2}).rows, many / 2 + 1);
  EXPECT_EQ(ShareOf(many, 1, {1, 2}).chunks, many / 2);
  const auto lay_out = [](std::uint64_t rows, std::uint64_t of_chunk) {
    return [=] { MakeLayout(MadeParts(rows, of_chunk)); };
  };
  ExpectError(lay_out(100'000'000'000, 1),
              {"make 100000000000 chunks, and at most 10000000 are allowed",
               "take a larger \"chunk\": 10000 is enough"});
  ExpectError(lay_out(many, 10'000), {"take fewer rows"});
  MakeLayout(MadeParts(100'000'000'000, 10'000));
}

TEST_F(StoreDamage, LongReasonsKeepTheirEnds) {
  const fs::path folder = Merged("reasons");
  const std::string text = BytesOf(folder / "failures.csv");
  // The third row that is not ok says what the first does.
  EXPECT_NE(text.find("5,not_converged,\"the same, and longer than what is told again and again of "
                      "a million rows\"\n"),
            std::string::npos)
      << text.substr(0, 400);
  EXPECT_NE(
      text.find("22,not_converged,\"the same, and longer tha...ld again and again of a million "
                "rows\"\n"),
      std::string::npos)
      << text.substr(0, 400);
}

}  // namespace
}  // namespace volcontact::sweep::testing
