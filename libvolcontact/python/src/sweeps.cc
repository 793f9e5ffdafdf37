// Sweeps: plans, their chunks, and folders of them.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "volcontact/math/error.h"
#ifdef VOLCONTACT_HAS_SWEEP
#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interruptible.h"
#include "volcontact/sweep/sweep_plan.h"
#include "volcontact/sweep/sweep_store.h"

namespace volcontact::python {
namespace {

using sweep::Plan;
using sweep::Store;

// Holds a folder into which others put chunks through this process.
struct FolderHold {
  std::shared_ptr<const void> held;
};

py::tuple CountsOf(const sweep::SweepCounts& counts) {
  return py::make_tuple(counts.chunks, counts.rows, counts.not_converged, counts.failed);
}

py::array_t<double> ArrayOfColumn(const std::vector<double>& column) {
  return py::array_t<double>(static_cast<py::ssize_t>(column.size()), column.data());
}

py::list ColumnsOf(const Plan& plan) {
  py::list columns;
  for (const sweep::ResultColumn& column : plan.columns()) {
    columns.append(py::make_tuple(column.name, column.unit));
  }
  return columns;
}

py::list InputsOf(const Plan& plan) {
  py::list inputs;
  for (const sweep::InputFile& input : plan.inputs()) {
    inputs.append(py::make_tuple(input.path, input.sha256));
  }
  return inputs;
}

// Work that nothing but an exception stops has a result.
sweep::ChunkRows RowsOf(const Plan& plan, std::uint64_t chunk, int threads,
                        const std::function<bool()>& stop) {
  if (chunk >= plan.chunks()) {
    throw InvalidInput("chunk is " + std::to_string(chunk) + "; the plan has " +
                       std::to_string(plan.chunks()) + ", counted from 0");
  }
  return plan.Run(chunk, threads, stop).value_or(sweep::ChunkRows{});
}

py::tuple RunChunk(const Plan& plan, std::uint64_t chunk, int threads) {
  const sweep::ChunkRows rows = RunInterruptibly(
      [&](const std::function<bool()>& stop) { return RowsOf(plan, chunk, threads, stop); });
  py::array_t<std::uint8_t> status(static_cast<py::ssize_t>(rows.status.size()));
  std::transform(rows.status.begin(), rows.status.end(), status.mutable_data(),
                 [](sweep::RowStatus one) { return static_cast<std::uint8_t>(one); });
  py::list columns, reasons;
  for (const std::vector<double>& column : rows.columns) columns.append(ArrayOfColumn(column));
  for (const sweep::RowReason& reason : rows.reasons) {
    reasons.append(py::make_tuple(reason.row, reason.text));
  }
  return py::make_tuple(rows.first, status, columns, reasons);
}

py::bytes RunEncoded(const Plan& plan, std::uint64_t chunk, int threads) {
  return RunInterruptibly([&](const std::function<bool()>& stop) {
    const sweep::ChunkRows rows = RowsOf(plan, chunk, threads, stop);
    return stop() ? std::string() : sweep::EncodeChunk(plan, rows);
  });
}

// What a run has kept, from the thread that keeps it to the one that shows it.
class KeptCounts {
 public:
  void Set(const sweep::SweepCounts& counts) {
    const std::lock_guard lock(mutex_);
    counts_ = counts;
    news_ = true;
  }

  // What is new since the last time.
  std::optional<sweep::SweepCounts> News() {
    const std::lock_guard lock(mutex_);
    return std::exchange(news_, false) ? std::optional(counts_) : std::nullopt;
  }

 private:
  std::mutex mutex_;
  sweep::SweepCounts counts_;
  bool news_ = false;
};

py::tuple RunChunksOf(const Store& store, const Plan& plan,
                      const std::vector<std::uint64_t>& chunks, int threads,
                      const std::string& label, const py::object& progress) {
  KeptCounts kept;
  const auto watch = [&] {
    const std::optional<sweep::SweepCounts> news = kept.News();
    if (news && !progress.is_none()) progress(CountsOf(*news));
  };
  const sweep::RunChunksEnd end = RunInterruptibly(
      [&](const std::function<bool()>& stop) {
        sweep::RunChunksOptions options;
        options.threads = threads;
        options.stop = stop;
        options.kept = [&](const sweep::SweepCounts& counts) { kept.Set(counts); };
        options.label = label;
        std::size_t at = 0;
        const sweep::NextChunk next = [&]() -> std::optional<std::uint64_t> {
          if (at == chunks.size()) return std::nullopt;
          return chunks[at++];
        };
        return sweep::RunChunks(plan, store, next, options);
      },
      watch);
  watch();
  return CountsOf(end.counts);
}

std::vector<std::uint64_t> MissingOf(const Store& store, std::uint64_t index, std::uint64_t count) {
  const py::gil_scoped_release release;
  return store.Look({index, count}).missing;
}

void PutChunk(const Store& store, std::uint64_t chunk, const std::string& bytes) {
  const py::gil_scoped_release release;
  store.Put(chunk, bytes);
}

std::string SweepState(const std::string& folder) {
  switch (sweep::LookAtFolder(folder)) {
    case sweep::FolderState::kNone:
      return "none";
    case sweep::FolderState::kBegun:
      return "begun";
    case sweep::FolderState::kMerged:
      return "merged";
  }
  return "";
}

py::tuple MergeFolder(const std::string& folder, bool csv, bool compress, bool keep_chunks) {
  const std::optional<sweep::MergeResult> result =
      RunInterruptibly([&](const std::function<bool()>& stop) {
        sweep::MergeOptions options;
        options.csv = csv;
        options.compress = compress;
        options.keep_chunks = keep_chunks;
        options.stop = stop;
        return sweep::Merge(folder, options);
      });
  return py::make_tuple(CountsOf(result->counts), result->reductions, result->files);
}

}  // namespace

void BindSweeps(py::module_* module) {
  module->attr("_has_sweep") = true;
  py::class_<Plan>(*module, "_SweepPlan")
      .def_property_readonly("rows", &Plan::rows)
      .def_property_readonly("rows_of_chunk", &Plan::rows_of_chunk)
      .def_property_readonly("chunks", &Plan::chunks)
      .def_property_readonly("columns", &ColumnsOf)
      .def_property_readonly("inputs", &InputsOf)
      .def_property_readonly("document", &Plan::document)
      .def_property_readonly("notes", &Plan::notes)
      .def("run", &RunChunk)
      .def("run_encoded", &RunEncoded);
  py::class_<FolderHold>(*module, "_SweepHold").def("release", [](FolderHold& hold) {
    hold.held.reset();
  });
  py::class_<Store>(*module, "_SweepStore")
      .def("missing", &MissingOf)
      .def("put", &PutChunk)
      .def("hold", [](const Store& store) { return FolderHold{store.Hold()}; })
      .def("run", &RunChunksOf);
  module->def("_read_sweep", [](const std::string& file, const std::vector<std::string>& set) {
    const py::gil_scoped_release release;
    return Plan::Read(file, set);
  });
  module->def("_open_sweep", [](const std::string& folder, const Plan& plan) {
    const py::gil_scoped_release release;
    return Store::Open(folder, plan);
  });
  module->def("_sweep_state", &SweepState);
  module->def("_drop_sweep", [](const std::string& folder) { sweep::DropSweep(folder); });
  module->def("_merge_sweep", &MergeFolder);
}

}  // namespace volcontact::python

#else

namespace volcontact::python {

void BindSweeps(pybind11::module_* module) { module->attr("_has_sweep") = false; }

}  // namespace volcontact::python

#endif
