#include "sweep/store/chunk_file.h"

#include <cmath>
#include <limits>

#include "io/messages.h"
#include "sweep/sha256.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr std::string_view kChunkMagic = "vcchunk1";
constexpr std::size_t kHashSize = 64;
// Bytes of a reason: a message is one line.
constexpr std::size_t kMostReason = 1000;

void RequireChunk(const StoreLayout& layout, const ChunkRows& rows) {
  const std::uint64_t chunk = rows.first / layout.rows_of_chunk;
  bool fits = rows.first % layout.rows_of_chunk == 0 && chunk < layout.chunks &&
              rows.status.size() == layout.RowsOf(chunk) &&
              rows.columns.size() == layout.columns.size();
  for (const auto& column : rows.columns) fits = fits && column.size() == rows.status.size();
  if (!fits) {
    throw InvalidInput("rows of " + std::to_string(rows.first) +
                       " are not a chunk of this plan; pass the result of Plan::Run unchanged");
  }
}

// There are many NaNs, and computing does not say which.
void PutColumn(const std::vector<double>& column, ByteWriter* bytes) {
  std::vector<double> same = column;
  for (double& x : same) {
    if (std::isnan(x)) x = std::numeric_limits<double>::quiet_NaN();
  }
  bytes->PutArray(same.data(), same.size());
}

void PutFailures(const ChunkRows& rows, std::uint64_t count, ByteWriter* bytes) {
  bytes->Put(count);
  auto reason = rows.reasons.begin();
  for (std::size_t i = 0; i < rows.status.size(); ++i) {
    if (rows.status[i] == RowStatus::kOk) continue;
    const std::uint64_t row = rows.first + i;
    while (reason != rows.reasons.end() && reason->row < row) ++reason;
    bytes->Put(row);
    bytes->Put(static_cast<std::uint8_t>(rows.status[i]));
    const bool is_told = reason != rows.reasons.end() && reason->row == row;
    bytes->PutText(is_told ? Printable(std::string_view(reason->text).substr(0, kMostReason)) : "");
  }
}

SweepCounts CountsOf(const ChunkRows& rows) {
  SweepCounts counts;
  counts.chunks = 1;
  counts.rows = rows.status.size();
  for (const RowStatus status : rows.status) {
    if (status == RowStatus::kNotConverged) ++counts.not_converged;
    if (status == RowStatus::kFailed) ++counts.failed;
  }
  return counts;
}

RowStatus StatusOf(std::uint8_t byte) {
  if (byte > static_cast<std::uint8_t>(RowStatus::kFailed)) {
    throw DamagedChunk("it has an unknown status");
  }
  return static_cast<RowStatus>(byte);
}

// Reads the head, and leaves the reader at what follows.
SweepCounts ReadHead(const StoreLayout& layout, std::uint64_t chunk, std::string_view bytes,
                     ByteReader* reader) {
  if (bytes.size() < kHashSize || !bytes.starts_with(kChunkMagic)) {
    throw DamagedChunk("it is not a chunk");
  }
  const std::string_view told = bytes.substr(bytes.size() - kHashSize);
  bytes.remove_suffix(kHashSize);
  if (Sha256(bytes) != told) throw DamagedChunk("its checksum differs");
  *reader = ByteReader(bytes.substr(kChunkMagic.size()));
  if (reader->GetText() != layout.plan_hash) throw DamagedChunk("it belongs to another sweep");
  SweepCounts counts;
  counts.chunks = 1;
  if (reader->Get<std::uint64_t>() != chunk) throw DamagedChunk("it is another chunk");
  counts.rows = reader->Get<std::uint64_t>();
  counts.not_converged = reader->Get<std::uint64_t>();
  counts.failed = reader->Get<std::uint64_t>();
  if (counts.rows != layout.RowsOf(chunk)) throw DamagedChunk("it has another number of rows");
  return counts;
}

}  // namespace

std::string EncodeRows(const StoreLayout& layout, const ChunkRows& rows) {
  RequireChunk(layout, rows);
  const SweepCounts counts = CountsOf(rows);
  ByteWriter bytes;
  bytes.PutArray(kChunkMagic.data(), kChunkMagic.size());
  bytes.PutText(layout.plan_hash);
  bytes.Put(rows.first / layout.rows_of_chunk);
  bytes.Put(counts.rows);
  bytes.Put(counts.not_converged);
  bytes.Put(counts.failed);
  if (layout.keeps_rows) {
    bytes.PutArray(rows.status.data(), rows.status.size());
    for (const std::vector<double>& column : rows.columns) PutColumn(column, &bytes);
  }
  PutFailures(rows, counts.not_converged + counts.failed, &bytes);
  for (const ReductionSpec& spec : layout.reductions) {
    const std::unique_ptr<Reduction> reduction = spec.make();
    reduction->Add(rows);
    ByteWriter state;
    reduction->Save(&state);
    bytes.PutText(state.bytes());
  }
  std::string chunk = bytes.Take();
  chunk += Sha256(chunk);
  return chunk;
}

SweepCounts CheckChunk(const StoreLayout& layout, std::uint64_t chunk, std::string_view bytes) {
  ByteReader reader({});
  return ReadHead(layout, chunk, bytes, &reader);
}

ChunkContents ReadChunk(const StoreLayout& layout, std::uint64_t chunk, std::string_view bytes) {
  ChunkContents contents;
  ByteReader reader({});
  contents.counts = ReadHead(layout, chunk, bytes, &reader);
  const std::size_t rows = contents.counts.rows;
  if (layout.keeps_rows) {
    for (std::size_t i = 0; i < rows; ++i) {
      contents.status.push_back(StatusOf(reader.Get<std::uint8_t>()));
    }
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
      reader.GetArray(contents.columns.emplace_back(rows).data(), rows);
    }
  }
  const std::uint64_t failures = reader.GetCount(2 * sizeof(std::uint64_t) + 1);
  for (std::uint64_t i = 0; i < failures; ++i) {
    RowFailure& failure = contents.failures.emplace_back();
    failure.row = reader.Get<std::uint64_t>();
    failure.status = StatusOf(reader.Get<std::uint8_t>());
    failure.reason = reader.GetText();
  }
  for (std::size_t i = 0; i < layout.reductions.size(); ++i) {
    contents.reductions.push_back(reader.GetText());
  }
  if (!reader.AtEnd()) throw DamagedChunk("it has more data than expected");
  return contents;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
