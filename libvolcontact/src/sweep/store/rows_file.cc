#include "sweep/store/rows_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sweep/store/durable_file.h"
#include "sweep/store/hdf5_ids.h"
#include "volcontact/version.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

namespace fs = std::filesystem;

// Rows of a block of a data set, which is what is compressed, and written, at once.
constexpr std::uint64_t kRowsOfBlock = 16384;
constexpr unsigned kGzipLevel = 4;
constexpr char kStatusName[] = "status";

// Small integers with the names of the statuses.
H5Id StatusType() {
  H5Id type(H5Tenum_create(H5T_STD_U8LE), H5Tclose);
  const std::pair<const char*, RowStatus> names[] = {{"ok", RowStatus::kOk},
                                                     {"not_converged", RowStatus::kNotConverged},
                                                     {"failed", RowStatus::kFailed}};
  for (const auto& [name, status] : names) H5Tenum_insert(type.get(), name, &status);
  return type;
}

bool AddTextAttribute(hid_t object, const char* name, const std::string& text) {
  const H5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  const H5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  // As long as it is: readers take texts of fixed length for bytes.
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const H5Id attribute(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose);
  const char* const characters = text.c_str();
  return attribute.ok() && H5Awrite(attribute.get(), type.get(), &characters) >= 0;
}

}  // namespace

struct RowsFileWriter::State {
  QuietHdf5 quiet;  // first: the lock is given up last
  fs::path file, unfinished;
  std::uint64_t rows = 0, written = 0;
  H5Id hdf5;
  std::vector<H5Id> sets;  // the status, then the columns
  std::vector<std::uint8_t> status;
  std::vector<std::vector<double>> columns;

  H5Id CreateSet(const std::string& name, hid_t type, bool compress);
  void Create(const StoreLayout& layout, bool compress);
  void WriteSet(const H5Id& set, hid_t memory_type, const void* values, std::uint64_t count);
  void WriteBlock();
  [[noreturn]] void Fail() { ThrowHdf5Error(file, "cannot be written"); }
};

H5Id RowsFileWriter::State::CreateSet(const std::string& name, hid_t type, bool compress) {
  const hsize_t size = rows, block = std::clamp<std::uint64_t>(rows, 1, kRowsOfBlock);
  const H5Id space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const H5Id settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(settings.get(), false);
  H5Pset_chunk(settings.get(), 1, &block);
  // Beyond the last row, too, nothing is left to what was in memory.
  H5Pset_fill_time(settings.get(), H5D_FILL_TIME_ALLOC);
  if (compress) {
    H5Pset_shuffle(settings.get());
    H5Pset_deflate(settings.get(), kGzipLevel);
  }
  return {H5Dcreate2(hdf5.get(), name.c_str(), type, space.get(), H5P_DEFAULT, settings.get(),
                     H5P_DEFAULT),
          H5Dclose};
}

void RowsFileWriter::State::Create(const StoreLayout& layout, bool compress) {
  const H5Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  const H5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_obj_track_times(creation.get(), false);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18);
  hdf5 = H5Id(H5Fcreate(unfinished.c_str(), H5F_ACC_EXCL, creation.get(), access.get()), H5Fclose);
  if (!hdf5.ok()) Fail();
  bool good = AddTextAttribute(hdf5.get(), "title", layout.title) &&
              AddTextAttribute(hdf5.get(), "version", LibraryVersion()) &&
              AddTextAttribute(hdf5.get(), "manifest_sha256", layout.plan_hash);
  const H5Id status_type = StatusType();
  sets.push_back(CreateSet(kStatusName, status_type.get(), compress));
  for (const ResultColumn& column : layout.columns) {
    sets.push_back(CreateSet(column.name, H5T_IEEE_F64LE, compress));
    good = good && sets.back().ok() && AddTextAttribute(sets.back().get(), "units", column.unit);
  }
  if (!good || !sets.front().ok()) Fail();
}

void RowsFileWriter::State::WriteSet(const H5Id& set, hid_t memory_type, const void* values,
                                     std::uint64_t count) {
  const hsize_t start = written, size = count;
  const H5Id memory(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const H5Id space(H5Dget_space(set.get()), H5Sclose);
  if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &size, nullptr) < 0 ||
      H5Dwrite(set.get(), memory_type, memory.get(), space.get(), H5P_DEFAULT, values) < 0) {
    Fail();
  }
}

void RowsFileWriter::State::WriteBlock() {
  const std::uint64_t count = std::min<std::uint64_t>(status.size(), kRowsOfBlock);
  if (count == 0) return;
  const H5Id type = StatusType();
  WriteSet(sets[0], type.get(), status.data(), count);
  status.erase(status.begin(), status.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    WriteSet(sets[i + 1], H5T_NATIVE_DOUBLE, columns[i].data(), count);
    columns[i].erase(columns[i].begin(), columns[i].begin() + static_cast<std::ptrdiff_t>(count));
  }
  written += count;
}

RowsFileWriter::RowsFileWriter(const fs::path& file, const StoreLayout& layout, bool compress)
    : state_(std::make_unique<State>()) {
  state_->file = file;
  state_->unfinished = UnfinishedName(file);
  unlink(state_->unfinished.c_str());  // of a process that was killed, and had this number
  state_->rows = layout.rows;
  state_->columns.resize(layout.columns.size());
  try {
    state_->Create(layout, compress);
  } catch (...) {
    unlink(state_->unfinished.c_str());
    throw;
  }
}

RowsFileWriter::~RowsFileWriter() {
  if (!state_) return;
  state_->sets.clear();
  state_->hdf5.Close();
  unlink(state_->unfinished.c_str());
}

void RowsFileWriter::Append(const ChunkContents& rows) {
  for (const RowStatus status : rows.status) {
    state_->status.push_back(static_cast<std::uint8_t>(status));
  }
  for (std::size_t i = 0; i < state_->columns.size(); ++i) {
    state_->columns[i].insert(state_->columns[i].end(), rows.columns[i].begin(),
                              rows.columns[i].end());
  }
  while (state_->status.size() >= kRowsOfBlock) state_->WriteBlock();
}

void RowsFileWriter::Finish() {
  state_->WriteBlock();
  bool good = true;
  for (H5Id& set : state_->sets) good = set.Close() && good;
  good = state_->hdf5.Close() && good;
  if (!good) state_->Fail();
  FinishDurably(state_->unfinished, state_->file);
  state_.reset();
}

void ReadRowsFile(const fs::path& file, const StoreLayout& layout,
                  const std::function<void(std::uint64_t, const ChunkContents&)>& read) {
  constexpr char kCannotRead[] = "cannot be read";
  const QuietHdf5 quiet;
  const H5Id hdf5(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!hdf5.ok()) ThrowHdf5Error(file, kCannotRead);
  const auto open = [&](const std::string& name) {
    H5Id set(H5Dopen2(hdf5.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.ok()) ThrowHdf5Error(file, kCannotRead);
    const H5Id space(H5Dget_space(set.get()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.get()) != static_cast<hssize_t>(layout.rows)) {
      throw std::runtime_error(fmt::format("{}: {}: it has not the rows of the sweep, {}",
                                           file.string(), kCannotRead, layout.rows));
    }
    return set;
  };
  const H5Id status_type = StatusType();
  const H5Id status = open(kStatusName);
  std::vector<H5Id> sets;
  for (const ResultColumn& column : layout.columns) sets.push_back(open(column.name));
  for (std::uint64_t first = 0; first < layout.rows; first += kRowsOfBlock) {
    const hsize_t start = first, size = std::min(kRowsOfBlock, layout.rows - first);
    const H5Id memory(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const auto read_set = [&](const H5Id& set, hid_t type, void* values) {
      const H5Id space(H5Dget_space(set.get()), H5Sclose);
      if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &size, nullptr) < 0 ||
          H5Dread(set.get(), type, memory.get(), space.get(), H5P_DEFAULT, values) < 0) {
        ThrowHdf5Error(file, kCannotRead);
      }
    };
    ChunkContents rows;
    rows.status.resize(size);
    read_set(status, status_type.get(), rows.status.data());
    for (const H5Id& set : sets) {
      read_set(set, H5T_NATIVE_DOUBLE, rows.columns.emplace_back(size).data());
    }
    read(first, rows);
  }
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
