// Where the table in a CSV file begins, and how its cells are set apart.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volcontact {

/// A line of the text, without what ends it.
struct CsvLine {
  std::size_t begin, end;
  int number;  ///< in the file, from 1
};

/// A blank as separator stands for any number of them.
inline constexpr char kBlankSeparator = ' ';

struct CsvLayout {
  std::size_t header = 0;  ///< among the lines
  bool has_units = false;  ///< the line below the names holds their units
  char separator = ',';
};

/// The first line that names the columns of those below: words, after which come, perhaps below a
/// line of units, rows of as many cells, half of them numbers. The first line where none is like
/// that. Looks at the first kMostPreamble lines. `lines` is not empty.
CsvLayout LayoutOf(std::string_view text, const std::vector<CsvLine>& lines);
inline constexpr std::size_t kMostPreamble = 200;

/// The cells of a line, blanks around them left out; quotes still in their place.
std::vector<std::string_view> CsvCells(std::string_view line, char separator, bool is_header);

/// The text without blanks around it.
std::string_view TrimmedCell(std::string_view text);

/// All of the text as a number: "2nd force" and "infeed" only begin with what reads as one. With
/// `decimal_comma` a single comma may stand for the point.
std::optional<double> CsvNumber(std::string_view text, bool decimal_comma);

/// What brackets around a unit hold; the text itself where there are none.
std::string_view BareUnit(std::string_view text);

/// The text in UTF-8: where it is none, bytes are taken as Latin-1, and `converted` is set.
std::string AsUtf8(std::string text, bool* converted);

}  // namespace volcontact
