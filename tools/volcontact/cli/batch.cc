#include "cli/batch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

#include "cli/output.h"
#include "cli/progress.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

// Rows are handed to the threads in chunks that take about this long [s], so that answers come
// while others are computed and hardly a thread waits for the last row of a chunk.
constexpr double kChunkTime = 0.25;
constexpr std::size_t kMostRowsOfChunk = 8192, kFirstRowsOfThread = 8;

// Nothing where a row cannot be answered.
std::optional<std::vector<Metrics>> TryBatch(const PreparedPair& pair, const PoseTable& table,
                                             std::size_t begin, std::size_t end,
                                             const QueryOptions& options) {
  const std::vector<PosePair> poses(table.poses.begin() + static_cast<std::ptrdiff_t>(begin),
                                    table.poses.begin() + static_cast<std::ptrdiff_t>(end));
  try {
    return pair.QueryBatch(poses, options);
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

// One by one, to tell which row cannot be answered.
void TellRowByRow(const PreparedPair& pair, const PoseTable& table, std::size_t begin,
                  std::size_t end, const QueryOptions& options,
                  const std::function<void(std::size_t, const Metrics&)>& emit) {
  for (std::size_t row = begin; row < end; ++row) {
    try {
      emit(row, pair.Query(table.poses[row].X_WA, table.poses[row].X_WB, options));
    } catch (const InvalidInput& error) {
      FlushOutput();
      throw InvalidInput(fmt::format("{}: {}", table.Place(row), error.what()));
    }
  }
}

}  // namespace

void BatchArguments::AddTo(CLI::App* command) {
  CLI::Option* table =
      command
          ->add_option("--poses", poses,
                       "CSV file with one pose of A in each row (columns x, y, z, qw, qx, qy, qz, "
                       "or with the prefix a.; for B with b.); each row gives one JSON line")
          ->type_name("FILE");
  command->add_flag("--csv", csv, "With --poses: print CSV instead of JSON lines")->needs(table);
  for (const char* name : {"--pose-a", "--repeat", "--patches"}) {
    if (CLI::Option* other = command->get_option_no_throw(name)) table->excludes(other);
  }
}

std::size_t RunBatch(const PreparedPair& pair, const PoseTable& table, const QueryOptions& options,
                     const std::function<void(std::size_t, const Metrics&)>& emit) {
  // Lines on a terminal are progress enough, and a bar would cut them.
  std::optional<ProgressBar> bar;
  if (!isatty(STDOUT_FILENO)) bar.emplace("poses");
  const std::size_t count = table.size();
  std::size_t rows = kFirstRowsOfThread * static_cast<std::size_t>(options.threads);
  std::size_t begin = 0;
  while (begin < count) {
    const auto chunk_start = std::chrono::steady_clock::now();
    const std::size_t end = std::min(count, begin + rows);
    const std::optional<std::vector<Metrics>> answers = TryBatch(pair, table, begin, end, options);
    if (!answers) TellRowByRow(pair, table, begin, end, options, emit);
    const std::size_t reached = answers ? begin + answers->size() : end;
    for (std::size_t row = begin; answers && row < reached; ++row) {
      emit(row, (*answers)[row - begin]);
    }
    FlushOutput();
    begin = reached;
    if (reached < end) break;
    if (bar) bar->Show(static_cast<double>(begin) / static_cast<double>(count));
    const double share = kChunkTime / std::max(SecondsSince(chunk_start), 1e-9);
    rows = std::clamp(static_cast<std::size_t>(static_cast<double>(rows) * std::min(share, 8.0)),
                      static_cast<std::size_t>(options.threads), kMostRowsOfChunk);
  }
  return begin;
}

ExitStatus FinishBatch(std::size_t told, const PoseTable& table, bool all_converged) {
  if (told < table.size()) {
    Tell(fmt::format("--max-seconds: ended after {} of {} rows", told, table.size()));
    return ExitStatus::kNotConverged;
  }
  return all_converged ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

}  // namespace volcontact::tool
