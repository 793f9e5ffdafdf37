#include "volcontact/scenario/time_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <stdexcept>

#include "io/write_error.h"
#include "volcontact/io/csv_table.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

// Names listed in a message, in characters: some twenty.
constexpr std::size_t kLongestList = 300;

}  // namespace

const std::vector<double>& TimeSeries::Column(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return columns[static_cast<std::size_t>(found - names.begin())];
  const std::string owner = name.substr(0, name.find('.') + 1);
  const auto listed = [&](const std::string& prefix) {
    std::string list;
    for (const std::string& other : names) {
      if (other.compare(0, prefix.size(), prefix) == 0) list += (list.empty() ? "" : ", ") + other;
      if (list.size() > kLongestList) return list + ", …";
    }
    return list;
  };
  std::string near = listed(owner);
  if (near.empty()) near = listed("");  // nothing has such a name: then any
  throw InvalidInput(fmt::format("there is no column \"{}\"{}; there are {}", name,
                                 DidYouMean(name, names), near));
}

TimeSeries ReadTimeSeries(const std::filesystem::path& file) {
  const CsvTable table = CsvTable::Read(file);
  TimeSeries series;
  for (const CsvTable::Column& column : table.columns()) series.names.push_back(column.name);
  series.columns.assign(series.names.size(), std::vector<double>(table.rows()));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    table.RequireLength(row);
    for (std::size_t i = 0; i < series.columns.size(); ++i) {
      series.columns[i][row] = table.Number(row, i);
    }
  }
  return series;
}

TimeSeriesWriter::TimeSeriesWriter(const std::filesystem::path& file,
                                   const std::vector<std::string>& names)
    : path_(file.string()), stream_(file, std::ios::binary | std::ios::trunc) {
  for (std::size_t i = 0; i < names.size(); ++i) stream_ << (i == 0 ? "" : ",") << names[i];
  stream_ << '\n';
  Check();
}

TimeSeriesWriter::TimeSeriesWriter(const std::filesystem::path& file, std::uintmax_t size)
    : path_(file.string()) {
  if (!std::filesystem::exists(file) || std::filesystem::file_size(file) < size) {
    throw InvalidInput(path_ +
                       ": is shorter than when the run was interrupted; start anew with "
                       "--overwrite");
  }
  std::filesystem::resize_file(file, size);
  stream_.open(file, std::ios::binary | std::ios::app);
  Check();
}

void TimeSeriesWriter::Write(const std::vector<double>& row) {
  fmt::memory_buffer line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    fmt::format_to(std::back_inserter(line), "{}{}", i == 0 ? "" : ",", row[i]);
  }
  line.push_back('\n');
  stream_.write(line.data(), static_cast<std::streamsize>(line.size()));
  Check();
}

std::uintmax_t TimeSeriesWriter::Flush() {
  stream_.flush();
  Check();
  return std::filesystem::file_size(path_);
}

void TimeSeriesWriter::Check() {
  if (!stream_) throw std::runtime_error(path_ + ": cannot be written: " + WriteErrorText(errno));
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
