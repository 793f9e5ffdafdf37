// Options of queries as Python gives them, by keyword.
#pragma once

#include <pybind11/pybind11.h>

#include "volcontact/overlap/options.h"

namespace volcontact::python {

struct QueryArguments {
  QueryOptions options;
  pybind11::object out;       // null without
  pybind11::object progress;  // as out; called with the number done and that of all
};

/// Reads tolerance, threads, method, certify, bracket_width, max_cells, max_seconds,
/// bound_distance, bound_volume, contact_area, hessian, check_hessian, voxel_size, previous_normal,
/// and `out` and `progress` where these are taken. Throws TypeError for other names, TypeError and
/// ValueError for values that do not fit, each naming the option.
QueryArguments ReadQueryOptions(const pybind11::kwargs& given, bool takes_out = false);

}  // namespace volcontact::python
