// hull() of OpenSCAD files.
#pragma once

#include <Eigen/Core>

#include "io/outlines/outline_solid.h"
#include "io/scad_reading.h"
#include "io/scad_syntax.h"

namespace volcontact {

/// The image under L of the hull of the children: exact for balls of one radius in a line, for two
/// balls, for corners, and for upright cylinders and prisms between the same two heights; else, of
/// balls, cylinders and corners, a mesh with a note of its deviation. Nothing without children.
/// Throws InvalidInput, in part without a place.
MaybeSolid ReadScadHull(const ScadStatement& statement, const Eigen::Matrix3d& L,
                        ScadReading* reading);

}  // namespace volcontact
