#include "volcontact/io/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>

#include "io/messages.h"
#include "io/text_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Some hundred million numbers, and within what 32 bits of an offset reach.
constexpr std::size_t kMaxCsvFileSize = std::size_t{2} << 30;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view Trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool SameWord(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

char SeparatorOf(std::string_view header) {
  char best = ',';
  for (const char candidate : {';', '\t'}) {
    if (std::count(header.begin(), header.end(), candidate) >
        std::count(header.begin(), header.end(), best)) {
      best = candidate;
    }
  }
  return best;
}

// "force [N]" or "force (N)".
CsvTable::Column ColumnOf(std::string_view cell) {
  for (const auto& [open, close] : {std::pair{'[', ']'}, {'(', ')'}}) {
    const std::size_t begin = cell.rfind(open);
    if (begin == std::string_view::npos || cell.back() != close) continue;
    return {std::string(Trimmed(cell.substr(0, begin))),
            std::string(Trimmed(cell.substr(begin + 1, cell.size() - begin - 2)))};
  }
  return {std::string(cell), std::nullopt};
}

// All of the text as a number: "2nd force" and "infeed" only begin with what reads as one.
std::optional<double> NumberOf(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

CsvTable CsvTable::Read(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::ifstream(file) || std::filesystem::is_directory(file, error)) {
    throw InvalidInput(Quoted(file.string()) +
                       ": is no file that can be opened; check the name and permissions");
  }
  return CsvTable(ReadTextFile(file, kMaxCsvFileSize), Printable(file.string()));
}

CsvTable CsvTable::Parse(std::string text, std::string origin) {
  if (text.size() > kMaxCsvFileSize) {
    throw InvalidInput(
        fmt::format("{}: larger than {} MiB; split it", origin, kMaxCsvFileSize >> 20));
  }
  return CsvTable(std::move(text), std::move(origin));
}

CsvTable::CsvTable(std::string text, std::string origin)
    : text_(std::move(text)), origin_(std::move(origin)) {
  ReadLines();
  if (header_line_ == 0) {
    throw InvalidInput(origin_ + ": is empty; it should hold a line of column names and then rows");
  }
  if (lines_.empty()) {
    throw InvalidInput(origin_ + ": has a line of column names and no rows; add the rows");
  }
}

void CsvTable::ReadLines() {
  std::size_t begin = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (int number = 1; begin < text_.size(); ++number) {
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    const std::string_view line = Trimmed(std::string_view(text_).substr(begin, end - begin));
    if (!line.empty() && line.front() != '#') {
      if (header_line_ == 0) {
        ReadHeader(begin, end, number);
      } else {
        AddCells(begin, end);
        row_begin_.push_back(cells_.size());
        lines_.push_back(number);
      }
    }
    begin = end + 1;
  }
}

void CsvTable::ReadHeader(std::size_t begin, std::size_t end, int line) {
  header_line_ = line;
  separator_ = SeparatorOf(std::string_view(text_).substr(begin, end - begin));
  AddCells(begin, end);
  for (const Cell& cell : cells_) columns_.push_back(ColumnOf(TextOf(cell)));
  cells_.clear();
  row_begin_ = {0};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string& name = columns_[i].name;
    if (NumberOf(name)) {
      throw InvalidInput(fmt::format(
          "{}: line {}: the first line must name the columns, and {} is a number; add a line such "
          "as position [m], force [N]",
          origin_, line, Quoted(name)));
    }
    const auto same = [&](const Column& other) { return other.name == name; };
    const auto here = columns_.begin() + static_cast<std::ptrdiff_t>(i);
    if (!name.empty() && std::find_if(columns_.begin(), here, same) != here) {
      throw InvalidInput(fmt::format("{}: line {}: the column {} stands twice; rename one", origin_,
                                     line, Quoted(name)));
    }
  }
}

// Separators within double quotes belong to the cell. The quotes themselves are taken out of the
// text where it stands, which only makes cells shorter.
void CsvTable::AddCells(std::size_t begin, std::size_t end) {
  bool quoted = false;
  std::size_t first = begin, next = begin;
  const auto add = [&] {
    const std::string_view cell = Trimmed(std::string_view(text_).substr(first, next - first));
    cells_.push_back({static_cast<std::uint32_t>(cell.data() - text_.data()),
                      static_cast<std::uint32_t>(cell.size())});
  };
  for (std::size_t i = begin; i < end; ++i) {
    const char c = text_[i];
    if (c == '"') {
      if (quoted && i + 1 < end && text_[i + 1] == '"') {
        text_[next++] = text_[i++];
      } else {
        quoted = !quoted;
      }
    } else if (c == separator_ && !quoted) {
      add();
      first = next = i + 1;
    } else {
      text_[next++] = c;
    }
  }
  add();
}

std::string_view CsvTable::TextOf(const Cell& cell) const {
  return std::string_view(text_).substr(cell.begin, cell.length);
}

std::optional<std::size_t> CsvTable::Find(std::string_view name) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!SameWord(columns_[i].name, name)) continue;
    if (found) {
      throw InvalidInput(fmt::format("{}: line {}: the column {} stands twice; rename one", origin_,
                                     header_line_, Quoted(columns_[i].name)));
    }
    found = i;
  }
  return found;
}

std::string CsvTable::Names() const {
  std::string names;
  for (const Column& column : columns_) names += (names.empty() ? "" : ", ") + column.name;
  return names;
}

std::string CsvTable::Place(std::size_t row) const {
  return fmt::format("{}: line {}", origin_, lines_[row]);
}

void CsvTable::RequireLength(std::size_t row) const {
  const std::size_t cells = row_begin_[row + 1] - row_begin_[row];
  if (cells <= columns_.size()) return;
  throw InvalidInput(fmt::format("{}: has {} cells for {} columns; correct it or delete the line",
                                 Place(row), cells, columns_.size()));
}

std::string_view CsvTable::Text(std::size_t row, std::size_t column) const {
  const std::size_t cell = row_begin_[row] + column;
  if (cell < row_begin_[row + 1] && cells_[cell].length > 0) return TextOf(cells_[cell]);
  throw InvalidInput(fmt::format("{}: column {} is missing; fill it in or delete the line",
                                 Place(row), Quoted(columns_[column].name)));
}

void CsvTable::RefuseNumber(std::size_t row, std::size_t column, const char* kind) const {
  const std::string_view text = Text(row, column);
  throw InvalidInput(fmt::format(
      "{}: column {}: {} is no {}{}; correct it or delete the line", Place(row),
      Quoted(columns_[column].name), Quoted(text), kind,
      text.find(',') == std::string_view::npos ? "" : " (decimals are set off by a point)"));
}

double CsvTable::Number(std::size_t row, std::size_t column) const {
  const std::optional<double> value = NumberOf(Text(row, column));
  if (!value) RefuseNumber(row, column, "number");
  return *value;
}

double CsvTable::FiniteNumber(std::size_t row, std::size_t column) const {
  const std::optional<double> value = NumberOf(Text(row, column));
  if (!value || !std::isfinite(*value)) RefuseNumber(row, column, "finite number");
  return *value;
}

VOLCONTACT_NAMESPACE_END
