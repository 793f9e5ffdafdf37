#include "sweep/store/merged_files.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "io/json/json_document.h"
#include "sweep/sha256.h"
#include "sweep/store/durable_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

namespace fs = std::filesystem;

// More than the text of a reduction with the most bins.
constexpr std::uint64_t kMostReductionsText = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostChecksums = std::uint64_t{1} << 20;

std::string NameIn(const fs::path& file) { return file.filename().string(); }

// The files of rows, which are not read to know whether a sweep is merged.
std::vector<fs::path> FilesOfRows(const StoreFiles& files, const StoreLayout& layout) {
  std::vector<fs::path> of_rows = {files.Failures()};
  if (layout.keeps_rows) of_rows.push_back(files.Rows());
  return of_rows;
}

// What a merge of this plan says; nothing for any other text.
std::optional<nlohmann::json> ResultOfPlan(const std::optional<std::string>& text,
                                           const StoreLayout& layout) {
  if (!text) return std::nullopt;
  nlohmann::json result = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!result.is_object() || !result.contains("manifest_sha256") ||
      result["manifest_sha256"] != layout.plan_hash) {
    return std::nullopt;
  }
  return result;
}

std::string GoneOrDamaged(const fs::path& file, bool is_there) {
  return NameIn(file) + (is_there ? " is damaged" : " is gone");
}

// What `file` has against its entry in checksums.json; nothing where it is as it was written.
std::string DamageOf(const fs::path& file, const nlohmann::json& sums, MergedCheck check) {
  const auto entry = sums.find(NameIn(file));
  if (entry == sums.end() || !entry->is_object()) return "checksums.json is damaged";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return NameIn(file) + " is gone";
  const std::uint64_t size = fs::file_size(file);
  if (entry->value("bytes", nlohmann::json()) != size) {
    return fmt::format("{} has {} bytes, not {}", NameIn(file), size,
                       entry->value("bytes", nlohmann::json()).dump());
  }
  if (check == MergedCheck::kContent &&
      entry->value("sha256", nlohmann::json()) != Sha256OfFile(file)) {
    return NameIn(file) + " is damaged: its checksum differs";
  }
  return "";
}

}  // namespace

MergedFiles LookAtMerged(const StoreFiles& files, const StoreLayout& layout, MergedCheck check) {
  const std::optional<std::string> sums_text = ReadWhole(files.Checksums(), kMostChecksums);
  std::optional<std::string> text = ReadWhole(files.Reductions(), kMostReductionsText);
  MergedFiles merged;
  if (!sums_text && !text) return merged;
  const std::optional<nlohmann::json> sums = ResultOfPlan(sums_text, layout);
  if (!sums) {
    merged.damage = GoneOrDamaged(files.Checksums(), sums_text.has_value());
    return merged;
  }
  const nlohmann::json entry = sums->value(NameIn(files.Reductions()), nlohmann::json());
  if (!text || !entry.is_object() || entry.value("sha256", nlohmann::json()) != Sha256(*text)) {
    merged.damage = GoneOrDamaged(files.Reductions(), text.has_value());
    return merged;
  }
  for (const fs::path& file : FilesOfRows(files, layout)) {
    merged.damage = DamageOf(file, *sums, check);
    if (!merged.damage.empty()) return merged;
  }
  merged.reductions = std::move(text);
  return merged;
}

void WriteChecksums(const StoreFiles& files, const StoreLayout& layout,
                    const std::string& reductions) {
  nlohmann::ordered_json sums = {{"manifest_sha256", layout.plan_hash}};
  for (const fs::path& file : FilesOfRows(files, layout)) {
    sums[NameIn(file)] = {{"bytes", fs::file_size(file)}, {"sha256", Sha256OfFile(file)}};
  }
  sums[NameIn(files.Reductions())] = {{"bytes", reductions.size()}, {"sha256", Sha256(reductions)}};
  WriteDurably(files.Checksums(), sums.dump(1) + "\n");
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
