// Rows that are made up, for tests of what is kept of rows: no solid is asked.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "sweep/store/run_chunks.h"
#include "sweep/store/store_layout.h"

namespace volcontact::sweep::testing {

inline constexpr char kMadeDocument[] = R"({
  "title": "made", "over": {"seed": 7, "rows": 1000},
  "reduce": {"f": {"moments": "force.z"},
             "q": {"quantiles": "force.z", "at": [0, 0.05, 0.5, 0.95, 1], "relative_error": 1e-3},
             "map": {"histogram": ["x", "y"], "bins": [5, 4], "ranges": [[-1, 1], [0, 0.8]],
                     "value": "force.z"},
             "line": {"histogram": "x", "bins": 7, "ranges": [-0.9, 0.9]},
             "worst": {"extremes": "force.z", "most": 3}}})";

inline ManifestParts MadeParts(std::uint64_t rows = 1000, std::uint64_t rows_of_chunk = 64) {
  ManifestParts parts;
  parts.rows = rows;
  parts.rows_of_chunk = rows_of_chunk;
  parts.columns = {{"x", "m"}, {"y", ""}, {"force.x", "N"}, {"force.z", "N"}};
  parts.inputs = {{"sweep.json", std::string(64, 'a')}};
  parts.document = kMadeDocument;
  parts.origin = "sweep.json";
  return parts;
}

/// A number in [0, 1) that depends on its arguments alone.
inline double MadeNumber(std::uint64_t row, std::uint64_t stream) {
  std::uint64_t z = (row * 8 + stream + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// Row k of every column, its status and its reason.
inline void AddMadeRow(std::uint64_t k, ChunkRows* rows) {
  const double x = 2 * MadeNumber(k, 0) - 1, y = MadeNumber(k, 1);
  rows->columns[0].push_back(x);
  rows->columns[1].push_back(y);
  rows->columns[2].push_back(k % 50 == 3 ? std::nan("") : x * y);
  rows->columns[3].push_back(std::pow(10.0, 6 * MadeNumber(k, 2) - 3) * (k % 3 == 0 ? -1 : 1));
  RowStatus status = RowStatus::kOk;
  if (k % 17 == 5) status = RowStatus::kNotConverged;
  if (k % 29 == 11) status = RowStatus::kFailed;
  if (k % 100 == 42) rows->columns[3].back() = std::nan("");
  rows->status.push_back(status);
  if (status == RowStatus::kFailed) {
    for (auto& column : rows->columns) column.back() = std::nan("");
    rows->reasons.push_back({k, "row \"" + std::to_string(k) + "\", fails"});
  } else if (status == RowStatus::kNotConverged) {
    rows->reasons.push_back({k, std::string("the same, and longer than what is told again and "
                                            "again of a million rows")});
  }
}

inline ChunkRows MadeChunk(std::uint64_t chunk, const ManifestParts& parts) {
  ChunkRows rows;
  rows.first = chunk * parts.rows_of_chunk;
  rows.columns.resize(parts.columns.size());
  for (std::uint64_t k = rows.first; k < rows.first + parts.rows_of_chunk && k < parts.rows; ++k) {
    AddMadeRow(k, &rows);
  }
  return rows;
}

/// Runs what is missing of a shard.
inline RunChunksEnd RunMade(const std::filesystem::path& folder, const ManifestParts& parts,
                            const Shard& shard = {}, const RunChunksOptions& options = {}) {
  const Store store = Store::Open(folder, MakeLayout(parts));
  const std::vector<std::uint64_t> missing = store.Look(shard).missing;
  auto at = missing.begin();
  return RunChunksBy(
      [&](std::uint64_t chunk, const std::function<bool()>& stop) -> std::optional<ChunkRows> {
        if (stop()) return std::nullopt;
        return MadeChunk(chunk, parts);
      },
      store,
      [&]() -> std::optional<std::uint64_t> {
        if (at == missing.end()) return std::nullopt;
        return *at++;
      },
      options);
}

inline std::string BytesOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace volcontact::sweep::testing
