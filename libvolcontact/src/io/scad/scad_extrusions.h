// linear_extrude() and rotate_extrude() of OpenSCAD files.
#pragma once

#include <Eigen/Core>

#include "io/outlines/extrusion.h"
#include "io/outlines/outline.h"
#include "io/outlines/outline_solid.h"
#include "io/scad/scad_reading.h"
#include "io/scad/scad_syntax.h"

namespace volcontact {

/// The image under L of an outline that is pulled, or turned by an angle [rad].
Solid ExtrudedBy(const Outline& outline, const Extrusion& extrusion, const Eigen::Matrix3d& L);
Solid RevolvedBy(const Outline& outline, double angle, const Facets& facets,
                 const Eigen::Matrix3d& L);

/// The images under L of what the modules make; nothing of an empty outline. Throw InvalidInput, in
/// part without a place.
MaybeSolid ReadLinearExtrude(const ScadStatement& statement, const Eigen::Matrix3d& L,
                             ScadReading* reading);
MaybeSolid ReadRotateExtrude(const ScadStatement& statement, const Eigen::Matrix3d& L,
                             ScadReading* reading);

/// The arguments of linear_extrude() [m].
struct LinearExtrude {
  double height, base, scale;
  double twist;  ///< of the top against the bottom, counterclockwise [rad]
};
LinearExtrude LinearExtrudeOf(const ScadStatement& statement, const ScadReading& reading);

}  // namespace volcontact
