#include "query_options.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "input.h"
#include "volcontact/math/error.h"

namespace volcontact::python {
namespace {

// Warns the caller of the method in Python that calls this.
void WarnOfOldName(const std::string& warning) {
  if (PyErr_WarnEx(PyExc_DeprecationWarning, warning.c_str(), 2) != 0) {
    throw py::error_already_set();
  }
}

Method MethodOf(py::handle value) {
  const std::string name = TextOf(value, "method");
  const std::string warning = MethodWarning(name);
  if (!warning.empty()) WarnOfOldName(warning);
  if (const std::optional<Method> method = FindMethod(name)) return *method;
  std::string known;
  for (const MethodEntry& entry : AllMethods()) {
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw InvalidInput("method is '" + name + "'; known methods: " + known);
}

// The present name of an option, with a warning for one of earlier versions.
std::string_view PresentName(std::string_view key) {
  if (key != "tol") return key;
  WarnOfOldName("tol is the old name of tolerance, for one version; write tolerance=...");
  return "tolerance";
}

double Tolerance(py::handle value) {
  const double tolerance = Real(value, "tolerance");
  if (tolerance > 1e-14 && tolerance < 1.0) return tolerance;
  throw InvalidInput(
      fmt::format("tolerance is {}; it must lie between 1e-14 and 1, both excluded", tolerance));
}

long Count(py::handle value, const char* name, long most) {
  const long count = Integer(value, name);
  if (count >= 1 && count <= most) return count;
  throw InvalidInput(fmt::format("{} is {}; it must lie between 1 and {}", name, count, most));
}

// What the library objects to in the rest names the option itself.
void ReadOption(std::string_view key, py::handle value, QueryArguments* arguments) {
  QueryOptions& options = arguments->options;
  if (key == "tolerance") {
    options.tolerance = Tolerance(value);
  } else if (key == "threads") {
    options.threads = static_cast<int>(Count(value, "threads", 4096));
  } else if (key == "hessian") {
    options.hessian = Truth(value, "hessian");
  } else if (key == "check_hessian") {
    options.check_hessian = Truth(value, "check_hessian");
  } else if (key == "method") {
    options.method = MethodOf(value);
  } else if (key == "certify") {
    options.certify = Truth(value, "certify");
  } else if (key == "bracket_width") {
    options.bracket_width = Real(value, "bracket_width");
  } else if (key == "max_cells") {
    options.max_cells = Count(value, "max_cells", std::numeric_limits<long>::max());
  } else if (key == "max_seconds") {
    options.max_seconds = Real(value, "max_seconds");
  } else if (key == "bound_distance") {
    options.bound_distance = Truth(value, "bound_distance");
  } else if (key == "bound_volume") {
    options.bound_volume = Truth(value, "bound_volume");
  } else if (key == "contact_area") {
    options.contact_area = Truth(value, "contact_area");
  } else if (key == "voxel_size") {
    options.voxel_size = Real(value, "voxel_size");
  } else if (key == "previous_normal") {
    if (!value.is_none()) options.previous_normal_W = Vector3(value, "previous_normal");
  } else {
    throw py::type_error(
        fmt::format("unknown option '{}'; options: tolerance, threads, method, certify, "
                    "bracket_width, max_cells, "
                    "max_seconds, bound_distance, bound_volume, contact_area, hessian, "
                    "check_hessian, voxel_size, previous_normal, and `out` and `progress` of query",
                    key));
  }
}

}  // namespace

QueryArguments ReadQueryOptions(const py::kwargs& given, bool takes_out) {
  QueryArguments arguments;
  for (const auto& [name, value] : given) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(name.ptr(), &size);
    const std::string_view key = PresentName({text, static_cast<std::size_t>(size)});
    if (takes_out && key == "out") {
      if (!value.is_none()) arguments.out = py::reinterpret_borrow<py::object>(value);
    } else if (takes_out && key == "progress") {
      if (!value.is_none()) arguments.progress = py::reinterpret_borrow<py::object>(value);
    } else {
      ReadOption(key, value, &arguments);
    }
  }
  return arguments;
}

}  // namespace volcontact::python
