#include "simulate/run_files.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "volcontact/math/error.h"

namespace volcontact::tool {

CsvWriter::CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& names)
    : path_(path.string()), stream_(path, std::ios::binary | std::ios::trunc) {
  std::string line;
  for (const std::string& name : names) line += (line.empty() ? "" : ",") + name;
  stream_ << line << '\n';
  Check();
}

CsvWriter::CsvWriter(const std::filesystem::path& path, std::uintmax_t size)
    : path_(path.string()) {
  if (!std::filesystem::exists(path) || std::filesystem::file_size(path) < size) {
    throw InvalidInput(path_ +
                       ": is shorter than when the run was interrupted; start anew with "
                       "--overwrite");
  }
  std::filesystem::resize_file(path, size);
  stream_.open(path, std::ios::binary | std::ios::app);
  Check();
}

void CsvWriter::Write(const std::vector<double>& row) {
  fmt::memory_buffer line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    fmt::format_to(std::back_inserter(line), "{}{}", i == 0 ? "" : ",", row[i]);
  }
  line.push_back('\n');
  stream_.write(line.data(), static_cast<std::streamsize>(line.size()));
  Check();
}

std::uintmax_t CsvWriter::Flush() {
  stream_.flush();
  Check();
  return std::filesystem::file_size(path_);
}

void CsvWriter::Check() {
  if (!stream_) throw std::runtime_error(path_ + ": cannot be written; is the disk full?");
}

TimeSeries ReadTimeSeries(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string line;
  if (!std::getline(stream, line)) throw InvalidInput(path.string() + ": cannot be read");
  TimeSeries series;
  std::istringstream header(line);
  for (std::string name; std::getline(header, name, ',');) series.names.push_back(name);
  series.columns.resize(series.names.size());
  for (int number = 2; std::getline(stream, line); ++number) {
    const char* next = line.c_str();
    for (std::vector<double>& column : series.columns) {
      char* end = nullptr;
      column.push_back(std::strtod(next, &end));
      if (end == next) {
        throw InvalidInput(fmt::format("{}: line {} has too few numbers", path.string(), number));
      }
      next = *end == ',' ? end + 1 : end;
    }
  }
  return series;
}

void ReplaceFile(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path fresh = path.string() + ".new";
  {
    std::ofstream stream(fresh, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.flush();
    if (!stream) throw std::runtime_error(fresh.string() + ": cannot be written");
  }
  std::filesystem::rename(fresh, path);
}

}  // namespace volcontact::tool
