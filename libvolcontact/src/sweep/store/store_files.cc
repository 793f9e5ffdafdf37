#include "sweep/store/store_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

#include "sweep/store/durable_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr std::string_view kChunkSuffix = ".chunk";
// The most bytes of a chunk beside its rows and what is recorded of each: histograms and extremes.
constexpr std::uint64_t kMostStates = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostOfRow = 2048;
constexpr std::uint64_t kMostManifest = std::uint64_t{1} << 30;

std::optional<std::uint64_t> NumberOf(const std::string& name) {
  if (!name.ends_with(kChunkSuffix)) return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = name.data() + name.size() - kChunkSuffix.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// The nearest of the folder and those it lies in that is there must be a folder.
void RequireFolderOrNothing(const std::filesystem::path& folder) {
  for (std::filesystem::path at = folder; !at.empty(); at = at.parent_path()) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(at, error);
    if (std::filesystem::is_directory(status) || at == at.root_path()) return;
    if (!std::filesystem::exists(status)) continue;
    throw InvalidInput(
        at == folder
            ? folder.string() + ": is not a folder; choose another name"
            : fmt::format("{}: cannot be a folder, because {} is not a folder; choose another name",
                          folder.string(), at.string()));
  }
}

}  // namespace

std::filesystem::path StoreFiles::Chunk(std::uint64_t chunk) const {
  return Chunks() / fmt::format("{:09}.chunk", chunk);
}

std::vector<std::uint64_t> ListChunks(const StoreFiles& files) {
  std::vector<std::uint64_t> numbers;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(files.Chunks(), error);
  if (status.type() == std::filesystem::file_type::not_found) return numbers;
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
    throw InvalidInput(files.Chunks().string() +
                       ": is not a folder, but the folder of the chunks must be there; remove it");
  }
  std::filesystem::directory_iterator entry(files.Chunks(), error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const std::optional<std::uint64_t> number = NumberOf(name);
    if (number && files.Chunk(*number).filename() == name) numbers.push_back(*number);
  }
  if (error) {
    throw std::runtime_error(
        fmt::format("{}: cannot be read: {}", files.Chunks().string(), error.message()));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::optional<std::string> ReadChunkFile(const StoreFiles& files, const StoreLayout& layout,
                                         std::uint64_t chunk) {
  const std::uint64_t of_row = kMostOfRow + layout.columns.size() * sizeof(double);
  return ReadWhole(files.Chunk(chunk), kMostStates + layout.RowsOf(chunk) * of_row);
}

void RemoveChunks(const StoreFiles& files) {
  for (const std::uint64_t chunk : ListChunks(files)) RemoveFile(files.Chunk(chunk));
  for (const auto& folder : {files.Chunks(), files.Log(), files.folder}) RemoveUnfinished(folder);
}

std::optional<std::string> ReadManifest(const StoreFiles& files) {
  RequireFolderOrNothing(files.folder);
  return ReadWhole(files.Manifest(), kMostManifest);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
