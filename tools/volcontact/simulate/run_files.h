// The files of a run's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "simulate/measures.h"

namespace volcontact::tool {

/// A table of numbers on disk, written row by row. Numbers read back as the same doubles.
class CsvWriter {
 public:
  /// Starts a new file.
  CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& names);
  /// Goes on with a file of which the first `size` bytes are good.
  CsvWriter(const std::filesystem::path& path, std::uintmax_t size);

  void Write(const std::vector<double>& row);
  /// Brings all to disk and returns the file's size.
  std::uintmax_t Flush();

 private:
  void Check();

  std::string path_;
  std::ofstream stream_;
};

/// Reads what CsvWriter wrote. Throws InvalidInput that names the line.
TimeSeries ReadTimeSeries(const std::filesystem::path& path);

/// Replaces a file in one step: after a crash it holds the old text or the new.
void ReplaceFile(const std::filesystem::path& path, const std::string& text);

}  // namespace volcontact::tool
