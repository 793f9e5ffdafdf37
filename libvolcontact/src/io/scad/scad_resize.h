// resize() of OpenSCAD files.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "io/scad/scad_reading.h"
#include "io/scad/scad_syntax.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// By how much resize() scales each axis so that the bounding box of its children, which these
/// statements make and the solid is, gets the new size. Throws InvalidInput that names the place
/// and the cure where the box is not known exactly.
Eigen::Vector3d ResizeScale(const ScadStatement& statement,
                            const std::vector<ScadStatement>& children, const Solid& solid,
                            ScadReading* reading);

}  // namespace volcontact
