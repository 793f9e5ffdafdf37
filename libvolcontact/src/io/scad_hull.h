// hull() of OpenSCAD files.
#pragma once

#include <Eigen/Core>

#include "io/outlines/outline_solid.h"
#include "io/scad_reading.h"
#include "io/scad_syntax.h"

namespace volcontact {

/// The image under L of the hull of the children: of balls of one radius, or two; of corners; or of
/// upright cylinders and prisms between the same two heights. Nothing without children. Throws
/// InvalidInput, in part without a place.
MaybeSolid ReadScadHull(const ScadStatement& statement, const Eigen::Matrix3d& L,
                        ScadReading* reading);

}  // namespace volcontact
