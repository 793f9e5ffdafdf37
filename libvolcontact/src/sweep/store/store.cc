#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include "io/messages.h"
#include "sweep/store/chunk_file.h"
#include "sweep/store/durable_file.h"
#include "sweep/store/failures_file.h"
#include "sweep/store/merged_files.h"
#include "sweep/store/run_log.h"
#include "sweep/store/store_files.h"
#include "sweep/store/store_layout.h"
#include "sweep/store/sweep_hold.h"
#include "volcontact/math/error.h"
#include "volcontact/sweep/sweep_store.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

namespace fs = std::filesystem;

bool HasChunks(const StoreFiles& files) { return !ListChunks(files).empty(); }

// A sweep's folder has this file before it has a manifest, and after it was dropped.
bool HasLock(const StoreFiles& files) {
  std::error_code error;
  return fs::is_regular_file(files.Lock(), error) && fs::file_size(files.Lock(), error) == 0;
}

// What is in a folder without being a sweep's; empty where there is nothing.
std::string WhatIsThere(const StoreFiles& files) {
  for (const fs::path& file : {files.Rows(), files.Csv(), files.Failures(), files.Reductions()}) {
    if (fs::exists(file)) return file.filename().string();
  }
  if (HasChunks(files)) return files.Chunks().filename().string();
  if (HasLock(files)) return "";
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(files.folder, error)) {
    std::string name = entry.path().filename().string();
    // The lock may have come after the look at it, and all else then is the sweep's.
    if (name == files.Lock().filename() && HasLock(files)) return "";
    if (!name.starts_with(kUnfinished)) return name;
  }
  return "";
}

// Nobody knows what they are, and a sweep would replace some, or be lost among them.
void RefuseFilesWithoutManifest(const StoreFiles& files) {
  const std::string found = WhatIsThere(files);
  // Another process may have begun the sweep meanwhile.
  if (found.empty() || ReadManifest(files)) return;
  throw InvalidInput(fmt::format(
      "{}: holds {}, but no manifest.json of a sweep; choose an empty folder, or another name",
      files.folder.string(), Printable(found)));
}

// One of the processes that begin at once writes the manifest.
void BeginSweep(const StoreFiles& files, const StoreLayout& layout) {
  RefuseFilesWithoutManifest(files);
  MakeFolder(files.folder);
  const FileLock lock(files.Lock());
  if (!ReadManifest(files)) WriteDurably(files.Manifest(), layout.manifest);
}

void RequireSamePlan(const std::string& there, const StoreLayout& layout, const StoreFiles& files) {
  const std::string difference = ManifestDifference(there, layout.manifest, files.Manifest());
  if (difference.empty()) return;
  throw InvalidInput(fmt::format(
      "{}: holds another sweep: {}; choose another folder, or delete this one with --overwrite",
      files.folder.string(), difference));
}

}  // namespace

FolderState LookAtFolder(const fs::path& folder) {
  const StoreFiles files(folder);
  const std::optional<std::string> text = ReadManifest(files);
  if (!text) {
    RefuseFilesWithoutManifest(files);
    return FolderState::kNone;
  }
  const auto layout = ParseManifest(*text, files.Manifest());
  return LookAtMerged(files, *layout, MergedCheck::kSizes).reductions ? FolderState::kMerged
                                                                      : FolderState::kBegun;
}

void DropSweep(const fs::path& folder) {
  const StoreFiles files(folder);
  if (!ReadManifest(files)) {
    RefuseFilesWithoutManifest(files);
    return;
  }
  // Who works in it would go on to write chunks, of which nothing says what they are of.
  const std::optional<SweepHold> alone = SweepHold::Alone(files.Manifest());
  if (!alone) {
    throw InvalidInput(
        fmt::format("{}: another process works in this sweep, so it cannot be deleted; stop that "
                    "process or let it end, or choose another folder",
                    folder.string()));
  }
  const FileLock lock(files.Lock());
  // The manifest last: what a kill leaves is still known to be of a sweep.
  for (const fs::path& file :
       {files.Reductions(), files.Checksums(), files.Rows(), files.Csv(), files.Failures()}) {
    RemoveFile(file);
  }
  RemoveChunks(files);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(files.Log(), error)) {
    if (IsRunLog(entry.path())) RemoveFile(entry.path());
  }
  fs::remove(files.Log(), error);  // where nothing else is in it
  fs::remove(files.Chunks(), error);
  RemoveFile(files.Manifest());
}

SweepCounts ShareOf(std::uint64_t rows, std::uint64_t rows_of_chunk, const Shard& shard) {
  SweepCounts share;
  const std::uint64_t chunks = rows / rows_of_chunk + (rows % rows_of_chunk == 0 ? 0 : 1);
  if (shard.index >= chunks) return share;
  share.chunks = (chunks - 1 - shard.index) / shard.count + 1;
  share.rows = share.chunks * rows_of_chunk;
  // The last chunk may be shorter.
  if ((chunks - 1) % shard.count == shard.index) share.rows -= chunks * rows_of_chunk - rows;
  return share;
}

Store::Store(fs::path folder, std::shared_ptr<const StoreLayout> layout)
    : folder_(std::move(folder)), layout_(std::move(layout)) {}

Store Store::Open(const fs::path& folder, const Plan& plan) { return Open(folder, LayoutOf(plan)); }

Store Store::Open(const fs::path& folder, std::shared_ptr<const StoreLayout> layout) {
  const StoreFiles files(folder);
  if (!ReadManifest(files)) BeginSweep(files, *layout);
  std::optional<SweepHold> hold = SweepHold::Shared(files.Manifest());
  while (!hold) {  // dropped meanwhile
    BeginSweep(files, *layout);
    hold = SweepHold::Shared(files.Manifest());
  }
  RequireSamePlan(ReadManifest(files).value_or(""), *layout, files);
  MakeFolder(files.Chunks());
  MakeFolder(files.Log());
  RequireWritable(files.Chunks());
  return {folder, std::move(layout)};
}

std::shared_ptr<const void> Store::Hold() const {
  const StoreFiles files(folder_);
  std::optional<SweepHold> hold = SweepHold::Shared(files.Manifest());
  if (!hold || ReadManifest(files) != layout_->manifest) {
    throw std::runtime_error(
        fmt::format("{}: does not hold this sweep any more, because another process deleted it or "
                    "began another; choose a separate folder for each sweep, and begin again",
                    folder_.string()));
  }
  return std::make_shared<const SweepHold>(*std::move(hold));
}

std::vector<std::uint64_t> Store::Missing() const { return Look({}).missing; }

Inventory Store::Look(const Shard& shard) const {
  const StoreFiles files(folder_);
  Inventory inventory;
  const MergedFiles merged = LookAtMerged(files, *layout_, MergedCheck::kContent);
  if (merged.reductions) {
    inventory.kept = shard.count == 1 ? CountsOfMerged(*merged.reductions, files, *layout_)
                                      : CountsOfShard(files.Failures(), *layout_, shard);
    return inventory;
  }
  const std::vector<std::uint64_t> there = ListChunks(files);
  auto next = there.begin();
  for (std::uint64_t chunk = shard.index; chunk < layout_->chunks; chunk += shard.count) {
    next = std::lower_bound(next, there.end(), chunk);
    std::optional<std::string> bytes;
    if (next != there.end() && *next == chunk) bytes = ReadChunkFile(files, *layout_, chunk);
    try {
      if (!bytes) {
        inventory.missing.push_back(chunk);
        continue;
      }
      const SweepCounts counts = CheckChunk(*layout_, chunk, *bytes);
      ++inventory.kept.chunks;
      inventory.kept.rows += counts.rows;
      inventory.kept.not_converged += counts.not_converged;
      inventory.kept.failed += counts.failed;
    } catch (const DamagedChunk&) {
      inventory.missing.push_back(chunk);
      ++inventory.damaged;
    }
  }
  if (!inventory.missing.empty()) inventory.merged_damage = merged.damage;
  return inventory;
}

void Store::Put(std::uint64_t chunk, const std::string& bytes) const {
  const fs::path file = StoreFiles(folder_).Chunk(chunk);
  try {
    if (chunk >= layout_->chunks) throw DamagedChunk("there is no such chunk");
    CheckChunk(*layout_, chunk, bytes);
  } catch (const DamagedChunk& error) {
    throw InvalidInput(
        fmt::format("{}: cannot hold these bytes: {}; put the result of EncodeChunk for this chunk "
                    "of this plan",
                    file.string(), error.what()));
  }
  const std::shared_ptr<const void> hold = Hold();
  WriteDurably(file, bytes);
}

ChunkEncoder::ChunkEncoder(const Plan& plan) : layout_(LayoutOf(plan)) {}
ChunkEncoder::ChunkEncoder(std::shared_ptr<const StoreLayout> layout)
    : layout_(std::move(layout)) {}

bool ChunkEncoder::keeps_rows() const { return layout_->keeps_rows; }

std::string ChunkEncoder::Encode(const ChunkRows& rows) const { return EncodeRows(*layout_, rows); }

std::string EncodeChunk(const Plan& plan, const ChunkRows& rows) {
  return ChunkEncoder(plan).Encode(rows);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
