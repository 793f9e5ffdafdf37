// Chunks merged in their order.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sweep/store/durable_file.h"
#include "sweep/store/failures_file.h"
#include "sweep/store/merged_files.h"
#include "sweep/store/rows_file.h"
#include "sweep/store/store_files.h"
#include "sweep/store/sweep_hold.h"
#include "volcontact/math/error.h"
#include "volcontact/sweep/sweep_store.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

namespace fs = std::filesystem;

// rows.csv: with all digits; what there is not is an empty cell.
void WriteRowsCsv(const StoreFiles& files, const StoreLayout& layout) {
  DurableFile csv(files.Csv());
  std::string header = "row,status";
  for (const ResultColumn& column : layout.columns) {
    header += ',' + CsvCell(column.unit.empty() ? column.name
                                                : fmt::format("{} [{}]", column.name, column.unit));
  }
  csv.Write(header + '\n');
  ReadRowsFile(files.Rows(), layout, [&](std::uint64_t first, const ChunkContents& rows) {
    std::string line;
    for (std::size_t i = 0; i < rows.status.size(); ++i) {
      line.clear();
      fmt::format_to(std::back_inserter(line), "{},{}", first + i, NameOf(rows.status[i]));
      for (const std::vector<double>& column : rows.columns) {
        line += ',';
        if (!std::isnan(column[i])) fmt::format_to(std::back_inserter(line), "{}", column[i]);
      }
      line += '\n';
      csv.Write(line);
    }
  });
  csv.Finish();
}

std::string ReductionsText(const StoreLayout& layout, const SweepCounts& counts,
                           const std::vector<std::unique_ptr<Reduction>>& states) {
  using Json = nlohmann::ordered_json;
  Json reductions = Json::object();
  for (std::size_t i = 0; i < states.size(); ++i) {
    reductions[layout.reductions[i].name] = states[i]->Answer();
  }
  const Json text = {{"title", layout.title},
                     {"manifest_sha256", layout.plan_hash},
                     {"rows",
                      {{"total", counts.rows},
                       {"ok", counts.rows - counts.not_converged - counts.failed},
                       {"not_converged", counts.not_converged},
                       {"failed", counts.failed}}},
                     {"reductions", std::move(reductions)}};
  return text.dump() + "\n";
}

// `damage` is of what was merged of them before.
void RequireAllChunks(const StoreFiles& files, const StoreLayout& layout,
                      const std::string& damage) {
  const std::vector<std::uint64_t> there = ListChunks(files);
  std::uint64_t first = 0, count = 0;
  for (const std::uint64_t chunk : there) {
    if (chunk >= layout.chunks) break;
    if (chunk == first) ++first;
    ++count;
  }
  if (count == layout.chunks) return;
  if (!damage.empty()) {
    throw InvalidInput(
        fmt::format("{}: {}, and {} of its {} chunks do not exist any more; run the sweep with "
                    "--resume, which computes them again, or restore the file from a copy",
                    files.folder.string(), damage, layout.chunks - count, layout.chunks));
  }
  throw InvalidInput(fmt::format(
      "{}: {} of {} chunks are missing, the first is {}; run the sweep, or its shards, with "
      "--resume to the end, then merge",
      files.folder.string(), layout.chunks - count, layout.chunks, first));
}

// One pass over the chunks; the result is on the disk when it is finished.
class ChunkMerger {
 public:
  ChunkMerger(const StoreFiles& files, const StoreLayout& layout, bool compress)
      : files_(files), layout_(layout), failures_(files.Failures()) {
    if (layout.keeps_rows) {
      rows_ = std::make_unique<RowsFileWriter>(files.Rows(), layout, compress);
    }
    for (const ReductionSpec& spec : layout.reductions) states_.push_back(spec.make());
  }

  void Add(std::uint64_t chunk) {
    const std::optional<std::string> bytes = ReadChunkFile(files_, layout_, chunk);
    try {
      if (!bytes) throw DamagedChunk("it is gone");
      const ChunkContents contents = ReadChunk(layout_, chunk, *bytes);
      counts_.rows += contents.counts.rows;
      counts_.not_converged += contents.counts.not_converged;
      counts_.failed += contents.counts.failed;
      ++counts_.chunks;
      if (rows_) rows_->Append(contents);
      failures_.Append(contents.failures);
      for (std::size_t i = 0; i < states_.size(); ++i) {
        ByteReader state(contents.reductions[i]);
        states_[i]->Merge(&state);
      }
    } catch (const DamagedChunk& error) {
      throw InvalidInput(
          fmt::format("{}: is damaged: {}; run the sweep with --resume, which computes this chunk "
                      "again, then merge",
                      files_.Chunk(chunk).string(), error.what()));
    }
  }

  void Finish() {
    if (rows_) rows_->Finish();
    failures_.Finish();
  }

  const SweepCounts& counts() const { return counts_; }
  std::string Text() const { return ReductionsText(layout_, counts_, states_); }

 private:
  const StoreFiles& files_;
  const StoreLayout& layout_;
  std::unique_ptr<RowsFileWriter> rows_;
  FailuresFile failures_;
  std::vector<std::unique_ptr<Reduction>> states_;
  SweepCounts counts_;
};

// Nothing where `stop` ended it.
std::optional<std::string> MergeChunks(const StoreFiles& files, const StoreLayout& layout,
                                       const std::string& damage, const MergeOptions& options) {
  RequireAllChunks(files, layout, damage);
  ChunkMerger merger(files, layout, options.compress);
  for (std::uint64_t chunk = 0; chunk < layout.chunks; ++chunk) {
    if (options.stop && options.stop()) return std::nullopt;
    merger.Add(chunk);
    if (options.progress) {
      options.progress(static_cast<double>(chunk + 1) / static_cast<double>(layout.chunks));
    }
  }
  merger.Finish();
  if (options.csv && layout.keeps_rows) WriteRowsCsv(files, layout);
  // Last: what says that all else is there.
  const std::string text = merger.Text();
  WriteChecksums(files, layout, text);
  WriteDurably(files.Reductions(), text);
  return text;
}

}  // namespace

namespace {

MergeResult ResultOf(const StoreFiles& files, const StoreLayout& layout, std::string reductions) {
  MergeResult result;
  result.counts = CountsOfMerged(reductions, files, layout);
  result.reductions = std::move(reductions);
  for (const fs::path& file : {files.Rows(), files.Csv(), files.Failures(), files.Reductions()}) {
    if (fs::exists(file)) result.files.push_back(file.filename().string());
  }
  return result;
}

// Whether there is nothing to do in a folder that is merged: it may be one that cannot be written.
bool IsAsAsked(const StoreFiles& files, const MergeOptions& options) {
  return (!options.csv || fs::exists(files.Csv())) &&
         (options.keep_chunks || ListChunks(files).empty());
}

}  // namespace

std::optional<MergeResult> Merge(const fs::path& folder, const MergeOptions& options) {
  const StoreFiles files(folder);
  const std::optional<std::string> manifest = ReadManifest(files);
  if (!manifest) {
    throw InvalidInput(
        folder.string() +
        ": holds no sweep, because there is no manifest.json; give the folder of a sweep");
  }
  const auto layout = ParseManifest(*manifest, files.Manifest());
  if (options.csv && !layout->keeps_rows) {
    throw InvalidInput(
        folder.string() +
        ": keeps no rows (\"rows\": false), so there is no rows.csv; leave --csv out");
  }
  MergedFiles merged = LookAtMerged(files, *layout, MergedCheck::kContent);
  if (merged.reductions && IsAsAsked(files, options)) {
    return ResultOf(files, *layout, *std::move(merged.reductions));
  }
  const std::optional<SweepHold> hold = SweepHold::Shared(files.Manifest());
  if (!hold || ReadManifest(files) != manifest) {
    throw InvalidInput(folder.string() +
                       ": does not hold this sweep any more, because another process deleted it or "
                       "began another; run the sweep again");
  }
  const FileLock lock(files.Lock(), options.stop);
  if (!lock.held()) return std::nullopt;
  // Another process may have merged meanwhile.
  if (!merged.reductions) merged = LookAtMerged(files, *layout, MergedCheck::kContent);
  std::optional<std::string> text = std::move(merged.reductions);
  if (!text) {
    text = MergeChunks(files, *layout, merged.damage, options);
    if (!text) return std::nullopt;
  } else if (options.csv && !fs::exists(files.Csv())) {
    WriteRowsCsv(files, *layout);
  }
  if (!options.keep_chunks) RemoveChunks(files);
  return ResultOf(files, *layout, *std::move(text));
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
