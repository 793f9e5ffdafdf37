// What pickle hands back, which may be of another version, or anybody's.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "volcontact/math/error.h"

namespace volcontact::python {

namespace py = pybind11;

/// What `make` makes of a state that `type` has `size` items of. Throws InvalidInput where the
/// state is not of that kind.
template <class Make>
auto FromPickle(const char* type, const py::tuple& state, std::size_t size, const Make& make) {
  const std::string damaged = std::string(type) +
                              ": the pickled state is damaged, or of another version of "
                              "volcontact; make the object anew and pickle it again";
  if (state.size() != size) throw InvalidInput(damaged);
  try {
    return make();
  } catch (const py::cast_error&) {
    throw InvalidInput(damaged);
  } catch (py::error_already_set& error) {
    if (error.matches(PyExc_MemoryError) || error.matches(PyExc_KeyboardInterrupt)) throw;
    throw InvalidInput(damaged);
  }
}

}  // namespace volcontact::python
