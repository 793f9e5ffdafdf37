#include "io/csv_layout.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

namespace volcontact {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Words that stand below a name as its unit; a bracket makes any word one.
constexpr std::string_view kUnitWords[] = {"-",
                                           "1",
                                           "%",
                                           "m",
                                           "cm",
                                           "mm",
                                           "um",
                                           "\xc2\xb5m",
                                           "\xce\xbcm",
                                           "nm",
                                           "in",
                                           "s",
                                           "ms",
                                           "us",
                                           "min",
                                           "h",
                                           "Hz",
                                           "kHz",
                                           "m/s",
                                           "cm/s",
                                           "mm/s",
                                           "um/s",
                                           "mm/min",
                                           "m/s2",
                                           "m/s^2",
                                           "N",
                                           "kN",
                                           "mN",
                                           "kp",
                                           "kgf",
                                           "lbf",
                                           "g",
                                           "kg",
                                           "rad",
                                           "mrad",
                                           "deg",
                                           "\xc2\xb0",
                                           "rad/s",
                                           "mrad/s",
                                           "deg/s",
                                           "rpm",
                                           "1/min",
                                           "N m",
                                           "Nm",
                                           "N mm",
                                           "Nmm",
                                           "mN m",
                                           "mNm",
                                           "V",
                                           "mV",
                                           "A",
                                           "mA",
                                           "Pa",
                                           "kPa",
                                           "MPa",
                                           "bar",
                                           "K",
                                           "\xc2\xb0"
                                           "C"};

bool IsUnit(std::string_view cell) {
  return cell.empty() || BareUnit(cell) != cell ||
         std::ranges::find(kUnitWords, cell) != std::end(kUnitWords);
}

// Cells set apart by blanks. Of a header a bracket belongs to the word before it, and single blanks
// to a name where others are wider.
std::vector<std::string_view> BlankCells(std::string_view line, bool is_header) {
  std::size_t widest = 0, run = 0;
  for (const char c : TrimmedCell(line)) {
    run = IsBlank(c) ? run + 1 : 0;
    widest = std::max(widest, run);
  }
  const std::size_t gap = is_header && widest > 1 ? 2 : 1;
  std::vector<std::string_view> cells;
  for (std::size_t i = 0; i < line.size();) {
    if (IsBlank(line[i])) {
      ++i;
      continue;
    }
    std::size_t end = i, blanks = 0;
    for (std::size_t k = i; k < line.size() && blanks < gap; ++k) {
      blanks = IsBlank(line[k]) ? blanks + 1 : 0;
      if (blanks == 0) end = k + 1;
    }
    const std::string_view cell = line.substr(i, end - i);
    if (is_header && !cells.empty() && (cell.front() == '[' || cell.front() == '(')) {
      const std::string_view before = cells.back();
      const auto length = static_cast<std::size_t>(cell.data() + cell.size() - before.data());
      cells.back() = std::string_view(before.data(), length);
    } else {
      cells.push_back(cell);
    }
    i = end;
  }
  return cells;
}

// What the line holds most of; blanks where there is none of them, but several words.
char SeparatorOf(std::string_view line) {
  char best = ',';
  for (const char candidate : {';', '\t'}) {
    if (std::count(line.begin(), line.end(), candidate) >
        std::count(line.begin(), line.end(), best)) {
      best = candidate;
    }
  }
  if (line.find(best) == std::string_view::npos && BlankCells(line, true).size() > 1) {
    return kBlankSeparator;
  }
  return best;
}

struct CellCounts {
  std::size_t all = 0, numbers = 0, words = 0;
  bool units = true;
};

CellCounts Count(std::string_view line, char separator, bool is_header) {
  CellCounts counts;
  for (const std::string_view cell : CsvCells(line, separator, is_header)) {
    ++counts.all;
    const bool quoted = cell.size() > 2 && cell.front() == '"' && cell.back() == '"';
    const std::string_view text = quoted ? cell.substr(1, cell.size() - 2) : cell;
    if (CsvNumber(text, quoted || separator != ',')) {
      ++counts.numbers;
    } else if (!cell.empty()) {
      ++counts.words;
    }
    counts.units = counts.units && IsUnit(cell);
  }
  counts.units = counts.units && counts.words > 0;
  return counts;
}

}  // namespace

std::string_view TrimmedCell(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<double> CsvNumber(std::string_view text, bool decimal_comma) {
  if (text.starts_with('+')) text.remove_prefix(1);
  constexpr std::size_t kLongest = 64;
  char buffer[kLongest];
  const std::size_t comma = decimal_comma ? text.find(',') : std::string_view::npos;
  if (comma != std::string_view::npos) {
    if (text.size() > kLongest || text.find('.') != std::string_view::npos) return std::nullopt;
    std::copy(text.begin(), text.end(), buffer);
    buffer[comma] = '.';
    text = {buffer, text.size()};
  }
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string_view BareUnit(std::string_view text) {
  const bool bracketed = text.size() > 2 && ((text.front() == '[' && text.back() == ']') ||
                                             (text.front() == '(' && text.back() == ')'));
  return bracketed ? TrimmedCell(text.substr(1, text.size() - 2)) : text;
}

std::vector<std::string_view> CsvCells(std::string_view line, char separator, bool is_header) {
  if (separator == kBlankSeparator) return BlankCells(line, is_header);
  std::vector<std::string_view> cells;
  bool quoted = false;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') quoted = !quoted;
    if (i < line.size() && (quoted || line[i] != separator)) continue;
    cells.push_back(TrimmedCell(line.substr(first, i - first)));
    first = i + 1;
  }
  return cells;
}

CsvLayout LayoutOf(std::string_view text, const std::vector<CsvLine>& lines) {
  const auto line = [&](std::size_t i) {
    return text.substr(lines[i].begin, lines[i].end - lines[i].begin);
  };
  const std::size_t most = std::min(lines.size(), kMostPreamble);
  for (std::size_t i = 0; i + 1 < most; ++i) {
    CsvLayout layout{i, false, SeparatorOf(line(i))};
    const CellCounts names = Count(line(i), layout.separator, true);
    if (names.numbers > 0 || names.words == 0) continue;
    std::size_t row = i + 1;
    const CellCounts below = Count(line(row), layout.separator, true);
    if (below.units && below.all <= names.all && row + 1 < lines.size()) {
      layout.has_units = true;
      ++row;
    }
    bool fits = true;
    for (std::size_t k = row; k < std::min(row + 2, lines.size()); ++k) {
      const CellCounts cells = Count(line(k), layout.separator, false);
      fits = fits && cells.all == names.all && cells.numbers > 0 && cells.numbers >= cells.words;
    }
    if (fits) return layout;
  }
  const std::string_view first = line(0);
  const char separator = SeparatorOf(first);
  // Words of a line by itself are one name.
  return {0, false, separator == kBlankSeparator ? ',' : separator};
}

std::string AsUtf8(std::string text, bool* converted) {
  *converted = false;
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
  };
  bool valid = true;
  for (std::size_t i = 0; i < text.size() && valid;) {
    const std::uint8_t lead = byte(i);
    const std::size_t more = lead < 0x80             ? 0
                             : (lead & 0xe0) == 0xc0 ? 1
                             : (lead & 0xf0) == 0xe0 ? 2
                             : (lead & 0xf8) == 0xf0 ? 3
                                                     : 4;
    valid = more < 4;
    for (std::size_t k = 1; k <= more; ++k) valid = valid && (byte(i + k) & 0xc0) == 0x80;
    i += more + 1;
  }
  if (valid) return text;
  *converted = true;
  std::string utf8;
  utf8.reserve(text.size() + text.size() / 8);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint8_t b = byte(i);
    if (b < 0x80) {
      utf8 += static_cast<char>(b);
    } else {
      utf8 += static_cast<char>(0xc0 | (b >> 6));
      utf8 += static_cast<char>(0x80 | (b & 0x3f));
    }
  }
  return utf8;
}

}  // namespace volcontact
