// The module volcontact._core: what the package of Python calls in C++.
#include <pybind11/pybind11.h>

#include <cstddef>
#include <exception>
#include <utility>

#include "bindings.h"
#include "metrics_array.h"
#include "volcontact/io/printable.h"
#include "volcontact/math/error.h"
#include "volcontact/version.h"

namespace volcontact::python {
namespace {

namespace py = pybind11;

// A message that is longer says nothing more to a reader [bytes].
constexpr std::size_t kLongestMessage = 4000;

[[noreturn]] void* RefuseUnmade(std::size_t /*size*/) {
  throw py::type_error("an object that __new__ made alone holds nothing; call its class instead");
}

// A message may quote a file, and Python prints it as it is.
void BindInvalidInput(py::module_* module) {
  static const py::handle type =
      py::exception<InvalidInput>(*module, "InvalidInput", PyExc_ValueError).release();
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const InvalidInput& error) {
      PyErr_SetString(type.ptr(), Shown(error.what(), kLongestMessage).c_str());
    }
  });
}

// pybind11 takes memory, and leaves it as it is, for the value of an object whose __init__ never
// ran; there is no other use of this function of a type.
void GuardUnmade(const py::module_& module) {
  for (const auto& [name, value] : module.attr("__dict__").cast<py::dict>()) {
    if (!py::isinstance<py::type>(value)) continue;
    auto* const type = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(value.ptr()));
    if (type != nullptr) type->operator_new = &RefuseUnmade;
  }
}

}  // namespace
}  // namespace volcontact::python

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace volcontact::python;
  module.doc() = "Compiled part of volcontact; see the package.";
  module.attr("__version__") = VOLCONTACT_VERSION;
  BindInvalidInput(&module);
  BindSolids(&module);
  BindSolidFiles(&module);
  BindMetrics(&module);
  BindPairs(&module);
  BindSurfaces(&module);
  BindContacts(&module);
  BindEstimates(&module);
  BindSteps(&module);
  BindScenarios(&module);
  BindIdentification(&module);
  BindSweeps(&module);
  GuardUnmade(module);
}
