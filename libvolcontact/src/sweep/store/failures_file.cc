#include "sweep/store/failures_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string_view>

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

// A text that was whole once is cut where it stands again, and so is every one after the first
// thousand texts: the file stays small where a million rows say the same. It is cut in the middle,
// for it begins with what is wrong and ends with the cure.
constexpr std::size_t kMostWholeReasons = 1000, kMostOfCutReason = 60, kHeadOfCutReason = 24;

// Whether a character of UTF-8 goes on at this byte.
bool IsWithinCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

const char* NameOf(RowStatus status) {
  switch (status) {
    case RowStatus::kOk:
      return "ok";
    case RowStatus::kNotConverged:
      return "not_converged";
    default:
      return "failed";
  }
}

std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",;\t\"#\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

FailuresFile::FailuresFile(const std::filesystem::path& file) : file_(file) {
  file_.Write("row,status,reason\n");
}

void FailuresFile::Append(const std::vector<RowFailure>& failures) {
  for (const RowFailure& failure : failures) {
    file_.Write(fmt::format("{},{},{}\n", failure.row, NameOf(failure.status),
                            CsvCell(Shortened(failure.reason))));
  }
}

void FailuresFile::Finish() { file_.Finish(); }

std::string FailuresFile::Shortened(const std::string& reason) {
  if (reason.size() <= kMostOfCutReason) return reason;
  if (whole_.size() < kMostWholeReasons && whole_.insert(reason).second) return reason;
  std::size_t head = kHeadOfCutReason;
  std::size_t tail = reason.size() - (kMostOfCutReason - kHeadOfCutReason);
  while (head > 0 && IsWithinCharacter(reason[head])) --head;
  while (tail < reason.size() && IsWithinCharacter(reason[tail])) ++tail;
  return reason.substr(0, head) + "..." + reason.substr(tail);
}

SweepCounts CountsOfShard(const std::filesystem::path& file, const StoreLayout& layout,
                          const Shard& shard) {
  SweepCounts counts = ShareOf(layout.rows, layout.rows_of_chunk, shard);
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  std::getline(stream, line);  // the header
  for (bool is_begin = true; std::getline(stream, line);) {
    if (is_begin) {
      std::uint64_t row = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), row);
      const std::string_view rest(end, static_cast<std::size_t>(line.data() + line.size() - end));
      if (error == std::errc() && row / layout.rows_of_chunk % shard.count == shard.index) {
        if (rest.starts_with(",failed,")) ++counts.failed;
        if (rest.starts_with(",not_converged,")) ++counts.not_converged;
      }
    }
    // A reason in quotes may go on in the next line.
    if (std::count(line.begin(), line.end(), '"') % 2 != 0) is_begin = !is_begin;
  }
  if (!stream.eof()) throw std::runtime_error(file.string() + ": cannot be read");
  return counts;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
