#include "volcontact/io/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/csv_layout.h"
#include "io/messages.h"
#include "io/text_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Some hundred million numbers, and within what 32 bits of an offset reach.
constexpr std::size_t kMaxCsvFileSize = std::size_t{2} << 30;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool SameWord(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// "force [N]" or "force (N)".
CsvTable::Column ColumnOf(std::string_view cell) {
  for (const auto& [open, close] : {std::pair{'[', ']'}, {'(', ')'}}) {
    const std::size_t begin = cell.rfind(open);
    if (begin == std::string_view::npos || cell.back() != close) continue;
    return {std::string(TrimmedCell(cell.substr(0, begin))),
            std::string(TrimmedCell(cell.substr(begin + 1, cell.size() - begin - 2)))};
  }
  return {std::string(cell), std::nullopt};
}

// "1,234", but not "0,5".
bool MayBeThousands(std::string_view text) {
  const std::size_t comma = text.find(',');
  return text.size() == comma + 4 && comma > 0 && text.front() != '0';
}

// Lines that are neither blank nor comments.
std::vector<CsvLine> LinesOf(std::string_view text) {
  std::vector<CsvLine> lines;
  std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (int number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = TrimmedCell(text.substr(begin, end - begin));
    if (!line.empty() && line.front() != '#') lines.push_back({begin, end, number});
    begin = end + 1;
  }
  return lines;
}

}  // namespace

CsvTable CsvTable::Read(const std::filesystem::path& file) {
  return CsvTable(ReadTextFile(file, kMaxCsvFileSize), Printable(file.string()));
}

CsvTable CsvTable::Parse(std::string text, std::string origin) {
  if (text.size() > kMaxCsvFileSize) {
    throw InvalidInput(
        fmt::format("{}: larger than {} MiB; split it", origin, kMaxCsvFileSize >> 20));
  }
  return CsvTable(std::move(text), std::move(origin));
}

CsvTable::CsvTable(std::string text, std::string origin) : origin_(std::move(origin)) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    throw InvalidInput(origin_ + ": is encoded in UTF-16; save it as UTF-8");
  }
  if (text.find('\0') != std::string::npos) {
    throw InvalidInput(origin_ + ": is not a text file; export the table as CSV");
  }
  bool converted = false;
  text_ = AsUtf8(std::move(text), &converted);
  if (text_.size() > kMaxCsvFileSize) {
    throw InvalidInput(
        fmt::format("{}: larger than {} MiB; split it", origin_, kMaxCsvFileSize >> 20));
  }
  if (converted) notes_.push_back(origin_ + ": is not in UTF-8; read as Latin-1");
  const std::vector<CsvLine> lines = LinesOf(text_);
  if (lines.empty()) {
    throw InvalidInput(origin_ + ": is empty; it should hold a line of column names and then rows");
  }
  const CsvLayout layout = LayoutOf(text_, lines);
  separator_ = layout.separator;
  if (layout.header > 0) {
    notes_.push_back(
        fmt::format("{}: line {} names the columns; {} before it {} left out", origin_,
                    lines[layout.header].number,
                    layout.header == 1 ? "one line" : fmt::format("{} lines", layout.header),
                    layout.header == 1 ? "is" : "are"));
  }
  ReadHeader(lines[layout.header]);
  if (layout.has_units) ReadUnits(lines[layout.header + 1]);
  for (std::size_t i = layout.header + (layout.has_units ? 2 : 1); i < lines.size(); ++i) {
    AddCells(lines[i].begin, lines[i].end, false);
    row_begin_.push_back(cells_.size());
    lines_.push_back(lines[i].number);
  }
  if (lines_.empty()) {
    throw InvalidInput(origin_ + ": has a line of column names and no rows; add the rows");
  }
  FindDecimals();
}

void CsvTable::ReadHeader(const CsvLine& line) {
  header_line_ = line.number;
  AddCells(line.begin, line.end, true);
  for (const Cell& cell : cells_) columns_.push_back(ColumnOf(TextOf(cell)));
  cells_.clear();
  row_begin_ = {0};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string& name = columns_[i].name;
    if (CsvNumber(name, false)) {
      throw InvalidInput(fmt::format(
          "{}: line {}: the first line must name the columns, and {} is a number; add a line such "
          "as position [m], force [N]",
          origin_, line.number, Quoted(name)));
    }
    const auto same = [&](const Column& other) { return other.name == name; };
    const auto here = columns_.begin() + static_cast<std::ptrdiff_t>(i);
    if (!name.empty() && std::find_if(columns_.begin(), here, same) != here) {
      throw InvalidInput(fmt::format("{}: line {}: the column {} stands twice; rename one", origin_,
                                     line.number, Quoted(name)));
    }
  }
}

void CsvTable::ReadUnits(const CsvLine& line) {
  AddCells(line.begin, line.end, true);
  for (std::size_t i = 0; i < std::min(cells_.size(), columns_.size()); ++i) {
    const std::string_view unit = BareUnit(TextOf(cells_[i]));
    if (!unit.empty() && !columns_[i].unit) columns_[i].unit = std::string(unit);
  }
  cells_.clear();
  notes_.push_back(
      fmt::format("{}: line {} is read as the units of the columns", origin_, line.number));
}

// Commas set off decimals where they separate nothing, and no number has a point. Where they
// separate cells, those within numbers were quoted; they set off decimals if not all can stand
// before thousands.
void CsvTable::FindDecimals() {
  bool comma = false, point = false;
  for (const Cell& cell : cells_) {
    const std::string_view text = TextOf(cell);
    if (text.find(',') != std::string_view::npos && (separator_ != ',' || !MayBeThousands(text))) {
      comma = comma || CsvNumber(text, true);
    }
    if (text.find('.') != std::string_view::npos) point = point || CsvNumber(text, false);
  }
  decimal_comma_ = comma && !point;
  mixed_decimals_ = comma && point;
  if (decimal_comma_) notes_.push_back(origin_ + ": numbers have a decimal comma");
}

// Separators within double quotes belong to the cell. The quotes themselves are taken out of the
// text where it stands, which only makes cells shorter.
void CsvTable::AddCells(std::size_t begin, std::size_t end, bool is_header) {
  if (separator_ == kBlankSeparator) {
    const std::string_view line = std::string_view(text_).substr(begin, end - begin);
    for (const std::string_view cell : CsvCells(line, separator_, is_header)) {
      cells_.push_back({static_cast<std::uint32_t>(cell.data() - text_.data()),
                        static_cast<std::uint32_t>(cell.size())});
    }
    return;
  }
  bool quoted = false;
  std::size_t first = begin, next = begin;
  const auto add = [&] {
    const std::string_view cell = TrimmedCell(std::string_view(text_).substr(first, next - first));
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
  throw InvalidInput(fmt::format("{}: column {}: {} is not a {}{}; correct it or delete the line",
                                 Place(row), Quoted(columns_[column].name), Quoted(text), kind,
                                 text.find(',') == std::string_view::npos ? ""
                                 : mixed_decimals_
                                     ? " (other numbers of the file have a decimal point)"
                                     : " (numbers have a decimal point)"));
}

double CsvTable::Number(std::size_t row, std::size_t column) const {
  const std::optional<double> value = CsvNumber(Text(row, column), decimal_comma_);
  if (!value) RefuseNumber(row, column, "number");
  return *value;
}

double CsvTable::FiniteNumber(std::size_t row, std::size_t column) const {
  const std::optional<double> value = CsvNumber(Text(row, column), decimal_comma_);
  if (!value || !std::isfinite(*value)) RefuseNumber(row, column, "finite number");
  return *value;
}

VOLCONTACT_NAMESPACE_END
