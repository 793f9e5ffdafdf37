// The files of a sweep's folder: where they are, and what is there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sweep/store/store_layout.h"
#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

struct StoreFiles {
  explicit StoreFiles(std::filesystem::path of) : folder(std::move(of)) {}

  std::filesystem::path folder;
  std::filesystem::path Manifest() const { return folder / "manifest.json"; }
  std::filesystem::path Lock() const { return folder / "lock"; }
  std::filesystem::path Log() const { return folder / "log"; }
  std::filesystem::path Chunks() const { return folder / "chunks"; }
  std::filesystem::path Chunk(std::uint64_t chunk) const;
  std::filesystem::path Rows() const { return folder / "rows.h5"; }
  std::filesystem::path Csv() const { return folder / "rows.csv"; }
  std::filesystem::path Failures() const { return folder / "failures.csv"; }
  std::filesystem::path Reductions() const { return folder / "reductions.json"; }
  std::filesystem::path Checksums() const { return folder / "checksums.json"; }
};

/// The numbers of the files that are named as chunks, ascending; none where there is no folder of
/// chunks. Throws InvalidInput where that is no folder, and std::runtime_error where it cannot be
/// read.
std::vector<std::uint64_t> ListChunks(const StoreFiles& files);

/// The bytes of a chunk; nothing where there is none. Throws std::runtime_error.
std::optional<std::string> ReadChunkFile(const StoreFiles& files, const StoreLayout& layout,
                                         std::uint64_t chunk);

/// Removes all chunks, and all that killed processes left unfinished.
void RemoveChunks(const StoreFiles& files);

/// The text of manifest.json; nothing if there is none. Throws InvalidInput if the path is not a
/// folder, or lies in something that is not a folder.
std::optional<std::string> ReadManifest(const StoreFiles& files);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
