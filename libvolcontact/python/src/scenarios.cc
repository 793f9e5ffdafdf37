// Scenarios and their runs.
#include <pybind11/stl.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "input.h"
#include "volcontact/math/error.h"
#include "volcontact/scenario/scenario_file.h"
#include "volcontact/scenario/time_series.h"
#ifdef VOLCONTACT_HAS_SIMBODY
#include "volcontact/scenario/scenario_run.h"
#endif

namespace volcontact::python {
namespace {

using Clock = std::chrono::steady_clock;

py::tuple ReadSeries(const std::string& file) {
  const scenario::TimeSeries series = scenario::ReadTimeSeries(file);
  py::list columns;
  for (const std::vector<double>& column : series.columns) {
    columns.append(py::array_t<double>(static_cast<py::ssize_t>(column.size()), column.data()));
  }
  return py::make_tuple(series.names, columns);
}

const scenario::ScenarioVariant& VariantOf(const scenario::ScenarioFile& file,
                                           const std::string& name) {
  std::string known;
  for (const scenario::ScenarioVariant& variant : file.variants) {
    if (variant.name == name || (name.empty() && file.variants.size() == 1)) return variant;
    known += (known.empty() ? "" : ", ") + variant.name;
  }
  throw InvalidInput("variant is '" + name + "'; " + file.file + " has these: " + known);
}

std::vector<std::string> VariantsOf(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& variant : scenario::ReadScenarioFile(path).variants) {
    names.push_back(variant.name);
  }
  return names;
}

#ifdef VOLCONTACT_HAS_SIMBODY

// Asks Python for signals now and then, so that a run can be interrupted from the keyboard.
class Interrupted {
 public:
  bool operator()() {
    const Clock::time_point now = Clock::now();
    if (now < next_ || pending_) return pending_;
    next_ = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire acquire;
    pending_ = PyErr_CheckSignals() != 0;
    if (pending_) error_.emplace();
    return pending_;
  }

  void Throw() {
    if (error_) throw *std::move(error_);
  }

 private:
  Clock::time_point next_ = Clock::now();
  bool pending_ = false;
  std::optional<py::error_already_set> error_;
};

// The summary as JSON; everything else stands in the folder.
std::string RunScenario(const std::string& path, const std::vector<std::string>& set,
                        const std::string& variant, const std::string& folder, bool resume,
                        bool overwrite) {
  Interrupted interrupted;
  std::optional<scenario::RunSummary> summary;
  {
    const py::gil_scoped_release release;
    const scenario::ScenarioFile file = scenario::ReadScenarioFile(path, set);
    scenario::RunOptions options;
    options.resume = resume;
    options.overwrite = overwrite;
    options.stop = [&] { return interrupted(); };
    summary = scenario::RunVariant(file, VariantOf(file, variant), folder, options);
  }
  interrupted.Throw();
  return scenario::ToJson(*summary);
}

#else

std::string RunScenario(const std::string&, const std::vector<std::string>&, const std::string&,
                        const std::string&, bool, bool) {
  throw InvalidInput(
      "simulate: this package was built without Simbody; build it with "
      "VOLCONTACT_SIMBODY=ON");
}

#endif

}  // namespace

void BindScenarios(py::module_* module) {
  module->def("_read_time_series", &ReadSeries);
  module->def("_variants", &VariantsOf);
  module->def("_run_scenario", &RunScenario);
#ifdef VOLCONTACT_HAS_SIMBODY
  py::register_exception<scenario::SimulationError>(*module, "SimulationError", PyExc_RuntimeError);
#else
  module->attr("SimulationError") = py::handle(PyExc_RuntimeError);
#endif
}

}  // namespace volcontact::python
