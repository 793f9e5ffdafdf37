// The module volcontact._core: what the package of Python calls in C++.
#include <pybind11/pybind11.h>

#include "bindings.h"
#include "metrics_array.h"
#include "volcontact/math/error.h"
#include "volcontact/version.h"

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace volcontact::python;
  module.doc() = "Compiled part of volcontact; see the package.";
  module.attr("__version__") = VOLCONTACT_VERSION;
  py::register_exception<volcontact::InvalidInput>(module, "InvalidInput", PyExc_ValueError);
  BindSolids(&module);
  BindSolidFiles(&module);
  BindMetrics(&module);
  BindPairs(&module);
  BindContacts(&module);
  BindScenarios(&module);
  BindIdentification(&module);
}
