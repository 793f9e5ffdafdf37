// Tables in CSV files: one header line with names and units, then rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "volcontact/export.h"

namespace volcontact {
struct CsvLine;  // of the source
}

VOLCONTACT_NAMESPACE_BEGIN

/// The cells of a CSV file: the one dialect of measurements, time series and lists of poses.
///
/// - The first line names the columns, each perhaps with its unit in brackets: `force [N]`; or
///   the units stand in the line below. Lines before the names that are no table are left out.
/// - Cells are separated by the comma, semicolon or tab that this line holds most of, or by blanks
///   where it has none of them. They may stand in double quotes (not between blanks), within which
///   a doubled quote stands for one. Quotes end with their line.
/// - Decimals are set off by a point, or by a comma where that separates no cells and no number of
///   the file has a point.
/// - Blanks around cells, blank lines, lines that begin with #, and a byte-order mark are left out.
///   Text that is no UTF-8 is taken as Latin-1.
///
/// A value; any number of threads may read one. Memory: the text, and 8 bytes a cell. Reading takes
/// time in proportion to the text; cells are only turned into numbers when asked for.
class VOLCONTACT_EXPORT CsvTable {
 public:
  struct Column {
    std::string name;
    std::optional<std::string> unit;  ///< what stands in brackets behind the name
  };

  /// Throws InvalidInput that names the file, and the line where there is one, for a file that
  /// cannot be read, is empty or larger than 2 GiB, has a header that names a column twice or holds
  /// a number, or no rows.
  static CsvTable Read(const std::filesystem::path& file);
  /// The same of a text; `origin` stands for the file in messages.
  static CsvTable Parse(std::string text, std::string origin);

  /// How the file was understood, where that is not the plain dialect: a comma for the decimal
  /// point, a line of units, lines left out before the names, Latin-1.
  const std::vector<std::string>& notes() const { return notes_; }
  /// The file, for messages.
  const std::string& origin() const { return origin_; }
  const std::vector<Column>& columns() const { return columns_; }
  /// The number of rows, without the header.
  std::size_t rows() const { return lines_.size(); }
  /// The line of the file in which a row stands, from 1.
  int line(std::size_t row) const { return lines_[row]; }

  /// The column of this name, whatever its case; nothing where there is none. Throws InvalidInput
  /// where two names differ in case alone.
  std::optional<std::size_t> Find(std::string_view name) const;
  /// The names of all columns, for messages.
  std::string Names() const;
  /// "file: line 7", for messages.
  std::string Place(std::size_t row) const;

  /// Throws InvalidInput that names the line where a row has more cells than the header. One that
  /// has less is refused where the missing cell is read.
  void RequireLength(std::size_t row) const;
  /// A cell as text, valid as long as the table. Throws InvalidInput that names the line and the
  /// column where it is missing or empty.
  std::string_view Text(std::size_t row, std::size_t column) const;
  /// A cell as the nearest double, which may be nan or inf as programs write them. Throws
  /// InvalidInput that names the line and the column where it is none.
  double Number(std::size_t row, std::size_t column) const;
  /// A cell as a finite number. Throws InvalidInput as Number does.
  double FiniteNumber(std::size_t row, std::size_t column) const;

 private:
  struct Cell {
    std::uint32_t begin, length;  // in text_
  };

  CsvTable(std::string text, std::string origin);
  void ReadHeader(const CsvLine& line);
  void ReadUnits(const CsvLine& line);
  void FindDecimals();
  void AddCells(std::size_t begin, std::size_t end, bool is_header);
  std::string_view TextOf(const Cell& cell) const;
  [[noreturn]] void RefuseNumber(std::size_t row, std::size_t column, const char* kind) const;

  std::string text_, origin_;
  std::vector<Column> columns_;
  std::vector<Cell> cells_;             // of all rows
  std::vector<std::size_t> row_begin_;  // the first cell of each row, and the end of the last
  std::vector<int> lines_;
  std::vector<std::string> notes_;
  int header_line_ = 0;
  char separator_ = ',';
  bool decimal_comma_ = false, mixed_decimals_ = false;
};

VOLCONTACT_NAMESPACE_END
