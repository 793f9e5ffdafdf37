// The parts of the module, each of which adds its names.
#pragma once

#include <pybind11/pybind11.h>

#include "volcontact/solids/solid.h"

namespace volcontact::python {

void BindSolids(pybind11::module_* module);
void BindSolidFiles(pybind11::module_* module);
void BindPairs(pybind11::module_* module);
void BindSurfaces(pybind11::module_* module);
void BindContacts(pybind11::module_* module);
void BindEstimates(pybind11::module_* module);
void BindSteps(pybind11::module_* module);
void BindScenarios(pybind11::module_* module);
void BindIdentification(pybind11::module_* module);
void BindSweeps(pybind11::module_* module);

}  // namespace volcontact::python
