// hull() and minkowski() of OpenSCAD files.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "io/outlines/outline_solid.h"
#include "io/scad/hulls/scad_hull_parts.h"
#include "io/scad/hulls/scad_upright.h"
#include "io/scad/scad_reading.h"
#include "io/scad/scad_syntax.h"

namespace volcontact {

/// The image under L of the hull of the children: exact for balls of one radius in a line, for two
/// balls, for corners, and for upright cylinders and prisms between the same two heights; else, of
/// balls, cylinders and corners, a mesh with a note of its deviation. Nothing without children.
/// Throws InvalidInput, in part without a place.
MaybeSolid ReadScadHull(const ScadStatement& statement, const Eigen::Matrix3d& L,
                        ScadReading* reading);

/// The same of minkowski(): the children, each of one convex part (cube, sphere, cylinder, hull,
/// moved or not), added up. Exact for corners, for balls, and for upright cylinders and boxes,
/// which make a plate with round corners; of corners and balls a mesh.
MaybeSolid ReadScadMinkowski(const ScadStatement& statement, const Eigen::Matrix3d& L,
                             ScadReading* reading);

/// The hull as an outline between two heights, where it is one.
std::optional<UprightPart> UprightHullOf(const HullParts& parts);

}  // namespace volcontact
