// Tables of measurements in CSV files: one header line with names and units, then rows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace volcontact::tool {

/// The cells of a CSV file as texts. Fields are separated by the comma, semicolon or tab that the
/// header uses most, and may stand in double quotes; blank lines and lines that begin with # are
/// left out.
struct CsvTable {
  struct Column {
    std::string name;
    std::optional<std::string> unit;  ///< what stands in brackets behind the name
  };

  std::string file;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  ///< as many cells as the line has
  std::vector<int> lines;                      ///< in the file, of each row, from 1

  /// Throws InvalidInput that names the file, and the line where there is one, for a file that
  /// cannot be read, is empty, has a header that names a column twice, or no rows.
  static CsvTable Read(const std::string& file);

  /// The column of this name, whatever its case.
  std::optional<std::size_t> Find(const std::string& name) const;
  /// All names, for messages.
  std::string Names() const;
  /// "file: line 7", for messages.
  std::string Place(std::size_t row) const;

  /// The cell as a finite number. Throws InvalidInput that names the line and the column where it
  /// is none.
  double Number(std::size_t row, std::size_t column) const;
  /// The cell as text. Throws InvalidInput where it is missing.
  const std::string& Text(std::size_t row, std::size_t column) const;
};

}  // namespace volcontact::tool
