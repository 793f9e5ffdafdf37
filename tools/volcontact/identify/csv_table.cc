#include "identify/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

std::string Trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

char SeparatorOf(const std::string& header) {
  char best = ',';
  for (const char candidate : {';', '\t'}) {
    if (std::count(header.begin(), header.end(), candidate) >
        std::count(header.begin(), header.end(), best)) {
      best = candidate;
    }
  }
  return best;
}

// Separators within double quotes belong to the cell; a doubled quote stands for one.
std::vector<std::string> Cells(const std::string& line, char separator) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        cells.back() += line[i++];
      } else {
        quoted = !quoted;
      }
    } else if (line[i] == separator && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  for (std::string& cell : cells) cell = Trimmed(cell);
  return cells;
}

// "force [N]" or "force (N)".
CsvTable::Column ColumnOf(const std::string& cell) {
  for (const auto& [open, close] : {std::pair{'[', ']'}, {'(', ')'}}) {
    const std::size_t begin = cell.rfind(open);
    if (begin == std::string::npos || cell.back() != close) continue;
    return {Trimmed(std::string_view(cell).substr(0, begin)),
            Trimmed(std::string_view(cell).substr(begin + 1, cell.size() - begin - 2))};
  }
  return {cell, std::nullopt};
}

void CheckHeader(const CsvTable& table, int line) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& name = table.columns[i].name;
    double number;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, number);
    // A name may begin with a number, or with what reads as one: "2nd force", "infeed".
    if (error == std::errc() && stop == end) {
      throw InvalidInput(fmt::format(
          "{}: line {}: the first line must name the columns, and \"{}\" is a number; add a line "
          "such as position [m], force [N]",
          table.file, line, name));
    }
    if (!name.empty() && *table.Find(name) != i) {
      throw InvalidInput(fmt::format("{}: line {}: the column \"{}\" stands twice; rename one",
                                     table.file, line, name));
    }
  }
}

}  // namespace

CsvTable CsvTable::Read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file)) {
    throw InvalidInput(fmt::format("\"{}\": is no file that can be opened; check the name", file));
  }
  CsvTable table;
  table.file = file;
  char separator = '\0';
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);  // byte-order mark
    const std::string text = Trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    if (separator == '\0') {
      separator = SeparatorOf(line);
      for (const std::string& cell : Cells(line, separator)) {
        table.columns.push_back(ColumnOf(cell));
      }
      CheckHeader(table, number);
      continue;
    }
    table.rows.push_back(Cells(line, separator));
    table.lines.push_back(number);
  }
  if (separator == '\0') {
    throw InvalidInput(file + ": is empty; it should hold a line of column names and then rows");
  }
  if (table.rows.empty()) {
    throw InvalidInput(file + ": has a line of column names and no rows; add the measurements");
  }
  return table;
}

std::optional<std::size_t> CsvTable::Find(const std::string& name) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (Lower(columns[i].name) == Lower(name)) return i;
  }
  return std::nullopt;
}

std::string CsvTable::Names() const {
  std::string names;
  for (const Column& column : columns) names += (names.empty() ? "" : ", ") + column.name;
  return names;
}

std::string CsvTable::Place(std::size_t row) const {
  return fmt::format("{}: line {}", file, lines[row]);
}

const std::string& CsvTable::Text(std::size_t row, std::size_t column) const {
  if (column < rows[row].size() && !rows[row][column].empty()) return rows[row][column];
  throw InvalidInput(fmt::format("{}: column \"{}\" is missing; fill it in or delete the line",
                                 Place(row), columns[column].name));
}

double CsvTable::Number(std::size_t row, std::size_t column) const {
  const std::string& cell = Text(row, column);
  const char* const begin = cell.data() + (cell.front() == '+' ? 1 : 0);
  const char* const end = cell.data() + cell.size();
  double value = 0.0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc() && stop == end && std::isfinite(value)) return value;
  throw InvalidInput(
      fmt::format("{}: column \"{}\": \"{}\" is no finite number{}; correct it or delete the line",
                  Place(row), columns[column].name, cell,
                  cell.find(',') == std::string::npos ? "" : " (decimals are set off by a point)"));
}

}  // namespace volcontact::tool
