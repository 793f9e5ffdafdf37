#include "sweep/rank_run.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>

#include "cli/output.h"
#include "cli/progress.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

namespace fs = std::filesystem;

// What rank 0 gets to say why the ranks cannot work together, before others do.
constexpr auto kTimeOfFirst = std::chrono::seconds(5);

// Beside the tool where it is installed, or in its build.
std::vector<fs::path> ModuleFolders() {
  std::error_code error;
  const fs::path tool = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {tool / VOLCONTACT_MPI_INSTALLED_FOLDER, tool / VOLCONTACT_MPI_FOLDER};
}

// What this rank has kept, for the thread that sums the counts of all.
class SharedCounts {
 public:
  void Set(const sweep::SweepCounts& counts) {
    const std::lock_guard lock(mutex_);
    counts_ = counts;
  }
  sweep::SweepCounts Get() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  mutable std::mutex mutex_;
  sweep::SweepCounts counts_;
};

}  // namespace

std::optional<sweep::Ranks> StartRanks() {
  const std::optional<sweep::Launch> launch = sweep::LaunchOfRanks();
  if (!launch) return std::nullopt;
  try {
    return sweep::Ranks::Start(*launch, sweep::FindMpiModule(*launch, ModuleFolders()));
  } catch (const std::exception& error) {
    if (launch->rank == 0) throw;
    std::this_thread::sleep_for(kTimeOfFirst);
    throw InvalidInput(fmt::format("rank {}: {}", launch->rank, error.what()));
  }
}

sweep::RunChunksEnd RunOnRanks(const sweep::Plan& plan, const sweep::Store& store,
                               const std::vector<std::uint64_t>& chunks,
                               sweep::RunChunksOptions options,
                               const std::function<void(const sweep::SweepCounts&)>& shown,
                               sweep::Ranks* ranks) {
  const auto start = std::chrono::steady_clock::now();
  SharedCounts kept;
  options.kept = [&](const sweep::SweepCounts& counts) { kept.Set(counts); };
  sweep::RunChunksEnd end;
  const auto work = [&](const sweep::NextChunk& next) {
    end = sweep::RunChunks(plan, store, next, options);
    kept.Set(end.counts);
  };
  end.counts = ranks->Run(
      chunks, work, [&] { return kept.Get(); }, shown, static_cast<int>(ExitStatus::kBadInput));
  end.seconds = SecondsSince(start);
  return end;
}

}  // namespace volcontact::tool
