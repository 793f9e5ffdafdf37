#include "sweep/store/store_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "io/json_document.h"
#include "sweep/store/durable_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr std::string_view kChunkSuffix = ".chunk";
// Of a chunk, beside its rows and what may be said of each: histograms and extremes.
constexpr std::uint64_t kMostStates = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostOfRow = 2048;
constexpr std::uint64_t kMostManifest = std::uint64_t{1} << 30;
// Of a reduction with all bins that there may be, and some.
constexpr std::uint64_t kMostReductionsText = std::uint64_t{1} << 30;

std::optional<std::uint64_t> NumberOf(const std::string& name) {
  if (!name.ends_with(kChunkSuffix)) return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = name.data() + name.size() - kChunkSuffix.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::filesystem::path StoreFiles::Chunk(std::uint64_t chunk) const {
  return Chunks() / fmt::format("{:09}.chunk", chunk);
}

std::vector<std::uint64_t> ListChunks(const StoreFiles& files) {
  std::vector<std::uint64_t> numbers;
  if (!std::filesystem::exists(files.Chunks())) return numbers;
  for (const auto& entry : std::filesystem::directory_iterator(files.Chunks())) {
    const std::string name = entry.path().filename().string();
    const std::optional<std::uint64_t> number = NumberOf(name);
    if (number && files.Chunk(*number).filename() == name) numbers.push_back(*number);
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
  for (const std::uint64_t chunk : ListChunks(files)) std::filesystem::remove(files.Chunk(chunk));
  for (const auto& folder : {files.Chunks(), files.Log(), files.folder}) RemoveUnfinished(folder);
}

std::optional<std::string> ReadManifest(const StoreFiles& files) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(files.folder, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
    throw InvalidInput(files.folder.string() + ": is no folder; choose another name");
  }
  return ReadWhole(files.Manifest(), kMostManifest);
}

std::optional<std::string> ReadMerged(const StoreFiles& files, const StoreLayout& layout) {
  std::optional<std::string> text = ReadWhole(files.Reductions(), kMostReductionsText);
  if (!text) return std::nullopt;
  const nlohmann::json result = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!result.is_object() || !result.contains("manifest_sha256") ||
      result["manifest_sha256"] != layout.plan_hash) {
    return std::nullopt;
  }
  if (layout.keeps_rows && !std::filesystem::is_regular_file(files.Rows())) return std::nullopt;
  return text;
}

SweepCounts CountsOfMerged(const std::string& text, const StoreFiles& files,
                           const StoreLayout& layout) {
  const JsonDocument document = JsonDocument::Parse(text, files.Reductions().string());
  const JsonCursor rows = document.Root().Member("rows");
  SweepCounts counts;
  counts.chunks = layout.chunks;
  counts.rows = layout.rows;
  counts.not_converged = static_cast<std::uint64_t>(rows.Member("not_converged").Number());
  counts.failed = static_cast<std::uint64_t>(rows.Member("failed").Number());
  return counts;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
