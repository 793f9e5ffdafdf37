// The time series of a run: named columns of numbers, and their files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// Named columns of equal length; the first is the time. A value.
struct VOLCONTACT_EXPORT TimeSeries {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;

  /// Throws InvalidInput that names the nearest columns when there is none of this name.
  const std::vector<double>& Column(const std::string& name) const;
};

/// Reads a CSV file of numbers, such as the timeseries.csv of a run. Throws InvalidInput that names
/// the file and the line.
VOLCONTACT_EXPORT TimeSeries ReadTimeSeries(const std::filesystem::path& file);

/// Writes such a file row by row. Numbers read back as the same doubles. One thread at a time; all
/// members throw std::runtime_error that names the file when it cannot be written.
class VOLCONTACT_EXPORT TimeSeriesWriter {
 public:
  /// Starts a new file.
  TimeSeriesWriter(const std::filesystem::path& file, const std::vector<std::string>& names);
  /// Goes on with a file of which the first `size` bytes are good: the rest is cut off. Throws
  /// InvalidInput when the file is shorter.
  TimeSeriesWriter(const std::filesystem::path& file, std::uintmax_t size);

  void Write(const std::vector<double>& row);
  /// Hands all rows to the operating system and returns the file's size.
  std::uintmax_t Flush();

 private:
  void Check();

  std::string path_;
  std::ofstream stream_;
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
