// projection() of OpenSCAD files: plane parts that are made of solids.
#pragma once

#include "io/outlines/outline.h"
#include "io/scad/scad_reading.h"
#include "io/scad/scad_syntax.h"

namespace volcontact {

/// The outline that projection() makes of its children [m]: their part in the plane z = 0 with
/// `cut`, else their image along z. Throws InvalidInput that names the place and the cure for
/// children without an exact outline.
Outline ReadProjection(const ScadStatement& statement, ScadReading* reading);

}  // namespace volcontact
