#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "sweep/store/chunk_file.h"
#include "sweep/store/durable_file.h"
#include "sweep/store/store_files.h"
#include "sweep/store/store_layout.h"
#include "volcontact/math/error.h"
#include "volcontact/sweep/sweep_store.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

namespace fs = std::filesystem;

bool HasChunks(const StoreFiles& files) { return !ListChunks(files).empty(); }

// Files that a sweep would replace, of which nobody knows what they are.
void RefuseFilesWithoutManifest(const StoreFiles& files) {
  fs::path found;
  for (const fs::path& file : {files.Rows(), files.Csv(), files.Failures(), files.Reductions()}) {
    if (fs::exists(file)) found = file;
  }
  if (found.empty() && HasChunks(files)) found = files.Chunks();
  if (found.empty()) return;
  throw InvalidInput(fmt::format(
      "{}: holds {}, but no manifest.json that says of which sweep it is; choose another folder",
      files.folder.string(), found.filename().string()));
}

void RequireSamePlan(const std::string& there, const StoreLayout& layout, const StoreFiles& files) {
  const std::string difference = ManifestDifference(there, layout.manifest, files.Manifest());
  if (difference.empty()) return;
  throw InvalidInput(fmt::format(
      "{}: holds another sweep: {}; choose another folder, or --overwrite what is there",
      files.folder.string(), difference));
}

void Remove(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw fs::filesystem_error("cannot be removed", file, error);
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
  return ReadMerged(files, *layout) ? FolderState::kMerged : FolderState::kBegun;
}

void DropSweep(const fs::path& folder) {
  const StoreFiles files(folder);
  if (!ReadManifest(files)) {
    RefuseFilesWithoutManifest(files);
    return;
  }
  const FileLock lock(files.Lock());
  // The manifest last: what a kill leaves is still known to be of a sweep.
  for (const fs::path& file : {files.Reductions(), files.Rows(), files.Csv(), files.Failures()}) {
    Remove(file);
  }
  RemoveChunks(files);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(files.Log(), error)) {
    if (entry.path().extension() == ".json") Remove(entry.path());
  }
  fs::remove(files.Log(), error);  // where nothing else is in it
  fs::remove(files.Chunks(), error);
  Remove(files.Manifest());
}

Store::Store(fs::path folder, std::shared_ptr<const StoreLayout> layout)
    : folder_(std::move(folder)), layout_(std::move(layout)) {}

Store Store::Open(const fs::path& folder, const Plan& plan) { return Open(folder, LayoutOf(plan)); }

Store Store::Open(const fs::path& folder, std::shared_ptr<const StoreLayout> layout) {
  const StoreFiles files(folder);
  std::optional<std::string> there = ReadManifest(files);
  if (!there) {
    RefuseFilesWithoutManifest(files);
    MakeFolder(folder);
    const FileLock lock(files.Lock());
    there = ReadManifest(files);
    if (!there) {
      WriteDurably(files.Manifest(), layout->manifest);
      there = layout->manifest;
    }
  }
  RequireSamePlan(*there, *layout, files);
  MakeFolder(files.Chunks());
  MakeFolder(files.Log());
  RequireWritable(files.Chunks());
  return {folder, std::move(layout)};
}

std::vector<std::uint64_t> Store::Missing() const { return Look({}).missing; }

Inventory Store::Look(const Shard& shard) const {
  const StoreFiles files(folder_);
  Inventory inventory;
  if (const std::optional<std::string> merged = ReadMerged(files, *layout_)) {
    inventory.kept = CountsOfMerged(*merged, files, *layout_);
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
  return inventory;
}

void Store::Put(std::uint64_t chunk, const std::string& bytes) const {
  const fs::path file = StoreFiles(folder_).Chunk(chunk);
  try {
    if (chunk >= layout_->chunks) throw DamagedChunk("there is no such chunk");
    CheckChunk(*layout_, chunk, bytes);
  } catch (const DamagedChunk& error) {
    throw InvalidInput(fmt::format(
        "{}: cannot hold these bytes: {}; put what EncodeChunk gave for this chunk of this plan",
        file.string(), error.what()));
  }
  WriteDurably(file, bytes);
}

ChunkEncoder::ChunkEncoder(const Plan& plan) : layout_(LayoutOf(plan)) {}
ChunkEncoder::ChunkEncoder(std::shared_ptr<const StoreLayout> layout)
    : layout_(std::move(layout)) {}

std::string ChunkEncoder::Encode(const ChunkRows& rows) const { return EncodeRows(*layout_, rows); }

std::string EncodeChunk(const Plan& plan, const ChunkRows& rows) {
  return ChunkEncoder(plan).Encode(rows);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
